// The lap book records the driver's laps and keeps the best of each track and car.
import type { RaceEvent, Session } from '../race/race';
import { isSameLap, keepTrace, keptTrace, LapClock, type TimedLap } from './lap';
import { ownOrder } from './own_order';
import type { Store } from './settings_store';

/** Laps of the driver at this page, told by telemetry; the best is kept for its track and car. */
export class LapBook {
  private readonly clock = new LapClock();
  private key = '';
  private track = '';
  private car = '';
  private lastTick = -1;
  private tickHz = 60;
  private done = false;
  private timed: TimedLap | null = null; // the newest lap, by the server

  constructor(private readonly store: Store) {}

  reset(): void {
    this.key = '';
    this.lastTick = -1;
    this.done = false;
    this.timed = null;
    this.clock.begin(0, null);
  }

  /** A race begins anew. */
  restart(): void {
    this.done = false;
    this.clock.stop();
  }

  /** The own race is over: no lap is under way. */
  finish(): void {
    this.done = true;
    this.clock.stop();
  }

  look(session: Session): void {
    const telemetry = session.telemetry();
    const track = session.track();
    if (telemetry === null || track === null || telemetry.car !== session.car()) return;
    this.open(session, track.name, track.lengthM);
    if (this.done || telemetry.tick === this.lastTick) return;
    this.lastTick = telemetry.tick;
    const timeS = telemetry.tick / this.tickHz;
    const sample = { timeS, lapM: telemetry.lapM, speedMps: telemetry.speedMps };
    if (!this.clock.add(sample)) return;
    const best = this.clock.bestTrace();
    if (best !== null) keepTrace(this.store, this.track, this.car, best);
    this.settle();
  }

  /** The server has timed a lap here, and may say so before telemetry crosses the line. */
  hear({ tick, timeUs }: RaceEvent): void {
    this.timed = { us: timeUs, endS: tick / this.tickHz };
    this.settle();
  }

  /** One lap has one time, and the server's is it: telemetry only comes close. */
  private settle(): void {
    const best = this.clock.bestTrace();
    if (best === null || this.timed === null || !isSameLap(this.timed, best)) return;
    best.officialUs = this.timed.us;
    keepTrace(this.store, this.track, this.car, best);
  }

  private open(session: Session, track: string, lengthM: number): void {
    const car = ownCarDef(session);
    const key = `${track} ${lengthM} ${car} ${session.car()}`;
    if (key === this.key || car === '') return;
    this.key = key;
    this.track = track;
    this.car = car;
    this.tickHz = session.welcome()?.tickHz || 60;
    this.clock.begin(lengthM, keptTrace(this.store, track, lengthM, car));
  }

  /** Seconds since the line, at a moment by the server's ticks; NaN: no lap is under way. */
  lapS(tick: number): number {
    return this.clock.lapS(tick / this.tickHz);
  }

  deltaS(): number | null {
    return this.clock.delta();
  }

  /** As the server timed it; 0: not known. */
  bestLapUs(): number {
    return this.clock.bestTrace()?.officialUs ?? 0;
  }
}

/** The kind of the own car: the roster says it, or the order. */
export function ownCarDef(session: Session): string {
  const player = session.player();
  const line = ownOrder(session.standings(), player)?.line;
  if (line !== undefined && line.carDef !== '') return line.carDef;
  return session.roster().find((entry) => entry.player === player)?.carDef ?? '';
}
