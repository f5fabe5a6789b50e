// The seeker asks the server for moments while a hand drags, at a bounded rate.
import type { Playback } from '../race/race';

const GAP_MS = 200; // five times a second is as smooth as a server can be asked for
const WAIT_MS = 3000; // for an answer; then what the server says counts again
const NEAR_S = 1.5;

/**
 * Asks for another moment, but not at each movement of the hand; and knows where the recording will
 * be until it is there.
 */
export class Seeker {
  private wanted: number | null = null;
  private isAsked = false; // for just that
  private askedMs = -Infinity;
  private askedOf: Playback | null = null;

  /** @return the tick to ask for now, or null: later, see due. */
  want(tick: number, playback: Playback | null, nowMs: number): number | null {
    this.wanted = tick;
    this.isAsked = false;
    return this.due(playback, nowMs);
  }

  /** The hand has let go: this is to be it. */
  settle(tick: number, playback: Playback | null, nowMs: number): number {
    this.wanted = tick;
    return this.ask(tick, playback, nowMs);
  }

  due(playback: Playback | null, nowMs: number): number | null {
    if (this.wanted === null || this.isAsked || nowMs - this.askedMs < GAP_MS) return null;
    return this.ask(this.wanted, playback, nowMs);
  }

  /** The tick to which it is going; null when it is there. */
  goal(): number | null {
    return this.wanted;
  }

  hear(playback: Playback, hz: number, nowMs: number): void {
    if (this.wanted === null || !this.isAsked) return;
    const isLate = nowMs - this.askedMs > WAIT_MS;
    const isAnswer = playback !== this.askedOf && playback.seeking !== true;
    const reach = NEAR_S * hz * Math.max(1, playback.speedPermille / 1000);
    const off = playback.tick - Math.min(this.wanted, playback.lastTick);
    if (isLate || (isAnswer && off >= 0 && off <= reach)) this.wanted = null;
  }

  forget(): void {
    this.wanted = null;
    this.isAsked = false;
    this.askedOf = null;
  }

  private ask(tick: number, playback: Playback | null, nowMs: number): number {
    this.isAsked = true;
    this.askedMs = nowMs;
    this.askedOf = playback;
    return tick;
  }
}
