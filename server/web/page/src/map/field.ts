// The field joins poses, roster and order: the cars of a frame, and the one that a pointer picks.
import { Pose, POSE_FIELDS, type CarShape, type RosterEntry, type Session } from '../race/race';
import type { Standings } from '../race/race';
import { codeOf } from '../ui/codes';
import { liveryOf, type Livery } from '../ui/livery';

/** The map's knowledge of a car beside its place. */
export interface CarInfo {
  car: number;
  player: number;
  name: string;
  code: string;
  livery: Livery;
  shape: CarShape;
  shapeIndex: number;
  position: number; // Infinity when the order does not say
  dnf: boolean;
}

/** A car of a kind that has not been heard of. */
export const anyShape: CarShape = {
  name: '',
  title: '',
  lengthM: 4.4,
  widthM: 1.8,
  centreXM: 0,
  wheels: [1.25, -1.25].flatMap((x) =>
    [0.76, -0.76].map((y) => ({ x, y, radiusM: 0.32, widthM: 0.22 })),
  ),
  rpmMax: 7000,
  steerRadMax: 0.6,
};

const ASK_AGAIN_MS = 300;

/** The cars with their drivers, and the places of all of them in a frame. */
export class Field {
  rows = new Float64Array(64 * POSE_FIELDS);
  count = 0;
  /** The own car's row, or -1. */
  ownAt = -1;
  leader = 0; // car that leads; 0: unknown
  readonly infos = new Map<number, CarInfo>();
  /** In the order of the race, as far as it is known. */
  readonly order: CarInfo[] = [];
  private byPlayer = new Map<number, CarInfo>();
  private readonly shapes: CarShape[] = [];
  private roster: readonly RosterEntry[] | null = null;
  private standings: Standings | null = null;
  private ready = 0; // cars whose kind is known
  private metMs = 0;

  /** Takes the moment that is to be drawn. */
  look(session: Session, nowMs: number): void {
    this.readRoster(session, nowMs);
    const poses = session.poses(nowMs);
    const length = poses.count * POSE_FIELDS;
    if (this.rows.length < length) this.rows = new Float64Array(length * 2);
    this.rows.set(poses.values.subarray(0, length));
    this.count = poses.count;
    this.ownAt = this.indexOf(session.car());
  }

  /** The first of these cars that is there; else the leader's, or any. 0 for none. */
  firstOf(cars: readonly number[]): number {
    for (const car of [...cars, this.leader]) {
      if (car !== 0 && this.indexOf(car) >= 0) return car;
    }
    return this.count > 0 ? this.rows[Pose.car]! : 0;
  }

  /** Number of the row of a car; -1 if it isn't there. */
  indexOf(car: number): number {
    if (this.count > 0 && this.rows[Pose.car] === car) return 0;
    let low = 1; // one's own car comes first, whatever its number
    let high = this.count - 1;
    while (low <= high) {
      const mid = (low + high) >> 1;
      const id = this.rows[mid * POSE_FIELDS + Pose.car]!;
      if (id === car) return mid;
      if (id < car) low = mid + 1;
      else high = mid - 1;
    }
    return -1;
  }

  infoOf(car: number): CarInfo | undefined {
    return this.infos.get(car);
  }

  /** Car of a player; 0 if it has none. */
  carOf(player: number): number {
    return this.byPlayer.get(player)?.car ?? 0;
  }

  private readRoster(session: Session, nowMs: number): void {
    const roster = session.roster();
    const standings = session.standings();
    // Kinds of cars come after the names of those who drive them.
    const late = this.ready < roster.length && Math.abs(nowMs - this.metMs) > ASK_AGAIN_MS;
    if (roster !== this.roster || late) {
      this.metMs = nowMs;
      this.meet(roster, session);
    }
    if (standings !== this.standings || roster !== this.roster || late) this.rank(standings);
    this.roster = roster;
    this.standings = standings;
  }

  private meet(roster: readonly RosterEntry[], session: Session): void {
    const before = this.byPlayer;
    this.infos.clear();
    this.byPlayer = new Map();
    this.ready = 0;
    for (const entry of roster) {
      const { car, player, name } = entry;
      if (car === 0) {
        this.ready++;
        continue;
      }
      const found = session.carShape(entry.carDef);
      if (found) this.ready++;
      const shape = found ?? anyShape;
      let shapeIndex = this.shapes.indexOf(shape);
      if (shapeIndex < 0) shapeIndex = this.shapes.push(shape) - 1;
      const known = before.get(player);
      const code = known?.name === name ? known.code : codeOf(name);
      const position = known?.position ?? Infinity;
      const dnf = known?.dnf ?? false;
      const livery = liveryOf(player);
      const info = { car, player, name, code, livery, shape, shapeIndex, position, dnf };
      this.infos.set(car, info);
      this.byPlayer.set(player, info);
    }
  }

  private rank(standings: Standings | null): void {
    this.order.length = 0;
    this.leader = 0;
    for (const info of this.infos.values()) {
      info.position = Infinity;
      info.dnf = false;
    }
    for (const line of standings?.lines ?? []) {
      const info = this.byPlayer.get(line.player);
      if (info === undefined) continue;
      info.position = line.position;
      info.dnf = line.state === 'dnf';
      this.order.push(info);
    }
    this.leader = this.order[0]?.car ?? 0;
  }

  forget(): void {
    this.count = 0;
    this.ownAt = -1;
    this.roster = null;
    this.standings = null;
    this.ready = 0;
    this.leader = 0;
    this.infos.clear();
    this.byPlayer.clear();
    this.order.length = 0;
    this.shapes.length = 0;
  }
}

/**
 * The car nearest to a place of the canvas, within `reachPx`; 0 if there is none. `own` and others
 * that lie on top of each other: the nearer middle wins.
 */
export function pickCar(
  rows: Float64Array,
  count: number,
  toScreen: (x: number, y: number) => readonly [number, number],
  at: readonly [number, number],
  reachPx: number,
): number {
  let best = 0;
  let bestPx = reachPx;
  for (let i = 0; i < count; i++) {
    const row = i * POSE_FIELDS;
    const [right, down] = toScreen(rows[row + Pose.x]!, rows[row + Pose.y]!);
    const awayPx = Math.hypot(right - at[0], down - at[1]);
    if (awayPx > bestPx) continue;
    bestPx = awayPx;
    best = rows[row + Pose.car]!;
  }
  return best;
}
