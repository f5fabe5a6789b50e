/**
 * Tests of a driver with three keys (left, right, none), who sees what was 150 ms ago, moves a
 * finger at most every 60 ms, and keeps his lane: on straights, and round the bends of an oval at
 * racing speed. A change of how keys steer must still let him.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEYS_FEEL, Steering } from '../src/drive/steering';
import { Bicycle, CAR } from './bicycle';

const STRAIGHT_M = 343.4;
const EASE_M = 100;
const SEES_S = 0.15;
const FINGER_S = 0.06;
const AHEAD_S = 0.8;
const EASE_AHEAD_S = 0.4;

interface Sight {
  t: number;
  offsetM: number;
  headingRad: number;
}

/** An oval to the left. */
function curvature(lapM: number, radiusM: number): number {
  const bendM = Math.PI * radiusM;
  const m = lapM % (STRAIGHT_M + bendM);
  if (m < STRAIGHT_M) return 0;
  const in_ = (m - STRAIGHT_M) / EASE_M;
  const out = (STRAIGHT_M + bendM - m) / EASE_M;
  return Math.min(1, in_, out) / radiusM;
}

class Fingers {
  key = 0;
  presses = 0;
  private movedS = -1;

  /** `wanted`: the share of the grip that the lane asks for; `has`: what he feels the wheel at. */
  move(wanted: number, has: number, t: number): void {
    if (t - this.movedS <= FINGER_S) return;
    const off = wanted - has;
    let key = this.key;
    if (Math.abs(off) > 0.12) key = Math.sign(off);
    else if (Math.abs(wanted) <= 0.12) key = 0;
    if (key === this.key) return;
    this.key = key;
    this.presses++;
    this.movedS = t;
  }
}

interface Drive {
  speedMps: number;
  radiusM: number;
  lagS: number; // of what the help knows of the car
  seconds: number;
}

/** The farthest that the car was from the middle of its lane, and how often a key was pressed. */
function keepLane(drive: Drive): { farthestM: number; presses: number } {
  const { speedMps, radiusM, lagS } = drive;
  const car = new Bicycle(speedMps);
  const steering = new Steering();
  const fingers = new Fingers();
  const sights: Sight[] = [];
  const motions: { t: number; motion: ReturnType<Bicycle['motion']> }[] = [];
  let lapM = 0;
  let offsetM = 0;
  let lane = 0; // heading of the lane
  let farthestM = 0;
  const dtS = 1 / 60;
  for (let t = 0; t < drive.seconds && farthestM < 20; t += dtS) {
    sights.push({ t, offsetM, headingRad: car.yaw - lane });
    while (sights.length > 1 && sights[1]!.t <= t - SEES_S) sights.shift();
    motions.push({ t, motion: car.motion() });
    while (motions.length > 1 && motions[1]!.t <= t - lagS) motions.shift();
    const seen = sights[0]!;
    const aheadM = speedMps * AHEAD_S;
    const willBeM = seen.offsetM + aheadM * Math.sin(seen.headingRad);
    const bend = curvature(lapM + speedMps * EASE_AHEAD_S, radiusM);
    const wanted = (bend - (2 * willBeM) / aheadM ** 2) * (speedMps ** 2 / 9.3);
    fingers.move(wanted, steering.wish, t);
    const how = { feel: KEYS_FEEL, help: 1 };
    const share = steering.step(fingers.key, motions[0]!.motion, CAR, how, dtS);
    const { x, y } = car;
    car.run(share, dtS);
    const along = (car.x - x) * Math.cos(lane) + (car.y - y) * Math.sin(lane);
    offsetM += (car.y - y) * Math.cos(lane) - (car.x - x) * Math.sin(lane);
    const now = curvature(lapM, radiusM);
    const wayM = along / (1 - now * offsetM);
    lapM += wayM;
    lane += now * wayM;
    farthestM = Math.max(farthestM, Math.abs(offsetM));
  }
  return { farthestM, presses: fingers.presses };
}

function holds(name: string, most: number, drive: Drive): void {
  test(name, () => {
    const { farthestM, presses } = keepLane(drive);
    assert.ok(farthestM < most, `${farthestM.toFixed(2)} m off the lane`);
    assert.ok(presses > 10, `${presses} presses: nobody drove`);
  });
}

const oval = { lagS: 0, seconds: 60 };
holds('130 km/h round bends of 170 m, at eight tenths', 2, {
  ...oval,
  speedMps: 36,
  radiusM: 170,
});
holds('150 km/h round bends of 260 m', 2, { ...oval, speedMps: 42, radiusM: 260 });
holds('200 km/h round bends of 420 m', 3.5, { ...oval, speedMps: 55.6, radiusM: 420 });
holds('200 km/h straight on', 0.6, { ...oval, speedMps: 55.6, radiusM: 1e6 });
holds('250 km/h round bends of 700 m', 4, { ...oval, speedMps: 70, radiusM: 700 });
holds('200 km/h, of a car that is shown a tenth of a second late', 3.5, {
  speedMps: 55.6,
  radiusM: 420,
  lagS: 0.1,
  seconds: 60,
});
