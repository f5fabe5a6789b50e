// The connection keeps a session open, and opens the next when one ends.
import { holdsWheel, type Reason, type Session, type SessionWish } from '../race/race';
import { Backoff, comesAgain, isRefusal } from './backoff';

export type Status =
  | { kind: 'idle' }
  | { kind: 'connecting' }
  | { kind: 'loading' } // there, but nothing to show yet
  | { kind: 'live' }
  // The session itself tries, next at `untilMs` (0: it is at it); a driver's car goes on meanwhile.
  | { kind: 'reconnecting'; sinceMs: number; untilMs: number; isDriver: boolean }
  | { kind: 'waiting'; reason: Reason | null; untilMs: number }
  | { kind: 'ended'; reason: Reason };

export interface ConnectionHooks {
  open(wish: SessionWish): Promise<Session>;
  /** Another session is shown from now on. */
  onShown(session: Session): void;
  /** There is no wheel for the driver who asked for it; he goes on watching if he did. */
  onRefused(reason: Reason): void;
  random(): number;
  /** Of a recording: what cannot be played now never can. */
  isRecording: boolean;
}

const OPEN_MS_MAX = 15000;

/**
 * Keeps a session alive: opens it, and another when it ends, unless the end is final. The old one
 * stays on show until the next has something to show, so that nothing goes blank in between.
 */
export class Connection {
  private wish: SessionWish | null = null;
  private shownSession: Session | null = null;
  private shownWish: SessionWish | null = null;
  private next: Session | null = null;
  private isOpening = false;
  private attempt = 0; // tells an answer that is no longer wanted
  private deadlineMs = Infinity;
  private waiting: { reason: Reason | null; untilMs: number } | null = null;
  private ended: Reason | null = null;
  private lostSinceMs = NaN;
  private readonly backoff = new Backoff();

  constructor(private readonly hooks: ConnectionHooks) {}

  /** Asks for a session from now on; what is shown stays until it is there. */
  start(wish: SessionWish, nowMs: number): void {
    this.wish = wish;
    this.ended = null;
    this.waiting = null;
    this.backoff.succeeded();
    this.open(nowMs);
  }

  /** Keeps the session that is shown; when its link is lost this wish is asked for. */
  settle(wish: SessionWish): void {
    this.wish = wish;
    this.shownWish = wish;
  }

  /** Does not wait any longer, or comes again after all. */
  retry(nowMs: number): void {
    if (this.wish === null || this.next !== null || this.isOpening) return;
    if (this.shownSession?.state() === 'reconnecting') {
      this.shownSession.tryNow(); // by itself it comes back to what it had
      return;
    }
    this.ended = null;
    this.waiting = null;
    this.open(nowMs);
  }

  shown(): Session | null {
    return this.shownSession;
  }

  status(): Status {
    if (this.wish === null) return { kind: 'idle' };
    if (this.ended !== null) return { kind: 'ended', reason: this.ended };
    if (this.waiting !== null) return { kind: 'waiting', ...this.waiting };
    if (this.next !== null || this.isOpening) return { kind: 'connecting' };
    const state = this.shownSession?.state();
    if (state === 'reconnecting') return this.reconnecting(this.shownSession!);
    if (state === 'spectating' || state === 'driving') return { kind: 'live' };
    return state === 'idle' || state === 'connecting'
      ? { kind: 'connecting' }
      : { kind: 'loading' };
  }

  private reconnecting(session: Session): Status {
    const isDriver = holdsWheel(session);
    const untilMs = session.nextTryMs();
    return { kind: 'reconnecting', sinceMs: this.lostSinceMs, untilMs, isDriver };
  }

  update(nowMs: number): void {
    const waiting = this.waiting;
    if (waiting !== null && nowMs >= waiting.untilMs) this.retry(nowMs);
    this.updateNext(nowMs);
    this.updateShown(nowMs);
  }

  stop(): void {
    this.attempt++;
    this.isOpening = false;
    this.wish = null;
    this.waiting = null;
    this.ended = null;
    this.next?.close();
    this.shownSession?.close();
    this.next = null;
    this.shownSession = null;
    this.shownWish = null;
  }

  private open(nowMs: number): void {
    const wish = this.wish;
    if (wish === null) return;
    const attempt = ++this.attempt;
    this.next?.close();
    this.next = null;
    this.isOpening = true;
    this.deadlineMs = nowMs + OPEN_MS_MAX;
    this.hooks.open(wish).then(
      (session) => this.opened(attempt, session),
      (why: unknown) => this.refused(attempt, why, nowMs),
    );
  }

  private opened(attempt: number, session: Session): void {
    if (attempt !== this.attempt) {
      session.close();
      return;
    }
    this.isOpening = false;
    this.next = session;
    if (this.shownSession === null) this.showNext();
  }

  private refused(attempt: number, why: unknown, nowMs: number): void {
    if (attempt !== this.attempt) return;
    this.isOpening = false;
    const text = why instanceof Error ? why.message : String(why);
    this.wait({ name: 'none', text }, nowMs);
  }

  private updateNext(nowMs: number): void {
    const next = this.next;
    if (next === null) return;
    next.update(nowMs);
    const state = next.state();
    if (state === 'closed') {
      const reason = next.closeReason();
      if (this.wish?.spectate === false && isRefusal(reason)) {
        this.refuseWheel(next, reason);
        return;
      }
      next.close();
      this.next = null;
      this.lost(reason, nowMs);
    } else if (state === 'spectating' || state === 'driving' || next.reject() !== null) {
      this.showNext();
    } else if (nowMs > this.deadlineMs && state !== 'loading') {
      // While it loads it hears of the server, or ends by itself; a slow telephone lays the track.
      next.close();
      this.next = null;
      this.wait({ name: 'timeout', text: 'the server does not answer' }, nowMs);
    }
  }

  private refuseWheel(next: Session, reason: Reason): void {
    const before = this.shownSession;
    if (before === null || before.state() === 'closed') {
      this.showNext();
      this.ended = reason;
    } else {
      next.close();
      this.next = null;
      this.wish = this.shownWish;
    }
    this.hooks.onRefused(reason);
  }

  private showNext(): void {
    const next = this.next;
    if (next === null) return;
    this.next = null;
    this.shownSession?.close();
    this.shownSession = next;
    this.shownWish = this.wish;
    this.lostSinceMs = NaN;
    this.hooks.onShown(next);
  }

  private updateShown(nowMs: number): void {
    const session = this.shownSession;
    if (session === null) return;
    const busy =
      this.waiting !== null || this.ended !== null || this.next !== null || this.isOpening;
    if (session.state() === 'closed' && busy) return;
    session.update(nowMs);
    const state = session.state();
    if (state === 'reconnecting' && Number.isNaN(this.lostSinceMs)) this.lostSinceMs = nowMs;
    if (state === 'spectating' || state === 'driving') {
      this.lostSinceMs = NaN;
      if (this.next === null && !this.isOpening) this.backoff.succeeded();
    }
    if (state === 'closed' && !busy && this.wish !== null) this.lost(session.closeReason(), nowMs);
  }

  private lost(reason: Reason | null, nowMs: number): void {
    const isFinal = this.hooks.isRecording ? isRefusal(reason) : !comesAgain(reason);
    if (isFinal && reason !== null) this.ended = reason;
    else this.wait(reason, nowMs);
  }

  private wait(reason: Reason | null, nowMs: number): void {
    this.waiting = { reason, untilMs: nowMs + this.backoff.next(this.hooks.random()) };
  }
}
