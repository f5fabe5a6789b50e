// A key is down or up; a pedal behind it goes down and comes up in a time of its own.
import { approach } from './steering';

/** Seconds from nothing to full, and back: a key is pressed at once, a foot is not. */
export interface PedalFeel {
  pressS: number;
  releaseS: number;
}

export const THROTTLE_FEEL: PedalFeel = { pressS: 0.22, releaseS: 0.1 };
export const BRAKE_FEEL: PedalFeel = { pressS: 0.16, releaseS: 0.08 };

/** A pedal behind something that is either down or up. */
export class Pedal {
  private pressed = 0;

  constructor(private readonly feel: PedalFeel) {}

  get level(): number {
    return this.pressed;
  }

  reset(): void {
    this.pressed = 0;
  }

  step(wanted: number, dtS: number): number {
    const { pressS, releaseS } = this.feel;
    const rates = { pressPerS: 1 / pressS, releasePerS: 1 / releaseS };
    this.pressed = approach(this.pressed, Math.min(1, Math.max(0, wanted)), rates, dtS);
    return this.pressed;
  }
}
