// The entry leads into a race: password, coming back to a seat, joining.
import type { Invitation } from '../identity/invitation';
import { Seat } from '../drive/seat';
import { channelOf, newWindowId, Windows } from '../drive/windows';
import { holdsWheel, type Reason, type Session, type SessionWish } from '../race/race';
import { ask } from '../ui/dialog';
import { el } from '../ui/dom';
import { browserStore, tabStore } from '../ui/storage';
import type { Connection, Status } from './connection';
import { Door } from './door';
import type { DrivePart, DriveWish } from './parts';
import { PasswordDialog } from './password_dialog';
import { bannerOf, ENTER_PASSWORD, sentence, type Banner } from './status_banner';

export interface EntryParts {
  path: string; // of the race
  spectate: SessionWish;
  connection: Connection;
  mayDrive: boolean;
  /** That the page was opened by; null: it came by a plain link. */
  invitation: Invitation | null;
  drive(): DrivePart | null;
  /** Something that anybody at the page has to know, whatever he looks at. */
  tell(text: string): void;
}

const LOOK_MS = 250; // between two looks whether another window drives
const REJOIN = 'Rejoin';
const HERE = 'Drive here instead';
const DAMAGED = 'The invitation in this link is damaged. Ask whoever sent it for another.';
const AGAIN = 'Drive again';
const IDLE = 'Nobody drove your car, so you watch now.'; // it stays until he is back to read it
const WATCHES = 'You drive in another window now, and watch here.';
const TAKEN_OVER =
  'You drive in another window now, or with your driver key on another machine, and watch here.';
const ELSEWHERE = 'You drive in another window of this browser.';

/**
 * The way into a race: with the password where one is asked for, back to one's own car while it is
 * there, and as one driver, however many windows of this browser are open.
 */
export class Entry {
  readonly element: HTMLElement;
  private readonly door: Door;
  private readonly seat: Seat;
  private readonly windows: Windows;
  private readonly password: PasswordDialog;
  private wanted: SessionWish; // the newest wish
  private wheel: Session | null = null; // with which one drives
  private isIdle = false; // nobody drove, so one watches
  private note: Banner | null = null; // on that, or on where else one drives
  private lookedMs = -Infinity;
  private nowMs = 0;
  private isOver = false;

  constructor(private readonly parts: EntryParts) {
    const { path } = parts;
    const id = newWindowId();
    this.door = new Door(path, tabStore());
    this.seat = new Seat(path, id, browserStore());
    this.windows = new Windows(id, parts.mayDrive ? channelOf(path) : null);
    this.wanted = parts.spectate;
    this.password = new PasswordDialog({
      onGiven: (text) => this.given(text),
      onCancel: () => this.cancelled(),
    });
    this.element = this.password.element;
  }

  /** The page is opened: back to the car, if there is one, or to watch. */
  async start(nowMs: number): Promise<void> {
    this.nowMs = nowMs;
    this.seat.clear();
    const { invitation } = this.parts;
    if (invitation !== null) this.door.invited(invitation);
    if (invitation?.isDamaged === true) this.parts.tell(DAMAGED);
    this.door.inherit(this.seat.kept()?.password ?? '');
    const isCarThere = this.parts.mayDrive && this.seat.wish() !== null;
    const isTaken = isCarThere && this.seat.isElsewhere() && (await this.windows.otherHolds());
    if (this.isOver) return;
    if (isCarThere && !isTaken) this.comeBack();
    else this.watch();
  }

  watch(): void {
    this.enter(this.parts.spectate);
  }

  /** Name and car are chosen. */
  async join(wish: DriveWish): Promise<void> {
    if (this.seat.isOthers() && (await this.windows.otherHolds())) {
      this.parts.drive()?.refused({ name: 'elsewhere', text: ELSEWHERE });
      return;
    }
    if (this.isOver) return;
    this.seat.take(true);
    this.windows.holdsWheel(true);
    const whole = { ...this.parts.spectate, ...wish, spectate: false };
    if (this.door.lacks(this.parts.connection.shown()?.welcome() ?? null, false)) {
      this.wanted = whole;
      this.password.open('missing', true);
    } else {
      this.enter(whole);
    }
  }

  /** The button says Drive. @returns whether no name need be asked for */
  pressed(): boolean {
    if (this.seat.leftS() > 0) this.comeBack();
    else if (this.seat.isElsewhere()) this.askHere();
    else return false;
    return true;
  }

  stopDriving(): void {
    const { connection } = this.parts;
    this.giveUp();
    const isWatching = connection.status().kind === 'live' && this.wheel === null;
    if (isWatching) return; // he only did not ask after all
    connection.shown()?.leave();
    this.watch();
  }

  /** Ten times a second at least, also in hiding. */
  hear(session: Session, nowMs: number): void {
    this.nowMs = nowMs;
    if (!this.seat.keep(session, nowMs, this.door.password)) {
      this.goneElsewhere(WATCHES);
    } else if (holdsWheel(session)) {
      if (this.wheel !== session) this.drives(session);
    } else if (this.wheel === session && session.state() === 'spectating') {
      this.madeSpectator();
    }
    if (nowMs - this.lookedMs >= LOOK_MS) this.look(nowMs);
  }

  /** Another session is shown. */
  shown(session: Session): void {
    this.wheel = null;
    if (session.state() !== 'closed') this.password.close();
  }

  /** There is no wheel, and what was shown still is. */
  refused(reason: Reason): void {
    if (reason.name === 'password') {
      this.askPassword();
      return;
    }
    this.password.close();
    this.door.heard(reason);
    this.giveUp();
    this.parts.drive()?.refused(reason);
  }

  /** @returns whether that needs no more words. */
  ended(reason: Reason): boolean {
    this.wheel = null;
    if (reason.name === 'password') {
      this.askPassword();
      return true;
    }
    this.door.heard(reason);
    this.giveUp();
    this.password.close();
    this.parts.drive()?.refused(reason);
    if (reason.name === 'resumed') this.goneElsewhere(TAKEN_OVER);
    return reason.name === 'resumed';
  }

  /** The server does not answer. */
  waits(reason: Reason | null): void {
    if (this.password.isOpen) this.password.fail(sentence(reason));
  }

  banner(status: Status, nowMs: number): Banner | null {
    return bannerOf(status, nowMs) ?? this.note;
  }

  /** The banner's button. @returns false for one that is somebody else's */
  act(action: string): boolean {
    if (action === ENTER_PASSWORD) this.password.open('missing', !this.wanted.spectate);
    else if (action === REJOIN || action === HERE) this.comeBack();
    else if (action === AGAIN) this.parts.drive()?.button?.click();
    else return false;
    return true;
  }

  /** The page goes, perhaps to be loaded anew: a driver wants to come back to his car. */
  goes(): void {
    const session = this.parts.connection.shown();
    if (session === null || !holdsWheel(session)) return;
    this.seat.goes();
    session.breakOff();
  }

  end(): void {
    this.isOver = true;
    this.giveUp();
    this.windows.end();
    this.password.close();
  }

  private enter(wish: SessionWish): void {
    this.wanted = wish;
    this.isIdle = false;
    this.parts.connection.start(this.door.with(wish), this.nowMs);
  }

  private comeBack(): void {
    const wish = this.seat.wish();
    if (wish === null) {
      this.watch();
      return;
    }
    this.seat.take(false);
    this.windows.holdsWheel(true);
    this.note = null;
    this.enter({ ...this.parts.spectate, ...wish });
  }

  private giveUp(): void {
    this.seat.leave();
    this.windows.holdsWheel(false);
  }

  private drives(session: Session): void {
    this.wheel = session;
    this.windows.holdsWheel(true);
    const { resumeToken: used, ...wish } = this.wanted;
    if (used !== undefined) this.parts.connection.settle(this.door.with(wish));
  }

  private madeSpectator(): void {
    this.wheel = null;
    this.giveUp();
    this.wanted = this.parts.spectate;
    this.parts.connection.settle(this.door.with(this.wanted));
    this.isIdle = true;
  }

  private goneElsewhere(text: string): void {
    this.giveUp();
    this.parts.tell(text);
    this.watch();
  }

  private look(nowMs: number): void {
    this.lookedMs = nowMs;
    this.note = this.wheel === null && this.parts.mayDrive ? this.noteOf() : null;
  }

  private noteOf(): Banner | null {
    const leftS = Math.ceil(this.seat.leftS());
    if (leftS > 0) {
      const text = `The server drives your car, for ${leftS} s more.`;
      return { text, kind: 'calm', action: REJOIN };
    }
    if (this.seat.isElsewhere()) return { text: ELSEWHERE, kind: 'calm', action: HERE };
    return this.isIdle ? { text: IDLE, kind: 'calm', action: AGAIN } : null;
  }

  private askHere(): void {
    const text = 'The car stays the same. The other window goes on watching.';
    ask('dialog', ELSEWHERE, [el('p', {}, text)], [
      { text: HERE, act: () => this.comeBack(), kind: 'primary' },
      { text: 'Keep watching' },
    ]);
  }

  private askPassword(): void {
    // A visitor who came by a token, and finds his car gone, came to watch.
    if (this.wanted.resumeToken !== undefined) this.wanted = this.parts.spectate;
    this.password.open(this.door.refused(), !this.wanted.spectate);
  }

  private given(text: string): boolean {
    if (!this.door.given(text)) return false;
    this.enter(this.wanted);
    return true;
  }

  private cancelled(): void {
    if (this.wanted.spectate) return;
    this.giveUp();
    this.parts.drive()?.refused(null);
  }
}
