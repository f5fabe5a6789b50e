// The seat keeps what it takes to come back to one's own car, shared by a browser's windows
// (DECISIONS 29). The session's token stays with the browser (localStorage, for each race), so that
// a window that is closed and opened comes back to its car instead of becoming a second driver. The
// record names the window that drives; others watch, say so, and take over by the token if they are
// told to. A BroadcastChannel tells a window that lives from one that has crashed (windows.ts); Web
// Locks would too, but browsers have them only over TLS or on localhost. A client with the token of
// a player who is gone watches (`resume_only`) and joins nobody. The race's password lies beside
// the token as long: a player who has come back and stops driving is not asked again.
import { holdsWheel, type Session, type SessionWish } from '../race/race';
import { store, stored, type TextStore } from '../ui/storage';
import { isRecord } from './settings_store';

/** The record that leads back to one's own car. */
export interface Kept {
  window: string; // that drives, or did
  isGone: boolean; // that window was closed, or is being loaded anew
  token: string;
  name: string;
  car: string;
  password: string; // with which one watches after one has stopped driving; '': none
  isGuest?: boolean; // he drives without a key, where others have one
  untilMs: number; // by the calendar: so long the server keeps the place of a driver who is gone
}

const KEEP_MS = 1000; // between two times that it is put forward
const ASKING_MS = 15_000; // a window may take to get the wheel

function read(value: unknown): Kept | null {
  if (!isRecord(value)) return null;
  const { window, isGone, token, name, car, password, isGuest = false, untilMs } = value;
  const isText = [window, token, name, car, password].every((each) => typeof each === 'string');
  const isFlag = [isGone, isGuest].every((each) => typeof each === 'boolean');
  const isRest = isFlag && typeof untilMs === 'number';
  return isText && isRest ? (value as unknown as Kept) : null;
}

/**
 * The place of the driver at this page, kept by the browser for each race: a page that is loaded
 * anew, closed and opened, or that a telephone has thrown away, comes back to its own car while the
 * server still holds it. A browser has one: the window whose name stands in it drives, the others
 * may watch.
 */
export class Seat {
  private readonly key: string;
  private keptMs = -Infinity;
  private token = '';
  private isGivenUp = false;

  constructor(
    path: string, // of the race
    private readonly window: string,
    private readonly browser: TextStore | null,
    private readonly todayMs: () => number = Date.now,
  ) {
    this.key = `apex.drive.seat:${path}`;
  }

  /** The record that was kept, by whatever window. */
  kept(): Kept | null {
    try {
      return read(JSON.parse(stored(this.key, this.browser) ?? 'null'));
    } catch {
      return null;
    }
  }

  /** It is another window's, which may have crashed long ago. */
  isOthers(): boolean {
    const kept = this.kept();
    return kept !== null && !kept.isGone && kept.window !== this.window;
  }

  /** Another window drives, or did a moment ago. */
  isElsewhere(): boolean {
    return this.isOthers() && this.todayMs() < (this.kept()?.untilMs ?? 0);
  }

  /** Seconds for which the car of a window that is gone is still there to come back to. */
  leftS(): number {
    const kept = this.kept();
    if (kept === null || !kept.isGone || kept.token === '') return 0;
    return Math.max(0, (kept.untilMs - this.todayMs()) / 1000);
  }

  /** To come back to the car; null: there is none. */
  wish(): Partial<SessionWish> | null {
    const kept = this.kept();
    if (kept === null || kept.token === '' || this.todayMs() >= kept.untilMs) return null;
    const { name, car, token: resumeToken } = kept;
    const wish = { name, car, spectate: false, resumeToken };
    return kept.isGuest === true ? { ...wish, isGuest: true } : wish;
  }

  /** He asks for the wheel of the car that is kept, or for a new one: others see so at once. */
  take(isNew: boolean): void {
    this.isGivenUp = false;
    this.keptMs = -Infinity;
    const untilMs = this.todayMs() + ASKING_MS;
    if (isNew) this.write({ token: '', name: '', car: '', password: '', untilMs });
  }

  /**
   * Each tick of one who drives, also in hiding. @param password of the race
   * @returns false when another window has taken the wheel meanwhile
   */
  keep(session: Session, nowMs: number, password = ''): boolean {
    const welcome = session.welcome();
    if (this.isGivenUp || !holdsWheel(session) || welcome === null) return true;
    const isNew = welcome.resumeToken !== this.token;
    if (nowMs - this.keptMs < KEEP_MS && !isNew) return true;
    const own = session.roster().find((entry) => entry.player === session.player());
    if (own === undefined) return true;
    if (this.keptMs > -Infinity && this.isElsewhere()) return false;
    this.keptMs = nowMs;
    this.token = welcome.resumeToken;
    const untilMs = this.todayMs() + 1000 * welcome.resumeGraceS;
    const { token } = this;
    const isGuest = welcome.takesKeys && own.driver === '';
    this.write({ token, name: own.name, car: own.carDef, password, isGuest, untilMs });
    return true;
  }

  /** Removes a record that is of no use any more. */
  clear(): void {
    const kept = this.kept();
    if (kept?.isGone === true && this.todayMs() >= kept.untilMs) this.remove();
  }

  /** The page goes, and may come back, as this window or another. */
  goes(): void {
    const kept = this.kept();
    if (kept?.window === this.window && !this.isGivenUp) {
      store(this.key, JSON.stringify({ ...kept, isGone: true }), this.browser);
    }
  }

  /** He has left, or was sent away. His session may last a moment longer. */
  leave(): void {
    this.isGivenUp = true;
    this.keptMs = -Infinity;
    this.token = '';
    if (this.kept()?.window === this.window) this.remove();
  }

  private remove(): void {
    store(this.key, null, this.browser);
  }

  private write(kept: Omit<Kept, 'window' | 'isGone'>): void {
    const whole: Kept = { window: this.window, isGone: false, ...kept };
    store(this.key, JSON.stringify(whole), this.browser);
  }
}
