// The dev page's timing: sectors, laps and the order of fake cars.
import type { RaceEvent, RosterEntry, Standing, Standings } from '../race/race';
import type { FakeField } from './fake_field';

/** The session adds when it was, and the names. */
export type Told = Omit<RaceEvent, 'tick' | 'raceNumber' | 'name' | 'otherName'>;

const LINES_MAX = 64;
const US = 1e6;

interface Line {
  standing: Standing;
  index: number;
  wayM: number;
  sectorsDone: number; // over all laps
  crossedUs: number; // when the last sector ended
  lapFromUs: number;
  reached: number[]; // race time at which each sector over all laps was done
}

/** Sectors, laps and the order, found by watching cars pass. */
export class FakeTiming {
  private lines: Line[] = [];
  private bestSectorUs = [0, 0, 0];
  private bestLapUs = 0;
  private finished = 0;
  private beforeUs = 0;

  constructor(
    private readonly field: FakeField,
    private readonly roster: readonly RosterEntry[],
    private readonly laps: number,
    private readonly tell: (event: Told) => void,
  ) {
    this.lines = roster.map((entry, index) => ({
      index,
      wayM: field.wayM(index, 0),
      sectorsDone: 0,
      crossedUs: 0,
      lapFromUs: 0,
      reached: [],
      standing: {
        position: index + 1,
        player: entry.player,
        name: entry.name,
        carDef: entry.carDef,
        state: 'waiting',
        laps: 0,
        lapM: -field.gridM(index),
        lastLapUs: 0,
        bestLapUs: 0,
        totalUs: 0,
        gapUs: 0,
        grid: index + 1,
        sector: 0,
        sectorUs: [0, 0, 0],
        bestSectorUs: [0, 0, 0],
      },
    }));
  }

  /** True once the winner is home; the next, once all are. */
  get winnerHome(): boolean {
    return this.finished > 0;
  }

  watch(raceUs: number): void {
    for (const line of this.lines) this.watchOne(line, raceUs);
    this.beforeUs = raceUs;
    this.lines.sort(compare);
    const leader = this.lines[0];
    this.lines.forEach((line, i) => {
      line.standing.position = i + 1;
      const done = Math.min(line.sectorsDone, leader?.sectorsDone ?? 0);
      const gap = done > 0 ? line.reached[done - 1]! - (leader?.reached[done - 1] ?? 0) : 0;
      line.standing.gapUs = i === 0 ? 0 : Math.max(Math.round(gap), 0);
    });
  }

  private watchOne(line: Line, raceUs: number): void {
    const { standing } = line;
    if (standing.state === 'finished' || standing.state === 'dnf') return;
    standing.state = 'running';
    const wayM = this.field.wayM(line.index, raceUs / US);
    const { lengthM, sectorM } = this.field.track.outline;
    for (;;) {
      const lap = Math.floor(line.sectorsDone / 3);
      const markM = lap * lengthM + sectorM[line.sectorsDone % 3]!;
      if (wayM < markM) break;
      const part = wayM > line.wayM ? (markM - line.wayM) / (wayM - line.wayM) : 1;
      this.sectorDone(line, Math.round(this.beforeUs + part * (raceUs - this.beforeUs)));
    }
    const stopped = this.field.retiresS(line.index) > 0 && raceUs > 5 * US && wayM === line.wayM;
    line.wayM = wayM;
    standing.lapM = wayM - standing.laps * lengthM;
    standing.totalUs = raceUs;
    if (stopped) {
      standing.state = 'dnf';
      this.say('engine-blew', standing, 0, 0);
      this.say('dnf', standing, 0, 0);
    }
  }

  private say(kind: RaceEvent['kind'], of: Standing, value: number, timeUs: number): void {
    this.tell({ kind, player: of.player, other: 0, value, timeUs });
  }

  private sectorDone(line: Line, atUs: number): void {
    const { standing } = line;
    const sector = line.sectorsDone % 3;
    const tookUs = atUs - line.crossedUs;
    standing.sectorUs[sector] = tookUs;
    standing.bestSectorUs[sector] = less(standing.bestSectorUs[sector]!, tookUs);
    this.bestSectorUs[sector] = less(this.bestSectorUs[sector]!, tookUs);
    line.crossedUs = atUs;
    line.reached.push(atUs);
    line.sectorsDone++;
    standing.sector = line.sectorsDone % 3;
    this.say('sector', standing, sector, tookUs);
    if (sector !== 2) return;
    standing.laps++;
    standing.lastLapUs = atUs - line.lapFromUs;
    line.lapFromUs = atUs;
    standing.bestLapUs = less(standing.bestLapUs, standing.lastLapUs);
    this.say('lap', standing, standing.laps, standing.lastLapUs);
    if (this.bestLapUs === 0 || standing.lastLapUs < this.bestLapUs) {
      this.bestLapUs = standing.lastLapUs;
      this.say('best-lap', standing, 0, standing.lastLapUs);
    }
    if (standing.laps >= this.laps || this.finished > 0) {
      this.finished++;
      standing.state = 'finished';
      standing.totalUs = atUs;
      this.say('finished', standing, this.finished, atUs);
    }
  }

  /** The order as of now, a copy. */
  tableOf(tick: number, all: boolean): Standings {
    const lines = all ? this.lines : this.lines.slice(0, LINES_MAX);
    return {
      tick,
      total: this.lines.length,
      bestSectorUs: [...this.bestSectorUs],
      lines: lines.map(({ standing }) => ({
        ...standing,
        sectorUs: [...standing.sectorUs],
        bestSectorUs: [...standing.bestSectorUs],
      })),
    };
  }

  /** Of the roster, by place. */
  rosterAt(position: number): RosterEntry | undefined {
    const line = this.lines[position];
    return line && this.roster[line.index];
  }
}

function less(best: number, found: number): number {
  return best === 0 || found < best ? found : best;
}

function compare(a: Line, b: Line): number {
  const fa = a.standing.state === 'finished';
  const fb = b.standing.state === 'finished';
  const level = a.standing.laps === b.standing.laps;
  if (fa && fb && level) return a.standing.totalUs - b.standing.totalUs;
  if (fa !== fb && level) return fa ? -1 : 1;
  return b.wayM - a.wayM || a.index - b.index;
}
