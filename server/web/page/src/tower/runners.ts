// Drivers are counted by whether they are still in the race.
import type { RaceState, Standing, Standings } from '../race/race';

/**
 * On the track or home. A driver who has retired, has left or waits for the next race is not in it.
 */
export function isInRace(line: Standing): boolean {
  return line.state === 'running' || line.state === 'finished';
}

/** The number of drivers who are in the race, or will be when it starts. */
export function inRaceCount(standings: Standings, state: RaceState | null): number {
  const { lines, total } = standings;
  const known = lines.filter(isInRace).length;
  if (known === 0) return total;
  if (lines.length >= total) return known;
  // Of a crowd the order has the first lines alone: the race says how many are on the track.
  const home = lines.filter((line) => line.state === 'finished').length;
  return Math.min(total, Math.max(known, home + (state?.running ?? total)));
}

/** The number of drivers who have retired; 0 if the order does not have all lines. */
export function outCount({ lines, total }: Standings): number {
  return lines.length < total ? 0 : lines.filter((line) => line.state === 'dnf').length;
}
