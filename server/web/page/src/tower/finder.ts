// The finder chooses a driver by name in a crowd.
import './finder.css';
import type { RosterEntry, Session } from '../race/race';
import { button, el, setText } from '../ui/dom';
import { plural } from '../ui/format';
import { playerColour } from '../ui/livery';
import type { Selection } from '../ui/selection';
import { findDrivers } from './search';

const CROWD = 40; // fewer are found by looking
const FOUND_MAX = 12;

/** A field above the tower of a crowd: choose a driver by name. */
export class Finder {
  readonly element: HTMLElement;
  private readonly field = el('input', {
    type: 'search',
    class: 'find-field',
    placeholder: 'Find a driver (/)',
    'aria-label': 'Find a driver',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  private readonly list = el('ul', { class: 'find-list' });
  private readonly count = el('p', { class: 'find-count', role: 'status' });
  private roster: readonly RosterEntry[] = [];

  constructor(private readonly selection: Selection) {
    this.element = el('search', { class: 'find' }, this.field, this.list, this.count);
    this.element.hidden = true;
    this.field.addEventListener('input', () => this.show());
    this.element.addEventListener('keydown', (event) => this.key(event));
  }

  hear(session: Session): void {
    this.roster = session.roster();
    const isCrowd = this.roster.length > CROWD;
    if (this.element.hidden === isCrowd) this.element.hidden = !isCrowd;
  }

  focus(): void {
    if (!this.element.hidden) this.field.focus();
  }

  private show(): void {
    const found = findDrivers(this.roster, this.field.value);
    this.list.replaceChildren(...found.slice(0, FOUND_MAX).map((entry) => this.line(entry)));
    const more = found.length - FOUND_MAX;
    const none = this.field.value.trim() === '' ? '' : 'Nobody of that name has a car.';
    setText(this.count, more > 0 ? `and ${plural(more, 'other')}` : found.length > 0 ? '' : none);
  }

  private line(entry: RosterEntry): HTMLElement {
    const line = button(entry.name, () => this.choose(entry), { class: 'find-driver' });
    const swatch = el('span', { class: 'tower-swatch' });
    swatch.style.background = playerColour(entry.player);
    line.prepend(swatch);
    return el('li', {}, line);
  }

  private choose(entry: RosterEntry): void {
    this.clear();
    this.selection.choose(entry.car);
  }

  private clear(): void {
    this.field.value = '';
    this.show();
    this.field.blur();
  }

  private key(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.clear();
    else if (event.key === 'Enter' && event.target === this.field) {
      const [first] = findDrivers(this.roster, this.field.value);
      if (first !== undefined) this.choose(first);
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      this.walk(event.key === 'ArrowDown' ? 1 : -1);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** From the field through the names and back. */
  private walk(by: number): void {
    const stops = [this.field, ...this.list.querySelectorAll('button')];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    stops[Math.max(0, Math.min(stops.length - 1, at + by))]?.focus();
  }
}
