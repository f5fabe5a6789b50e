// The tower is the running order as a table whose rows choose a car.
import './tower.css';
import './tower_narrow.css';
import type { Session } from '../race/race';
import type { Drivers } from '../ui/drivers';
import { el, setAttribute, setClass, setText } from '../ui/dom';
import { plural } from '../ui/format';
import { isMotionReduced } from '../ui/reduced_motion';
import type { Selection } from '../ui/selection';
import type { View } from '../ui/view';
import { COLUMNS } from './columns';
import { Finder } from './finder';
import { legendButton } from './legend';
import { rowsOf, type Row } from './model';
import { moves, windowOf } from './row_moves';
import { RowView } from './row_view';

const NOBODY = 'Nobody is in the race yet.';
const MOVE_MS = 480;
const MOVED_MAX = 10; // each costs the browser a style a frame

/** The running order: a table that is kept up to date, whose lines choose a car. */
export class Tower implements View {
  readonly element: HTMLElement;
  private readonly scroll = el('div', { class: 'tower-scroll', tabindex: '-1' });
  private readonly table = el('table', { class: 'tower-table', role: 'table' });
  private readonly caption = el('caption', { class: 'visually-hidden' }, 'Running order');
  private readonly body = el('tbody', { role: 'rowgroup' });
  private readonly above = el('tr', { class: 'tower-spacer', 'aria-hidden': 'true' });
  private readonly below = el('tr', { class: 'tower-spacer', 'aria-hidden': 'true' });
  private readonly empty = el('p', { class: 'tower-empty' });
  private readonly more = el('p', { class: 'tower-more' });
  private readonly finder: Finder;
  private readonly views = new Map<number, RowView>();
  private rows: Row[] = [];
  private shownKeys: number[] = [];
  private scrollPx = 0;
  private heightPx = 600;
  private rowPx = 30;
  private tabPlayer = 0; // of the line that Tab comes to

  constructor(
    private readonly selection: Selection,
    private readonly drivers: Drivers,
  ) {
    const head = el('tr', { role: 'row' });
    for (const { key, title, words } of COLUMNS) {
      const cell = el('th', { scope: 'col', role: 'columnheader', class: `tower-${key}` });
      if (key === 'sectors') cell.append(legendButton(title));
      else if (title === words) cell.textContent = title;
      else {
        cell.append(el('span', { 'aria-hidden': 'true' }, title));
        cell.append(el('span', { class: 'visually-hidden' }, words));
        cell.title = words;
      }
      head.append(cell);
    }
    this.body.append(this.above, this.below);
    this.table.append(this.caption, el('thead', { role: 'rowgroup' }, head), this.body);
    this.scroll.append(this.table, this.more, this.empty);
    this.finder = new Finder(selection);
    const label = { class: 'tower', 'aria-label': 'Timing tower' };
    this.element = el('section', label, this.finder.element, this.scroll);
    this.listen();
  }

  private listen(): void {
    this.body.addEventListener('click', (event) => this.choose(playerOf(event.target)));
    this.body.addEventListener('keydown', (event) => this.key(event));
    this.scroll.addEventListener('scroll', () => {
      this.scrollPx = this.scroll.scrollTop;
      if (this.rows.length > 0) this.show(this.rows, false);
    });
    this.selection.onChange(() => this.show(this.rows, false));
    new ResizeObserver(() => {
      this.heightPx = this.scroll.clientHeight;
      const first = this.views.values().next().value;
      if (first !== undefined) this.rowPx = first.element.offsetHeight || this.rowPx;
    }).observe(this.scroll);
  }

  tick(session: Session): void {
    const standings = session.standings();
    this.finder.hear(session);
    setText(this.empty, emptyWords(session));
    const others = Math.max(0, (standings?.total ?? 0) - (standings?.lines.length ?? 0));
    setText(this.more, others > 0 ? `and ${others.toLocaleString('en')} more` : '');
    if (standings === null) {
      if (this.rows.length > 0) this.show([], false);
      return;
    }
    const rows = rowsOf(standings, {
      lapLengthM: session.track()?.lengthM ?? 0,
      ownPlayer: session.player(),
      welcome: session.welcome(),
      driverOf: (player) => this.drivers.ofPlayer(player),
      carTitle: (carDef) => session.carShape(carDef)?.title || carDef,
    });
    setText(this.caption, `Running order, ${plural(standings.total, 'driver')}`);
    this.show(rows, true);
  }

  reset(): void {
    this.show([], false);
  }

  /** To the field where drivers are found by name. */
  find(): void {
    this.finder.focus();
  }

  /** The order as it is shown, for choosing the next one and the one before. */
  order(): readonly Row[] {
    return this.rows;
  }

  private show(rows: Row[], animated: boolean): void {
    const before = this.shownKeys;
    this.rows = rows;
    const window = windowOf(this.scrollPx, this.heightPx, this.rowPx, rows.length);
    const shown = rows.slice(window.first, window.end);
    const keys = shown.map((row) => row.player);
    const kept = new Set(keys);
    for (const [player, view] of this.views) {
      if (kept.has(player)) continue;
      view.element.remove();
      this.views.delete(player);
    }
    this.updateTabStop(kept, keys);
    let place: Element = this.above;
    const focused = document.activeElement;
    shown.forEach((row, i) => {
      const view = this.viewOf(row.player);
      view.update(row, window.first + i, row.car !== 0 && row.car === this.selection.car);
      const index = rows[window.first + i - 1]?.position ?? row.position - 1;
      setClass(view.element, 'is-apart', i > 0 && row.position !== index + 1);
      if (place.nextElementSibling !== view.element) place.after(view.element);
      place = view.element;
    });
    // The element that had the focus keeps it when the line is put elsewhere.
    if (focused instanceof HTMLElement && focused !== document.activeElement) {
      if (this.body.contains(focused)) focused.focus({ preventScroll: true });
    }
    this.above.style.height = `${window.first * this.rowPx}px`;
    this.below.style.height = `${(rows.length - window.end) * this.rowPx}px`;
    setAttribute(this.table, 'aria-rowcount', String(rows.length + 1));
    this.empty.hidden = rows.length > 0;
    this.table.hidden = rows.length === 0;
    this.shownKeys = keys;
    if (animated && !isMotionReduced()) this.animate(moves(before, keys));
  }

  private viewOf(player: number): RowView {
    let view = this.views.get(player);
    if (view === undefined) {
      view = new RowView(player);
      view.choose.tabIndex = player === this.tabPlayer ? 0 : -1;
      this.views.set(player, view);
    }
    return view;
  }

  /** Lines slide to their new place from where they were. */
  private animate(moved: Map<number, number>): void {
    if (moved.size > MOVED_MAX) return; // a crowd, or another order: nobody could follow it
    for (const [player, rows] of moved) {
      const element = this.views.get(player)?.element;
      if (element === undefined) continue;
      const from = `translateY(${rows * this.rowPx}px)`;
      const tint = rows > 0 ? 'var(--gain-tint)' : 'var(--loss-tint)';
      element.animate([{ transform: from }, { transform: 'none' }], {
        duration: MOVE_MS,
        easing: 'cubic-bezier(.2,.8,.2,1)',
      });
      element.animate([{ backgroundColor: tint }, {}], { duration: 3 * MOVE_MS });
    }
  }

  private updateTabStop(kept: ReadonlySet<number>, keys: readonly number[]): void {
    if (kept.has(this.tabPlayer)) return;
    this.setTabStop(keys[0] ?? 0);
  }

  private setTabStop(player: number): void {
    const old = this.views.get(this.tabPlayer);
    if (old !== undefined) old.choose.tabIndex = -1;
    this.tabPlayer = player;
    const view = this.views.get(player);
    if (view !== undefined) view.choose.tabIndex = 0;
  }

  private choose(player: number): void {
    const row = this.rows.find((each) => each.player === player);
    if (row === undefined || row.car === 0) return;
    this.setTabStop(player);
    this.selection.choose(row.car === this.selection.car ? 0 : row.car);
  }

  private key(event: KeyboardEvent): void {
    const at = this.rows.findIndex((row) => row.player === playerOf(event.target));
    if (at < 0) return;
    const page = Math.max(1, Math.floor(this.heightPx / this.rowPx) - 1);
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -this.rows.length,
      End: this.rows.length,
    };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.focusRow(Math.max(0, Math.min(this.rows.length - 1, at + step)));
  }

  private focusRow(index: number): void {
    const row = this.rows[index]!;
    if (!this.views.has(row.player)) {
      this.scroll.scrollTop = Math.max(0, index * this.rowPx - this.heightPx / 2);
      this.scrollPx = this.scroll.scrollTop;
      this.show(this.rows, false);
    }
    this.setTabStop(row.player);
    this.views.get(row.player)?.choose.focus();
  }
}

function emptyWords(session: Session): string {
  if (session.raceState() === null) return ''; // not let in, or not yet
  if (session.raceState()?.phase === 'over') return 'The event is over.';
  const isOpen = session.playback() === null && session.player() === 0;
  return isOpen ? `${NOBODY} Drive, and be the first.` : NOBODY;
}

function playerOf(target: EventTarget | null): number {
  if (!(target instanceof Element)) return -1;
  return Number(target.closest<HTMLElement>('.tower-row')?.dataset['player'] ?? -1);
}
