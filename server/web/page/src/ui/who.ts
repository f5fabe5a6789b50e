// Who a driver is, in a word.
import type { RosterEntry, Welcome } from '../race/race';

const SHORT_DIGITS = 8;

export function shortFingerprint(fingerprint: string): string {
  return fingerprint.slice(0, SHORT_DIGITS);
}

/** @returns whether he is somebody without a key, where others have one */
export function isGuest(entry: RosterEntry | null, welcome: Welcome | null): boolean {
  const takesKeys = welcome?.takesKeys === true;
  return takesKeys && entry !== null && !entry.drivenByServer && entry.driver === '';
}

/** "driver 1f2e3d4c", "guest"; '': nothing is known of that. */
export function whoWords(entry: RosterEntry | null, welcome: Welcome | null): string {
  if (entry !== null && entry.driver !== '') return `driver ${shortFingerprint(entry.driver)}`;
  return isGuest(entry, welcome) ? 'guest' : '';
}
