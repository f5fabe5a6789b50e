// The feed lists a race's events, with a choice of topics.
import './feed.css';
import { CONTACT_HARD_NS, type RaceEvent, type Session } from '../race/race';
import type { RaceClock } from '../ui/clock';
import type { Drivers } from '../ui/drivers';
import { playerColour } from '../ui/livery';
import { button, el, setAttribute, setText } from '../ui/dom';
import { raceTime } from '../ui/format';
import type { Selection } from '../ui/selection';
import { store, stored } from '../ui/storage';
import type { View } from '../ui/view';
import { eventLine } from './event_text';
import type { FeedLine, Topic } from './feed_line';
import { eventTimeUs, FeedLog, pastTimeUs, type LoggedLine } from './feed_log';

const LINES_MAX = 200;
const KEY = 'apex.feed.hidden';
const NOTHING_YET = 'What happens from now on stands here.';
const CONTACT_NS = 500;
const CROWD = 60; // drivers: in so many, light contacts of others would be all there is to read

const TOPICS: readonly [Topic, string][] = [
  ['race', 'Race'],
  ['laps', 'Laps'],
  ['contacts', 'Incidents'],
  ['control', 'Race control'],
  ['people', 'People'],
  ['notices', 'Notices'],
];

/** The events of a race in sentences, the newest first. */
export class Feed implements View {
  readonly element: HTMLElement;
  private readonly list = el('ol', { class: 'feed-list', reversed: '' });
  private readonly empty = el('p', { class: 'feed-empty' }, NOTHING_YET);
  private readonly log = new FeedLog(LINES_MAX);
  private untimed: { event: RaceEvent; item: HTMLElement }[] = []; // lines of before one came
  private readonly hidden: Set<string>;

  constructor(
    private readonly drivers: Drivers,
    private readonly clock: RaceClock,
    private readonly selection: Selection,
  ) {
    this.hidden = new Set((stored(KEY) ?? 'laps').split(',').filter((topic) => topic !== ''));
    const filters = el('div', { class: 'feed-filters', role: 'group', 'aria-label': 'Show' });
    for (const [topic, title] of TOPICS) filters.append(this.filter(topic, title));
    this.element = el(
      'section',
      { class: 'feed', 'aria-label': 'Race events' },
      el('div', { class: 'panel-head' }, el('h2', {}, 'Events'), filters),
      el('div', { class: 'feed-scroll', tabindex: '0' }, this.list, this.empty),
    );
    this.applyFilter();
  }

  events(events: readonly RaceEvent[], session: Session, nowMs: number): void {
    const tick = session.standings()?.tick ?? 0;
    const hz = session.welcome()?.tickHz ?? 0;
    const isCrowd = (session.raceState()?.players ?? 0) > CROWD;
    for (const event of events) {
      const isQuiet = isCrowd && !this.isOfChosen(event);
      const contactNs = isQuiet ? CONTACT_HARD_NS : CONTACT_NS;
      const line = eventLine(event, this.drivers.nameOf, { contactNs });
      if (line === null) continue;
      const timeUs = eventTimeUs(event, tick, this.clock.at(nowMs), hz);
      this.add(line, this.clock.isKnown ? timeUs : null);
    }
  }

  /**
   * Takes the events from before one came, in order; their time in the race is filled in once
   * known.
   */
  past(events: readonly RaceEvent[]): void {
    for (const event of events) {
      const line = eventLine(event, this.drivers.nameOf, { contactNs: CONTACT_NS });
      if (line === null) continue;
      const item = this.add(line, null);
      if (item !== null) this.untimed.push({ event, item });
    }
  }

  tick(session: Session, nowMs: number): void {
    const state = session.raceState();
    const tick = session.standings()?.tick;
    if (this.untimed.length === 0 || state === null || tick === undefined) return;
    const hz = session.welcome()?.tickHz ?? 0;
    for (const { event, item } of this.untimed.splice(0)) {
      const timeUs = pastTimeUs(event, state, tick, this.clock.at(nowMs), hz);
      if (timeUs !== null) setText(item.querySelector('.feed-time')!, raceTime(timeUs));
    }
  }

  notice(text: string, nowMs: number): void {
    this.add({ topic: 'notices', text, player: 0, loud: true }, this.timeUs(nowMs));
  }

  reset(): void {
    this.log.clear();
    this.untimed = [];
    this.list.replaceChildren();
    this.showEmpty();
  }

  private isOfChosen({ player, other }: RaceEvent): boolean {
    const { car } = this.selection;
    const isIt = (each: number): boolean => this.drivers.ofPlayer(each)?.car === car;
    return car !== 0 && (isIt(player) || isIt(other));
  }

  private timeUs(nowMs: number): number | null {
    return this.clock.isKnown ? this.clock.at(nowMs) : null;
  }

  private add(line: FeedLine, timeUs: number | null): HTMLElement | null {
    const kept = this.log.add(line, timeUs);
    if (kept === null) return null;
    this.showEmpty();
    const item = this.elementOf(kept);
    this.list.prepend(item);
    while (this.list.childElementCount > LINES_MAX) this.list.lastElementChild?.remove();
    return item;
  }

  private elementOf(line: LoggedLine): HTMLElement {
    const time = line.raceTimeUs === null ? '' : raceTime(line.raceTimeUs);
    const text = el('span', { class: 'feed-text' }, line.text);
    const item = el(
      'li',
      { class: line.loud ? 'feed-line is-loud' : 'feed-line', 'data-topic': line.topic },
      el('time', { class: 'feed-time' }, time),
      el('span', { class: 'feed-mark', 'aria-hidden': 'true' }),
      text,
    );
    if (line.player === 0) return item;
    const mark = item.querySelector<HTMLElement>('.feed-mark')!;
    mark.style.background = playerColour(line.player);
    item.addEventListener('click', () => {
      const car = this.drivers.ofPlayer(line.player)?.car ?? 0;
      if (car !== 0) this.selection.choose(car);
    });
    return item;
  }

  private filter(topic: Topic, title: string): HTMLButtonElement {
    const element = button(
      title,
      () => {
        if (!this.hidden.delete(topic)) this.hidden.add(topic);
        setAttribute(element, 'aria-pressed', String(!this.hidden.has(topic)));
        store(KEY, [...this.hidden].join(','));
        this.applyFilter();
      },
      {
        class: 'feed-filter',
        'data-topic': topic,
        'aria-pressed': String(!this.hidden.has(topic)),
      },
    );
    return element;
  }

  private applyFilter(): void {
    for (const [topic] of TOPICS) {
      this.list.classList.toggle(`without-${topic}`, this.hidden.has(topic));
    }
    this.showEmpty();
  }

  private showEmpty(): void {
    this.empty.hidden = this.log.all().some((line) => !this.hidden.has(line.topic));
  }
}
