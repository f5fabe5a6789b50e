// The picker lists the server's races and recordings; a race alone is gone to at once.
import './picker.css';
import { api, listOf, type RaceInfo, type ReplayInfo } from '../ui/api';
import { el, icon } from '../ui/dom';
import { pageFrame } from '../ui/page_frame';
import type { Route } from '../ui/route';
import { raceCard, replayCard, type Card } from './cards';

const POLL_MS = 3000;

/** Races and recordings to choose from. With but one race there is nothing to choose. */
export class PickerPage {
  readonly element: HTMLElement;
  private readonly races = el('div', { class: 'cards' });
  private readonly replays = el('div', { class: 'cards' });
  private readonly replaysPart: HTMLElement;
  private readonly status = el(
    'p',
    { class: 'sheet-status', role: 'status' },
    'Looking for races…',
  );
  private shown = '';
  private polledMs = -Infinity;
  private isOver = false;

  constructor(
    buttons: readonly HTMLElement[],
    private readonly stays: boolean,
    private readonly goTo: (only: Route) => void,
    unknownPath = '',
  ) {
    this.replaysPart = part('Recordings', this.replays);
    this.replaysPart.hidden = true;
    this.element = pageFrame('Races', buttons, [el('a', { href: '/admin' }, 'Operate')]);
    const main = el('main', { class: 'sheet-main' });
    if (unknownPath !== '') {
      main.append(el('p', { class: 'sheet-status is-bad' }, `There is nothing at ${unknownPath}.`));
    }
    main.append(this.status, part('Live', this.races), this.replaysPart);
    this.element.append(main);
  }

  start(): void {}

  beat(nowMs: number): void {
    if (document.hidden || nowMs - this.polledMs < POLL_MS) return;
    this.polledMs = nowMs;
    void this.load();
  }

  end(): void {
    this.isOver = true;
  }

  private async load(): Promise<void> {
    const replaysAsked = api<unknown>('/api/replays').catch(() => []);
    try {
      const races = listOf<RaceInfo>(await api<unknown>('/api/races'));
      if (this.isOver) return;
      const only = races[0];
      if (!this.stays && races.length === 1 && only !== undefined) {
        this.goTo({ kind: 'race', id: String(only.id) });
        return;
      }
      const replays = listOf<ReplayInfo>(await replaysAsked);
      if (!this.isOver) this.show(races, replays);
    } catch (error) {
      this.status.hidden = false;
      this.status.textContent = `${error instanceof Error ? error.message : error} Trying again…`;
    }
  }

  private show(races: RaceInfo[], replays: ReplayInfo[]): void {
    const nowS = Date.now() / 1000;
    const live = races.map(raceCard);
    const recorded = replays.map((replay) => replayCard(replay, nowS));
    this.status.hidden = races.length > 0;
    if (races.length === 0) this.status.textContent = 'This server hosts no race just now.';
    const text = JSON.stringify([live, recorded]);
    if (text === this.shown) return;
    this.shown = text;
    fillCards(this.races, live);
    fillCards(this.replays, recorded);
    this.replaysPart.hidden = recorded.length === 0;
  }
}

function part(title: string, content: HTMLElement): HTMLElement {
  return el('section', { class: 'sheet-part', 'aria-label': title }, el('h2', {}, title), content);
}

/** New cards in the place of the old; whichever had the focus has it again. */
function fillCards(place: HTMLElement, cards: readonly Card[]): void {
  const focused = document.activeElement;
  const href = focused !== null && place.contains(focused) ? focused.getAttribute('href') : null;
  place.replaceChildren(...cards.map(cardElement));
  if (href === null) return;
  for (const link of place.querySelectorAll('a'))
    if (link.getAttribute('href') === href) link.focus();
}

const FLAG = 'M5 21V4M5 4h13l-3 4 3 4H5';
const REEL = 'M8 5v14l11-7z';

function cardElement(card: Card): HTMLElement {
  const badge = el(
    'span',
    { class: card.isLive ? 'card-badge is-live' : 'card-badge' },
    card.badge,
  );
  const head = el('div', { class: 'card-head' }, icon(card.isLive ? FLAG : REEL), badge);
  const facts = el('ul', { class: 'card-facts' });
  for (const fact of card.facts) facts.append(el('li', {}, fact));
  const inner = [
    head,
    el('h3', {}, card.title),
    el('p', { class: 'card-place' }, card.place),
    facts,
  ];
  if (card.file !== '') inner.push(el('p', { class: 'card-file', title: card.file }, card.file));
  if (card.error !== '') {
    inner.push(el('p', { class: 'card-error' }, card.error));
    return el('div', { class: 'card is-broken' }, ...inner);
  }
  return el('a', { class: 'card', href: card.href }, ...inner);
}
