// The tower's rows as data, worked out from the standings.
import type { Standing, Standings, Welcome } from '../race/race';
import type { Driver } from '../ui/drivers';
import { codeOf } from '../ui/codes';
import { lapTime, NONE } from '../ui/format';
import { isGuest, whoWords } from '../ui/who';
import { gapText, intervalText, placesWon } from './gaps';
import {
  bestLapUs,
  lapColour,
  SECTOR_SHAPE,
  SECTOR_WORDS,
  sectorChip,
  type SectorColour,
} from './sectors';

export interface Chip {
  colour: SectorColour;
  text: string; // "31.4"
  shape: string;
  words: string; // "sector 1: 31.412, overall best"
}

export interface Row {
  player: number;
  car: number; // 0: none to choose
  position: number;
  won: number;
  code: string;
  name: string;
  carTitle: string; // "Porsche Boxster S"
  isGuest: boolean;
  who: string; // "driver 1f2e3d4c", "guest", ""
  gap: string;
  interval: string;
  last: string;
  lastColour: SectorColour;
  best: string;
  bestIsOverall: boolean;
  chips: Chip[];
  state: 'running' | 'finished' | 'dnf' | 'waiting';
  badge: string; // "", "OUT", "FIN", "AI", "GRID"
  badgeWords: string;
  laps: number;
  isOwn: boolean;
}

export interface RowWish {
  lapLengthM: number;
  ownPlayer: number;
  welcome: Welcome | null;
  driverOf: (player: number) => Driver | null;
  carTitle: (carDef: string) => string;
}

/** The rows of the tower, in order. */
export function rowsOf(standings: Standings, wish: RowWish): Row[] {
  const leader = standings.lines[0];
  if (leader === undefined) return [];
  const overallUs = bestLapUs(standings.lines);
  let gapUs = 0; // the largest of those ahead
  return standings.lines.map((line, i) => {
    const before = standings.lines[i - 1];
    // One's own line may follow after a gap in the order: the one ahead of it is not known.
    const ahead = before !== undefined && before.position === line.position - 1 ? before : null;
    const driver = wish.driverOf(line.player);
    const [badge, badgeWords] = badgeOf(line, leader, driver?.drivenByServer ?? false);
    const gap = gapText(line, leader, wish.lapLengthM, gapUs);
    // In the first lap few have passed a second gate: from the first that has not, all in metres.
    const isOld = line.state === 'running' && line.gapUs < gapUs;
    if (isOld && leader.laps === 0) gapUs = Infinity;
    else if (line.state === 'running') gapUs = Math.max(gapUs, line.gapUs);
    return {
      player: line.player,
      car: driver?.car ?? 0,
      position: line.position,
      won: placesWon(line),
      code: driver?.code ?? codeOf(line.name),
      name: line.name,
      carTitle: wish.carTitle(line.carDef),
      isGuest: isGuest(driver, wish.welcome),
      who: whoWords(driver, wish.welcome),
      gap,
      interval: intervalText(line, ahead, wish.lapLengthM),
      last: lapTime(line.lastLapUs),
      lastColour: lapColour(line.lastLapUs, line.bestLapUs, overallUs),
      best: lapTime(line.bestLapUs),
      bestIsOverall: line.bestLapUs > 0 && line.bestLapUs === overallUs,
      chips: standings.bestSectorUs.map((_, sector) => chipOf(line, standings, sector)),
      state: line.state,
      badge,
      badgeWords,
      laps: line.laps,
      isOwn: line.player === wish.ownPlayer,
    };
  });
}

function chipOf(line: Standing, standings: Standings, sector: number): Chip {
  const { colour, timeUs } = sectorChip(line, standings, sector);
  const time = lapTime(timeUs);
  return {
    colour,
    text: timeUs > 0 ? (Math.floor(timeUs / 1e5) / 10).toFixed(1) : '', // in seconds: room is short
    shape: SECTOR_SHAPE[colour],
    words: `sector ${sector + 1}: ${timeUs > 0 ? `${time}, ` : ''}${SECTOR_WORDS[colour]}`,
  };
}

function badgeOf(line: Standing, leader: Standing, drivenByServer: boolean): [string, string] {
  if (line.state === 'finished') return ['FIN', 'finished'];
  if (line.state === 'dnf') return ['OUT', 'did not finish'];
  if (drivenByServer) return ['AI', 'driven by the server'];
  const waits = line.state === 'waiting' && leader.state !== 'waiting'; // not if all do
  return waits ? ['WAIT', 'waiting for the next race'] : ['', ''];
}

/** A row in a sentence: what a reader says of it on its button. */
export function rowWords(row: Row): string {
  const name = `${row.code} ${row.name}${row.isGuest ? ', guest' : ''}`;
  const parts = [`Position ${row.position}`, name, row.carTitle];
  if (row.badgeWords !== '') parts.push(row.badgeWords);
  if (row.gap !== NONE && row.gap !== 'DNF') parts.push(row.gap === 'Leader' ? 'leads' : row.gap);
  return parts.join(', ');
}
