// The dev page's cars: they lap a track without physics, by a function of time.
import { CarFlag, Pose, POSE_FIELDS } from '../race/race';
import type { FakeTrack } from './fake_track';
import { chance } from './random';

const TABLE_S = 0.05;
const GRIP_MPS2 = 15;
const BRAKING_MPS2 = 11;
const SPEED_MPS_MAX = 78;
const CELL_M = 120; // at most one slide in each
const START_S = 7; // until a car is up to speed

/** Cars that lap a track, each at its own speed; their places depend on the time alone. */
export class FakeField {
  private readonly distancesM: Float64Array; // after each TABLE_S of a lap at full speed
  private readonly speedsMps: Float64Array;
  private readonly lines: Float64Array; // racing line, metres left of the middle, by row
  readonly lapS: number;
  private readonly at: Float64Array = new Float64Array(3); // way, speed, acceleration

  constructor(
    readonly track: FakeTrack,
    readonly count: number,
    readonly seed: number,
  ) {
    const speeds = profile(track);
    const distances: number[] = [];
    const table: number[] = [];
    let way = 0;
    const lengthM = track.count * track.stepM;
    while (way < lengthM) {
      const row = way / track.stepM;
      const k = Math.floor(row) % track.count;
      const a = speeds[k]!;
      const b = speeds[(k + 1) % track.count]!;
      const speed = a + (row - Math.floor(row)) * (b - a);
      distances.push(way);
      table.push(speed);
      way += speed * TABLE_S;
    }
    // Stretched a little, so that a lap is a whole number of steps.
    const stretch = lengthM / way;
    this.distancesM = Float64Array.from([...distances.map((m) => m * stretch), lengthM]);
    this.speedsMps = Float64Array.from([...table.map((v) => v * stretch), table[0]! * stretch]);
    this.lapS = distances.length * TABLE_S;
    this.lines = racingLine(track);
  }

  /** The share of the full speed. */
  speedShare(index: number): number {
    return 0.985 - 0.09 * ((index + chance(this.seed, index, 1)) / Math.max(this.count, 12));
  }

  /** Seconds of a lap driven, at full speed, `raceS` after the start. */
  private driven(index: number, raceS: number): number {
    const t = Math.max(raceS - 0.3 * chance(this.seed, index, 2), 0);
    const ramp = t < START_S ? (t * t) / (2 * START_S) : t - START_S / 2;
    const restless = 0.5 * Math.sin(t / 9 + 6 * chance(this.seed, index, 3)) * Math.min(t / 20, 1);
    const gone = this.speedShare(index) * (ramp + restless * 0.6);
    const end = this.retiresS(index);
    return end > 0 ? Math.min(gone, end) : gone;
  }

  /** The seconds driven, at full speed, after which a car retires; 0: it doesn't. */
  retiresS(index: number): number {
    return index % 19 === 17 ? this.lapS * (1.3 + chance(this.seed, index, 4)) : 0;
  }

  gridM(index: number): number {
    const lengthM = this.track.count * this.track.stepM;
    return 2 + index * Math.min(8, (0.9 * lengthM) / this.count);
  }

  /** Way from the line in metres, over all laps; negative on the grid. */
  wayM(index: number, raceS: number): number {
    this.look(index, raceS);
    return this.at[0]!;
  }

  private look(index: number, raceS: number): void {
    const lengthM = this.track.count * this.track.stepM;
    const theta = this.driven(index, raceS);
    const laps = Math.floor(theta / this.lapS);
    const step = (theta - laps * this.lapS) / TABLE_S;
    const k = Math.min(Math.floor(step), this.speedsMps.length - 2);
    const part = step - k;
    const way = this.distancesM[k]! + part * (this.distancesM[k + 1]! - this.distancesM[k]!);
    const a = this.speedsMps[k]!;
    const b = this.speedsMps[k + 1]!;
    const rate = (this.driven(index, raceS + 0.02) - theta) / 0.02;
    this.at[0] = laps * lengthM + way - this.gridM(index);
    this.at[1] = (a + part * (b - a)) * rate;
    this.at[2] = ((b - a) / TABLE_S) * rate * rate;
  }

  /** Writes a row of poses. */
  write(index: number, raceS: number, out: Float64Array, from: number): void {
    this.look(index, raceS);
    const { track } = this;
    const [way, speed, acceleration] = [this.at[0]!, this.at[1]!, this.at[2]!];
    const row = way / track.stepM;
    const k = ((Math.floor(row) % track.count) + track.count) % track.count;
    const next = (k + 1) % track.count;
    const part = row - Math.floor(row);
    const bend = track.bendsPerM[k]! + part * (track.bendsPerM[next]! - track.bendsPerM[k]!);
    const turn = track.headings[next]! - track.headings[k]!;
    const heading = track.headings[k]! + part * Math.atan2(Math.sin(turn), Math.cos(turn));
    const fade = Math.min(Math.max(way / 80, 0), 1);
    const lines = this.lines;
    const lineSlope = (lines[next]! - lines[k]!) / track.stepM;
    const phase = 40 * chance(this.seed, index, 5);
    const own = 2 * chance(this.seed, index, 6) - 1;
    const slide = this.slide(index, way, bend);
    const wide = this.wide(index, way, bend);
    const side = this.gridM(index) - way > 1 ? 0 : 1;
    let offset = fade * (lines[k]! + part * (lines[next]! - lines[k]!)) * side;
    offset += fade * (own + 0.7 * Math.sin(way / 60 + phase)) + wide;
    offset += (1 - fade) * (index % 2 === 0 ? 2.5 : -2.5);
    const slope = fade * (lineSlope + (0.7 / 60) * Math.cos(way / 60 + phase));
    const course = heading + slope;
    const { centre, heightM } = track.outline;
    const x = centre[2 * k]! + part * (centre[2 * next]! - centre[2 * k]!);
    const y = centre[2 * k + 1]! + part * (centre[2 * next + 1]! - centre[2 * k + 1]!);
    out[from + Pose.car] = index + 1;
    out[from + Pose.x] = x - offset * Math.sin(heading);
    out[from + Pose.y] = y + offset * Math.cos(heading);
    out[from + Pose.z] = heightM[k]! + part * (heightM[next]! - heightM[k]!) + 0.5;
    out[from + Pose.yaw] = course + slide;
    out[from + Pose.pitch] = acceleration * 0.003;
    out[from + Pose.roll] = speed * speed * bend * 0.003;
    out[from + Pose.vx] = speed * Math.cos(course);
    out[from + Pose.vy] = speed * Math.sin(course);
    out[from + Pose.vz] = 0;
    out[from + Pose.yawRate] = speed * bend;
    out[from + Pose.steer] = Math.max(-0.6, Math.min(0.6, 2.6 * bend - 1.2 * slide));
    const gear = Math.min(1 + Math.floor(speed / 13), 6);
    out[from + Pose.gear] = gear;
    out[from + Pose.rpm] = 1200 + Math.min(6600, (speed * 7000) / (13.4 * gear));
    out[from + Pose.throttle] = acceleration > 0.3 ? Math.min(acceleration / 7, 1) : 0.1;
    out[from + Pose.brake] = acceleration < -1.5 ? Math.min(-acceleration / 11, 1) : 0;
    const retires = this.retiresS(index);
    const blown = retires > 0 && this.driven(index, raceS) >= retires;
    let flags = Math.abs(offset) > 7 ? CarFlag.offRoad : 0;
    flags |= blown ? CarFlag.engineBlown : 0;
    flags |= raceS < 0 ? CarFlag.held : 0;
    flags |= index % 23 === 11 && raceS % 40 > 30 ? CarFlag.ghost : 0;
    out[from + Pose.flags] = flags;
    out[from + Pose.damage] = blown ? 0.8 : 0;
    out[from + Pose.tick] = Math.floor(raceS * 60);
    out[from + Pose.stale] = index % 29 === 14 && raceS % 30 > 25 ? 1 : 0;
  }

  /** The angle by which a car's tail hangs out: in some bends of some laps. */
  private slide(index: number, way: number, bend: number): number {
    const cell = Math.floor(way / CELL_M);
    if (chance(this.seed, index, cell, 7) > 0.12) return 0;
    const hump = Math.sin((Math.PI * (way - cell * CELL_M)) / CELL_M) ** 2;
    return hump * Math.max(-0.5, Math.min(0.5, 30 * bend));
  }

  private wide(index: number, way: number, bend: number): number {
    const cell = Math.floor(way / CELL_M);
    if (chance(this.seed, index, cell, 8) > 0.02) return 0;
    const hump = Math.sin((Math.PI * (way - cell * CELL_M)) / CELL_M) ** 2;
    return hump * Math.max(-9, Math.min(9, -900 * bend));
  }
}

/** Speeds by row that the bends, the engine and the brakes allow. */
function profile(track: FakeTrack): Float64Array {
  const { count, stepM } = track;
  const speeds = track.bendsPerM.map((bend) =>
    Math.min(SPEED_MPS_MAX, Math.sqrt(GRIP_MPS2 / Math.max(Math.abs(bend), 1e-6))),
  );
  for (let i = 0; i < 2 * count; i++) {
    const [a, b] = [i % count, (i + 1) % count];
    const pull = Math.min(8, 420 / speeds[a]!) - (speeds[a]! / SPEED_MPS_MAX) ** 2 * 4;
    const most = Math.sqrt(speeds[a]! ** 2 + 2 * pull * stepM);
    speeds[b] = Math.min(speeds[b]!, most);
  }
  for (let i = 2 * count; i > 0; i--) {
    const [a, b] = [i % count, (i - 1) % count];
    speeds[b] = Math.min(speeds[b]!, Math.sqrt(speeds[a]! ** 2 + 2 * BRAKING_MPS2 * stepM));
  }
  return speeds;
}

function racingLine(track: FakeTrack): Float64Array {
  let line: Float64Array = track.bendsPerM.map((bend) => Math.max(-4, Math.min(4, 420 * bend)));
  for (let round = 0; round < 3; round++) {
    line = line.map((_, i) => {
      let sum = 0;
      for (let k = -8; k <= 8; k++) sum += line[(i + k + track.count) % track.count]!;
      return sum / 17;
    });
  }
  return line;
}

export const ROW = POSE_FIELDS;
