// A lobby's wait is told over the map, and counted down.
import type { RaceState, Session } from '../race/race';
import { el, setText } from '../ui/dom';
import { plural } from '../ui/format';
import type { View } from '../ui/view';

/**
 * The text of what a lobby waits for, and for how long: "Waiting for 2 more drivers; starts in 23 s
 * with who is here". Empty once the race is past it.
 * @param leftUs until it starts by itself; 0: it does not
 */
export function lobbyWords(state: RaceState, leftUs: number): string {
  if (state.phase !== 'lobby') return '';
  if (state.startPlayers === 0) return 'Waiting for the operator to start';
  const missing = Math.max(0, state.startPlayers - state.players);
  const more = state.players > 0 ? ' more' : '';
  const whom = missing === 1 ? `1${more} driver` : `${missing.toLocaleString('en')}${more} drivers`;
  if (missing === 0) return 'Everybody is here';
  if (!(leftUs > 0)) return `Waiting for ${whom}`;
  return `Waiting for ${whom}; starts in ${Math.ceil(leftUs / 1e6)} s with who is here`;
}

/** Says so over the map, and counts down between what the server says once a second. */
export class Lobby implements View {
  readonly element: HTMLElement;
  private readonly words = el('p', { class: 'lobby-words', role: 'status', 'aria-live': 'off' });
  private readonly people = el('p', { class: 'lobby-people' });
  private readonly card: HTMLElement;
  private heard: RaceState | null = null;
  private heardMs = 0;

  constructor() {
    this.card = el('div', { class: 'lobby' }, this.words, this.people);
    this.card.hidden = true;
    this.element = el('div', { class: 'lobby-place' }, this.card);
  }

  tick(session: Session, nowMs: number): void {
    const state = session.raceState();
    if (state !== this.heard) {
      this.heard = state;
      this.heardMs = nowMs;
    }
    const isLive = session.playback() === null;
    const isOn = isLive && state !== null;
    const words = isOn ? lobbyWords(state, this.leftUs(state, nowMs)) : '';
    this.card.hidden = words === '';
    if (state === null || words === '') return;
    setText(this.words, words);
    const here = state.players;
    setText(this.people, here > 0 ? `${plural(here, 'driver')} here` : 'Drive, and be the first');
  }

  /** Below a second it stays at one: the grid is what ends it. */
  private leftUs(state: RaceState, nowMs: number): number {
    if (state.lobbyLeftUs === 0) return 0;
    return Math.max(1, state.lobbyLeftUs - (nowMs - this.heardMs) * 1000);
  }

  reset(): void {
    this.heard = null;
    this.card.hidden = true;
  }
}
