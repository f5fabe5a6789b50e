// The shell shows the page that an address leads to.
import '../header/header.css';
import { takeInvitation, type Invitation } from '../identity/invitation';
import { AdminPage } from '../admin/admin';
import { PickerPage } from '../picker/picker';
import type { Session } from '../race/race';
import { el, iconButton } from '../ui/dom';
import { ICONS } from '../ui/icons';
import { lookOf, pathOf, routeOf, type Route, type WatchedRoute } from '../ui/route';
import { isDark, setTheme, watchTheme } from '../ui/theme';
import { Announcer } from './announcer';
import { Beat } from './beat';
import { fullScreenButton } from './full_screen';
import { Live } from './live';
import type { MapStats, Parts } from './parts';
import { RacePage } from './race_page';

/** The content of the page at an address. */
interface Page {
  readonly element: HTMLElement;
  start(nowMs: number): void;
  beat(nowMs: number): void;
  end(): void;
  showHelp?(): void;
  session?(): Session | null;
  mapStats?(): MapStats;
  mapNames?(): DOMRect[];
}

/** The part that a script on the page may look at: `window.apex`. */
export interface Insight {
  /** The race that is shown, if any. */
  session(): Session | null;
  /** The speed at which the map is drawn, and the number of cars on it. */
  mapStats(): MapStats | null;
  /** The places on the page at which it has written names of cars. */
  mapNames(): DOMRect[];
}

/** The page as a whole: which part of it an address leads to. */
export class Shell {
  private readonly announcer = new Announcer();
  private readonly place = el('div', { class: 'page' });
  private readonly help = iconButton('Help (?)', ICONS.help, () => this.page?.showHelp?.());
  private readonly buttons = [
    iconButton('Light or dark', ICONS.theme, () => setTheme(isDark() ? 'light' : 'dark')),
    fullScreenButton(),
    this.help,
  ];
  private look = lookOf('');
  private invitation: Invitation | null = null; // until a race has it
  private page: Page | null = null;

  constructor(
    private readonly parts: Parts,
    root: HTMLElement,
  ) {
    watchTheme(lookOf(location.search).theme);
    root.append(this.place, this.announcer.element);
    root.addEventListener('click', (event) => this.followLink(event));
    window.addEventListener('popstate', () => this.openHere());
    this.openHere();
    new Beat((nowMs) => this.page?.beat(nowMs));
  }

  insight(): Insight {
    return {
      session: () => this.page?.session?.() ?? null,
      mapStats: () => this.page?.mapStats?.() ?? null,
      mapNames: () => this.page?.mapNames?.() ?? [],
    };
  }

  private openHere(): void {
    this.invitation = takeInvitation(window) ?? this.invitation;
    this.open(routeOf(location.pathname, location.search));
  }

  private open(route: Route): void {
    this.page?.end();
    this.look = lookOf(location.search);
    document.documentElement.classList.toggle('is-overlay', this.look.overlay !== 'none');
    document.documentElement.classList.toggle('is-transparent', this.look.transparent);
    document.title = 'Apex';
    for (const dialog of document.querySelectorAll('dialog[open]')) dialog.remove();
    this.page = this.pageOf(route);
    this.help.hidden = this.page.showHelp === undefined;
    this.place.replaceChildren(this.page.element);
    this.page.start(performance.now());
  }

  private pageOf(route: Route): Page {
    switch (route.kind) {
      case 'race':
      case 'replay':
        return this.racePage(route);
      case 'admin':
        return new AdminPage(this.buttons, (race) => new Live(this.parts, race));
      case 'home':
        return new PickerPage(this.buttons, route.list, (only) => this.goOn(only));
      case 'unknown':
        return new PickerPage(this.buttons, true, () => {}, route.path);
    }
  }

  private racePage(route: WatchedRoute): RacePage {
    const missing = () => this.open({ kind: 'unknown', path: location.pathname });
    const { parts, look, announcer, invitation } = this;
    this.invitation = null;
    const wish = { route, look, missing, invitation };
    return new RacePage(parts, wish, announcer, this.buttons);
  }

  /** To the only race there is; what the address wishes else stands. */
  private goOn(route: Route): void {
    history.replaceState(null, '', pathOf(route) + location.search);
    this.open(route);
  }

  /** Links within the page load nothing anew. */
  private followLink(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.hasAttribute('download') || link.target !== '') return;
    const url = new URL(link.href, location.href);
    const route = routeOf(url.pathname, url.search);
    if (url.origin !== location.origin || route.kind === 'unknown') return;
    event.preventDefault();
    history.pushState(null, '', url);
    this.open(route);
  }
}
