// The timeline turns ticks into times of races and places marks on a line.
import type { EventKind, Playback } from '../race/race';
import { raceTime } from '../ui/format';

type Mark = Playback['marks'][number];

/** Ticks of a recording as times of the races in it. */
export class Timeline {
  private readonly starts: number[];

  constructor(
    marks: readonly Mark[],
    readonly lastTick: number,
    readonly hz: number,
  ) {
    this.starts = marks.filter((mark) => mark.kind === 'lights').map((mark) => mark.tick);
  }

  /** The number of the race in the recording, from 1. */
  race(tick: number): number {
    let race = 0;
    while (race < this.starts.length && this.startOf(race + 1) <= tick) race++;
    return Math.max(1, race);
  }

  get races(): number {
    return Math.max(1, this.starts.length);
  }

  /** Since the lights went out, negative before; since the beginning where no start is known. */
  raceUs(tick: number): number {
    return Math.floor(((tick - this.startOf(this.race(tick))) * 1e6) / this.hz);
  }

  /** The race time at which the next race of the recording begins, or the recording ends. */
  totalUs(tick: number): number {
    const race = this.race(tick);
    const end = race < this.starts.length ? this.startOf(race + 1) : this.lastTick;
    return Math.floor(((end - this.startOf(race)) * 1e6) / this.hz);
  }

  /** "1:23", or with hundredths, to tell frames apart: "1:23.45". */
  text(tick: number, isExact: boolean): string {
    const us = this.raceUs(tick);
    if (!isExact) return raceTime(us);
    const hundredths = Math.abs(Math.floor(us / 1e4));
    const part = String(hundredths % 100).padStart(2, '0');
    return `${us < 0 ? '-' : ''}${raceTime(Math.floor(hundredths / 100) * 1e6)}.${part}`;
  }

  clamp(tick: number): number {
    return Math.max(0, Math.min(this.lastTick, Math.round(tick)));
  }

  private startOf(race: number): number {
    return this.starts[race - 1] ?? 0;
  }
}

/** A mark as it is drawn; it may stand for several. */
export interface PlacedMark {
  share: number; // of the way from the first tick to the last
  tick: number;
  kind: EventKind;
  player: number;
  others: number; // that lie under it
}

/** The kinds of marks by weight: where not all fit, the first of these are drawn. */
const WEIGHTS: readonly EventKind[] = [
  'lights',
  'phase',
  'finished',
  'best-lap',
  'dnf',
  'engine-blew',
  'contact',
];

function weightOf(kind: EventKind): number {
  const place = WEIGHTS.indexOf(kind);
  return place < 0 ? WEIGHTS.length : place;
}

/**
 * One mark for each place that can be told from its neighbour. @param places along the slider, as
 * many as are far enough apart to be seen and pointed at.
 */
export function placeMarks(
  marks: readonly Mark[],
  lastTick: number,
  places: number,
): PlacedMark[] {
  const placed: PlacedMark[] = [];
  let before = -1;
  for (const { tick, kind, player } of marks) {
    if (tick > lastTick || lastTick <= 0) continue;
    const share = tick / lastTick;
    const place = Math.floor(share * places);
    const under = placed.at(-1);
    if (under === undefined || place !== before) {
      placed.push({ share, tick, kind, player, others: 0 });
    } else if (weightOf(kind) < weightOf(under.kind)) {
      placed[placed.length - 1] = { share, tick, kind, player, others: under.others + 1 };
    } else {
      under.others++;
    }
    before = place;
  }
  return placed;
}

/** The mark under the pointer, or null. */
export function markAt(
  placed: readonly PlacedMark[],
  share: number,
  reach: number,
): PlacedMark | null {
  let nearest: PlacedMark | null = null;
  for (const mark of placed) {
    const off = Math.abs(mark.share - share);
    if (off <= reach && (nearest === null || off < Math.abs(nearest.share - share))) nearest = mark;
  }
  return nearest;
}

/**
 * The tick to go to for the next thing that happened, or the one before: a little ahead of it, so
 * that one sees it come. From a mark that has just been reached it goes on to another.
 */
export function nextMark(
  marks: readonly Mark[],
  tick: number,
  by: 1 | -1,
  leadTicks: number,
): number | null {
  const ticks = marks.map((mark) => Math.max(0, mark.tick - leadTicks));
  const slack = leadTicks / 2;
  if (by > 0) return ticks.find((each) => each > tick + slack) ?? null;
  return ticks.findLast((each) => each < tick - slack) ?? null;
}

const WORDS: Partial<Record<EventKind, string>> = {
  lights: 'Start',
  phase: 'Results',
  finished: 'Finish',
  'best-lap': 'Best lap',
  dnf: 'Retired',
  'engine-blew': 'Engine failure',
  contact: 'Contact',
};

/** "Best lap, Ada"; "Contact, Bob and 3 more". */
export function markText(mark: PlacedMark, nameOf: (player: number) => string | null): string {
  const name = mark.player === 0 ? null : nameOf(mark.player);
  const words = WORDS[mark.kind] ?? mark.kind;
  const text = name === null ? words : `${words}, ${name}`;
  return mark.others > 0 ? `${text} and ${mark.others} more` : text;
}
