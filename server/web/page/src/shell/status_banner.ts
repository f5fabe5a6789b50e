// The status banner says in a sentence what is wrong with the connection.
import { adviceOn } from '../identity/refusals';
import type { Reason } from '../race/race';
import type { Status } from './connection';
import { button, el, setAttribute, setText } from '../ui/dom';

export interface Banner {
  text: string;
  kind: 'calm' | 'warn' | 'bad';
  /** The remedy, as a button says it; '': there is none. */
  action: string;
}

/** The banner of a connection, or null while all is well. */
export function bannerOf(status: Status, nowMs: number): Banner | null {
  switch (status.kind) {
    case 'idle':
    case 'live':
      return null;
    case 'connecting':
      return { text: 'Connecting…', kind: 'calm', action: '' };
    case 'loading':
      return { text: 'Loading the race…', kind: 'calm', action: '' };
    case 'reconnecting': {
      const forS = Math.max(0, Math.floor((nowMs - status.sinceMs) / 1000)) || 0;
      const inS = Math.max(0, Math.ceil((status.untilMs - nowMs) / 1000));
      const drives = status.isDriver ? ' The server drives your car.' : '';
      const next = inS > 0 ? `Next try in ${inS} s.` : 'Coming back…';
      return {
        text: `The connection was lost ${forS} s ago.${drives} ${next}`,
        kind: 'warn',
        action: inS > 0 ? TRY_NOW : '',
      };
    }
    case 'waiting': {
      const inS = Math.max(0, Math.ceil((status.untilMs - nowMs) / 1000));
      return {
        text: `${sentence(status.reason)} Next try in ${inS} s.`,
        kind: 'warn',
        action: TRY_NOW,
      };
    }
    case 'ended':
      if (status.reason.name === 'password') {
        return { text: PLAIN['password']!, kind: 'warn', action: ENTER_PASSWORD };
      }
      return { text: sentence(status.reason), kind: 'bad', action: TRY_NOW };
  }
}

const TRY_NOW = 'Try now';
export const ENTER_PASSWORD = 'Enter the password';

const PLAIN: Record<string, string> = {
  none: 'The server does not answer.',
  kicked: 'An operator has removed you from the race.',
  shutdown: 'The server is shutting down.',
  timeout: 'Nothing was heard of the server for too long.',
  'event-over': 'The event is over.',
  resumed: 'You drive in another window, or on another machine.',
  password: 'This race asks for a password.',
  'server-full': 'The server is full.',
  version: 'This page and the server do not speak the same version. Load the page again.',
};

/** A reason as a sentence; the server's own words where it gave some and the page knows no more. */
export function sentence(reason: Reason | null): string {
  const advice = adviceOn(reason);
  if (advice !== null) return advice;
  const plain = PLAIN[reason?.name ?? 'none'];
  const text = reason?.text.trim() ?? '';
  if (text === '') return plain ?? `The server has closed the connection (${reason?.name}).`;
  const own = text[0]!.toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? '' : '.');
  return reason?.name === 'none' ? `${plain} (${own})` : own;
}

/** The strip over the map that says so. */
export class StatusBanner {
  readonly element = el('div', { class: 'banner', role: 'status' });
  private readonly text = el('span', {});
  private readonly action: HTMLButtonElement;

  constructor(onAction: (action: string) => void) {
    const pressed = (): void => onAction(this.action.textContent ?? '');
    this.action = button('', pressed, { class: 'button small' });
    this.element.append(
      el('span', { class: 'banner-dot', 'aria-hidden': 'true' }),
      this.text,
      this.action,
    );
    this.element.hidden = true;
    // The countdown is for eyes; what has happened is announced once.
    this.element.setAttribute('aria-live', 'off');
  }

  show(banner: Banner | null): void {
    if (this.element.hidden !== (banner === null)) this.element.hidden = banner === null;
    if (banner === null) return;
    setText(this.text, banner.text);
    setAttribute(this.element, 'data-kind', banner.kind);
    if (this.action.hidden !== (banner.action === '')) this.action.hidden = banner.action === '';
    setText(this.action, banner.action);
  }
}
