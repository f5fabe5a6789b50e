// The header names race and track, and shows phase, laps, time and people.
import './header.css';
import type { Phase, Session } from '../race/race';
import type { RaceClock } from '../ui/clock';
import { el, setAttribute, setClass, setText } from '../ui/dom';
import { plural, raceTime } from '../ui/format';
import type { View } from '../ui/view';
import { PHASE_WORDS } from '../feed/event_text';
import { leadersLap } from '../tower/gaps';
import { LinkPanel } from './link_panel';
import { peopleWords } from './people';

/** The header of a race: its name, its track, how far it is, and who is there. */
export class Header implements View {
  readonly element: HTMLElement;
  readonly actions = el('div', { class: 'header-actions', role: 'toolbar', 'aria-label': 'Page' });
  readonly link = new LinkPanel();
  private readonly title = el('h1', { class: 'header-title' }, 'Apex');
  private readonly place = el('p', { class: 'header-place' });
  private readonly phase = el('span', { class: 'header-phase' });
  private readonly flag = el('span', { class: 'header-flag', role: 'img' });
  private readonly clock = el('span', { class: 'header-clock', role: 'timer', 'aria-live': 'off' });
  private readonly laps = el('span', { class: 'header-laps' });
  private readonly people = el('span', { class: 'header-people' });
  private clients = 0;

  constructor(private readonly raceClock: RaceClock) {
    this.flag.setAttribute('aria-label', 'chequered flag');
    this.flag.hidden = true;
    const brand = el('a', { class: 'brand', href: '/?list=1', title: 'All races and recordings' });
    brand.append(el('img', { src: '/icon.svg', alt: '', width: '26', height: '26' }));
    brand.append(el('span', { class: 'visually-hidden' }, 'All races and recordings'));
    this.element = el(
      'header',
      { class: 'header' },
      brand,
      el('div', { class: 'header-names' }, this.title, this.place),
      el('div', { class: 'header-race' }, this.flag, this.phase, this.clock, this.laps),
      el('div', { class: 'header-about' }, this.people, this.link.button),
      this.actions,
    );
  }

  /** The number of people who watch or drive, as the server's list of races says; 0: not known. */
  setClients(clients: number): void {
    this.clients = clients;
  }

  tick(session: Session, nowMs: number): void {
    const welcome = session.welcome();
    const state = session.raceState();
    setText(this.title, welcome?.race || welcome?.server || 'Apex');
    const track = session.track()?.title || welcome?.track || '';
    const isReplay = session.playback() !== null;
    setText(this.place, isReplay ? `${track} · recording` : track);
    if (state === null) {
      for (const each of [this.phase, this.clock, this.laps, this.people]) setText(each, '');
      return;
    }
    setText(this.phase, PHASE_WORDS[state.phase]);
    setAttribute(this.phase, 'data-phase', state.phase);
    this.flag.hidden = !isChequered(state.phase);
    setClass(this.clock, 'is-counting', state.phase === 'countdown');
    setText(this.clock, isTimed(state.phase) ? raceTime(this.raceClock.at(nowMs)) : '');
    setText(this.laps, lapsOf(session));
    const watching = Math.max(0, this.clients - state.players);
    setText(this.people, peopleWords(session.standings(), state, watching));
  }
}

function isChequered(phase: Phase): boolean {
  return phase === 'finish' || phase === 'results';
}

function isTimed(phase: Phase): boolean {
  return phase === 'countdown' || phase === 'race' || phase === 'finish';
}

/** "Lap 3 / 10", the leader's. */
function lapsOf(session: Session): string {
  const state = session.raceState();
  const leader = session.standings()?.lines[0];
  if (state === null) return '';
  const isOn = state.phase === 'race' || state.phase === 'finish';
  if (!isOn || leader === undefined)
    return state.laps > 0 ? plural(state.laps, 'lap') : 'Open session';
  const lap = leadersLap(leader);
  return state.laps > 0 ? `Lap ${Math.min(lap, state.laps)} / ${state.laps}` : `Lap ${lap}`;
}
