// A live view of a race for the operator's page: map and feed on a session of its own.
import type { LiveView } from '../admin/race_panel';
import { Feed } from '../feed/feed';
import { Connection } from './connection';
import { Door } from './door';
import { PasswordDialog } from './password_dialog';
import type { MapPart, Parts } from './parts';
import { Stage } from './stage';
import { bannerOf, ENTER_PASSWORD, StatusBanner } from './status_banner';
import type { Session } from '../race/race';
import { RaceClock } from '../ui/clock';
import { el } from '../ui/dom';
import { Drivers } from '../ui/drivers';
import { pathOf, socketUrl } from '../ui/route';
import { Seen } from '../ui/seen';
import { Selection } from '../ui/selection';
import { tabStore } from '../ui/storage';

/** The map and the events of a race, as its page has them, beside the orders. */
export class Live implements LiveView {
  readonly element: HTMLElement;
  private readonly selection = new Selection();
  private readonly drivers = new Drivers();
  private readonly clock = new RaceClock();
  private readonly stage = new Stage();
  private readonly seen = new Seen();
  private readonly map: MapPart;
  private readonly feed: Feed;
  private readonly banner: StatusBanner;
  private readonly connection: Connection;
  private readonly path: string;
  private readonly door: Door;
  private readonly password: PasswordDialog;
  private isOpen = false;
  private isRefused = false; // for the want of a password
  private nowMs = 0;

  constructor(
    parts: Parts,
    race: number,
  ) {
    this.path = pathOf({ kind: 'race', id: String(race) });
    this.door = new Door(this.path, tabStore());
    this.password = new PasswordDialog({
      onGiven: (text) => this.door.given(text) && this.start(),
      onCancel: () => {},
    });
    this.connection = new Connection({
      open: (wish) => parts.openSession(wish),
      onShown: (session) => this.shown(session),
      onRefused: () => {}, // nobody drives here
      random: Math.random,
      isRecording: false,
    });
    this.banner = new StatusBanner((action) => {
      if (action === ENTER_PASSWORD) this.password.open('missing', false);
      else this.connection.retry(this.nowMs);
    });
    const over = el('div', { class: 'map-over' }, this.banner.element);
    const options = { fps: false, buttons: true, overview: false };
    this.map = parts.map(this.selection, { ...options, over: () => over.children });
    this.feed = new Feed(this.drivers, this.clock, this.selection);
    const area = { class: 'race-map admin-map', 'aria-label': 'Track map' };
    this.element = el(
      'div',
      { class: 'admin-live' },
      el('section', area, this.map.element, over),
      this.feed.element,
      this.password.element,
    );
    this.stage.add(this.map);
    this.stage.add(this.feed);
    this.seen.watch(this.element);
  }

  /** Each frame. A race is not watched before somebody looks at it: a server may have many. */
  beat(nowMs: number): void {
    this.nowMs = nowMs;
    if (!this.isOpen && this.seen.has(this.element)) this.start();
    if (!this.isOpen) return;
    this.connection.update(nowMs);
    const status = this.connection.status();
    this.banner.show(bannerOf(status, nowMs));
    const isRefused = status.kind === 'ended' && status.reason.name === 'password';
    if (isRefused && !this.isRefused) this.refused();
    this.isRefused = isRefused;
    const session = this.connection.shown();
    if (session !== null) this.show(session, nowMs);
  }

  /** Shows where a player's car is. */
  choose(player: number): void {
    const car = this.drivers.ofPlayer(player)?.car ?? 0;
    if (car !== 0) this.selection.choose(car);
  }

  session(): Session | null {
    return this.connection.shown();
  }

  end(): void {
    this.connection.stop();
    this.seen.end();
    this.stage.end();
  }

  private start(): true {
    this.isOpen = true;
    const url = socketUrl(location.origin, this.path);
    const wish = { url, name: '', car: '', password: '', spectate: true };
    this.connection.start(this.door.with(wish), this.nowMs);
    return true;
  }

  /** A page with many races asks for a password only when told to. */
  private refused(): void {
    const asked = this.door.refused();
    if (this.password.isOpen) this.password.open(asked, false);
  }

  /** Another session: nothing of the last is known of it. */
  private shown(session: Session): void {
    if (session.state() !== 'closed') this.password.close();
    this.drivers.forget();
    this.clock.forget();
    this.stage.reset();
    this.drivers.hear(session);
  }

  private show(session: Session, nowMs: number): void {
    this.drivers.hear(session);
    this.clock.hear(session.raceState(), (session.welcome()?.speedPermille ?? 1000) / 1000, nowMs);
    const past = session.takePastEvents();
    const events = session.takeEvents();
    this.drivers.note([...past, ...events]);
    this.feed.past(past);
    if (events.length > 0) this.stage.events(events, session, nowMs);
    for (const text of session.takeNotices()) this.feed.notice(text, nowMs);
    if (!document.hidden) this.stage.frame(session, nowMs);
  }
}
