// Gaps in the tower as text: seconds, metres or laps.
import type { Standing } from '../race/race';
import { gapTime, lapsText, NONE } from '../ui/format';

/** The number of whole laps by which `line` is behind `other`, which is further up. */
export function lapsBehind(line: Standing, other: Standing): number {
  const laps = other.laps - line.laps;
  if (laps <= 0) return 0;
  if (line.state === 'finished' && other.state === 'finished') return laps;
  // A driver who is home has no lap under way; one who is further round is not yet lapped.
  const otherM = other.state === 'finished' ? 0 : other.lapM;
  return laps - (line.lapM > otherM ? 1 : 0);
}

function metresBehind(line: Standing, other: Standing, lapLengthM: number): string {
  const laps = other.laps - line.laps;
  const metres = laps * lapLengthM + other.lapM - line.lapM;
  if (laps !== 0 && !(lapLengthM > 0)) return NONE;
  if (!(metres >= 0 && metres < 1e6)) return NONE;
  return metres < 999.5 ? `+${Math.round(metres)} m` : `+${(metres / 1000).toFixed(1)} km`;
}

/** Of more than a minute without thousandths: no column has room for them, and nobody use. */
function shortGap(us: number): string {
  const text = gapTime(us);
  return us < 60e6 ? text : text.slice(0, -2);
}

function behind(line: Standing, other: Standing, gapUs: number, lapLengthM: number): string {
  const laps = lapsBehind(line, other);
  if (laps > 0) return `+${lapsText(laps)}`;
  // Below 0: they have changed places since they were timed last.
  if (line.gapUs > 0 && gapUs >= 0) return shortGap(gapUs);
  if (line.state === 'finished') return shortGap(Math.max(0, gapUs));
  return metresBehind(line, other, lapLengthM);
}

function isTimed(line: Standing): boolean {
  return line.state === 'running' || line.state === 'finished';
}

/**
 * The text in the column of the gap to the leader.
 * @param leastUs gap of somebody ahead: a line with a smaller one was timed before they met
 */
export function gapText(
  line: Standing,
  leader: Standing,
  lapLengthM: number,
  leastUs = 0,
): string {
  if (line.state === 'dnf') return 'DNF';
  if (!isTimed(line)) return NONE;
  if (line.player === leader.player) return 'Leader';
  if (!isTimed(leader)) return NONE;
  const isOld = line.state === 'running' && line.gapUs < leastUs;
  return behind(line, leader, isOld ? -1 : line.gapUs, lapLengthM);
}

/** The leader's lap under way, or the last one. */
export function leadersLap(leader: Standing): number {
  return leader.laps + (leader.state === 'finished' ? 0 : 1);
}

/** The text in the column of the interval to the car ahead. */
export function intervalText(line: Standing, ahead: Standing | null, lapLengthM: number): string {
  if (!isTimed(line) || ahead === null || !isTimed(ahead)) return NONE;
  return behind(line, ahead, line.gapUs - ahead.gapUs, lapLengthM);
}

/** Places won (above 0) or lost since the start; 0 without a grid. */
export function placesWon(line: Standing): number {
  if (line.grid <= 0 || line.state === 'waiting') return 0;
  return line.grid - line.position;
}
