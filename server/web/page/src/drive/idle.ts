// The countdown until an idle driver becomes a spectator is shown here.
import type { Controls } from '../race/race';

/** The server's warning that nobody drives the car, counted down until somebody does. */
export class IdleWarning {
  private untilMs = NaN;

  /** @param leftS until the server puts the driver among the spectators */
  warned(leftS: number, nowMs: number): void {
    this.untilMs = nowMs + 1000 * leftS;
  }

  /** '' when there is none. */
  text(controls: Controls, nowMs: number): string {
    // As the server sees it.
    const isDriven = controls.throttle > 0 || controls.brake > 0 || controls.steer !== 0;
    if (isDriven) this.untilMs = NaN;
    if (!(nowMs < this.untilMs)) return '';
    return `Nobody drives your car: ${Math.ceil((this.untilMs - nowMs) / 1000)} s`;
  }

  reset(): void {
    this.untilMs = NaN;
  }
}
