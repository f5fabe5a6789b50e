// Plots, rings, grip and heat of tyres.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gripOf, heatOf, shiftLights, wheelNames } from '../src/telemetry/grip';
import { LapTrace } from '../src/telemetry/lap_trace';
import { roundTicks } from '../src/telemetry/ticks';
import { Ring } from '../src/telemetry/ring';
import { wheel } from './board_support';

test('ticks are round numbers, and not too many', () => {
  assert.deepEqual(roundTicks(-30, 0, 4), [-30, -20, -10, 0]);
  assert.deepEqual(roundTicks(0, 200, 4), [0, 100, 200]);
  assert.deepEqual(roundTicks(-6, 6, 3), [-5, 0, 5]);
  assert.deepEqual(roundTicks(-2, 104, 3), [0, 50, 100]);
  assert.deepEqual(roundTicks(-2, 104, 2), [0, 100]);
  assert.deepEqual(roundTicks(-0.3, 0.3, 8), [-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3]);
  assert.ok(Object.is(roundTicks(-1, 1, 3)[1], 0));
  assert.ok(roundTicks(0, 4321, 5).length <= 5);
  assert.deepEqual(roundTicks(0, NaN, 4), []);
  assert.deepEqual(roundTicks(3, 3, 4), []);
});

test('a ring has its newest rows in order, in one piece', () => {
  const ring = new Ring(2, 3);
  for (let i = 1; i <= 5; i++) ring.push([i, i * 10]);
  assert.deepEqual([...ring.column(0)], [3, 4, 5]);
  assert.deepEqual([...ring.column(1)], [30, 40, 50]);
  assert.equal(ring.last(1), 50);
  ring.dropBefore(4.5);
  assert.deepEqual([...ring.column(0)], [5]);
  ring.push([6, 60]);
  assert.deepEqual([...ring.column(1)], [50, 60]);
  ring.clear();
  assert.equal(ring.count, 0);
  assert.ok(Number.isNaN(ring.last(0)));
});

test('grip is a share of load times friction', () => {
  const half = gripOf(wheel({ loadN: 4000, friction: 1.5, forceLatN: 3000 }));
  assert.deepEqual(half, { lateral: 0.5, longitudinal: 0, used: 0.5 });
  assert.equal(gripOf(wheel({ loadN: 5000, forceLatN: 3000, forceLongN: -4000 })).used, 1);
  assert.equal(gripOf(wheel({ loadN: 0, forceLatN: 10 })).used, 0);
});

test('wheels have names, whatever drives on them', () => {
  assert.deepEqual(wheelNames(2), ['Front', 'Rear']);
  assert.deepEqual(wheelNames(4), ['Front left', 'Front right', 'Rear left', 'Rear right']);
  assert.equal(wheelNames(6)[3], 'Middle right');
  assert.equal(wheelNames(8).length, 8);
  assert.equal(new Set(wheelNames(8)).size, 8);
});

test('tyres are cold, good, hot', () => {
  assert.deepEqual([20, 80, 110, 140].map(heatOf), ['cold', 'good', 'hot', 'cooked']);
});

test('shift lights come on before the engine ends', () => {
  assert.equal(shiftLights(3000, 7000), 0);
  assert.equal(shiftLights(7000 * 0.97, 7000), 10);
  assert.equal(shiftLights(9000, 7000), 10);
  assert.equal(shiftLights(7000 * 0.835, 7000), 5);
  assert.equal(shiftLights(5000, 0), 0);
});

const LENGTH_M = 1000;

/** Drives `laps` at a speed, from 20 m before the line, twenty times a second. */
function drive(trace: LapTrace, fromS: number, speedMps: number, laps: number): number {
  let m = LENGTH_M - 20;
  let s = fromS;
  const endM = LENGTH_M * (1 + laps) + 1;
  for (; m < endM; m += speedMps / 20, s += 1 / 20) {
    trace.add(s, m % LENGTH_M, speedMps, LENGTH_M);
  }
  return s;
}

test('the quickest whole lap is kept to compare with', () => {
  const trace = new LapTrace(100);
  const afterS = drive(trace, 0, 40, 1);
  assert.equal(trace.bestLapUs(), 0); // until the server has said it
  trace.timed(24_996_789, 0.5); // of the lap before
  assert.equal(trace.bestLapUs(), 0);
  trace.timed(24_996_789, 25.5);
  assert.equal(trace.bestLapUs(), 24_996_789);
  trace.add(afterS, 500, 40, LENGTH_M); // put elsewhere: no lap
  drive(trace, afterS + 1, 50, 1);
  trace.timed(20_001_234, afterS + 1 + 20.4);
  assert.equal(trace.bestLapUs(), 20_001_234);
  assert.ok(trace.best()!.every((speed) => speed === 50));
  assert.equal(trace.current()[0], 50);
  assert.ok(Number.isNaN(trace.current()[50]!));
});

test('a lap that was not seen from its line, or in which time went back, does not count', () => {
  const trace = new LapTrace(100);
  for (let m = 300; m < 1100; m += 2) trace.add(m / 40, m % LENGTH_M, 40, LENGTH_M);
  assert.equal(trace.best(), null);
  trace.add(5, 900, 40, LENGTH_M); // a recording was set back
  for (let m = 902; m < 1100; m += 2) trace.add(5 + (m - 900) / 40, m % LENGTH_M, 40, LENGTH_M);
  assert.equal(trace.best(), null);
});

test('a lap of which seconds were not seen does not count', () => {
  const trace = new LapTrace(100);
  const endS = drive(trace, 0, 40, 0.5);
  trace.add(endS + 10, 530, 40, LENGTH_M); // not far, but not at once either
  for (let m = 530; m < 1100; m += 2)
    trace.add(endS + 10 + (m - 528) / 40, m % LENGTH_M, 40, LENGTH_M);
  assert.equal(trace.best(), null);
});

test('slots that were jumped over at speed are filled', () => {
  const trace = new LapTrace(1000);
  trace.add(0, 10, 40, LENGTH_M);
  trace.add(0.05, 14, 48, LENGTH_M);
  assert.deepEqual([...trace.current().subarray(10, 15)], [40, 42, 44, 46, 48]);
});
