// What was made of the newest track is kept: laid once, drawn once.
import type { Ground, TrackDef } from './ground';
import type { TrackOutline } from './race';

interface Kept<T> {
  key: string;
  value: T;
}

/** A spectator's session and the one of the driver that he becomes are of the same track. */
export class TrackCache {
  #ground: Kept<Promise<Ground>> | null = null;
  #outline: Kept<TrackOutline> | null = null;

  ground(def: TrackDef, lay: (def: TrackDef) => Promise<Ground>): Promise<Ground> {
    if (this.#ground?.key !== def.hash) this.#ground = { key: def.hash, value: lay(def) };
    return this.#ground.value;
  }

  /** Null is not kept: it may be known the next time. */
  outline(key: string, read: () => TrackOutline | null): TrackOutline | null {
    if (this.#outline?.key === key) return this.#outline.value;
    const value = read();
    if (value !== null) this.#outline = { key, value };
    return value;
  }
}
