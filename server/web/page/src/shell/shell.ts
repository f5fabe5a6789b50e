import '../header/header.css';
import type { Session } from '../race/race';
import { AdminPage } from '../admin/admin';
import { PickerPage } from '../picker/picker';
import { Announcer } from './announcer';
import { Beat } from './beat';
import { el, iconButton } from '../ui/dom';
import { ICONS } from '../ui/icons';
import type { MapStats, Parts } from './parts';
import { RacePage } from './race_page';
import { lookOf, pathOf, routeOf, type Look, type Route } from '../ui/route';
import { isDark, setTheme, watchTheme } from '../ui/theme';

/** What fills the page at an address. */
interface Page {
  readonly element: HTMLElement;
  start(nowMs: number): void;
  beat(nowMs: number): void;
  end(): void;
  showHelp?(): void;
  session?(): Session | null;
  mapStats?(): MapStats;
}

/** What a script on the page may look at: `window.apex`. */
export interface Insight {
  /** The race that is shown, if any. */
  session(): Session | null;
  /** How fast the map is drawn, and of how many cars. */
  mapStats(): MapStats | null;
}

/** The page as a whole: which part of it an address leads to. */
export class Shell {
  private readonly announcer = new Announcer();
  private readonly place = el('div', { class: 'page' });
  private readonly look: Look;
  private page: Page | null = null;

  constructor(
    private readonly parts: Parts,
    root: HTMLElement,
  ) {
    this.look = lookOf(location.search);
    watchTheme();
    document.documentElement.classList.toggle('is-overlay', this.look.overlay !== 'none');
    document.documentElement.classList.toggle('is-transparent', this.look.transparent);
    root.append(this.place, this.announcer.element);
    root.addEventListener('click', (event) => this.followLink(event));
    window.addEventListener('popstate', () => this.open(this.here()));
    this.open(this.here());
    new Beat((nowMs) => this.page?.beat(nowMs));
  }

  insight(): Insight {
    return {
      session: () => this.page?.session?.() ?? null,
      mapStats: () => this.page?.mapStats?.() ?? null,
    };
  }

  private here(): Route {
    return routeOf(location.pathname, location.search);
  }

  /** Goes to another part of the page. */
  go(route: Route, replace = false): void {
    const path = pathOf(route);
    if (replace) history.replaceState(null, '', path);
    else history.pushState(null, '', path);
    this.open(route);
  }

  private open(route: Route): void {
    this.page?.end();
    document.title = 'Apex';
    for (const dialog of document.querySelectorAll('dialog[open]')) dialog.remove();
    this.page = this.pageOf(route);
    this.place.replaceChildren(this.page.element);
    this.page.start(performance.now());
  }

  private pageOf(route: Route): Page {
    switch (route.kind) {
      case 'race':
      case 'replay':
        return new RacePage(this.parts, route, this.look, this.announcer, this.pageButtons());
      case 'admin':
        return new AdminPage(this.pageButtons());
      case 'home':
        return new PickerPage(this.pageButtons(), route.list, (only) => this.go(only, true));
      case 'unknown':
        return new PickerPage(this.pageButtons(), true, () => {}, route.path);
    }
  }

  private pageButtons(): HTMLElement[] {
    const theme = iconButton('Light or dark', ICONS.theme, () =>
      setTheme(isDark() ? 'light' : 'dark'),
    );
    const help = iconButton('Keys (?)', ICONS.help, () => this.page?.showHelp?.());
    return [theme, help];
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
    this.go(route);
  }
}
