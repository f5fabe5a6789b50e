// The ground that a driver's prediction needs is laid by a worker and handed over.
import type { Ground, TrackDef } from './ground';
import type { Instance } from './instance';
import { trackDefPlace } from './outline';

/** The means that a session lends it. */
export interface PreparationMeans {
  /** Calls the library; undefined where that is gone. */
  call<T>(act: (instance: Instance) => T): T | undefined;
  lay(def: TrackDef): Promise<Ground>;
  nowUs(): number;
}

/** The ground that a join waits for: asked for once its track is known, and handed over. */
export class Preparation {
  #state: 'none' | 'asked' | 'there' = 'none';

  constructor(private readonly means: PreparationMeans) {}

  /** After anything was heard. */
  look(instance: Instance): void {
    if (instance.calls.awaits_ground() === 0) return;
    if (this.#state === 'there') this.#state = 'none'; // it came before it was wanted
    this.begin();
  }

  /** True once the ground is laid. */
  begin(): boolean {
    const def = this.#state === 'none' ? this.means.call(readTrackDef) : null;
    if (def) {
      this.#state = 'asked';
      void this.means.lay(def).then((ground) => this.#take(ground));
    }
    return this.#state === 'there';
  }

  #take(ground: Ground): void {
    this.#state = 'there';
    this.means.call((instance) => {
      if (instance.calls.awaits_ground() === 0) return; // a spectator needs none
      const at = ground === null ? 0 : instance.calls.ground_room(ground.length);
      if (ground !== null && at !== 0) {
        instance.bytes(at, ground.length).set(ground);
        instance.calls.take_ground(ground.length, this.means.nowUs());
        return;
      }
      instance.calls.take_ground(0, this.means.nowUs());
      instance.calls.was_deaf(this.means.nowUs()); // laying took long
    });
  }
}

function readTrackDef(instance: Instance): TrackDef | null {
  const place = trackDefPlace(instance);
  return place && { hash: place.hash, bytes: instance.bytes(...place.bytes).slice() };
}
