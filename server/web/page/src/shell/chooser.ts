// The chooser keeps the car that is looked at: chosen by hand or by the address, else the leader's.
import type { Session } from '../race/race';
import type { Drivers } from '../ui/drivers';
import type { Selection } from '../ui/selection';
import type { Row } from '../tower/model';

/** The choice of the car that is looked at: chosen by hand or by the address; else the leader's. */
export class Chooser {
  private name: string | null; // '': nobody is wanted; null: anybody
  private isByItself = false;

  constructor(
    private readonly selection: Selection,
    private readonly drivers: Drivers,
    wish: { car: string | null; leader: boolean },
    /** By hand; '': nobody. */
    private readonly onChosen: (name: string) => void,
  ) {
    this.name = wish.car ?? (wish.leader ? null : '');
    selection.onChange((car) => this.changed(car));
  }

  /** Not by hand: the driver who was chosen is chosen again later. */
  choose(car: number): void {
    this.isByItself = true;
    this.selection.choose(car);
    this.isByItself = false;
  }

  /** Ten times a second: finds the car that is wanted, in another session too. */
  hear(session: Session): void {
    if (this.selection.car !== 0 || this.name === '') return;
    const leader = session.standings()?.lines[0];
    const car =
      this.name !== null
        ? session.roster().find((entry) => entry.name === this.name)?.car
        : this.drivers.ofPlayer(leader?.player ?? 0)?.car;
    if (car !== undefined && car !== 0) this.choose(car);
  }

  /** The next of the order, or the one before. */
  step(rows: readonly Row[], by: number): void {
    const at = rows.findIndex((row) => row.car !== 0 && row.car === this.selection.car);
    const next = rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + by))];
    if (next !== undefined && next.car !== 0) this.selection.choose(next.car);
  }

  private changed(car: number): void {
    if (this.isByItself) return;
    this.name = this.drivers.ofCar(car)?.name ?? '';
    this.onChosen(this.name);
  }
}
