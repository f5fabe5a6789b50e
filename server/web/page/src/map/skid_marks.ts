// Skid marks are found from how cars slide and brake, and kept as strokes.
import { CarFlag, Pose, type CarShape } from '../race/race';

/** Columns of a mark: a stroke on the ground. */
export const Skid = {
  x0: 0,
  y0: 1,
  x1: 2,
  y1: 3,
  widthM: 4,
  strength: 5, // 0 to 1
  bornMs: 6,
  dirt: 7, // 1: off the road
} as const;

const SKID_FIELDS = 8;

const SLIP_RAD = 0.14; // tyres hold to about here
const SLIP_FULL_RAD = 0.45;
const SPEED_MPS_MIN = 4;
const BRAKING_MPS2 = 8;
const BRAKING_FULL_MPS2 = 14;
const BRAKE_MIN = 0.5;
const STEP_M = 0.7; // between ends of strokes
const JUMP_M = 7; // further within a frame was no driving
const SETTLE_S = 0.12; // of the measured deceleration
const WHEELS_MAX = 8;

/** Strokes, of which the oldest make room for new ones. */
export class SkidRing {
  readonly values: Float32Array;
  /** All that were ever added: those from `added - capacity` on are held. */
  added = 0;

  constructor(
    readonly capacity: number,
    private readonly zeroMs = 0,
  ) {
    this.values = new Float32Array(capacity * SKID_FIELDS);
  }

  /** Of the oldest that is held. */
  get oldest(): number {
    return Math.max(0, this.added - this.capacity);
  }

  at(index: number): number {
    return (index % this.capacity) * SKID_FIELDS;
  }

  add(x0: number, y0: number, x1: number, y1: number, mark: SkidLook): void {
    const at = this.at(this.added++);
    const { values } = this;
    values[at + Skid.x0] = x0;
    values[at + Skid.y0] = y0;
    values[at + Skid.x1] = x1;
    values[at + Skid.y1] = y1;
    values[at + Skid.widthM] = mark.widthM;
    values[at + Skid.strength] = mark.strength;
    values[at + Skid.bornMs] = mark.nowMs - this.zeroMs;
    values[at + Skid.dirt] = mark.dirt ? 1 : 0;
  }

  clear(): void {
    this.added = 0;
  }
}

export interface SkidLook {
  widthM: number;
  strength: number;
  nowMs: number;
  dirt: boolean;
}

/** The slip angle of the rear axle; 0 when slow. */
export function rearSlipRad(row: Float64Array, at: number, rearXM: number): number {
  const vx = row[at + Pose.vx]!;
  const vy = row[at + Pose.vy]!;
  const cos = Math.cos(row[at + Pose.yaw]!);
  const sin = Math.sin(row[at + Pose.yaw]!);
  const along = vx * cos + vy * sin;
  const across = vy * cos - vx * sin + row[at + Pose.yawRate]! * rearXM;
  if (Math.hypot(along, across) < SPEED_MPS_MIN) return 0;
  return Math.atan2(across, Math.abs(along));
}

export function slideStrength(slipRad: number): number {
  const over = (Math.abs(slipRad) - SLIP_RAD) / (SLIP_FULL_RAD - SLIP_RAD);
  return Math.max(0, Math.min(1, over));
}

export function brakingStrength(decelerationMps2: number, brake: number): number {
  if (brake < BRAKE_MIN) return 0;
  const over = (decelerationMps2 - BRAKING_MPS2) / (BRAKING_FULL_MPS2 - BRAKING_MPS2);
  return Math.max(0, Math.min(1, over));
}

class Trace {
  readonly ends = new Float64Array(2 * WHEELS_MAX);
  drawn = 0; // bits of wheels that leave a stroke behind
  speedMps = NaN;
  decelerationMps2 = 0;
  seenMs = 0;
  slide = 0; // strength just now, for smoke
}

/** Finds where cars slide or brake hard, and leaves strokes there. */
export class SkidMaker {
  private readonly traces = new Map<number, Trace>();
  private readonly look: SkidLook = { widthM: 0.25, strength: 0, nowMs: 0, dirt: false };

  constructor(private readonly ring: SkidRing) {}

  /**
   * Takes a car as it is now; says how much it slides, from 0 to 1. `rate`: how much faster than
   * real time it goes, as recordings do.
   */
  watch(row: Float64Array, at: number, shape: CarShape, nowMs: number, rate = 1): number {
    const car = row[at + Pose.car]!;
    let trace = this.traces.get(car);
    if (trace === undefined) {
      trace = new Trace();
      this.traces.set(car, trace);
    }
    const flags = row[at + Pose.flags]!;
    const grounded = (flags & (CarFlag.airborne | CarFlag.ghost)) === 0;
    const elapsedMs = nowMs - trace.seenMs;
    trace.seenMs = nowMs;
    this.brakeBy(trace, row, at, elapsedMs, rate);
    const wheels = shape.wheels;
    let rearXM = 0;
    for (const wheel of wheels) rearXM = Math.min(rearXM, wheel.x);
    const slide = slideStrength(rearSlipRad(row, at, rearXM));
    const braking = brakingStrength(trace.decelerationMps2, row[at + Pose.brake]!);
    const jumped = elapsedMs > 250 || row[at + Pose.stale] === 1 || !grounded;
    trace.slide = jumped ? 0 : slide;
    this.look.nowMs = nowMs;
    this.look.dirt = (flags & CarFlag.offRoad) !== 0;
    const count = Math.min(wheels.length, WHEELS_MAX);
    for (let i = 0; i < count; i++) {
      const rear = wheels[i]!.x < 0;
      const strength = Math.max(rear ? slide : slide * 0.5 - 0.3, braking * 0.6);
      this.look.strength = jumped ? 0 : strength;
      this.look.widthM = wheels[i]!.widthM * (1 + 0.6 * slide);
      this.stroke(trace, row, at, shape, i);
    }
    return trace.slide;
  }

  private brakeBy(
    trace: Trace,
    row: Float64Array,
    at: number,
    elapsedMs: number,
    rate: number,
  ): void {
    const speed = Math.hypot(row[at + Pose.vx]!, row[at + Pose.vy]!);
    const elapsedS = (elapsedMs / 1000) * rate;
    if (elapsedMs > 250 || Number.isNaN(trace.speedMps)) {
      trace.decelerationMps2 = 0;
      trace.speedMps = speed;
    } else if (elapsedS > 0) {
      const now = (trace.speedMps - speed) / elapsedS;
      trace.decelerationMps2 += (now - trace.decelerationMps2) * Math.min(elapsedS / SETTLE_S, 1);
      trace.speedMps = speed;
    }
  }

  private stroke(trace: Trace, row: Float64Array, at: number, shape: CarShape, i: number): void {
    const wheel = shape.wheels[i]!;
    const yaw = row[at + Pose.yaw]!;
    const cos = Math.cos(yaw);
    const sin = Math.sin(yaw);
    const x = row[at + Pose.x]! + cos * wheel.x - sin * wheel.y;
    const y = row[at + Pose.y]! + sin * wheel.x + cos * wheel.y;
    const bit = 1 << i;
    if (this.look.strength <= 0.02) {
      trace.drawn &= ~bit;
      return;
    }
    const x0 = trace.ends[2 * i]!;
    const y0 = trace.ends[2 * i + 1]!;
    const wayM = Math.hypot(x - x0, y - y0);
    if ((trace.drawn & bit) !== 0 && wayM < STEP_M) return;
    if ((trace.drawn & bit) !== 0 && wayM < JUMP_M) this.ring.add(x0, y0, x, y, this.look);
    trace.drawn |= bit;
    trace.ends[2 * i] = x;
    trace.ends[2 * i + 1] = y;
  }

  /** Forgets cars that have not been seen for a while. */
  sweep(nowMs: number): void {
    for (const [car, trace] of this.traces) {
      if (nowMs - trace.seenMs > 5000) this.traces.delete(car);
    }
  }

  clear(): void {
    this.traces.clear();
  }
}
