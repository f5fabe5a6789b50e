// The help lists keys and what addresses may say.
import { colourLegend, COLOURS } from '../tower/legend';
import { ask } from '../ui/dialog';
import { el } from '../ui/dom';

/** A line of a list: a key or so, and what it does. */
export interface Listed {
  shown: string;
  words: string;
}

const ADDRESS: readonly Listed[] = [
  { shown: '?view=tower', words: 'the timing tower alone; view=map: the map' },
  { shown: '&transparent=1', words: 'without a ground' },
  { shown: '&theme=dark', words: 'or light' },
  { shown: '&car=NAME', words: 'that driver is chosen' },
  { shown: '&follow=1', words: 'the map keeps to the chosen car, or the leader' },
  { shown: '&follow=heading', words: 'and turns with it' },
];

function list(lines: readonly Listed[]): HTMLElement {
  const parts = lines.flatMap(({ shown, words }) => [
    el('dt', {}, el('kbd', {}, shown)),
    el('dd', {}, words),
  ]);
  return el('dl', { class: 'keys' }, ...parts);
}

export function showHelp(keys: readonly Listed[]): void {
  const colours = [el('h3', {}, COLOURS), colourLegend()];
  const address = [el('h3', {}, 'In the address, for streams'), list(ADDRESS)];
  const body = el(
    'div',
    { class: 'help' },
    el('section', {}, el('h3', {}, 'Keys'), list(keys)),
    el('section', {}, ...colours, ...address),
  );
  ask('dialog', 'Help', [body], [{ text: 'Close', kind: 'primary' }]);
}
