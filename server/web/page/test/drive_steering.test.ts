// Steering by keys: to the lock and back, slower at speed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  approach,
  KEYS_FEEL,
  Steering,
  STICK_FEEL,
  usefulAngleRad,
  type Feel,
  type Motion,
} from '../src/drive/steering';
import { Bicycle, CAR } from './bicycle';

const STANDING: Motion = { forwardMps: 0, leftMps: 0, yawRateRadps: 0 };

function straight(speedMps: number): Motion {
  return { forwardMps: speedMps, leftMps: 0, yawRateRadps: 0 };
}

/** Seconds until the wish is `share`, at `hz`. */
function secondsTo(share: number, wanted: number, motion: Motion, hz: number, feel: Feel): number {
  const steering = new Steering();
  for (let frames = 1; frames < 5 * hz; frames++) {
    steering.step(wanted, motion, CAR, { feel, help: 1 }, 1 / hz);
    if (Math.abs(steering.wish) >= share - 1e-9) return frames / hz;
  }
  return Infinity;
}

test('a key turns the wheels to their lock in a quarter of a second while the car stands', () => {
  const steering = new Steering();
  const how = { feel: KEYS_FEEL, help: 1 };
  let share = 0;
  for (let i = 0; i < 14; i++) share = steering.step(1, STANDING, CAR, how, 1 / 60);
  assert.ok(share > 0.9 && share < 1, `after 14 frames ${share}`);
  share = steering.step(1, STANDING, CAR, how, 1 / 60);
  assert.ok(share > 1 - 1e-9);
});

test('it is slower at speed, and a stick is faster than a key', () => {
  assert.equal(secondsTo(1, 1, straight(0), 60, KEYS_FEEL), 0.25);
  assert.equal(secondsTo(1, 1, straight(55), 60, KEYS_FEEL), 0.5);
  assert.equal(secondsTo(1, 1, straight(90), 60, KEYS_FEEL), 0.5);
  assert.ok(secondsTo(1, 1, straight(27.5), 60, KEYS_FEEL) > 0.35);
  assert.ok(secondsTo(1, 1, straight(55), 60, STICK_FEEL) < 0.2);
});

test('it returns to the centre by itself and comes to rest there', () => {
  const steering = new Steering();
  const how = { feel: KEYS_FEEL, help: 1 };
  for (let i = 0; i < 60; i++) steering.step(1, straight(30), CAR, how, 1 / 60);
  assert.ok(steering.wish > 1 - 1e-9);
  let frames = 0;
  while (Math.abs(steering.wish) > 0 && frames < 60) {
    steering.step(0, straight(30), CAR, how, 1 / 60);
    frames++;
  }
  assert.ok(frames >= 9 && frames <= 12, `${frames} frames`);
  assert.equal(steering.step(0, straight(30), CAR, how, 1 / 60), 0);
});

test('left and right are alike', () => {
  const left = new Steering();
  const right = new Steering();
  const how = { feel: KEYS_FEEL, help: 1 };
  for (let i = 0; i < 90; i++) {
    const wanted = i < 30 ? 1 : i < 50 ? -1 : 0;
    const motion = { forwardMps: 40, leftMps: 0.02 * i, yawRateRadps: 0.3 * Math.sin(i / 9) };
    const mirrored = { ...motion, leftMps: -motion.leftMps, yawRateRadps: -motion.yawRateRadps };
    const a = left.step(wanted, motion, CAR, how, 1 / 60);
    const b = right.step(-wanted, mirrored, CAR, how, 1 / 60);
    assert.ok(Math.abs(a + b) < 1e-12, `frame ${i}: ${a} and ${b}`);
  }
});

test('the way to the other side leads through the centre at the rate of letting go', () => {
  const rates = { pressPerS: 2, releasePerS: 8 };
  // 0.5 back takes 1/16 s; the other 1/16 s of the step press.
  assert.ok(Math.abs(approach(0.5, -1, rates, 0.125) + 0.125) < 1e-12);
  assert.equal(approach(0.5, 0.25, rates, 1), 0.25);
  assert.equal(approach(-0.5, 0, rates, 1 / 32), -0.25);
});

/** Drives a flick at a frame rate; where it is at each tenth of a second. */
function flick(hz: number): { x: number; y: number; share: number }[] {
  const car = new Bicycle(40);
  const steering = new Steering();
  const seen = [];
  let share = 0;
  for (let frame = 0; frame < 3 * hz; frame++) {
    const t = frame / hz;
    const wanted = t < 0.5 ? 1 : t < 1 ? -1 : 0;
    share = steering.step(wanted, car.motion(), CAR, { feel: KEYS_FEEL, help: 1 }, 1 / hz);
    car.run(share, 1 / hz);
    if ((frame + 1) % (hz / 6) === 0) seen.push({ x: car.x, y: car.y, share });
  }
  return seen;
}

test('30, 60 and 144 frames a second drive the same', () => {
  const [slow, usual, fast] = [flick(30), flick(60), flick(144)];
  assert.equal(usual.length, 18);
  for (let i = 0; i < usual.length; i++) {
    const at = usual[i]!;
    for (const other of [slow[i]!, fast[i]!]) {
      const off = Math.hypot(at.x - other.x, at.y - other.y);
      assert.ok(off < 0.25, `after ${i + 1} sixths of a second ${off} m apart`);
      assert.ok(Math.abs(at.share - other.share) < 0.012, `${at.share} and ${other.share}`);
    }
  }
  // The levels themselves, at a steady speed, are the same but for rounding.
  for (const hz of [30, 144]) {
    const a = new Steering();
    const b = new Steering();
    const how = { feel: KEYS_FEEL, help: 0 };
    for (let i = 0; i < hz / 6; i++) a.step(1, straight(40), CAR, how, 1 / hz);
    for (let i = 0; i < 10; i++) b.step(1, straight(40), CAR, how, 1 / 60);
    assert.ok(Math.abs(a.wish - b.wish) < 1e-9);
  }
});

test('full is as much as tyres can use: a degree at 200 km/h, the lock in a hairpin', () => {
  const degrees = (speedMps: number): number => (usefulAngleRad(CAR, speedMps) * 180) / Math.PI;
  assert.ok(degrees(55.6) > 0.8 && degrees(55.6) < 1.6, `${degrees(55.6)}`);
  assert.ok(degrees(20) > 3 && degrees(20) < 5, `${degrees(20)}`);
  assert.ok(Math.abs(degrees(3) - 36) < 1e-9, 'the whole lock');
  const grips = { ...CAR, gripMps2: 3 * CAR.gripMps2 };
  assert.ok(usefulAngleRad(grips, 55.6) > 1.6 * usefulAngleRad(CAR, 55.6), 'a car with wings');
});

test('a key held at 200 km/h uses the grip there is, without a spin', () => {
  const car = new Bicycle(55.6);
  const steering = new Steering();
  let sum = 0;
  let slide = 0;
  for (let i = 0; i < 360; i++) {
    const share = steering.step(1, car.motion(), CAR, { feel: KEYS_FEEL, help: 1 }, 1 / 60);
    car.run(share, 1 / 60);
    slide = Math.max(slide, Math.abs(car.slideRad));
    if (i >= 180) sum += (car.yawRateRadps * car.forwardMps) / 180;
  }
  assert.ok(sum > 8 && sum < 10.5, `${sum} m/s2`);
  assert.ok(slide < 0.14, `slides by ${slide} rad`);
});

test('a car with loose rear wheels spins without help and is caught with it', () => {
  const slideWith = (help: number): number => {
    const car = new Bicycle(35, 0.85);
    const steering = new Steering();
    let slide = 0;
    for (let i = 0; i < 300; i++) {
      const wanted = i < 60 ? 1 : 0;
      car.run(steering.step(wanted, car.motion(), CAR, { feel: KEYS_FEEL, help }, 1 / 60), 1 / 60);
      slide = Math.max(slide, Math.abs(car.slideRad));
    }
    return slide;
  };
  assert.ok(slideWith(0) > 1, 'else this tells nothing');
  assert.ok(slideWith(1) < 0.25, `${slideWith(1)} rad`);
});

test('who leans is not helped: a rider does that himself', () => {
  const bike = { ...CAR, leans: true };
  const steering = new Steering();
  const sliding = { forwardMps: 30, leftMps: 6, yawRateRadps: 1 };
  for (let i = 0; i < 30; i++) {
    assert.equal(steering.step(0, sliding, bike, { feel: KEYS_FEEL, help: 1 }, 1 / 60), 0);
  }
});

test('less on the same side is let go of, and not through the centre', () => {
  const rates = { pressPerS: 2, releasePerS: 8 };
  // A quarter back takes 1/32 s; there it stays for the rest of the step.
  assert.equal(approach(0.5, 0.25, rates, 1 / 16), 0.25);
  assert.equal(approach(-0.5, -0.25, rates, 1 / 16), -0.25);
});

test('going backwards it is as slow as going forwards', () => {
  assert.equal(secondsTo(1, 1, straight(-55), 60, KEYS_FEEL), 0.5);
});

test('no device asks for more than full', () => {
  const steering = new Steering();
  const how = { feel: KEYS_FEEL, help: 1 };
  for (let i = 0; i < 60; i++) steering.step(3, STANDING, CAR, how, 1 / 60);
  assert.equal(steering.wish, 1);
});

test('a new car knows nothing of the slide of the old one', () => {
  const how = { feel: KEYS_FEEL, help: 1 };
  const slides: Motion[] = [
    { forwardMps: 30, leftMps: 6, yawRateRadps: 0 },
    { forwardMps: 30, leftMps: 0, yawRateRadps: 1 },
  ];
  for (const slide of slides) {
    const steering = new Steering();
    for (let i = 0; i < 30; i++) steering.step(1, slide, CAR, how, 1 / 60);
    steering.reset();
    assert.equal(steering.wish, 0);
    assert.equal(steering.step(0, straight(30), CAR, how, 1 / 60), 0);
  }
});

test('rolling backwards is no slide to be met when the car is put back and goes', () => {
  const steering = new Steering();
  const how = { feel: KEYS_FEEL, help: 1 };
  const back = { forwardMps: -10, leftMps: 3, yawRateRadps: 0 };
  for (let i = 0; i < 30; i++) steering.step(0, back, CAR, how, 1 / 60);
  assert.equal(steering.step(0, straight(30), CAR, how, 1 / 60), 0);
});

test('full is the curve that the grip bears, and for tyres that slip a little more', () => {
  // v^2 k = share of the grip; below 27.5 m/s a car has 0.025 rad beyond it, a rider none.
  const curveRad = (CAR.wheelbaseM * CAR.gripMps2) / (20 * 20);
  const near = (rad: number, expected: number): void =>
    assert.ok(Math.abs(rad - expected) < 1e-12, `${rad}, not ${expected}`);
  near(usefulAngleRad(CAR, 20), 0.95 * curveRad + 0.025);
  near(usefulAngleRad({ ...CAR, leans: true }, 20), 0.7 * curveRad);
});
