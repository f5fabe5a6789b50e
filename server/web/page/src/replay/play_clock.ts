// The play clock runs between the server's words about a recording.
import type { Playback } from '../race/race';

/** The clock of a recording between two words of the server about it. */
export class PlayClock {
  private heard: Playback | null = null;
  private heardMs = 0;

  /** @return whether there was anything new. */
  hear(playback: Playback | null, nowMs: number): boolean {
    if (playback === this.heard) return false;
    this.heard = playback;
    this.heardMs = nowMs;
    return true;
  }

  tick(nowMs: number, hz: number): number {
    const { heard } = this;
    if (heard === null) return 0;
    if (!heard.playing || heard.seeking === true) return heard.tick;
    const goneS = Math.max(0, nowMs - this.heardMs) / 1000;
    return Math.min(heard.lastTick, heard.tick + (goneS * hz * heard.speedPermille) / 1000);
  }

  forget(): void {
    this.heard = null;
  }
}
