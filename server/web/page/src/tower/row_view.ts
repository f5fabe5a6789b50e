// A row of the tower as elements; only what has changed is written.
import { playerColour } from '../ui/livery';
import { el, setAttribute, setClass, setText } from '../ui/dom';
import { COLUMNS, type ColumnKey } from './columns';
import { rowWords, type Chip, type Row } from './model';

/** A line of the tower. Only what has changed is written. */
export class RowView {
  readonly element: HTMLTableRowElement;
  readonly choose: HTMLButtonElement; // the driver's name: how a keyboard gets here
  private readonly cells = {} as Record<ColumnKey, HTMLTableCellElement>;
  private readonly swatch = el('span', { class: 'tower-swatch' });
  private readonly code = el('span', { class: 'tower-code' });
  private readonly name = el('span', { class: 'tower-name' });
  // The car, where there is no column for it. The button's own words have it.
  private readonly below = el('span', { class: 'tower-below', 'aria-hidden': 'true' });
  private readonly guest = el('span', { class: 'tower-guest', 'aria-hidden': 'true' });
  private readonly badge = el('span', { class: 'tower-badge', 'aria-hidden': 'true' });
  private readonly chips: { element: HTMLElement; shown: string }[] = [];
  private shown: Row | null = null;
  private colour = '';

  constructor(readonly player: number) {
    this.element = el('tr', { class: 'tower-row', role: 'row' });
    this.element.dataset['player'] = String(player);
    for (const { key } of COLUMNS) {
      const isHead = key === 'driver';
      const cell = isHead
        ? el('th', { scope: 'row', role: 'rowheader', class: `tower-${key}` })
        : el('td', { role: 'cell', class: `tower-${key}` });
      this.cells[key] = cell;
      this.element.append(cell);
    }
    this.choose = el(
      'button',
      { type: 'button', class: 'tower-choose', tabindex: '-1', 'aria-pressed': 'false' },
      this.swatch,
      this.code,
      ' ', // words are told apart by what reads them
      el('span', { class: 'tower-names' }, this.name, ' ', this.below),
    );
    const who = el('div', { class: 'tower-who' }, this.choose, this.guest, this.badge);
    this.cells.driver.append(who);
  }

  update(row: Row, index: number, isChosen: boolean): void {
    setAttribute(this.element, 'aria-rowindex', String(index + 2));
    setClass(this.element, 'is-chosen', isChosen);
    setAttribute(this.choose, 'aria-pressed', String(isChosen));
    if (this.shown !== null && sameRow(this.shown, row)) return;
    this.shown = row;
    setText(this.cells.position, String(row.position));
    this.updateDriver(row);
    setText(this.cells.car, row.carTitle);
    setText(this.cells.gap, row.gap);
    setText(this.cells.interval, row.interval);
    setText(this.cells.last, row.last);
    setAttribute(this.cells.last, 'data-colour', row.lastColour);
    setText(this.cells.best, row.best);
    setAttribute(this.cells.best, 'data-colour', row.bestIsOverall ? 'overall' : 'none');
    this.updateWon(row.won);
    this.updateChips(row.chips);
    setAttribute(this.element, 'data-state', row.state);
    setClass(this.element, 'is-own', row.isOwn);
  }

  private updateDriver(row: Row): void {
    setText(this.code, row.code);
    setText(this.name, row.name);
    setText(this.below, row.carTitle);
    setText(this.guest, row.isGuest ? 'guest' : '');
    setText(this.badge, row.badge);
    setAttribute(this.badge, 'data-badge', row.badge);
    setAttribute(this.choose, 'aria-label', rowWords(row));
    const about = [row.name, row.carTitle, row.who].filter((each) => each !== '');
    setAttribute(this.choose, 'title', about.join(', '));
    const colour = playerColour(row.player);
    if (colour === this.colour) return;
    this.colour = colour;
    this.swatch.style.background = colour;
  }

  private updateWon(won: number): void {
    const text = won > 0 ? `▲${won}` : won < 0 ? `▼${-won}` : '';
    setText(this.cells.won, text);
    setAttribute(this.cells.won, 'data-won', won > 0 ? 'up' : won < 0 ? 'down' : 'none');
    const words = won > 0 ? `${won} won` : `${-won} lost`;
    setAttribute(this.cells.won, 'aria-label', won === 0 ? null : words);
  }

  private updateChips(chips: readonly Chip[]): void {
    while (this.chips.length < chips.length) {
      const element = el('span', { class: 'tower-chip', role: 'img' });
      this.chips.push({ element, shown: '' });
      this.cells.sectors.append(element);
    }
    while (this.chips.length > chips.length) this.chips.pop()?.element.remove();
    chips.forEach((chip, i) => {
      const at = this.chips[i]!;
      if (at.shown === chip.words) return;
      at.shown = chip.words;
      at.element.dataset['colour'] = chip.colour;
      at.element.dataset['shape'] = chip.shape;
      setText(at.element, chip.text);
      setAttribute(at.element, 'aria-label', chip.words);
    });
  }
}

function sameRow(a: Row, b: Row): boolean {
  for (const key of Object.keys(b) as (keyof Row)[]) {
    if (key !== 'chips' && a[key] !== b[key]) return false;
  }
  return (
    a.chips.length === b.chips.length &&
    a.chips.every((chip, i) => chip.words === b.chips[i]!.words)
  );
}
