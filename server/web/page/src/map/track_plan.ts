// The track plan cuts an outline into paths, so that a tile paints only what it shows.
import type { TrackOutline } from '../race/race';
import { findBridges, type Bridge } from './bridges';

export interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Something to be filled or stroked, in world metres. */
export interface Piece {
  path: Path2D;
  box: Box;
}

export interface BridgePlan extends Bridge {
  road: Piece;
  sides: Piece;
}

export interface Mark {
  x: number;
  y: number;
  yaw: number;
}

/** A track as paths, cut into pieces so that a part of the map needs few of them. */
export interface TrackPlan {
  outline: TrackOutline;
  grounds: { surface: string; piece: Piece }[]; // below the road
  patches: { surface: string; piece: Piece }[]; // on it
  kerbs: { piece: Piece; stripes: Path2D; sides: Piece }[];
  road: Piece[];
  edges: Piece[];
  rims: Piece[]; // the edges by fewer points, for wide strokes
  middle: Path2D; // the whole lap
  far: Path2D; // the same by fewer points
  walls: { material: string; piece: Piece }[];
  pit: Piece | null;
  bridges: BridgePlan[];
  sectors: Mark[];
  finish: Mark | null;
  widthM: number; // of the road, at the line
}

const CHUNK = 24;
const STRIPE_M = 1.5;
const RIM_M = 4; // between points of what is only seen from afar
const FAR_M = 7;
const SOFT = ['grass', 'gravel', 'sand', 'earth', 'mud', 'snow', 'ice'];

function emptyBox(): Box {
  return { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
}

class PathMaker {
  readonly path = new Path2D();
  readonly box = emptyBox();
  private first = true;

  to(x: number, y: number): void {
    if (this.first) this.path.moveTo(x, y);
    else this.path.lineTo(x, y);
    this.first = false;
    this.box.west = Math.min(this.box.west, x);
    this.box.east = Math.max(this.box.east, x);
    this.box.south = Math.min(this.box.south, y);
    this.box.north = Math.max(this.box.north, y);
  }

  lift(): void {
    this.first = true;
  }

  close(): void {
    this.path.closePath();
    this.first = true;
  }

  get piece(): Piece {
    return { path: this.path, box: this.box };
  }
}

function polygon(points: Float64Array): Piece {
  const maker = new PathMaker();
  for (let i = 0; i + 1 < points.length; i += 2) maker.to(points[i]!, points[i + 1]!);
  maker.close();
  return maker.piece;
}

/** Rows from `from` to `to` of a band between two lines of `count` points. */
function bandPiece(
  left: Float64Array,
  right: Float64Array,
  from: number,
  to: number,
  count: number,
): Piece {
  const maker = new PathMaker();
  for (let i = from; i <= to; i++) {
    const k = ((i % count) + count) % count;
    maker.to(left[2 * k]!, left[2 * k + 1]!);
  }
  for (let i = to; i >= from; i--) {
    const k = ((i % count) + count) % count;
    maker.to(right[2 * k]!, right[2 * k + 1]!);
  }
  maker.close();
  return maker.piece;
}

/** Neighbours overlap, so that no ground shines through between them. */
function bandPieces(left: Float64Array, right: Float64Array, closed: boolean): Piece[] {
  const count = left.length / 2;
  const last = closed ? count : count - 1;
  const pieces: Piece[] = [];
  for (let i = 0; i < last; i += CHUNK) {
    const to = Math.min(i + CHUNK, last);
    pieces.push(bandPiece(left, right, i, closed ? to + 1 : Math.min(to + 1, last), count));
  }
  return pieces;
}

/** Every point that lies so far from the last one that was taken, and the ends. */
export function thinned(points: Float64Array, leastM: number): Float64Array {
  const kept: number[] = [];
  let [x, y] = [Infinity, Infinity];
  for (let i = 0; i + 1 < points.length; i += 2) {
    const isLast = i + 3 >= points.length;
    if (!isLast && Math.hypot(points[i]! - x, points[i + 1]! - y) < leastM) continue;
    x = points[i]!;
    y = points[i + 1]!;
    kept.push(x, y);
  }
  return Float64Array.from(kept);
}

/** @param beyond the number of lines of the next piece that belong to this one as well */
function linePieces(points: Float64Array, closed: boolean, beyond = 0): Piece[] {
  const count = points.length / 2;
  const last = closed ? count : count - 1;
  const pieces: Piece[] = [];
  for (let i = 0; i < last; i += CHUNK) {
    const maker = new PathMaker();
    for (let k = i; k <= Math.min(i + CHUNK, last) + (closed ? beyond : 0); k++) {
      maker.to(points[2 * (k % count)]!, points[2 * (k % count) + 1]!);
    }
    pieces.push(maker.piece);
  }
  return pieces;
}

/** The two sides of a polygon that runs along a road and back; null if it does not look so. */
export function sidesOf(points: Float64Array): [Float64Array, Float64Array] | null {
  let count = points.length / 2;
  const again =
    count > 4 &&
    points[0] === points[2 * count - 2] &&
    points[1] === points[2 * count - 1];
  if (again) count--;
  if (count < 4 || count % 2 !== 0) return null;
  const half = count / 2;
  const left = points.slice(0, 2 * half);
  const right = new Float64Array(2 * half);
  let widest = 0;
  for (let i = 0; i < half; i++) {
    const k = count - 1 - i;
    right[2 * i] = points[2 * k]!;
    right[2 * i + 1] = points[2 * k + 1]!;
    const across = right[2 * i]! - left[2 * i]!;
    widest = Math.max(widest, Math.hypot(across, right[2 * i + 1]! - left[2 * i + 1]!));
  }
  let lengthM = 0;
  for (let i = 1; i < half; i++) {
    lengthM += Math.hypot(left[2 * i]! - left[2 * i - 2]!, left[2 * i + 1]! - left[2 * i - 1]!);
  }
  return widest < Math.max(0.8 * lengthM, 4) ? [left, right] : null;
}

/** Every second stripe of a kerb. */
function stripesOf(points: Float64Array): Path2D {
  const path = new Path2D();
  const sides = sidesOf(points);
  if (sides === null) return path;
  const [left, right] = sides;
  let way = 0;
  for (let i = 0; i + 3 < left.length; i += 2) {
    const dx = left[i + 2]! - left[i]!;
    const dy = left[i + 3]! - left[i + 1]!;
    const length = Math.hypot(dx, dy);
    const ex = right[i + 2]! - right[i]!;
    const ey = right[i + 3]! - right[i + 1]!;
    for (let k = Math.floor(way / STRIPE_M); k * STRIPE_M < way + length; k++) {
      if (k % 2 === 0 || length === 0) continue;
      const from = Math.max((k * STRIPE_M - way) / length, 0);
      const to = Math.min(((k + 1) * STRIPE_M - way) / length, 1);
      path.moveTo(left[i]! + from * dx, left[i + 1]! + from * dy);
      path.lineTo(left[i]! + to * dx, left[i + 1]! + to * dy);
      path.lineTo(right[i]! + to * ex, right[i + 1]! + to * ey);
      path.lineTo(right[i]! + from * ex, right[i + 1]! + from * ey);
      path.closePath();
    }
    way += length;
  }
  return path;
}

/** The place of a lap distance on the lap. */
export function markAt(outline: TrackOutline, lapM: number): Mark | null {
  const { centre, lapM: ways } = outline;
  const count = ways.length;
  if (count < 2) return null;
  let k = 0;
  let high = count - 1;
  while (k < high) {
    const mid = (k + high + 1) >> 1;
    if (ways[mid]! <= lapM) k = mid;
    else high = mid - 1;
  }
  const open = !outline.closed && k === count - 1;
  const a = open ? k - 1 : k;
  const b = (a + 1) % count;
  const dx = centre[2 * b]! - centre[2 * a]!;
  const dy = centre[2 * b + 1]! - centre[2 * a + 1]!;
  const length = Math.max(Math.hypot(dx, dy), 1e-6);
  const part = Math.min(Math.max((lapM - ways[a]!) / length, 0), 1);
  const x = centre[2 * a]! + part * dx;
  const y = centre[2 * a + 1]! + part * dy;
  return { x, y, yaw: Math.atan2(dy, dx) };
}

/** Along a kerb without its ends; null if it has no such shape. */
function longSides(points: Float64Array): Piece | null {
  const sides = sidesOf(points);
  if (sides === null) return null;
  const maker = new PathMaker();
  for (const side of sides) {
    const points = thinned(side, RIM_M);
    for (let i = 0; i < points.length; i += 2) maker.to(points[i]!, points[i + 1]!);
    maker.lift();
  }
  return maker.piece;
}

function addStrips(plan: TrackPlan): void {
  for (const { surface, points } of plan.outline.strips) {
    if (points.length < 6) continue;
    if (surface === 'kerb') {
      const piece = polygon(points);
      plan.kerbs.push({ piece, stripes: stripesOf(points), sides: longSides(points) ?? piece });
      continue;
    }
    const sides = points.length > 4 * CHUNK ? sidesOf(points) : null;
    const pieces = sides ? bandPieces(sides[0], sides[1], false) : [polygon(points)];
    const into = SOFT.includes(surface) ? plan.grounds : plan.patches;
    for (const piece of pieces) into.push({ surface, piece });
  }
}

function addBridges(plan: TrackPlan): void {
  const { outline } = plan;
  const count = outline.centre.length / 2;
  for (const bridge of findBridges(outline, plan.widthM)) {
    const sides = new PathMaker();
    for (const edge of [outline.left, outline.right]) {
      for (let i = bridge.from; i <= bridge.to; i++) {
        const k = ((i % count) + count) % count;
        sides.to(edge[2 * k]!, edge[2 * k + 1]!);
      }
      sides.lift();
    }
    const road = bandPiece(outline.left, outline.right, bridge.from, bridge.to, count);
    plan.bridges.push({ ...bridge, road, sides: sides.piece });
  }
  plan.bridges.sort((a, b) => a.heightM - b.heightM);
}

function rimPieces(edge: Float64Array, closed: boolean): Piece[] {
  return linePieces(thinned(edge, RIM_M), closed, 1);
}

function lapPath(centre: Float64Array, closed: boolean): Path2D {
  const maker = new PathMaker();
  for (let i = 0; i + 1 < centre.length; i += 2) maker.to(centre[i]!, centre[i + 1]!);
  if (closed && centre.length > 0) maker.close();
  return maker.path;
}

export function planTrack(outline: TrackOutline): TrackPlan {
  const { left, right, centre, closed } = outline;
  const hasLap = left.length >= 4;
  const plan: TrackPlan = {
    outline,
    grounds: [],
    patches: [],
    kerbs: [],
    road: hasLap ? bandPieces(left, right, closed) : [],
    edges: hasLap ? [...linePieces(left, closed), ...linePieces(right, closed)] : [],
    rims: hasLap ? [left, right].flatMap((edge) => rimPieces(edge, closed)) : [],
    middle: lapPath(centre, closed),
    far: lapPath(thinned(centre, FAR_M), closed),
    walls: outline.walls.flatMap(({ material, points }) =>
      linePieces(points, false).map((piece) => ({ material, piece })),
    ),
    pit: outline.pitLane.length >= 6 ? polygon(outline.pitLane) : null,
    bridges: [],
    sectors: [],
    finish: hasLap ? markAt(outline, outline.finishM) : null,
    widthM: hasLap ? Math.hypot(left[0]! - right[0]!, left[1]! - right[1]!) : 10,
  };
  addStrips(plan);
  if (hasLap) addBridges(plan);
  for (const endM of outline.sectorM) {
    const awayM = Math.abs(endM - outline.finishM);
    const mark = awayM < 1 || Math.abs(awayM - outline.lengthM) < 1 ? null : markAt(outline, endM);
    if (mark) plan.sectors.push(mark);
  }
  return plan;
}
