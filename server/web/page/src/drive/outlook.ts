/**
 * The length of road ahead that a driver sees: some seconds of it, so that the map draws back as
 * the car gets faster. In steps, for a map is at its best at rest; and not back and forth about
 * one.
 */

const AHEAD_S = 3.4;
const AHEAD_M_MIN = 55;
const STEP = 1.35; // from one distance to the next
const STEPS = 6; // 55 m to some 250 m
const BEYOND = 0.35; // of a step: so far past its edge, and the next is taken

export class Outlook {
  private step = NaN;

  reset(): void {
    this.step = NaN;
  }

  /** Metres of road ahead to show, for a speed. */
  get aheadM(): number {
    return AHEAD_M_MIN * STEP ** (Number.isNaN(this.step) ? 0 : this.step);
  }

  /** True: it has changed. */
  look(speedMps: number): boolean {
    const wantedM = Math.max(AHEAD_M_MIN, speedMps * AHEAD_S);
    const exact = Math.min(STEPS - 1, Math.log(wantedM / AHEAD_M_MIN) / Math.log(STEP));
    if (Math.abs(exact - this.step) < 0.5 + BEYOND) return false;
    const next = Math.round(exact);
    if (next === this.step) return false;
    this.step = next;
    return true;
  }
}
