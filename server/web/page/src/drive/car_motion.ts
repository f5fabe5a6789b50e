// Rows of poses as motion of one car: its velocities, flags, and what steering has to know.
import { CarFlag, Pose, type CarShape } from '../race/race';
import { GRIP_USUAL_MPS2, type Motion, type SteeredCar } from './steering';
import type { Telemetry, TrackOutline } from '../race/race';

/** World velocities seen from the car. */
export function motionOf(row: Float64Array): Motion {
  const yaw = row[Pose.yaw]!;
  const vx = row[Pose.vx]!;
  const vy = row[Pose.vy]!;
  const cos = Math.cos(yaw);
  const sin = Math.sin(yaw);
  return {
    forwardMps: vx * cos + vy * sin,
    leftMps: vy * cos - vx * sin,
    yawRateRadps: row[Pose.yawRate]!,
  };
}

export function hasFlag(flags: number, flag: keyof typeof CarFlag): boolean {
  return (flags & CarFlag[flag]) !== 0;
}

const USUAL_CAR: SteeredCar = {
  lockRad: 0.6,
  wheelbaseM: 2.5,
  leans: false,
  gripMps2: GRIP_USUAL_MPS2,
};

/** The figures of a car that steering needs, from its drawn shape. */
export function steeredCar(shape: CarShape | null, gripMps2: number): SteeredCar {
  if (shape === null || shape.wheels.length < 2) return { ...USUAL_CAR, gripMps2 };
  const along = shape.wheels.map((wheel) => wheel.x);
  const across = shape.wheels.map((wheel) => Math.abs(wheel.y));
  return {
    lockRad: shape.steerRadMax > 0.01 ? shape.steerRadMax : USUAL_CAR.lockRad,
    wheelbaseM: Math.max(0.5, Math.max(...along) - Math.min(...along)),
    leans: Math.max(...across) < 0.05,
    gripMps2,
  };
}

const SLOW_MPS = 8;

/**
 * The side force over mass that the tyres have, with wings and on the ground under them now. A
 * car's weight is what its wheels carry while it is slow.
 */
export class Grip {
  private weightN = 0;
  private mps2 = GRIP_USUAL_MPS2;
  private lastTick = -1;

  reset(): void {
    this.weightN = 0;
    this.mps2 = GRIP_USUAL_MPS2;
    this.lastTick = -1;
  }

  get gripMps2(): number {
    return this.mps2;
  }

  look(telemetry: Telemetry, gravityMps2: number): void {
    if (telemetry.tick === this.lastTick || telemetry.wheels.length === 0) return;
    this.lastTick = telemetry.tick;
    let loadN = 0;
    let holdsN = 0;
    for (const wheel of telemetry.wheels) {
      loadN += wheel.loadN;
      holdsN += wheel.loadN * wheel.friction;
    }
    if (loadN <= 0) return; // it flies
    const isCalm = telemetry.speedMps < SLOW_MPS && Math.abs(telemetry.accelerationXMps2) < 3;
    if (isCalm || this.weightN === 0) this.weightN += (loadN - this.weightN) * this.share(0.1);
    const now = (holdsN / this.weightN) * gravityMps2;
    const bounded = Math.min(45, Math.max(2.5, now));
    this.mps2 += (bounded - this.mps2) * 0.15; // a bump is no change of grip
  }

  private share(usual: number): number {
    return this.weightN === 0 ? 1 : usual;
  }
}

/** The direction of the lap at a car: yaw of the centre line, or null without a lap. */
export function lapYaw(track: TrackOutline, lapM: number): number | null {
  const count = track.lapM.length;
  if (count < 2 || !(track.lengthM > 0)) return null;
  let low = 0;
  let high = count - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (track.lapM[middle]! <= lapM) low = middle;
    else high = middle;
  }
  const dx = track.centre[2 * high]! - track.centre[2 * low]!;
  const dy = track.centre[2 * high + 1]! - track.centre[2 * low + 1]!;
  return Math.atan2(dy, dx);
}

const WRONG_WAY_MPS = 3;

/** Driving against the lap, and not just sliding across it. */
export function goesWrongWay(vx: number, vy: number, lapYawRad: number): boolean {
  return vx * Math.cos(lapYawRad) + vy * Math.sin(lapYawRad) < -WRONG_WAY_MPS;
}
