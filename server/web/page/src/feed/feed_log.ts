// The feed's memory: bounded, without repeats, each line with its time in the race.
import type { RaceEvent, RaceState } from '../race/race';
import type { FeedLine } from './feed_line';

const REPEAT_US = 3e6; // the same thing of the same people in this time is one thing

export interface LoggedLine extends FeedLine {
  id: number;
  raceTimeUs: number | null; // null: outside a race
}

/** The newest lines, a bounded number. */
export class FeedLog {
  private lines: LoggedLine[] = [];
  private nextId = 1;

  constructor(private readonly most: number) {}

  /** @return the line as it was kept, or null where it repeats one */
  add(line: FeedLine, raceTimeUs: number | null): LoggedLine | null {
    if (this.repeats(line, raceTimeUs)) return null;
    const kept = { ...line, id: this.nextId++, raceTimeUs };
    this.lines.push(kept);
    if (this.lines.length > this.most) this.lines.splice(0, this.lines.length - this.most);
    return kept;
  }

  /** Oldest first. */
  all(): readonly LoggedLine[] {
    return this.lines;
  }

  clear(): void {
    this.lines = [];
  }

  // Wheels that rub, a car on the edge of the road: one line, not one a tick.
  private repeats(line: FeedLine, raceTimeUs: number | null): boolean {
    if (line.topic !== 'contacts' || raceTimeUs === null) return false;
    for (let i = this.lines.length - 1; i >= 0 && i >= this.lines.length - 32; i--) {
      const old = this.lines[i]!;
      if (old.raceTimeUs === null || Math.abs(raceTimeUs - old.raceTimeUs) > REPEAT_US) break;
      if (old.text === line.text) return true;
    }
    return false;
  }
}

const LATE_US_MAX = 10e6; // what is older is of another count

/** The race's time of an event, from that of now and the ticks between; the start's is none. */
export function eventTimeUs(event: RaceEvent, nowTick: number, nowUs: number, hz: number): number {
  if (isStart(event)) return 0;
  const agoUs = hz > 0 ? ((nowTick - event.tick) / hz) * 1e6 : 0;
  return agoUs > 0 && agoUs < LATE_US_MAX ? nowUs - agoUs : nowUs;
}

/**
 * The race's time of an event of before one came; null for one of another race, or of before the
 * start, and while no race is on, whose clock would tell.
 */
export function pastTimeUs(
  event: RaceEvent,
  race: RaceState,
  nowTick: number,
  nowUs: number,
  hz: number,
): number | null {
  const isOn = race.phase === 'race' || race.phase === 'finish';
  if (!isOn || event.raceNumber !== race.raceNumber || !(hz > 0)) return null;
  if (isStart(event)) return 0;
  const timeUs = nowUs - ((nowTick - event.tick) * 1e6) / hz;
  return timeUs >= 0 ? timeUs : null;
}

function isStart({ kind, value, phase }: RaceEvent): boolean {
  return (kind === 'lights' && value === 0) || phase === 'race';
}
