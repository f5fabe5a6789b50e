/**
 * A car for tests of steering: two axles, tyres that saturate and need some way to answer, a rack
 * with a rate. Not the server's physics, but it spins as readily.
 */
import type { Motion, SteeredCar } from '../src/drive/steering';

export const CAR: SteeredCar = {
  lockRad: (36 * Math.PI) / 180,
  wheelbaseM: 2.415,
  leans: false,
  gripMps2: 10,
};

const MASS_KG = 1380;
const INERTIA_KGM2 = 1900;
const FRONT_M = 1.28;
const REAR_M = 1.135;
const RACK_RADPS = (75 * Math.PI) / 180;
const STEP_S = 1 / 480;
const RELAXATION_M = 0.4;

function tyreShare(slipRad: number, friction: number): number {
  const b = 11 * slipRad;
  return friction * Math.sin(1.45 * Math.atan(b - 0.1 * (b - Math.atan(b))));
}

export class Bicycle {
  x = 0;
  y = 0;
  yaw = 0;
  leftMps = 0;
  yawRateRadps = 0;
  steerRad = 0;
  private slipFrontRad = 0;
  private slipRearRad = 0;

  /** The speed is held, as by a foot that knows its pedal. */
  constructor(
    public forwardMps: number,
    private readonly rearFriction = 1.05,
    private readonly frontFriction = 1.03,
  ) {}

  motion(): Motion {
    return {
      forwardMps: this.forwardMps,
      leftMps: this.leftMps,
      yawRateRadps: this.yawRateRadps,
    };
  }

  get slideRad(): number {
    return Math.atan2(this.leftMps, this.forwardMps);
  }

  run(share: number, dtS: number): void {
    const steps = Math.max(1, Math.round(dtS / STEP_S));
    for (let i = 0; i < steps; i++) this.step(share * CAR.lockRad, dtS / steps);
  }

  private step(targetRad: number, h: number): void {
    const turn = RACK_RADPS * h;
    this.steerRad += Math.min(turn, Math.max(-turn, targetRad - this.steerRad));
    const v = this.forwardMps;
    const front = this.steerRad - Math.atan2(this.leftMps + FRONT_M * this.yawRateRadps, v);
    const rear = -Math.atan2(this.leftMps - REAR_M * this.yawRateRadps, v);
    const follow = 1 - Math.exp((-v * h) / RELAXATION_M);
    this.slipFrontRad += (front - this.slipFrontRad) * follow;
    this.slipRearRad += (rear - this.slipRearRad) * follow;
    const weight = MASS_KG * 9.81;
    const onFront = (weight * REAR_M) / (FRONT_M + REAR_M);
    const frontN = onFront * tyreShare(this.slipFrontRad, this.frontFriction);
    const rearN = (weight - onFront) * tyreShare(this.slipRearRad, this.rearFriction);
    const sideN = frontN * Math.cos(this.steerRad) + rearN;
    this.leftMps += (sideN / MASS_KG - v * this.yawRateRadps) * h;
    const turningNm = FRONT_M * frontN * Math.cos(this.steerRad) - REAR_M * rearN;
    this.yawRateRadps += (turningNm / INERTIA_KGM2) * h;
    this.yaw += this.yawRateRadps * h;
    const cos = Math.cos(this.yaw);
    const sin = Math.sin(this.yaw);
    this.x += (v * cos - this.leftMps * sin) * h;
    this.y += (v * sin + this.leftMps * cos) * h;
  }
}
