// The count of drivers, retired and watchers as words.
import type { RaceState, Standings } from '../race/race';
import { inRaceCount, outCount } from '../tower/runners';
import { plural } from '../ui/format';

/** "15 drivers · 2 out · 3 watching": one who has retired is no driver any more. */
export function peopleWords(
  standings: Standings | null,
  state: RaceState,
  watching: number,
): string {
  const isOn = standings !== null && (state.phase === 'race' || state.phase === 'finish');
  const words = [plural(isOn ? inRaceCount(standings, state) : state.players, 'driver')];
  const out = isOn ? outCount(standings) : 0;
  if (out > 0) words.push(`${out} out`);
  if (watching > 0) words.push(`${watching.toLocaleString('en')} watching`);
  return words.join(' · ');
}
