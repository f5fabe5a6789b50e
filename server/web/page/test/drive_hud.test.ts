// The driver's display: units, deltas, lights, motion of the own car.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deltaShare,
  deltaText,
  isShiftTime,
  shiftLights,
  speedText,
} from '../src/drive/figures';
import { goesWrongWay, Grip, lapYaw, motionOf, steeredCar } from '../src/drive/car_motion';
import { OwnCar } from '../src/drive/own_car';
import {
  Pose,
  POSE_FIELDS,
  type CarShape,
  type Session,
  type Telemetry,
  type TrackOutline,
} from '../src/race/race';

test('speed has its unit', () => {
  assert.equal(speedText(55.5556, 'km/h'), '200');
  assert.equal(speedText(-10, 'km/h'), '36');
  assert.equal(speedText(44.704, 'mph'), '100');
});

test('a delta has a sign, two digits, and no minus zero', () => {
  assert.equal(deltaText(0.1234), '+0.12');
  assert.equal(deltaText(-1.054), '−1.05');
  assert.equal(deltaText(-0.004), '±0.00');
  assert.equal(deltaText(-0.009_999), '±0.00');
  assert.equal(deltaText(0.129_999), '+0.12'); // cut, like every time
  assert.equal(deltaText(0.29), '+0.29'); // 28.999999999999996 hundredths, to a computer
  assert.equal(deltaText(123), '+99.99');
  assert.equal(deltaText(null), '–');
  assert.equal(deltaText(NaN), '–');
  assert.ok(deltaShare(0.3) > 0.3 && deltaShare(-9) > -1.0001 && deltaShare(-9) < -0.99);
});

test('shift lights fill up before the limit', () => {
  assert.equal(shiftLights(5000, 7000, 10), 0);
  assert.equal(shiftLights(5700, 7000, 10), 1);
  assert.equal(shiftLights(6790, 7000, 10), 10);
  assert.equal(shiftLights(9000, 7000, 10), 10);
  assert.equal(shiftLights(9000, 0, 10), 0);
  assert.equal(isShiftTime(6800, 7000), true);
  assert.equal(isShiftTime(6700, 7000), false);
});

test('the own car is the first, and not there where another is', () => {
  const values = new Float64Array(3 * POSE_FIELDS);
  [20, 3, 7].forEach((id, i) => (values[i * POSE_FIELDS + Pose.car] = id));
  const at = (car: number, count: number): OwnCar => {
    const look = new OwnCar();
    const poses = () => ({ count, values });
    const none = { telemetry: () => null, welcome: () => null, standings: () => null };
    const who = { car: () => car, player: () => 1, roster: () => [], carShape: () => null };
    const parts = { ...none, ...who, poses };
    look.look(parts as unknown as Session, 1000);
    return look;
  };
  assert.equal(at(20, 3).isThere, true);
  assert.equal(at(20, 3).get('car'), 20);
  assert.equal(at(3, 3).isThere, false);
  assert.equal(at(20, 0).isThere, false);
});

test('a car that points north and slides west goes to its left', () => {
  const row = new Float64Array(POSE_FIELDS);
  row[Pose.yaw] = Math.PI / 2;
  row[Pose.vx] = -2;
  row[Pose.vy] = 30;
  const motion = motionOf(row);
  assert.ok(Math.abs(motion.forwardMps - 30) < 1e-9);
  assert.ok(Math.abs(motion.leftMps - 2) < 1e-9);
});

function telemetry(tick: number, speedMps: number, loadN: number, friction: number): Telemetry {
  const wheel = { loadN, friction } as Telemetry['wheels'][number];
  const wheels = [wheel, wheel, wheel, wheel];
  return { tick, speedMps, accelerationXMps2: 0, wheels } as Telemetry;
}

test('grip is what tyres hold: more with wings, less on grass, and a jump is no news', () => {
  const grip = new Grip();
  for (let i = 0; i < 60; i++) grip.look(telemetry(i, 0, 1600, 1.6), 9.81);
  assert.ok(Math.abs(grip.gripMps2 - 15.7) < 0.1, `${grip.gripMps2}`);
  for (let i = 60; i < 120; i++) grip.look(telemetry(i, 80, 4000, 1.5), 9.81);
  assert.ok(Math.abs(grip.gripMps2 - 36.8) < 0.3, `${grip.gripMps2}`);
  grip.look(telemetry(120, 80, 0, 1.5), 9.81);
  assert.ok(grip.gripMps2 > 36);
  for (let i = 121; i < 180; i++) grip.look(telemetry(i, 20, 1600, 0.5), 9.81);
  assert.ok(Math.abs(grip.gripMps2 - 4.9) < 0.1, `${grip.gripMps2}`);
  grip.reset();
  for (let i = 180; i < 240; i++) grip.look(telemetry(i, 0, 1600, 1.6), 5);
  assert.ok(Math.abs(grip.gripMps2 - 8) < 0.1, `${grip.gripMps2}: where things weigh half`);
});

test('what steers is read off how a car is drawn', () => {
  const wheel = (x: number, y: number): CarShape['wheels'][number] => {
    return { x, y, radiusM: 0.3, widthM: 0.2 };
  };
  const shape = {
    wheels: [wheel(1.2, 0.7), wheel(1.2, -0.7), wheel(-1.3, 0.7), wheel(-1.3, -0.7)],
    steerRadMax: 0.5,
  } as CarShape;
  const car = steeredCar(shape, 9);
  assert.ok(Math.abs(car.wheelbaseM - 2.5) < 1e-9);
  assert.deepEqual([car.lockRad, car.leans, car.gripMps2], [0.5, false, 9]);
  assert.equal(steeredCar({ ...shape, wheels: [wheel(0.7, 0), wheel(-0.7, 0)] }, 9).leans, true);
  assert.equal(steeredCar(null, 9).lockRad, 0.6);
});

test('against the lap is the wrong way; across it, or slowly back, is not', () => {
  const track = {
    lengthM: 300,
    lapM: Float64Array.of(0, 100, 200),
    centre: Float64Array.of(0, 0, 100, 0, 100, 100),
  } as unknown as TrackOutline;
  const east = lapYaw(track, 50)!;
  assert.ok(Math.abs(east) < 1e-9);
  assert.ok(Math.abs(lapYaw(track, 150)! - Math.PI / 2) < 1e-9);
  assert.equal(goesWrongWay(-10, 0, east), true);
  assert.equal(goesWrongWay(0, -10, east), false);
  assert.equal(goesWrongWay(-2, 0, east), false);
  assert.equal(goesWrongWay(-10, 1, Math.PI / 2), false);
  assert.equal(lapYaw({ ...track, lapM: new Float64Array(0) }, 1), null);
});
