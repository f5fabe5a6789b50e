// The lap book: the clock at the line, deltas, laps that are no measure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameLap, keepTrace, keptTrace, LapClock, Trace } from '../src/drive/lap';
import { MemoryStore } from '../src/drive/settings_store';

const LENGTH_M = 3000;

/** Drives on from where `at` is, at `speed` for `seconds`, telling the clock 20 times a second. */
class Driver {
  timeS = 100;
  lapM = LENGTH_M - 20;
  better = 0;

  constructor(readonly clock: LapClock) {
    this.tell(0);
  }

  private tell(speedMps: number): void {
    const { timeS, lapM } = this;
    if (this.clock.add({ timeS, lapM, speedMps })) this.better++;
  }

  drive(speedMps: number, metres: number): void {
    let leftM = metres;
    while (leftM > 1e-9) {
      const stepM = Math.min(leftM, speedMps * 0.05);
      leftM -= stepM;
      this.timeS += stepM / speedMps;
      this.lapM = (this.lapM + stepM) % LENGTH_M;
      this.tell(speedMps);
    }
  }

  jump(toM: number): void {
    this.timeS += 0.05;
    this.lapM = toM;
    this.tell(0);
  }
}

function begun(best: Trace | null = null): { clock: LapClock; driver: Driver } {
  const clock = new LapClock();
  clock.begin(LENGTH_M, best);
  return { clock, driver: new Driver(clock) };
}

function near(value: number | null, expected: number, tolerance = 0.01): void {
  assert.ok(value !== null, 'there is a value');
  assert.ok(Math.abs(value - expected) < tolerance, `${value}, not ${expected}`);
}

test('the clock starts at the line, between two samples, and runs', () => {
  const { clock, driver } = begun();
  assert.equal(clock.isRunning(), false);
  driver.drive(47, 20 + 470);
  near(clock.lapS(driver.timeS), 10, 0.001);
  near(clock.lapS(driver.timeS + 0.5), 10.5, 0.001);
});

test('a slower lap falls behind by what it is slower, place by place', () => {
  const { clock, driver } = begun();
  driver.drive(50, 20);
  assert.equal(clock.delta(), null);
  driver.drive(50, LENGTH_M); // 60 s
  assert.equal(driver.better, 1);
  near(clock.delta(), 0);
  driver.drive(40, 1500); // 37.5 s instead of 30
  near(clock.delta(), 7.5);
  driver.drive(60, 900); // 15 instead of 18
  near(clock.delta(), 4.5);
});

test('a faster lap is ahead, becomes the best at the line, and the next is measured by it', () => {
  const { clock, driver } = begun();
  driver.drive(50, 20 + LENGTH_M);
  driver.drive(60, 1800); // 30 instead of 36
  near(clock.delta(), -6);
  driver.drive(60, 1200);
  assert.equal(driver.better, 2);
  near(clock.bestTrace()!.lapS, 50, 0.005);
  driver.drive(60, 1500);
  near(clock.delta(), 0);
  driver.drive(50, 1490);
  near(clock.delta(), 1490 / 50 - 1490 / 60, 0.02);
  driver.drive(50, 20);
  near(clock.delta(), 0, 0.05); // across the line: a new lap
  assert.equal(driver.better, 2);
});

test('put back onto the track, time is lost where it was lost, and the lap still counts', () => {
  const { clock, driver } = begun();
  driver.drive(50, 20 + LENGTH_M);
  driver.drive(50, 1000);
  driver.jump(900); // back by 100 m
  near(clock.delta(), 2.05);
  driver.drive(50, 1100);
  near(clock.delta(), 2.05);
  driver.drive(50, 1000);
  assert.equal(driver.better, 1, 'it was slower');
});

test('a lap that was not driven as a whole is no measure', () => {
  const { clock, driver } = begun();
  driver.drive(50, 20 + 1000);
  driver.jump(2500);
  driver.drive(50, 500);
  assert.equal(driver.better, 0);
  assert.equal(clock.bestTrace(), null);
  driver.drive(50, LENGTH_M);
  assert.equal(driver.better, 1);
});

test('rolling back over the line and on again starts no lap', () => {
  const { clock, driver } = begun();
  driver.drive(50, 20 + LENGTH_M + 5);
  driver.jump(LENGTH_M - 5);
  driver.drive(50, 10);
  assert.equal(driver.better, 1);
  near(clock.lapS(driver.timeS), 0.1 + 0.05 + 0.2, 0.01);
});

test('after the race was stopped nothing runs until the line', () => {
  const { clock, driver } = begun();
  driver.drive(50, 20 + LENGTH_M + 600);
  clock.stop();
  driver.drive(50, 100);
  assert.equal(clock.isRunning(), false);
  assert.equal(clock.delta(), null);
  driver.drive(50, LENGTH_M);
  assert.equal(clock.isRunning(), true);
  near(clock.delta(), 0);
});

test('a best lap is kept for its track and car, and nothing broken is taken for one', () => {
  const store = new MemoryStore();
  const { clock, driver } = begun();
  driver.drive(50, 20 + LENGTH_M);
  keepTrace(store, 'oval', 'formula', clock.bestTrace()!);
  assert.equal(keptTrace(store, 'oval', LENGTH_M, 'micra'), null);
  assert.equal(keptTrace(store, 'oval', LENGTH_M + 7, 'formula'), null, 'the track has changed');
  const kept = keptTrace(store, 'oval', LENGTH_M, 'formula')!;
  near(kept.lapS, 60, 0.002);
  near(kept.at(1234), 1234 / 50, 0.01);

  const another = begun(kept);
  another.driver.drive(40, 20 + 1000);
  near(another.clock.delta(), 5, 0.02);

  const backwards = Array.from({ length: 401 }, (_, i) => (i === 200 ? 0 : i * 100));
  for (const text of ['{', '{"ms":[1,2]}', '{"ms":7}', JSON.stringify({ ms: backwards })]) {
    store.set('apex.drive.lap.oval.3000.formula', text);
    assert.equal(keptTrace(store, 'oval', LENGTH_M, 'formula'), null, text.slice(0, 20));
  }
});

test('a best lap has the time that the server gave it, also on another day', () => {
  const store = new MemoryStore();
  const { clock, driver } = begun();
  driver.drive(50, 20 + LENGTH_M);
  const best = clock.bestTrace()!;
  const endS = best.endS;
  near(endS, 160.4, 0.002);
  assert.equal(isSameLap({ us: 60_003_456, endS: endS - 60 }, best), false, 'the lap before');
  assert.equal(isSameLap({ us: 61_003_456, endS }, best), false, 'not this long');
  assert.equal(isSameLap({ us: 60_003_456, endS: endS + 0.03 }, best), true);
  best.officialUs = 60_003_456;
  keepTrace(store, 'oval', 'formula', best);
  assert.equal(keptTrace(store, 'oval', LENGTH_M, 'formula')!.officialUs, 60_003_456);
  driver.drive(60, LENGTH_M + 1); // a better one, of which the server has said nothing yet
  assert.equal(clock.bestTrace()!.officialUs, 0);
});

test('telemetry that comes late is no way back', () => {
  const { clock, driver } = begun();
  driver.drive(50, 20 + LENGTH_M + 500);
  clock.add({ timeS: driver.timeS - 1, lapM: LENGTH_M - 10, speedMps: 50 });
  near(clock.delta(), 0);
});

test('behind the line after rolling back nothing is compared', () => {
  const { clock, driver } = begun();
  driver.drive(50, 20 + LENGTH_M + 5);
  driver.jump(LENGTH_M - 5);
  assert.equal(clock.delta(), null);
});

test('a race that begins anew forgets a roll back, and where the car was', () => {
  const rolled = begun();
  rolled.driver.drive(50, 20 + 5);
  rolled.driver.jump(LENGTH_M - 5);
  rolled.clock.stop();
  rolled.driver.jump(LENGTH_M - 4);
  rolled.driver.drive(50, 10);
  assert.equal(rolled.clock.isRunning(), true);
  const placed = begun();
  placed.driver.drive(50, 20 + LENGTH_M - 100);
  placed.clock.stop();
  placed.driver.jump(10); // onto a grid past the line: it was not driven over
  assert.equal(placed.clock.isRunning(), false);
});

test('no lap has lasted less than nothing', () => {
  const { clock, driver } = begun();
  driver.drive(50, 40);
  assert.equal(clock.lapS(driver.timeS - 10), 0);
});

test('the time of an old best is not that of the lap which takes its place', () => {
  const { clock, driver } = begun();
  driver.drive(50, 20 + LENGTH_M);
  clock.bestTrace()!.officialUs = 60_000_000;
  for (const mps of [52, 54, 56]) driver.drive(mps, LENGTH_M);
  assert.equal(driver.better, 4);
  assert.equal(clock.bestTrace()!.officialUs, 0);
});
