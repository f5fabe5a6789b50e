/**
 * The law of steering makes of what a driver asks for (a key that is down or not, a thumb on a
 * stick) the steering of the wire. A car's lock is made for hairpins: at 200 km/h a fiftieth of it
 * is all that its tyres can use, and a driver who gets the whole of it from a key spins. So three
 * things are done:
 *
 * 1. A wish is approached at a bounded rate, slower at speed, and left faster than it
 *    was taken up: a tap is a nudge.
 * 2. Full means the angle at which this car has nearly all its grip at this speed: never too much
 *    and never too little. Telemetry tells its grip.
 * 3. With help, wheels are turned against yaw that was not asked for, and a slide is met by
 *    steering where the car goes.
 *
 * Angles are of the road wheels, positive to the left.
 */

/** The motion of the car in its own axes. */
export interface Motion {
  forwardMps: number;
  leftMps: number;
  yawRateRadps: number;
}

/** The figures of a car that the law needs. */
export interface SteeredCar {
  lockRad: number;
  wheelbaseM: number;
  /** On two wheels a rider leans by himself: he is asked for an angle, without help. */
  leans: boolean;
  /** Side force over mass that its tyres have now. */
  gripMps2: number;
}

/** The times in which a device's wish is followed: seconds from the centre to full. */
export interface Feel {
  pressS: number;
  pressFastS: number; // at FAST_MPS and above
  releaseS: number;
  releaseFastS: number;
}

export interface SteeringHow {
  feel: Feel;
  help: number; // from 0 (none) to 1
}

export const KEYS_FEEL: Feel = {
  pressS: 0.25,
  pressFastS: 0.5,
  releaseS: 0.12,
  releaseFastS: 0.22,
};
/** A thumb has a rate of its own; only its jumps are rounded off. */
export const STICK_FEEL: Feel = {
  pressS: 0.08,
  pressFastS: 0.16,
  releaseS: 0.06,
  releaseFastS: 0.12,
};

const FAST_MPS = 55;
const GRIP_SHARE = 0.95; // of what there is: the last of it costs control
const LEAN_SHARE = 0.7; // a rider leans no farther
// The angle that tyres are given at full beyond the curve's own; at speed a car answers it too
// eagerly.
const SLIP_RAD = 0.025;
const SLIP_FAST_RAD = 0.014;
const DAMPING_S = 0.08; // of yaw rate that was not asked for
const SLIDE_RAD = 0.06; // from here on a slide is met,
const SLIDE_FULL_RAD = 0.16; // and from here on as a whole
const SLOW_MPS = 4; // help begins
const FLOWING_MPS = 12; // and is whole
const LAG_S = 0.03; // corrections of a prediction are not to shake the wheel

export const GRIP_USUAL_MPS2 = 9.5;

function between(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** 0 below `from`, 1 above `to`, without corners. */
function ease(value: number, from: number, to: number): number {
  const share = clamp((value - from) / (to - from), 0, 1);
  return share * share * (3 - 2 * share);
}

/**
 * One step of `dtS` from `level` towards `wanted`. Back to the centre goes at its own rate, also on
 * the way to the other side; what is left of the step then goes at the other.
 */
export function approach(
  level: number,
  wanted: number,
  rates: { pressPerS: number; releasePerS: number },
  dtS: number,
): number {
  if (level !== 0 && (wanted * level < 0 || Math.abs(wanted) < Math.abs(level))) {
    const goal = wanted * level > 0 ? wanted : 0;
    const neededS = Math.abs(level - goal) / rates.releasePerS;
    if (neededS > dtS) return level - Math.sign(level) * rates.releasePerS * dtS;
    return approach(goal, wanted, rates, dtS - neededS);
  }
  const left = wanted - level;
  const step = rates.pressPerS * dtS;
  return Math.abs(left) <= step ? wanted : level + Math.sign(left) * step;
}

/** The greatest angle of use at a speed. */
export function usefulAngleRad(car: SteeredCar, speedMps: number): number {
  const share = car.leans ? LEAN_SHARE : GRIP_SHARE;
  const curve = (car.wheelbaseM * car.gripMps2 * share) / Math.max(speedMps * speedMps, 0.01);
  const slip = between(SLIP_RAD, SLIP_FAST_RAD, ease(speedMps, FAST_MPS / 2, FAST_MPS));
  return Math.min(car.lockRad, curve + (car.leans ? 0 : slip));
}

export class Steering {
  private level = 0;
  private driftRad = 0; // of the car's velocity from its heading
  private yawRateRadps = 0;

  reset(): void {
    this.level = 0;
    this.driftRad = 0;
    this.yawRateRadps = 0;
  }

  /** The steering that is asked for at this moment, -1 to 1. */
  get wish(): number {
    return this.level;
  }

  /** Returns a share of the lock, -1 (right) to 1 (left). */
  step(wanted: number, motion: Motion, car: SteeredCar, how: SteeringHow, dtS: number): number {
    const { feel, help } = how;
    const speed = Math.abs(motion.forwardMps);
    const hurry = Math.min(1, speed / FAST_MPS);
    this.level = approach(
      this.level,
      clamp(wanted, -1, 1),
      {
        pressPerS: 1 / between(feel.pressS, feel.pressFastS, hurry),
        releasePerS: 1 / between(feel.releaseS, feel.releaseFastS, hurry),
      },
      dtS,
    );
    this.feelMotion(motion, dtS);
    const plainRad = this.level * usefulAngleRad(car, speed);
    const share = car.leans ? 0 : help * ease(motion.forwardMps, SLOW_MPS, FLOWING_MPS);
    const angleRad = plainRad + share * this.helpRad(car, motion.forwardMps);
    return clamp(angleRad / car.lockRad, -1, 1);
  }

  private feelMotion(motion: Motion, dtS: number): void {
    const share = 1 - Math.exp(-dtS / LAG_S);
    const ahead = Math.max(motion.forwardMps, SLOW_MPS);
    const driftRad = motion.forwardMps > 0 ? Math.atan2(motion.leftMps, ahead) : 0;
    this.driftRad += (driftRad - this.driftRad) * share;
    this.yawRateRadps += (motion.yawRateRadps - this.yawRateRadps) * share;
  }

  private helpRad(car: SteeredCar, forwardMps: number): number {
    const grip = car.gripMps2 * GRIP_SHARE;
    const expectedRadps = (this.level * grip) / Math.max(forwardMps, SLOW_MPS);
    const met = ease(Math.abs(this.driftRad), SLIDE_RAD, SLIDE_FULL_RAD);
    return met * this.driftRad - DAMPING_S * (this.yawRateRadps - expectedRadps);
  }
}
