import { holdsWheel, type Session, type SessionWish } from '../race/race';
import { isRecord } from './store';

/** What is needed to come back to one's own car. */
interface Kept {
  path: string; // of the race
  token: string;
  name: string;
  car: string;
  untilMs: number; // by the calendar: so long the server keeps the place
}

/** Of this tab alone: who opens another does not put himself out of the car. */
export type SeatStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const KEY = 'apex.drive.seat';
const KEEP_MS = 1000; // how often the time is put forward

function read(value: unknown): Kept | null {
  if (!isRecord(value)) return null;
  const { path, token, name, car, untilMs } = value;
  const isText = [path, token, name, car].every((each) => typeof each === 'string');
  return isText && typeof untilMs === 'number' ? (value as unknown as Kept) : null;
}

/**
 * The place of whoever drives, kept by the tab: a page that is loaded anew, or that a telephone has
 * thrown away and brings back, comes back to its own car while the server still holds it.
 */
export class Seat {
  private keptMs = -Infinity;
  private isGivenUp = false;

  constructor(
    private readonly path: string,
    private readonly store: SeatStore | null,
    private readonly todayMs: () => number = Date.now,
  ) {}

  /** The wish of a driver who was here a moment ago; null: there is none. */
  wish(): Partial<SessionWish> | null {
    const kept = this.kept();
    if (kept === null || kept.path !== this.path || this.todayMs() >= kept.untilMs) return null;
    return { name: kept.name, car: kept.car, spectate: false, resumeToken: kept.token };
  }

  /** He asks for the wheel. */
  take(): void {
    this.isGivenUp = false;
  }

  /** Each tick. */
  keep(session: Session, nowMs: number): void {
    const welcome = session.welcome();
    if (this.isGivenUp || !holdsWheel(session) || welcome === null) return;
    if (nowMs - this.keptMs < KEEP_MS) return;
    const own = session.roster().find((entry) => entry.player === session.player());
    if (own === undefined) return;
    this.keptMs = nowMs;
    const kept: Kept = {
      path: this.path,
      token: welcome.resumeToken,
      name: own.name,
      car: own.carDef,
      untilMs: this.todayMs() + 1000 * welcome.resumeGraceS,
    };
    this.write(JSON.stringify(kept));
  }

  /** He has left, or was sent away. His session may last a moment longer. */
  leave(): void {
    this.isGivenUp = true;
    this.keptMs = -Infinity;
    this.write(null);
  }

  private kept(): Kept | null {
    try {
      return read(JSON.parse(this.store?.getItem(KEY) ?? 'null'));
    } catch {
      return null;
    }
  }

  private write(text: string | null): void {
    try {
      if (text === null) this.store?.removeItem(KEY);
      else this.store?.setItem(KEY, text);
    } catch {
      // Some browsers forbid it: then nobody comes back.
    }
  }
}

/** sessionStorage, where there is one. */
export function tabStore(): SeatStore | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
