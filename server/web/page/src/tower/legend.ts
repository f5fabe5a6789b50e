// The legend explains the colours of sectors.
import { ask } from '../ui/dialog';
import { button, el } from '../ui/dom';
import { SECTOR_SHAPE, type SectorColour } from './sectors';

export const COLOURS = 'Colours of sectors';

const LINES: readonly [SectorColour, string][] = [
  ['overall', "best of all; so is a lap's time in this colour"],
  ['own', "the driver's own best"],
  ['slower', 'slower than that'],
  ['before', 'of the lap before'],
];

/** A title of a column that says so. */
export function legendButton(text: string): HTMLButtonElement {
  return button(
    text,
    () => ask('dialog', COLOURS, [colourLegend()], [{ text: 'Close', kind: 'primary' }]),
    { class: 'tower-what', title: COLOURS },
  );
}

/** The legend of the tower's colours. */
export function colourLegend(): HTMLElement {
  const list = el('dl', { class: 'keys' });
  for (const [colour, words] of LINES) {
    const chip = el('span', { class: 'tower-chip', 'data-colour': colour }, SECTOR_SHAPE[colour]);
    list.append(el('dt', {}, chip), el('dd', {}, words));
  }
  return list;
}
