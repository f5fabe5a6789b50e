import type { Reason } from '../race/race';
import type { Status } from './connection';
import { button, el, setAttribute, setText } from '../ui/dom';

export interface Banner {
  text: string;
  kind: 'calm' | 'warn' | 'bad';
  retry: boolean;
}

/** What is said of a connection, or null while all is well. */
export function bannerOf(status: Status, nowMs: number): Banner | null {
  switch (status.kind) {
    case 'idle':
    case 'live':
      return null;
    case 'connecting':
      return { text: 'Connecting…', kind: 'calm', retry: false };
    case 'loading':
      return { text: 'Loading the race…', kind: 'calm', retry: false };
    case 'reconnecting': {
      const forS = Math.max(0, Math.floor((nowMs - status.sinceMs) / 1000)) || 0;
      const inS = Math.max(0, Math.ceil((status.untilMs - nowMs) / 1000));
      const drives = status.isDriver ? ' The server drives your car.' : '';
      const next = inS > 0 ? `Next try in ${inS} s.` : 'Coming back…';
      return {
        text: `The connection was lost ${forS} s ago.${drives} ${next}`,
        kind: 'warn',
        retry: inS > 0,
      };
    }
    case 'waiting': {
      const inS = Math.max(0, Math.ceil((status.untilMs - nowMs) / 1000));
      return {
        text: `${sentence(status.reason)} Next try in ${inS} s.`,
        kind: 'warn',
        retry: true,
      };
    }
    case 'ended':
      return { text: sentence(status.reason), kind: 'bad', retry: true };
  }
}

const PLAIN: Record<string, string> = {
  none: 'The server does not answer.',
  kicked: 'An operator has removed you from the race.',
  shutdown: 'The server is shutting down.',
  timeout: 'Nothing was heard of the server for too long.',
  'event-over': 'The event is over.',
  resumed: 'You have taken over from another window.',
  'server-full': 'The server is full.',
  version: 'This page and the server do not speak the same version. Load the page again.',
};

/** A reason as a sentence; the server's own words where it gave some. */
export function sentence(reason: Reason | null): string {
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
  private readonly retry: HTMLButtonElement;

  constructor(onRetry: () => void) {
    this.retry = button('Try now', onRetry, { class: 'button small' });
    this.element.append(
      el('span', { class: 'banner-dot', 'aria-hidden': 'true' }),
      this.text,
      this.retry,
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
    if (this.retry.hidden === banner.retry) this.retry.hidden = !banner.retry;
  }
}
