// Bridges are found where the lap crosses itself at another height.

/** A stretch of the lap that leads over another. */
export interface Bridge {
  from: number; // rows of the outline; `to` may lie beyond the last, round a closed lap
  to: number;
  x: number; // where the two cross
  y: number;
  reachM: number;
  heightM: number; // of its road, there
  clearM: number; // down to the road below
}

export interface LapLine {
  centre: Float64Array;
  lapM: Float64Array;
  heightM: Float64Array;
  closed: boolean;
}

const CHUNK = 16;
const LEAST_M = 1.5; // less apart in height is a crossroads
const BEYOND_M = 22;
const BRIDGES_MAX = 64;

interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

function boxOf(centre: Float64Array, from: number, to: number): Box {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (let i = from; i <= to; i++) {
    box.west = Math.min(box.west, centre[2 * i]!);
    box.east = Math.max(box.east, centre[2 * i]!);
    box.south = Math.min(box.south, centre[2 * i + 1]!);
    box.north = Math.max(box.north, centre[2 * i + 1]!);
  }
  return box;
}

function apart(a: Box, b: Box): boolean {
  return a.west > b.east || b.west > a.east || a.south > b.north || b.south > a.north;
}

/** Shares of two segments at which they cross; null if they don't. */
function cross(line: Float64Array, i: number, j: number): [number, number] | null {
  const ax = line[2 * i]!;
  const ay = line[2 * i + 1]!;
  const bx = line[2 * i + 2]! - ax;
  const by = line[2 * i + 3]! - ay;
  const cx = line[2 * j]! - ax;
  const cy = line[2 * j + 1]! - ay;
  const dx = line[2 * j + 2]! - ax - cx;
  const dy = line[2 * j + 3]! - ay - cy;
  const turn = bx * dy - by * dx;
  if (turn === 0) return null;
  const s = (cx * dy - cy * dx) / turn;
  const t = (cx * by - cy * bx) / turn;
  return s >= 0 && s < 1 && t >= 0 && t < 1 ? [s, t] : null;
}

/** Places where the lap crosses itself at another height, each with the upper way. */
export function findBridges(lap: LapLine, widthM: number): Bridge[] {
  const last = lap.centre.length / 2 - 1;
  const boxes: Box[] = [];
  for (let i = 0; i < last; i += CHUNK) {
    boxes.push(boxOf(lap.centre, i, Math.min(i + CHUNK, last)));
  }
  const found: Bridge[] = [];
  for (let a = 0; a < boxes.length; a++) {
    for (let b = a; b < boxes.length; b++) {
      if (apart(boxes[a]!, boxes[b]!)) continue;
      crossChunks(lap, a, b, last, widthM, found);
    }
  }
  return found;
}

function crossChunks(
  lap: LapLine,
  a: number,
  b: number,
  last: number,
  widthM: number,
  found: Bridge[],
): void {
  for (let i = a * CHUNK; i < Math.min((a + 1) * CHUNK, last); i++) {
    for (let j = Math.max(b * CHUNK, i + 2); j < Math.min((b + 1) * CHUNK, last); j++) {
      const at = cross(lap.centre, i, j);
      if (at === null || found.length >= BRIDGES_MAX) continue;
      const first = lap.heightM[i]! + at[0] * (lap.heightM[i + 1]! - lap.heightM[i]!);
      const second = lap.heightM[j]! + at[1] * (lap.heightM[j + 1]! - lap.heightM[j]!);
      if (Math.abs(first - second) < LEAST_M) continue;
      const upper = first > second ? i : j;
      const part = first > second ? at[0] : at[1];
      const heightM = Math.max(first, second);
      const clearM = Math.abs(first - second);
      found.push({ ...bridgeAt(lap, upper, part, widthM), heightM, clearM });
    }
  }
}

function bridgeAt(
  lap: LapLine,
  row: number,
  part: number,
  widthM: number,
): Omit<Bridge, 'heightM' | 'clearM'> {
  const { centre, lapM, closed } = lap;
  const count = lapM.length;
  const reachM = widthM + BEYOND_M;
  const stepM = Math.max((lapM[count - 1]! - lapM[0]!) / Math.max(count - 1, 1), 0.1);
  const wayM = lapM[row]! + part * (lapM[Math.min(row + 1, count - 1)]! - lapM[row]!);
  const lengthM = lapM[count - 1]! - lapM[0]! + stepM;
  let from = row;
  let to = row + 1;
  const awayM = (i: number): number => {
    const round = Math.floor(i / count);
    return Math.abs(lapM[i - round * count]! + round * lengthM - wayM);
  };
  while (awayM(from) < reachM && (closed || from > 0) && row - from < count / 2) from--;
  while (awayM(to) < reachM && (closed || to < count - 1) && to - row < count / 2) to++;
  const x = centre[2 * row]! + part * (centre[2 * row + 2]! - centre[2 * row]!);
  const y = centre[2 * row + 1]! + part * (centre[2 * row + 3]! - centre[2 * row + 1]!);
  return { from, to, x, y, reachM };
}

/** @return whether something at a place is below a bridge rather than on its ramps. */
export function isUnder(bridges: readonly Bridge[], x: number, y: number, z: number): boolean {
  for (const bridge of bridges) {
    if (
      Math.abs(x - bridge.x) < bridge.reachM &&
      Math.abs(y - bridge.y) < bridge.reachM &&
      z < bridge.heightM - bridge.clearM / 2
    ) {
      return true;
    }
  }
  return false;
}
