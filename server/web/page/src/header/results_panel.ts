// The panel of results opens at a race's end and offers them as files.
import './results.css';
import type { Phase, Results, Session, Standing } from '../race/race';
import { playerColour } from '../ui/livery';
import { button, el, iconButton } from '../ui/dom';
import { gapTime, lapsText, lapTime, NONE } from '../ui/format';
import { ICONS } from '../ui/icons';
import { saveFile } from '../ui/save_file';
import type { View } from '../ui/view';
import { lapsBehind } from '../tower/gaps';
import { highlights, resultsCsv, resultsFileName, resultsJson } from './results_file';

const ROWS_MAX = 500;

/** The results of the last race: come by themselves at its end, and go when told to. */
export class ResultsPanel implements View {
  readonly element = el('section', { class: 'results', 'aria-label': 'Results' });
  private results: Results | null = null;
  private phase: Phase | null = null;
  private onChange: () => void = () => {};

  constructor() {
    this.element.hidden = true;
  }

  whenChanged(listener: () => void): void {
    this.onChange = listener;
  }

  get isThere(): boolean {
    return this.results !== null;
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** Ten times a second, seen or not. */
  hear(session: Session): void {
    const results = session.results();
    const phase = session.raceState()?.phase ?? null;
    if (results !== this.results) {
      this.results = results;
      this.build();
      if (results !== null && phase === 'results') this.open(true);
      this.onChange();
    }
    if (phase === this.phase) return;
    if (phase === 'results' && results !== null) this.open(true);
    else if (phase !== 'results' && phase !== 'over') this.open(false);
    this.phase = phase;
  }

  open(on: boolean): void {
    const hidden = !on || this.results === null;
    if (this.element.hidden === hidden) return;
    this.element.hidden = hidden;
    this.onChange();
  }

  reset(): void {
    this.results = null;
    this.phase = null;
    this.open(false);
    this.onChange();
  }

  private build(): void {
    const results = this.results;
    this.element.replaceChildren();
    if (results === null) return;
    const head = el('tr', {});
    for (const title of ['Pos', 'Driver', 'Car', 'Laps', 'Time', 'Best lap', 'Grid']) {
      head.append(el('th', { scope: 'col' }, title));
    }
    const { best } = highlights(results);
    const winner = results.lines[0];
    const rows = results.lines
      .slice(0, ROWS_MAX)
      .map((line) => rowOf(line, winner!, line === best));
    const table = el(
      'table',
      {},
      el('caption', { class: 'visually-hidden' }, `Results of race ${results.raceNumber}`),
      el('thead', {}, head),
      el('tbody', {}, ...rows),
    );
    const close = iconButton('Close the results', ICONS.close, () => this.open(false));
    const title = el('h2', {}, el('span', { class: 'results-flag' }), `Results`);
    const parts = [el('div', { class: 'results-head' }, title, this.files(results), close)];
    this.element.append(...parts, points(results), el('div', { class: 'results-scroll' }, table));
    const apart = results.apart ?? [];
    if (apart.length > 0) {
      const names = apart.map(({ name, kicked }) => (kicked === true ? `${name} (kicked)` : name));
      const text = `Did not start: ${names.join(', ')}`;
      this.element.append(el('p', { class: 'results-apart' }, text));
    }
    if (results.lines.length > ROWS_MAX) {
      const more = `and ${results.lines.length - ROWS_MAX} more: see the files`;
      this.element.append(el('p', { class: 'results-more' }, more));
    }
  }

  private files(results: Results): HTMLElement {
    const csv = () => saveFile(resultsFileName(results, 'csv'), 'text/csv', resultsCsv(results));
    const json = () =>
      saveFile(resultsFileName(results, 'json'), 'application/json', resultsJson(results));
    return el(
      'div',
      { class: 'results-files' },
      button('CSV', csv, { class: 'button small', 'aria-label': 'Download results as CSV' }),
      button('JSON', json, { class: 'button small', 'aria-label': 'Download results as JSON' }),
    );
  }
}

function points(results: Results): HTMLElement {
  const { best, climber } = highlights(results);
  const list = el('dl', { class: 'results-points' });
  const point = (term: string, text: string): void => {
    list.append(el('div', {}, el('dt', {}, term), el('dd', {}, text)));
  };
  const winner = results.lines[0];
  if (winner !== undefined && winner.state === 'finished') point('Winner', winner.name);
  if (best !== null) point('Fastest lap', `${lapTime(best.bestLapUs)}  ${best.name}`);
  if (climber !== null) {
    point('Most places won', `+${climber.grid - climber.position}  ${climber.name}`);
  }
  return list;
}

function timeOf(line: Standing, winner: Standing): string {
  if (line.kicked === true) return 'kicked';
  if (line.state !== 'finished') return line.state === 'dnf' ? 'DNF' : NONE;
  if (line === winner) return lapTime(line.totalUs);
  const laps = lapsBehind(line, winner);
  if (laps > 0) return `+${lapsText(laps)}`;
  return gapTime(line.gapUs > 0 ? line.gapUs : line.totalUs - winner.totalUs);
}

function rowOf(line: Standing, winner: Standing, isBest: boolean): HTMLElement {
  const swatch = el('span', { class: 'tower-swatch' });
  swatch.style.background = playerColour(line.player);
  const best = el('td', { class: 'num' }, lapTime(line.bestLapUs));
  if (isBest) best.dataset['colour'] = 'overall';
  const row = el(
    'tr',
    { 'data-state': line.state },
    el('td', { class: 'num' }, line.state === 'dnf' ? NONE : String(line.position)),
    el('th', { scope: 'row' }, swatch, line.name),
    el('td', { class: 'results-car' }, line.carDef),
    el('td', { class: 'num' }, String(line.laps)),
    el('td', { class: 'num' }, timeOf(line, winner)),
    best,
    el('td', { class: 'num results-grid' }, line.grid > 0 ? String(line.grid) : NONE),
  );
  return row;
}
