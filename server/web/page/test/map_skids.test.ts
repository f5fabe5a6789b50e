// Skid marks: which cars leave some, where, and which leave none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyShape } from '../src/map/field';
import {
  brakingStrength,
  rearSlipRad,
  Skid,
  SkidMaker,
  SkidRing,
  slideStrength,
} from '../src/map/skid_marks';
import { CarFlag, Pose, POSE_FIELDS } from '../src/race/race';

interface Drive {
  slipRad?: number; // by which the nose points inwards of the way
  yawRate?: number;
  speedMps?: number;
  slowingMps2?: number;
  brake?: number;
  flags?: number;
  stale?: number;
  hz?: number;
}

/** A car drives for a second along x or round a bend; what it leaves behind. */
function drive(how: Drive, ring = new SkidRing(1000), maker = new SkidMaker(ring)): SkidRing {
  const row = new Float64Array(POSE_FIELDS);
  const hz = how.hz ?? 60;
  let speed = how.speedMps ?? 30;
  let course = 0;
  for (let i = 0; i < hz; i++) {
    speed = Math.max(0, speed - (how.slowingMps2 ?? 0) / hz);
    course += (how.yawRate ?? 0) / hz;
    row[Pose.car] = 7;
    row[Pose.x]! += (speed * Math.cos(course)) / hz;
    row[Pose.y]! += (speed * Math.sin(course)) / hz;
    row[Pose.vx] = speed * Math.cos(course);
    row[Pose.vy] = speed * Math.sin(course);
    row[Pose.yaw] = course + (how.slipRad ?? 0);
    row[Pose.yawRate] = how.yawRate ?? 0;
    row[Pose.brake] = how.brake ?? 0;
    row[Pose.flags] = how.flags ?? 0;
    row[Pose.stale] = how.stale ?? 0;
    maker.watch(row, 0, anyShape, 1000 + (i * 1000) / hz);
  }
  return ring;
}

test('a car that slides leaves marks of its rear wheels, where these are', () => {
  const ring = drive({ slipRad: 0.3 });
  assert.ok(ring.added > 20);
  const at = ring.at(ring.added - 1);
  const lengthM = Math.hypot(
    ring.values[at + Skid.x1]! - ring.values[at + Skid.x0]!,
    ring.values[at + Skid.y1]! - ring.values[at + Skid.y0]!,
  );
  assert.ok(lengthM >= 0.7 && lengthM < 1.6, `strokes of ${lengthM} m`);
  for (let i = 0; i < ring.added; i++) {
    // 1.25 m behind the middle, 0.76 m aside, turned by 0.3: all rear wheels are near the way.
    assert.ok(Math.abs(ring.values[ring.at(i) + Skid.y0]!) < 1.3);
    assert.ok(ring.values[ring.at(i) + Skid.strength]! > 0.3);
  }
});

test('a car that corners hard but holds leaves none', () => {
  // 1.4 g at 30 m/s: the rear axle runs 1.25 m behind on the arc, tyres slip a little inwards.
  assert.equal(drive({ yawRate: 0.46, slipRad: 0.06 }).added, 0);
  assert.equal(drive({ yawRate: 0.46, slipRad: 0.02 }).added, 0);
});

test('the slip is that of the rear axle, not of the middle', () => {
  const row = new Float64Array(POSE_FIELDS);
  row[Pose.vx] = 10;
  row[Pose.yawRate] = 2;
  assert.ok(Math.abs(rearSlipRad(row, 0, -1.5) - Math.atan2(-3, 10)) < 1e-9);
  assert.equal(rearSlipRad(row, 0, 0), 0);
  row[Pose.vx] = 1;
  assert.equal(rearSlipRad(row, 0, -1.5), 0, 'a car that is being parked');
});

test('braking hard leaves marks of all wheels, gently or by a wall none', () => {
  assert.ok(drive({ speedMps: 60, slowingMps2: 12, brake: 1 }).added > 40);
  assert.equal(drive({ speedMps: 60, slowingMps2: 6, brake: 1 }).added, 0);
  assert.equal(drive({ speedMps: 60, slowingMps2: 12, brake: 0 }).added, 0);
  assert.equal(brakingStrength(8, 1), 0);
  assert.equal(brakingStrength(14, 1), 1);
  assert.ok(slideStrength(-0.3) > 0 && slideStrength(-0.3) === slideStrength(0.3));
});

test('cars that fly, ghosts and cars not heard of leave none', () => {
  assert.equal(drive({ slipRad: 0.4, flags: CarFlag.airborne }).added, 0);
  assert.equal(drive({ slipRad: 0.4, flags: CarFlag.ghost }).added, 0);
  assert.equal(drive({ slipRad: 0.4, stale: 1 }).added, 0);
});

test('off the road it is dirt', () => {
  const ring = drive({ slipRad: 0.3, flags: CarFlag.offRoad });
  assert.equal(ring.values[ring.at(0) + Skid.dirt], 1);
});

test('a car put elsewhere draws no line to there', () => {
  const ring = new SkidRing(1000);
  const maker = new SkidMaker(ring);
  drive({ slipRad: 0.3 }, ring, maker);
  const row = new Float64Array(POSE_FIELDS);
  row.set([7, 500, 500, 0, 0.3, 0, 0, 30, 0, 0, 0]);
  maker.watch(row, 0, anyShape, 1999);
  row[Pose.x] = 501;
  maker.watch(row, 0, anyShape, 2016);
  for (let i = ring.oldest; i < ring.added; i++) {
    const at = ring.at(i);
    assert.ok(Math.abs(ring.values[at + Skid.x1]! - ring.values[at + Skid.x0]!) < 8);
  }
});

test('the ring holds the newest and no more', () => {
  const ring = new SkidRing(10);
  for (let i = 0; i < 37; i++) {
    ring.add(i, 0, i + 1, 0, { widthM: 0.2, strength: 1, nowMs: i, dirt: false });
  }
  assert.equal(ring.added, 37);
  assert.equal(ring.oldest, 27);
  const held = [];
  for (let i = ring.oldest; i < ring.added; i++) held.push(ring.values[ring.at(i) + Skid.x0]);
  assert.deepEqual(held, [27, 28, 29, 30, 31, 32, 33, 34, 35, 36]);
  ring.clear();
  assert.equal(ring.added - ring.oldest, 0);
});
