// The layout of a race page: where its parts stand, folded or open, wide or narrow.
import { button, el, iconButton, setAttribute } from '../ui/dom';
import { ICONS } from '../ui/icons';
import type { Look } from '../ui/route';
import { storedFlag, storeFlag } from '../ui/storage';

const TABS = [
  ['tower', 'Timing'],
  ['telemetry', 'Telemetry'],
  ['feed', 'Events'],
] as const;

const PARTS = ['tower', 'side', 'strips'] as const; // that can be folded away
type Part = (typeof PARTS)[number];

export type Tab = (typeof TABS)[number][0];

export interface RaceElements {
  header: HTMLElement;
  tower: HTMLElement;
  map: HTMLElement; // and all that lies over it
  telemetry: HTMLElement;
  feed: HTMLElement;
}

/** The layout of a race's parts: side by side on a desk, one under the other in a hand. */
export class RaceLayout {
  readonly element: HTMLElement;
  readonly buttons: HTMLElement[];
  private readonly towerButton: HTMLButtonElement;
  private readonly sideButton: HTMLButtonElement;
  private readonly stripsButton: HTMLButtonElement;
  private readonly tabs: HTMLButtonElement[];

  constructor(elements: RaceElements, look: Look) {
    const side = el('div', { class: 'race-side' }, elements.telemetry, elements.feed);
    elements.tower.classList.add('panel');
    elements.telemetry.classList.add('panel');
    elements.feed.classList.add('panel');
    this.tabs = TABS.map(([tab, title]) => button(title, () => this.show(tab), { class: 'tab' }));
    const tabs = el('nav', { class: 'tabs', 'aria-label': 'Parts of the race' }, ...this.tabs);
    const main = el('main', { class: 'race-main' }, elements.tower, elements.map, side, tabs);
    this.element = el('div', { class: 'race' }, elements.header, main);
    this.element.dataset['overlay'] = look.overlay;
    const pressed = { 'aria-pressed': 'true' };
    this.towerButton = iconButton(
      'Timing tower (T)',
      ICONS.tower,
      () => this.toggle('tower'),
      pressed,
    );
    this.sideButton = iconButton(
      'Telemetry and events (P)',
      ICONS.side,
      () => this.toggle('side'),
      pressed,
    );
    this.stripsButton = iconButton(
      'The lap as a line (L)',
      ICONS.strips,
      () => this.toggle('strips'),
      pressed,
    );
    this.buttons = [this.towerButton, this.stripsButton, this.sideButton];
    for (const part of PARTS) {
      if (!storedFlag(`apex.${part}`, true)) this.fold(part, true);
    }
    this.show('tower');
  }

  /** Shows one of the parts below the map, where there is room for one alone. */
  show(tab: Tab): void {
    this.element.dataset['tab'] = tab;
    this.tabs.forEach((each, i) => setAttribute(each, 'aria-pressed', String(TABS[i]![0] === tab)));
  }

  /** Puts figures away for a driver, who needs the map more; they come back afterwards. */
  drive(on: boolean): void {
    this.fold('side', on || !storedFlag('apex.side', true));
  }

  toggle(part: Part): void {
    const fold = !this.element.classList.contains(`without-${part}`);
    if (!this.element.classList.contains('is-driving')) storeFlag(`apex.${part}`, !fold);
    this.fold(part, fold);
  }

  unfold(part: Part): void {
    if (this.element.classList.contains(`without-${part}`)) this.toggle(part);
  }

  private fold(part: Part, on: boolean): void {
    this.element.classList.toggle(`without-${part}`, on);
    const buttons = { tower: this.towerButton, side: this.sideButton, strips: this.stripsButton };
    setAttribute(buttons[part], 'aria-pressed', String(!on));
  }
}
