// The race page puts session, map, tower, feed and display together.
import './race.css';
import { Announcements } from '../feed/announcements';
import { Feed } from '../feed/feed';
import { Header } from '../header/header';
import type { Invitation } from '../identity/invitation';
import { LightsOverlay } from '../header/lights_overlay';
import { Lobby } from '../header/lobby';
import { ResultsPanel } from '../header/results_panel';
import { MAP_KEYS } from '../map/map_keys';
import { holdsWheel, type Session } from '../race/race';
import { REPLAY_KEYS } from '../replay/replay_keys';
import { TelemetryPanel } from '../telemetry/telemetry';
import { Tower } from '../tower/tower';
import { RaceClock } from '../ui/clock';
import { ask } from '../ui/dialog';
import { el, icon, iconButton, setAttribute } from '../ui/dom';
import { Drivers } from '../ui/drivers';
import { ICONS } from '../ui/icons';
import { pathOf, socketUrl, type Look, type WatchedRoute } from '../ui/route';
import { Selection } from '../ui/selection';
import type { Announcer } from './announcer';
import { Chooser } from './chooser';
import { Connection, type Status } from './connection';
import { Entry } from './entry';
import { toggleFullScreen } from './full_screen';
import { showHelp } from './help';
import { Listing } from './listing';
import { mapShortcuts } from './map_shortcuts';
import type { DrivePart, MapPart, MapStats, Parts } from './parts';
import { News } from './news';
import { RaceLayout } from './race_layout';
import { linkTo, momentS, nameInAddress, share } from './share';
import { Shortcuts } from './shortcuts';
import { Stage } from './stage';
import { sentence, StatusBanner } from './status_banner';
import { Strips } from './strips';
import { Toasts } from './toasts';

const ALL = 'All races and recordings';
const OVER_MAP = [
  '.banner', '.lobby', '.lights', '.toast', '.drive-tools > *', '.drive-box', '.drive-delta',
  '.drive-warning.is-on', '.drive-flash', '.drive-extras > *', '.drive-shifters > *',
  '.drive-thumb', '.drive-feet',
].join();
const SMALL = '(max-width: 899px)'; // as race.css has it

export interface RaceWish {
  route: WatchedRoute;
  look: Look;
  invitation: Invitation | null;
  missing: () => void; // there is no such race or recording
}

/** A race, live or recorded, with all that shows it. */
export class RacePage {
  readonly element: HTMLElement;
  private readonly selection = new Selection();
  private readonly chooser: Chooser;
  private readonly drivers = new Drivers();
  private readonly clock = new RaceClock();
  private readonly stage = new Stage();
  private readonly header = new Header(this.clock);
  private readonly tower: Tower;
  private readonly map: MapPart;
  private readonly drive: DrivePart | null;
  private readonly telemetry: TelemetryPanel;
  private readonly feed: Feed;
  private readonly results = new ResultsPanel();
  private readonly lights = new LightsOverlay(this.clock);
  private readonly lobby = new Lobby();
  private readonly toasts = new Toasts();
  private readonly strips: Strips;
  private readonly announcements = new Announcements();
  private readonly news: News;
  private readonly layout: RaceLayout;
  private readonly banner: StatusBanner;
  private readonly shortcuts: Shortcuts;
  private readonly connection: Connection;
  private readonly listing: Listing;
  private readonly entry: Entry;
  private shownKind = '';
  private wasDriving = false;
  private playedTick = 0;
  private isAtMoment: boolean; // that the address asks for, of a recording
  private nowMs = 0;

  constructor(
    parts: Parts,
    private readonly wish: RaceWish,
    private readonly announcer: Announcer,
    pageButtons: readonly HTMLElement[],
  ) {
    const { route, look } = wish;
    this.isAtMoment = look.atS === null;
    this.listing = new Listing(route, wish.missing);
    const url = socketUrl(location.origin, pathOf(route));
    const isLive = route.kind === 'race';
    this.connection = new Connection({
      open: (wish) => parts.openSession(wish),
      onShown: (session) => this.shown(session),
      onRefused: (reason) => this.entry.refused(reason),
      random: Math.random,
      isRecording: !isLive,
    });
    this.entry = new Entry({
      path: pathOf(route),
      spectate: { url, name: '', car: '', password: '', spectate: true },
      connection: this.connection,
      invitation: wish.invitation,
      mayDrive: isLive && look.overlay === 'none',
      drive: () => this.drive,
      tell: (text) => this.tell(text),
    });
    this.tower = new Tower(this.selection, this.drivers);
    this.map = parts.map(this.selection, {
      fps: look.fps,
      buttons: look.overlay === 'none',
      overview: !matchMedia(SMALL).matches,
      over: () => this.element.querySelectorAll(OVER_MAP),
    });
    this.telemetry = new TelemetryPanel(this.selection, this.drivers);
    this.feed = new Feed(this.drivers, this.clock, this.selection);
    const { drivers, stage, toasts, announcements } = this;
    this.news = new News({ drivers, stage, feed: this.feed, toasts, announcements, announcer });
    this.strips = new Strips(this.selection);
    this.banner = new StatusBanner((action) => {
      if (!this.entry.act(action)) this.connection.retry(this.nowMs);
    });
    this.drive = !isLive
      ? null
      : parts.drive({
          onJoin: (wish) => void this.entry.join(wish),
          onPressed: () => this.entry.pressed(),
          onLeave: () => this.entry.stopDriving(),
          zoomMap: (factor) => {
            if (this.map.mode === 'follow') this.map.zoomBy(factor);
          },
        });
    const replayBar = isLive ? null : parts.replayBar();
    const map = this.mapArea(replayBar?.element ?? null);
    const elements = { header: this.header.element, tower: this.tower.element, map };
    const right = { telemetry: this.telemetry.element, feed: this.feed.element };
    this.layout = new RaceLayout({ ...elements, ...right }, look);
    this.element = this.layout.element;
    this.element.append(this.entry.element);
    this.arrangeHeader(pageButtons);
    const { header, tower, lights, lobby, telemetry, feed, results, drive, strips } = this;
    const over = [lights, lobby, telemetry, feed, results, drive, replayBar];
    const views = [header, tower, this.map, ...over];
    for (const view of [...views, ...strips.views]) if (view !== null) this.stage.add(view);
    this.selection.onChange((car) => this.connection.shown()?.focus(car));
    const whom = { car: look.car, leader: look.overlay === 'none' };
    this.chooser = new Chooser(this.selection, this.drivers, whom, (name) => this.chosen(name));
    addEventListener('pagehide', this.goes);
    this.shortcuts = this.makeShortcuts();
  }

  start(nowMs: number): void {
    this.nowMs = nowMs;
    void this.entry.start(nowMs);
  }

  /** Each frame, or ten times a second in hiding. */
  beat(nowMs: number): void {
    this.nowMs = nowMs;
    this.connection.update(nowMs);
    const session = this.connection.shown();
    if (session !== null) this.show(session, nowMs);
    const status = this.connection.status();
    this.banner.show(this.entry.banner(status, nowMs));
    if (status.kind !== this.shownKind) this.changed(status);
    this.announcer.tick(nowMs);
    this.listing.beat(nowMs, status.kind === 'live');
    this.header.setClients(this.listing.clients);
  }

  end(): void {
    this.listing.end();
    removeEventListener('pagehide', this.goes);
    this.entry.end();
    this.connection.stop();
    this.shortcuts.end();
    this.stage.end();
  }

  private readonly goes = (): void => this.entry.goes();

  session(): Session | null {
    return this.connection.shown();
  }

  mapStats(): MapStats {
    return this.map.stats();
  }

  mapNames(): DOMRect[] {
    return this.map.names();
  }

  showHelp(): void {
    showHelp(this.shortcuts.listed());
  }

  private show(session: Session, nowMs: number): void {
    this.entry.hear(session, nowMs);
    this.drivers.hear(session);
    const playback = session.playback();
    if (playback !== null) this.hearJump(playback.tick);
    const playing = playback === null ? 1 : playback.playing ? playback.speedPermille / 1000 : 0;
    const rate = playback === null ? (session.welcome()?.speedPermille ?? 1000) / 1000 : playing;
    this.clock.hear(session.raceState(), rate, nowMs);
    this.telemetry.hear(session);
    this.news.hear(session, nowMs, (player) => this.isOurs(session, player));
    if (!document.hidden && this.stage.frame(session, nowMs)) this.tick(session, nowMs);
  }

  private tell(text: string): void {
    this.toasts.add(text, this.nowMs);
    this.announcer.say(text);
  }

  /** A recording was set back: what follows is told again. */
  private hearJump(tick: number): void {
    if (tick < this.playedTick) {
      this.feed.reset();
      this.lights.reset();
      this.announcements.forget();
    }
    this.playedTick = tick;
  }

  private tick(session: Session, nowMs: number): void {
    this.results.hear(session);
    this.toasts.tick(nowMs);
    this.strips.hear(session);
    const phase = session.raceState()?.phase ?? 'lobby';
    const { nameOf } = this.drivers;
    const text = this.announcements.order(session.standings(), phase, nowMs, nameOf);
    if (text !== null) this.announcer.say(text);
    const isDriving = holdsWheel(session);
    if (isDriving && !this.wasDriving) this.chooser.choose(session.car());
    if (isDriving !== this.wasDriving) this.drove(isDriving);
    this.chooser.hear(session);
    if (!this.isAtMoment) this.goToMoment(session);
    this.header.link.show(session, this.connection.status().kind === 'live');
    setAttribute(this.element, 'data-track', session.track() === null ? null : 'there');
    const name = session.welcome()?.race;
    const title = name ? `${name} · Apex` : 'Apex';
    if (document.title !== title) document.title = title;
  }

  /** That the address asks for. */
  private goToMoment(session: Session): void {
    const { atS } = this.wish.look;
    const hz = session.welcome()?.tickHz ?? 0;
    if (atS === null || session.playback() === null || !(hz > 0)) return;
    this.isAtMoment = true;
    session.play({ tick: Math.round(atS * hz) });
  }

  private drove(isDriving: boolean): void {
    this.wasDriving = isDriving;
    this.element.classList.toggle('is-driving', isDriving);
    this.layout.drive(isDriving);
    this.map.headingUp(isDriving); // a driver who steers to the left turns left
    this.map.follow(isDriving);
  }

  /** Another session: all of the last is forgotten, but for the car that was chosen. */
  private shown(session: Session): void {
    this.entry.shown(session);
    this.drivers.forget();
    this.clock.forget();
    this.announcements.forget();
    this.stage.reset();
    this.chooser.choose(0);
    this.drivers.hear(session);
    const { follow } = this.wish.look;
    if (follow === 'heading') this.map.headingUp(true);
    else if (follow === 'north') this.map.follow(true);
  }

  private chosen(name: string): void {
    nameInAddress(name);
    if (name !== '') this.announcer.say(`${name} chosen`);
  }

  private find(): void {
    this.layout.unfold('tower');
    this.tower.find();
  }

  private step(by: 1 | -1): void {
    this.chooser.step(this.tower.order(), by);
  }

  private isOurs(session: Session, player: number): boolean {
    if (player === 0) return false;
    return player === session.player() || this.drivers.ofPlayer(player)?.car === this.selection.car;
  }

  private changed(status: Status): void {
    this.shownKind = status.kind;
    setAttribute(this.element, 'data-link', status.kind);
    if (status.kind === 'reconnecting') this.announcer.say('The connection was lost');
    if (status.kind === 'waiting') {
      this.announcer.say(sentence(status.reason));
      this.entry.waits(status.reason);
    }
    if (status.kind !== 'ended' || this.entry.ended(status.reason)) return;
    if (document.querySelector('dialog[open]') !== null) return;
    const watch = () => this.entry.watch();
    const isLive = this.wish.route.kind === 'race';
    const closed = isLive ? 'The connection was closed' : 'This recording cannot be played';
    const title = status.reason.name === 'kicked' ? 'You were removed' : closed;
    const body = [el('p', {}, sentence(status.reason))];
    const again = isLive ? 'Watch the race' : 'Try again';
    ask('alertdialog', title, body, [
      { text: again, act: watch, kind: 'primary' },
      { text: 'Close' },
    ]);
  }

  private mapArea(replayBar: HTMLElement | null): HTMLElement {
    const over = el('div', { class: 'map-over' });
    over.append(this.lights.element, this.banner.element, this.lobby.element, this.toasts.element);
    const area = el('section', { class: 'race-map', 'aria-label': 'Track map' }, this.map.element);
    area.append(over, this.results.element, this.header.link.element);
    if (this.drive !== null) area.append(this.drive.element);
    const column = el('div', { class: 'race-middle' }, area, this.strips.element);
    if (replayBar !== null) column.append(replayBar);
    return column;
  }

  private arrangeHeader(pageButtons: readonly HTMLElement[]): void {
    const results = iconButton('Results (Z)', ICONS.results, () => this.toggleResults());
    results.hidden = true;
    this.results.whenChanged(() => {
      results.hidden = !this.results.isThere;
      setAttribute(results, 'aria-pressed', String(this.results.isOpen));
    });
    const driveButton = this.drive?.button;
    if (driveButton !== undefined) this.header.actions.append(driveButton);
    const list = el('a', { class: 'icon-button', href: '/?list=1', title: ALL });
    list.append(icon(ICONS.list), el('span', { class: 'visually-hidden' }, ALL));
    const link = iconButton('Copy a link to this (C)', ICONS.link, () => this.share());
    this.header.actions.append(results, ...this.layout.buttons, link, list, ...pageButtons);
  }

  private share(): void {
    const session = this.connection.shown();
    if (session === null) return;
    const driver = this.drivers.ofCar(this.selection.car)?.name ?? null;
    void share(linkTo(location, driver, momentS(session)), () => {
      this.toasts.add('Link copied', this.nowMs);
      this.announcer.say('Link copied');
    });
  }

  private toggleResults(): void {
    this.results.open(!this.results.isOpen);
  }

  private makeShortcuts(): Shortcuts {
    const isDriving = () => this.wasDriving;
    return new Shortcuts(
      [
        { key: 'j', words: 'choose the next car of the order', act: () => this.step(1) },
        { key: 'k', words: 'choose the one before', act: () => this.step(-1) },
        ...mapShortcuts(this.map),
        { key: 't', words: 'timing tower', act: () => this.layout.toggle('tower') },
        { key: 'p', words: 'telemetry and events', act: () => this.layout.toggle('side') },
        { key: 'l', words: 'the lap as a line', act: () => this.layout.toggle('strips') },
        { key: 'c', words: 'copy a link to this', act: () => this.share(), notDriving: true },
        { key: 'x', words: 'full screen', act: toggleFullScreen },
        { key: 'z', words: 'results', act: () => this.toggleResults() },
        { key: 'n', words: 'the connection in figures', act: () => this.header.link.toggle() },
        { key: '/', words: 'find a driver', act: () => this.find(), notDriving: true },
        { key: '?', words: 'this help', act: () => this.showHelp() },
      ],
      [
        { shown: '↑ ↓', words: 'in the tower: go through the order; Enter chooses' },
        ...MAP_KEYS,
        ...(this.wish.route.kind === 'replay' ? REPLAY_KEYS : []),
      ],
      isDriving,
    );
  }
}
