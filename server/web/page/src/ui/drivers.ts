// Drivers by player and by car, with the names of those who left.
import type { RaceEvent, RosterEntry, Session } from '../race/race';
import { codeOf } from './codes';

const TOLD_MAX = 4096;

export interface Driver extends RosterEntry {
  code: string;
}

/** The drivers by player and by car. Names of those who have left stay known, for events. */
export class Drivers {
  private roster: readonly RosterEntry[] | null = null;
  private readonly byPlayer = new Map<number, Driver>();
  private readonly byCar = new Map<number, Driver>();
  private readonly told = new Map<number, string>(); // names, by events

  hear(session: Session): void {
    const roster = session.roster();
    if (roster === this.roster) return;
    this.roster = roster;
    this.byCar.clear();
    if (this.byPlayer.size > 4 * roster.length + 1024) this.byPlayer.clear();
    for (const entry of roster) {
      const known = this.byPlayer.get(entry.player);
      const code = known?.name === entry.name ? known.code : codeOf(entry.name);
      const driver = { ...entry, code };
      this.byPlayer.set(entry.player, driver);
      if (entry.car !== 0) this.byCar.set(entry.car, driver);
    }
  }

  ofPlayer(player: number): Driver | null {
    return this.byPlayer.get(player) ?? null;
  }

  ofCar(car: number): Driver | null {
    return this.byCar.get(car) ?? null;
  }

  /** Notes the names in events: they are known from then on, whether or not the roster has them. */
  note(events: readonly RaceEvent[]): void {
    if (this.told.size > TOLD_MAX) this.told.clear();
    for (const { player, name, other, otherName } of events) {
      if (name !== '') this.told.set(player, name);
      if (otherName !== '') this.told.set(other, otherName);
    }
  }

  readonly nameOf = (player: number): string =>
    this.byPlayer.get(player)?.name ?? this.told.get(player) ?? `Driver ${player}`;

  forget(): void {
    this.roster = null;
    this.byPlayer.clear();
    this.byCar.clear();
    this.told.clear();
  }
}
