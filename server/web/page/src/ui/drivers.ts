import type { RosterEntry, Session } from '../race/race';
import { codeOf } from './codes';

export interface Driver extends RosterEntry {
  code: string;
}

/** Who is who: by player and by car. Names of those who have left stay known, for events. */
export class Drivers {
  private roster: readonly RosterEntry[] | null = null;
  private readonly byPlayer = new Map<number, Driver>();
  private readonly byCar = new Map<number, Driver>();

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

  nameOf(player: number): string {
    return this.byPlayer.get(player)?.name ?? `Driver ${player}`;
  }

  forget(): void {
    this.roster = null;
    this.byPlayer.clear();
    this.byCar.clear();
  }
}
