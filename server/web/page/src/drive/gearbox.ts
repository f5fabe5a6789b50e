/**
 * The gears that the server's gearbox is asked for. An automatic one never goes backwards of
 * itself: a driver who holds the brake while the car stands wants to reverse, and then throttle and
 * brake change places.
 */

import { Gear } from '../race/race';

const STANDS_MPS = 0.6;
const WAIT_S = 0.25; // the brake is held on: somebody who just stops shall not reverse
const PRESSED = 0.2;

/** Counters of the wire are a byte: only changes matter. */
export function counted(counter: number): number {
  return (counter + 1) & 255;
}

export interface GearboxAnswer {
  gear: number;
  throttle: number;
  brake: number;
}

export class Gearbox {
  manual = false;
  shiftUp = 0;
  shiftDown = 0;
  private reversing = false;
  private stoodS = 0;

  get isReversing(): boolean {
    return this.reversing;
  }

  /** A new car: counters go on, all else is as at first. */
  reset(): void {
    this.reversing = false;
    this.stoodS = 0;
  }

  toggle(): void {
    this.manual = !this.manual;
    this.reset();
  }

  /** A driver who shifts wants to do so by hand. */
  shift(up: boolean): void {
    if (!this.manual) this.toggle();
    if (up) this.shiftUp = counted(this.shiftUp);
    else this.shiftDown = counted(this.shiftDown);
  }

  step(
    throttle: number,
    brake: number,
    forwardMps: number,
    held: boolean,
    dtS: number,
  ): GearboxAnswer {
    if (this.manual) return { gear: Gear.sequential, throttle, brake };
    if (this.reversing) this.leaveReverse(throttle, brake, forwardMps);
    else this.enterReverse(throttle, brake, forwardMps, held, dtS);
    if (!this.reversing) return { gear: Gear.automatic, throttle, brake };
    return { gear: Gear.reverse, throttle: brake, brake: throttle };
  }

  private enterReverse(
    throttle: number,
    brake: number,
    forwardMps: number,
    held: boolean,
    dtS: number,
  ): void {
    const stands = Math.abs(forwardMps) < STANDS_MPS && !held;
    const wants = stands && brake > PRESSED && throttle < PRESSED;
    this.stoodS = wants ? this.stoodS + dtS : 0;
    if (!wants) return;
    if (this.stoodS >= WAIT_S) {
      this.reversing = true;
      this.stoodS = 0;
    }
  }

  private leaveReverse(throttle: number, brake: number, forwardMps: number): void {
    const stands = forwardMps > -STANDS_MPS;
    if (stands && throttle > PRESSED && brake < PRESSED) this.reversing = false;
    if (forwardMps > 2) this.reversing = false; // pushed, or put back onto the track
  }
}
