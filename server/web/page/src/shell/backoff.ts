// The backoff says whether a closed session is opened again, and after how long.
import type { Reason } from '../race/race';

const FIRST_MS = 1000;
const LAST_MS = 15000;

/** Reasons after which it makes no sense to come again by oneself. */
const FINAL = new Set([
  'version',
  'password',
  'already-joined',
  'kicked',
  'resumed',
  'out-of-order',
  'bad-message',
  'key',
  'key-needed',
  'name-held',
  'not-listed',
]);

/** @return whether the page comes again by itself after a session has been closed for this. */
export function comesAgain(reason: Reason | null): boolean {
  return reason === null || !(FINAL.has(reason.name) || reason.name.startsWith('token-'));
}

/** @return whether the server said no, rather than nothing. */
export function isRefusal(reason: Reason | null): reason is Reason {
  return reason !== null && !['none', 'timeout', 'shutdown'].includes(reason.name);
}

/** The wait before each further try: 1, 2, 4, 8, 15, 15 s..., each up to a quarter less. */
export class Backoff {
  private tries = 0;

  /** @param random from 0 to 1: so that not everybody comes at once after a restart */
  next(random: number): number {
    const fullMs = Math.min(LAST_MS, FIRST_MS * 2 ** this.tries);
    this.tries = Math.min(this.tries + 1, 16);
    return Math.round(fullMs * (1 - 0.25 * random));
  }

  /** It worked: the next trouble is a new one. */
  succeeded(): void {
    this.tries = 0;
  }
}
