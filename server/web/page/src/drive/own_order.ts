// The own place in the order as text: place, gaps ahead and behind, lap.
import type { RaceState, Session, Standing, Standings } from '../race/race';
import { intervalText } from '../tower/gaps';
import { inRaceCount, isInRace } from '../tower/runners';
import { lapColour, type SectorColour } from '../tower/sectors';

/** The own line of the order and its neighbours. */
export interface OwnOrder {
  line: Standing;
  ahead: Standing | null;
  behind: Standing | null;
  total: number; // drivers in the race: nobody that has retired
}

/** After the first of the order may come one's own line: then the neighbours are not known. */
export function ownOrder(
  standings: Standings | null,
  player: number,
  state: RaceState | null = null,
): OwnOrder | null {
  if (standings === null || player === 0) return null;
  const lines = standings.lines;
  const at = lines.findIndex((line) => line.player === player);
  const line = lines[at];
  if (line === undefined) return null;
  const above = lines[at - 1];
  const below = lines[at + 1];
  const isBehind = below !== undefined && below.position === line.position + 1;
  return {
    line,
    ahead: above !== undefined && above.position === line.position - 1 ? above : null,
    // Nobody who stands beside the road is behind somebody who drives.
    behind: isBehind && (isInRace(below) || !isInRace(line)) ? below : null,
    total: inRaceCount(standings, state),
  };
}

export function placeText(order: OwnOrder | null): string {
  if (order === null || order.line.position <= 0) return '';
  if (order.line.state === 'dnf') return 'Out';
  if (order.line.position > order.total) return ''; // waits for the next race
  return `P${order.line.position} of ${order.total}`;
}

export function aheadText(order: OwnOrder | null, lengthM: number): string {
  if (order === null || order.ahead === null) return '–';
  return `${intervalText(order.line, order.ahead, lengthM)} ${order.ahead.name}`;
}

export function behindText(order: OwnOrder | null, lengthM: number): string {
  if (order === null || order.behind === null) return '–';
  return `${intervalText(order.behind, order.line, lengthM)} ${order.behind.name}`;
}

export function lapText(order: OwnOrder | null, laps: number): string {
  if (order === null) return 'Lap';
  if (order.line.state === 'finished') return 'Finished';
  if (order.line.state === 'dnf') return 'Out';
  const lap = order.line.laps + 1;
  return laps > 0 ? `Lap ${Math.min(lap, laps)} of ${laps}` : `Lap ${lap}`;
}

/** The worth of a sector's time, whether or not the order knows of it already. */
export function sectorWorth(session: Session, sector: number, timeUs: number): SectorColour {
  const standings = session.standings();
  const own = ownOrder(standings, session.player());
  return worth(
    timeUs,
    own?.line.bestSectorUs[sector] ?? 0,
    standings?.bestSectorUs[sector] ?? 0,
  );
}

export function lapWorth(session: Session, timeUs: number): SectorColour {
  const standings = session.standings();
  const own = ownOrder(standings, session.player());
  let overallUs = 0;
  for (const line of standings?.lines ?? []) {
    if (line.bestLapUs > 0 && (overallUs === 0 || line.bestLapUs < overallUs)) {
      overallUs = line.bestLapUs;
    }
  }
  return worth(timeUs, own?.line.bestLapUs ?? 0, overallUs);
}

/** A first time is the best there is. */
export function worth(timeUs: number, ownUs: number, overallUs: number): SectorColour {
  return lapColour(timeUs, ownUs > 0 ? ownUs : timeUs, overallUs > 0 ? overallUs : timeUs);
}
