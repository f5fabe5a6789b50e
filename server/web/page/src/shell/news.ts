// News of a session are taken once and given to every part that wants them.
import type { Announcements } from '../feed/announcements';
import type { Feed } from '../feed/feed';
import type { Session } from '../race/race';
import type { Drivers } from '../ui/drivers';
import type { Announcer } from './announcer';
import type { Stage } from './stage';
import type { Toasts } from './toasts';

export interface Hearers {
  drivers: Drivers;
  stage: Stage;
  feed: Feed;
  toasts: Toasts;
  announcements: Announcements;
  announcer: Announcer;
}

/**
 * The news that a session tells once: they are taken from it here, and given to all that listen.
 */
export class News {
  constructor(private readonly to: Hearers) {}

  /** Each frame, seen or not. */
  hear(session: Session, nowMs: number, isOurs: (player: number) => boolean): void {
    this.hearPast(session);
    this.hearEvents(session, nowMs, isOurs);
    for (const text of session.takeNotices()) {
      this.to.feed.notice(text, nowMs);
      this.to.toasts.add(text, nowMs);
      this.to.announcer.say(text);
    }
  }

  /** From before one came: only the feed lists it; no light, sound or voice acts on it any more. */
  private hearPast(session: Session): void {
    const events = session.takePastEvents();
    this.to.drivers.note(events);
    this.to.feed.past(events);
  }

  private hearEvents(session: Session, nowMs: number, isOurs: (player: number) => boolean): void {
    const events = session.takeEvents();
    if (events.length === 0) return;
    const { drivers, stage, announcements, announcer } = this.to;
    drivers.note(events);
    stage.events(events, session, nowMs);
    const said = announcements.events(events, drivers.nameOf, isOurs);
    for (const text of said) announcer.say(text);
  }
}
