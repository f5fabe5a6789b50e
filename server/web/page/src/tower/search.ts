// Names are searched for without regard to case and accents.
import type { RosterEntry } from '../race/race';
import { codeOf } from '../ui/codes';

const NUMBERS = { numeric: true } as const; // "Bot 9" before "Bot 10"

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

/** Those with a car whose names have that in them: first those that begin with it. */
export function findDrivers(roster: readonly RosterEntry[], text: string): RosterEntry[] {
  const wanted = plain(text);
  if (wanted === '') return [];
  const place = ({ name }: RosterEntry): number => {
    if (plain(codeOf(name)) === wanted) return 0;
    const at = plain(name).indexOf(wanted);
    return at === 0 ? 1 : at > 0 ? 2 : Infinity;
  };
  return roster
    .map((entry) => ({ entry, place: entry.car === 0 ? Infinity : place(entry) }))
    .filter((each) => each.place < Infinity)
    .sort((a, b) => a.place - b.place || a.entry.name.localeCompare(b.entry.name, 'en', NUMBERS))
    .map(({ entry }) => entry);
}
