// Touches of the own car are felt in the frame that shows them. The server's word of one comes a
// trip later, and what was felt is not to be felt again.
import type { Instance } from './instance';
import { TOUCH_FIELDS, TouchField } from './numbers';
import type { RaceEvent, RosterEntry, Touch } from './race';

const NONE: readonly Touch[] = [];
/** So far apart may be the ticks of one touch: as foretold, foretold anew, and told. */
const SAME_S = 0.15;
const KEPT = 32;
/** Cars that rub at a standstill touch more lightly, tick after tick; nobody would feel it. */
const FELT_NS = 200;

interface Known {
  car: number;
  tick: number;
  isFelt: boolean; // else the server told of it first
}

/** The touches of the newest frame, and what is known of those of late. */
export class KeptTouches {
  #frame: Touch[] = [];
  #ofMs = NaN;
  readonly #known: Known[] = [];

  /** After the frame's cars. The same frame may be read again: what is new in it is added. */
  read(instance: Instance, nowMs: number, tickHz: number): void {
    if (nowMs !== this.#ofMs) this.#frame = [];
    this.#ofMs = nowMs;
    const count = instance.calls.touches();
    const rows = instance.numbers(instance.calls.touch_rows(), count * TOUCH_FIELDS);
    for (let at = 0; at < rows.length; at += TOUCH_FIELDS) {
      this.#feel({
        car: rows[at + TouchField.car]!,
        tick: rows[at + TouchField.tick]!,
        impulseNs: rows[at + TouchField.impulseNs]!,
        x: rows[at + TouchField.x]!,
        y: rows[at + TouchField.y]!,
      }, tickHz);
    }
  }

  of(nowMs: number): readonly Touch[] {
    return nowMs === this.#ofMs ? this.#frame : NONE;
  }

  /** Marks contacts of the player `own` that were felt; what is told first is not felt later. */
  hear(
    events: readonly RaceEvent[],
    own: number,
    roster: readonly RosterEntry[],
    tickHz: number,
  ): void {
    for (const event of events) {
      const { kind, player, other, tick } = event;
      if (kind !== 'contact' || own === 0 || (player !== own && other !== own)) continue;
      const rival = player === own ? other : player;
      const car = roster.find((entry) => entry.player === rival)?.car ?? 0;
      if (car === 0) continue; // a wall, or somebody who has left
      const known = this.#find(car, tick, tickHz);
      if (known === undefined) this.#keep({ car, tick, isFelt: false });
      else if (known.isFelt) event.isFelt = true;
    }
  }

  #feel(touch: Touch, tickHz: number): void {
    const { car, tick, impulseNs } = touch;
    if (impulseNs < FELT_NS || this.#find(car, tick, tickHz) !== undefined) return;
    this.#frame.push(touch);
    this.#keep({ car, tick, isFelt: true });
  }

  #find(car: number, tick: number, tickHz: number): Known | undefined {
    return this.#known.find(
      (known) => known.car === car && Math.abs(known.tick - tick) <= SAME_S * tickHz,
    );
  }

  #keep(known: Known): void {
    this.#known.push(known);
    if (this.#known.length > KEPT) this.#known.shift();
  }
}
