// The race clock runs by itself between what the server says of the time.
import type { RaceState } from '../race/race';

const JUMP_US = 2e6; // a difference that is a seek or another race, not a late message
const LEAN = 0.1; // share of a small difference that is taken over at once

/** The time of the race between what the server says of it: runs by itself, without jerks. */
export class RaceClock {
  private state: RaceState | null = null;
  private timeUs = 0;
  private atMs = 0;
  private rate = 1;

  /** @param rate seconds of the race in one second; 0 while nothing moves */
  hear(state: RaceState | null, rate: number, nowMs: number): void {
    if (state === null) {
      this.state = null;
      return;
    }
    const known = this.state;
    const shownUs = this.at(nowMs);
    this.rate = runs(state) ? rate : 0;
    this.atMs = nowMs;
    this.timeUs = shownUs;
    if (state === known) return;
    this.state = state;
    const offUs = state.raceTimeUs - shownUs;
    const fresh = known === null || known.raceNumber !== state.raceNumber || this.rate === 0;
    const jump = fresh || known.phase !== state.phase || Math.abs(offUs) > JUMP_US;
    this.timeUs = jump ? state.raceTimeUs : shownUs + offUs * LEAN;
  }

  get isKnown(): boolean {
    return this.state !== null;
  }

  at(nowMs: number): number {
    return this.timeUs + (nowMs - this.atMs) * 1000 * this.rate;
  }

  forget(): void {
    this.state = null;
    this.timeUs = 0;
    this.rate = 1;
  }
}

function runs(state: RaceState): boolean {
  return state.phase === 'countdown' || state.phase === 'race' || state.phase === 'finish';
}
