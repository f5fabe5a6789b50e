// The dev page's tracks: outlines from a few corner points.
import type { TrackOutline } from '../race/race';

/** Tracks that nobody laid: enough of one to draw and to lap. */
export type FakeTrackName = 'circuit' | 'eight' | 'hill';

const STEP_M = 3;
const KERB_BEND_PER_M = 1 / 170;
const GRAVEL_BEND_PER_M = 1 / 75;

/** Corner points, which a smooth line runs through. */
const shapes: Record<FakeTrackName, number[]> = {
  circuit: [
    -620, -260, -420, -262, -200, -262, 40, -262, 260, -258, 420, -230, 470, -120, 400, -40,
    280, -30, 200, 40, 250, 130, 380, 150, 500, 190, 540, 300, 440, 370, 280, 340, 130, 250,
    20, 130, -90, 70, -170, 130, -150, 250, -190, 340, -320, 370, -420, 300, -430, 180,
    -520, 110, -660, 120, -760, 40, -790, -110, -740, -220,
  ],
  eight: [
    -560, -190, -380, -230, -190, -190, -40, -70, 70, 70, 200, 190, 380, 230, 540, 190, 620, 60,
    600, -100, 480, -210, 310, -220, 170, -140, 40, -30, -110, 110, -240, 200, -420, 230, -580, 170,
    -660, 40, -650, -110,
  ],
  hill: [
    -260, -180, -60, -190, 140, -180, 240, -100, 210, 20, 100, 60, 60, 150, 130, 230, 60, 300, -80,
    270, -120, 160, -220, 110, -330, 150, -420, 60, -400, -90,
  ],
};

/** The lap as rows, and what is derived of it. */
export interface FakeTrack {
  outline: TrackOutline;
  count: number;
  stepM: number;
  headings: Float64Array;
  bendsPerM: Float64Array; // positive to the left
  halfWidthM: Float64Array;
}

function spline(points: number[], of: number): [number, number] {
  const n = points.length / 2;
  const k = Math.floor(of);
  const t = of - k;
  const at = (i: number, axis: number): number => points[(((k + i) % n) + n) % n * 2 + axis] ?? 0;
  const mix = (axis: number): number => {
    const [a, b, c, d] = [at(-1, axis), at(0, axis), at(1, axis), at(2, axis)];
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
  };
  return [mix(0), mix(1)];
}

/** Points at even distances along the closed line. */
function lay(points: number[]): Float64Array {
  const fine: number[] = [];
  const n = points.length / 2;
  for (let i = 0; i < n * 100; i++) fine.push(...spline(points, i / 100));
  fine.push(fine[0]!, fine[1]!);
  const ways = [0];
  for (let i = 2; i < fine.length; i += 2) {
    const way = Math.hypot(fine[i]! - fine[i - 2]!, fine[i + 1]! - fine[i - 1]!);
    ways.push(ways[ways.length - 1]! + way);
  }
  const length = ways[ways.length - 1]!;
  const count = Math.round(length / STEP_M);
  const out = new Float64Array(2 * count);
  let at = 0;
  for (let i = 0; i < count; i++) {
    const want = (i * length) / count;
    while (ways[at + 1]! <= want) at++;
    const part = (want - ways[at]!) / (ways[at + 1]! - ways[at]!);
    for (const axis of [0, 1]) {
      const from = fine[2 * at + axis]!;
      out[2 * i + axis] = from + part * (fine[2 * at + 2 + axis]! - from);
    }
  }
  return out;
}

function smooth(values: Float64Array, reach: number): Float64Array {
  const n = values.length;
  return values.map((_, i) => {
    let sum = 0;
    for (let k = -reach; k <= reach; k++) sum += values[(i + k + n) % n]!;
    return sum / (2 * reach + 1);
  });
}

function beside(track: FakeTrack, i: number, offsetM: number): [number, number] {
  const k = ((i % track.count) + track.count) % track.count;
  const bend = track.bendsPerM[k]!;
  const offset = offsetM * bend > 0.9 ? 0.9 / bend : offsetM;
  const heading = track.headings[k]!;
  return [
    track.outline.centre[2 * k]! - offset * Math.sin(heading),
    track.outline.centre[2 * k + 1]! + offset * Math.cos(heading),
  ];
}

/** A band from one offset to another, to the left of the middle. */
function band(
  track: FakeTrack,
  from: number,
  to: number,
  inner: number,
  outer: number,
): Float64Array {
  const points: number[] = [];
  for (let i = from; i <= to; i++) points.push(...beside(track, i, inner));
  for (let i = to; i >= from; i--) points.push(...beside(track, i, outer));
  return Float64Array.from(points);
}

function line(track: FakeTrack, from: number, to: number, offset: number): Float64Array {
  const points: number[] = [];
  for (let i = from; i <= to; i++) points.push(...beside(track, i, offset));
  return Float64Array.from(points);
}

/** Stretches that bend by more than this to one side, as pairs of rows. */
function bends(track: FakeTrack, side: number, atLeast: number): [number, number][] {
  const found: [number, number][] = [];
  let from = -1;
  for (let i = 0; i <= track.count; i++) {
    const in_ = i < track.count && track.bendsPerM[i]! * side > atLeast;
    if (in_ && from < 0) from = i;
    if (!in_ && from >= 0) {
      if (i - from > 5) found.push([from, i]);
      from = -1;
    }
  }
  return found;
}

function furnish(track: FakeTrack): void {
  const { outline, count, halfWidthM } = track;
  const half = halfWidthM[0]!;
  for (let i = 0; i < count; i += 20) {
    const to = Math.min(i + 20, count);
    outline.strips.push({ surface: 'grass', points: band(track, i, to, half, half + 16) });
    outline.strips.push({ surface: 'grass', points: band(track, i, to, -half, -half - 16) });
  }
  for (const side of [1, -1]) {
    for (const [from, to] of bends(track, side, GRAVEL_BEND_PER_M)) {
      const points = band(track, from + 2, to + 8, -side * (half + 4), -side * (half + 13));
      outline.strips.push({ surface: 'gravel', points });
    }
    for (const [from, to] of bends(track, side, KERB_BEND_PER_M)) {
      const inside = band(track, from, to, side * half, side * (half + 1.1));
      const exit = band(track, to - 3, to + 12, -side * half, -side * (half + 1.4));
      outline.strips.push({ surface: 'kerb', points: inside }, { surface: 'kerb', points: exit });
    }
  }
  outline.walls.push({ material: 'guard-rail', points: line(track, 0, count, half + 16) });
  outline.walls.push({ material: 'guard-rail', points: line(track, 70, count - 60, -half - 16) });
  outline.walls.push({ material: 'concrete', points: line(track, -50, 60, -half - 4) });
  const out: number[] = [...line(track, -75, 85, -half - 6)];
  const back: number[] = [];
  for (let i = 80; i >= -70; i--) back.push(...beside(track, i, -half - 11));
  outline.pitLane = Float64Array.from([...out, ...back]);
  for (let i = 0; i < 20; i++) {
    const row = -(2 + 8 * i) / track.stepM;
    const k = Math.round(row);
    const [x, y] = beside(track, k, i % 2 === 0 ? 2.5 : -2.5);
    outline.grid.push({ x, y, yaw: track.headings[(k + count) % count]! });
  }
}

function terrainOf(outline: TrackOutline): TrackOutline['terrain'] {
  const cellM = 8;
  const west = outline.bounds.west - 80;
  const south = outline.bounds.south - 80;
  const columns = Math.ceil((outline.bounds.east + 80 - west) / cellM) + 1;
  const rows = Math.ceil((outline.bounds.north + 80 - south) / cellM) + 1;
  const heights = new Float32Array(columns * rows);
  const surfaces = new Uint8Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const x = west + column * cellM;
      const y = south + row * cellM;
      const high = 14 * Math.sin(x / 130) * Math.cos(y / 110) + 9 * Math.sin((x + 2 * y) / 170);
      heights[row * columns + column] = high + 1.5 * Math.sin(x / 21) * Math.sin(y / 24);
      surfaces[row * columns + column] = high > 12 ? 1 : high < -13 ? 2 : 0;
    }
  }
  const surfaceNames = ['grass', 'earth', 'sand'];
  return { columns, rows, west, south, cellM, heights, surfaces, surfaceNames };
}

function measure(centre: Float64Array, stepM: number): [Float64Array, Float64Array] {
  const count = centre.length / 2;
  const headings = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const a = (i + count - 1) % count;
    const b = (i + 1) % count;
    const dx = centre[2 * b]! - centre[2 * a]!;
    headings[i] = Math.atan2(centre[2 * b + 1]! - centre[2 * a + 1]!, dx);
  }
  const turns = headings.map((heading, i) => {
    const next = headings[(i + 1) % count]! - heading;
    return Math.atan2(Math.sin(next), Math.cos(next)) / stepM;
  });
  return [headings, smooth(turns, 4)];
}

/** On the eight, the second way over the middle is a bridge. */
function heightsOf(name: FakeTrackName, centre: Float64Array): Float64Array {
  const count = centre.length / 2;
  const heights = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const part = (2 * Math.PI * i) / count;
    heights[i] = 9 * Math.sin(part + 1) + 4 * Math.sin(3 * part);
    if (name === 'eight') {
      const away = Math.hypot(centre[2 * i]!, centre[2 * i + 1]!);
      const rise = 7 * Math.exp(-((away / 140) ** 2));
      heights[i] = 2 * Math.sin(part) + (i > count / 2 ? rise : 0);
    }
  }
  return heights;
}

export function makeTrack(name: FakeTrackName): FakeTrack {
  const centre = lay(shapes[name]);
  const count = centre.length / 2;
  let lengthM = 0;
  for (let i = 0; i < count; i++) {
    const j = (i + 1) % count;
    lengthM += Math.hypot(
      centre[2 * j]! - centre[2 * i]!,
      centre[2 * j + 1]! - centre[2 * i + 1]!,
    );
  }
  const stepM = lengthM / count;
  const [headings, bendsPerM] = measure(centre, stepM);
  const outline: TrackOutline = {
    name,
    title: { circuit: 'Fake Park', eight: 'Crossover', hill: 'Hillside' }[name],
    closed: true,
    lengthM,
    bounds: { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity },
    left: new Float64Array(2 * count),
    right: new Float64Array(2 * count),
    centre,
    lapM: Float64Array.from({ length: count }, (_, i) => i * stepM),
    heightM: heightsOf(name, centre),
    sectorM: [lengthM * 0.34, lengthM * 0.68, lengthM],
    finishM: 0,
    strips: [],
    walls: [],
    pitLane: new Float64Array(0),
    grid: [],
    terrain: null,
  };
  const halfWidthM = new Float64Array(count).fill(6);
  const track: FakeTrack = { outline, count, stepM, headings, bendsPerM, halfWidthM };
  for (let i = 0; i < count; i++) {
    outline.left.set(beside(track, i, 6), 2 * i);
    outline.right.set(beside(track, i, -6), 2 * i);
    const [x, y] = [centre[2 * i]!, centre[2 * i + 1]!];
    const { bounds } = outline;
    bounds.west = Math.min(bounds.west, x - 26);
    bounds.east = Math.max(bounds.east, x + 26);
    bounds.south = Math.min(bounds.south, y - 26);
    bounds.north = Math.max(bounds.north, y + 26);
  }
  furnish(track);
  if (name === 'hill') outline.terrain = terrainOf(outline);
  return track;
}
