// Sector times get a colour: one for the driver's best, one for the best of all.
import type { Standing, Standings } from '../race/race';

/** The worth of a sector's time; 'before' is of the lap before, 'none' was never driven. */
export type SectorColour = 'overall' | 'own' | 'slower' | 'before' | 'none';

export interface SectorChip {
  colour: SectorColour;
  timeUs: number;
}

/** For eyes that tell colours badly, and for readers. */
export const SECTOR_SHAPE: Record<SectorColour, string> = {
  overall: '◆',
  own: '▲',
  slower: '●',
  before: '·',
  none: '',
};

export const SECTOR_WORDS: Record<SectorColour, string> = {
  overall: 'overall best',
  own: 'personal best',
  slower: 'slower',
  before: 'lap before',
  none: 'no time',
};

/** Sector `i` of a line. */
export function sectorChip(line: Standing, standings: Standings, i: number): SectorChip {
  const timeUs = line.sectorUs[i] ?? 0;
  if (!(timeUs > 0)) return { colour: 'none', timeUs: 0 };
  // At the start of a lap, sector 0 under way, the lap that was just completed is still in colour.
  const isBefore = line.state === 'running' && line.sector > 0 && i >= line.sector;
  if (isBefore) return { colour: 'before', timeUs };
  const overallUs = standings.bestSectorUs[i] ?? 0;
  if (overallUs > 0 && timeUs <= overallUs) return { colour: 'overall', timeUs };
  const ownUs = line.bestSectorUs[i] ?? 0;
  return { colour: ownUs > 0 && timeUs <= ownUs ? 'own' : 'slower', timeUs };
}

/** The best lap of all in the order; 0 for none. */
export function bestLapUs(lines: readonly Standing[]): number {
  let best = 0;
  for (const line of lines) {
    if (line.bestLapUs > 0 && (best === 0 || line.bestLapUs < best)) best = line.bestLapUs;
  }
  return best;
}

/** The colour of a lap's time: what its best and that of all say. */
export function lapColour(timeUs: number, ownBestUs: number, overallUs: number): SectorColour {
  if (!(timeUs > 0)) return 'none';
  if (overallUs > 0 && timeUs <= overallUs) return 'overall';
  return ownBestUs > 0 && timeUs <= ownBestUs ? 'own' : 'slower';
}
