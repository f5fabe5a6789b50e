// The light sequence says which start lights are lit at a moment.
import type { Phase, RaceEvent } from '../race/race';

export const LIGHTS = 5;
const GO_SHOWN_MS = 2500;

export interface Lights {
  shown: boolean;
  lit: number; // of LIGHTS, from the left
  go: boolean;
  secondsLeft: number;
}

const OFF: Lights = { shown: false, lit: 0, go: false, secondsLeft: 0 };

/**
 * The start lights: one more each second, five with a second left, and all out is go. The time left
 * is told by events, and by the race's clock to those who come late or miss one.
 */
export class LightSequence {
  private goAtMs = -Infinity;
  private secondsLeft = 0;
  private counting = false;

  event(event: RaceEvent, nowMs: number): void {
    if (event.kind !== 'lights') return;
    this.counting = event.value > 0;
    this.secondsLeft = event.value;
    if (event.value === 0) this.goAtMs = nowMs;
  }

  /** Ten times a second. @param raceTimeUs negative before the start */
  hear(phase: Phase, raceTimeUs: number): void {
    if (phase !== 'countdown') {
      this.counting = false;
      if (phase !== 'race') this.goAtMs = -Infinity; // another race, or a jump in a recording
      return;
    }
    const left = Math.max(1, Math.ceil(-raceTimeUs / 1e6));
    if (!this.counting || left < this.secondsLeft) this.secondsLeft = left;
    this.counting = true;
  }

  at(nowMs: number): Lights {
    const sinceGoMs = nowMs - this.goAtMs;
    if (!this.counting && sinceGoMs >= 0 && sinceGoMs < GO_SHOWN_MS) {
      return { shown: true, lit: 0, go: true, secondsLeft: 0 };
    }
    if (!this.counting) return OFF;
    const lit = Math.min(LIGHTS, Math.max(0, LIGHTS + 1 - this.secondsLeft));
    return { shown: true, lit, go: false, secondsLeft: this.secondsLeft };
  }

  forget(): void {
    this.goAtMs = -Infinity;
    this.secondsLeft = 0;
    this.counting = false;
  }
}
