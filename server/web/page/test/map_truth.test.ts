// The server's truth beside what a driver sees.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Field } from '../src/map/field';
import { Truth } from '../src/map/truth';
import { Pose, POSE_FIELDS, type Poses } from '../src/race/race';

interface At {
  car: number;
  tick: number;
  x?: number;
  y?: number;
  yaw?: number;
}

function rows(cars: At[]): Poses {
  const values = new Float64Array(cars.length * POSE_FIELDS);
  cars.forEach((car, i) => {
    for (const name of ['car', 'tick', 'x', 'y', 'yaw'] as const) {
      values[i * POSE_FIELDS + Pose[name]] = car[name] ?? 0;
    }
  });
  return { count: cars.length, values };
}

function fieldOf(cars: At[]): Field {
  const field = new Field();
  const { count, values } = rows(cars);
  return Object.assign(field, { count, rows: values });
}

function truth(): Truth {
  const element = { hidden: true };
  Object.assign(globalThis, {
    document: { createElement: () => ({ ...element, setAttribute: () => {}, append: () => {} }) },
  });
  return new Truth();
}

test('what was seen is compared with the server when its word reaches that moment', () => {
  const view = truth();
  // Both drive 2 m a tick. Of the rival the page was 0.3 m wrong from tick 110 on.
  for (let tick = 100; tick <= 120; tick++) {
    const wrongM = tick >= 110 ? 0.3 : 0;
    const drawn = [{ car: 9, tick, x: 2 * tick }, { car: 4, tick, x: 2 * tick + wrongM, y: 3 }];
    const toldTick = tick - 6.5;
    const had = { tick: toldTick, x: 2 * toldTick };
    const told = [{ ...had, car: 4, y: 3 }, { ...had, car: 9 }];
    view.compare(fieldOf(drawn), rows(told));
    const [rival, own] = view.outlines;
    assert.deepEqual([rival!.car, own!.car], [4, 9]);
    assert.equal(rival!.had.x, 2 * toldTick);
    if (toldTick < 100) {
      assert.equal(rival!.seen, null, 'nothing was seen of that moment yet');
      continue;
    }
    const offM = rival!.seen!.x - rival!.had.x;
    const isWrong = toldTick > 110 ? 0.3 : toldTick > 109 ? 0.15 : 0;
    assert.ok(Math.abs(offM - isWrong) < 1e-9, `${offM} m off at ${toldTick}`);
    assert.ok(Math.abs(own!.seen!.x - own!.had.x) < 1e-9);
  }
});

test('who is shown as told has no outline, and is forgotten', () => {
  const view = truth();
  const at = (tick: number, ahead: number): void =>
    view.compare(fieldOf([{ car: 4, tick: tick + ahead }]), rows([{ car: 4, tick }]));
  for (let tick = 0; tick < 20; tick++) at(tick, 6);
  assert.notEqual(view.outlines[0]!.seen, null);
  at(20, 0.2);
  assert.equal(view.outlines.length, 0);
  at(21, 6);
  assert.equal(view.outlines[0]!.seen, null, 'what was seen before the gap is not gone by');
});

test('a car that turns past west turns the short way', () => {
  const view = truth();
  view.compare(fieldOf([{ car: 4, tick: 10, yaw: 3.1 }]), rows([{ car: 4, tick: 4 }]));
  view.compare(fieldOf([{ car: 4, tick: 12, yaw: -3.1 }]), rows([{ car: 4, tick: 11 }]));
  const { seen } = view.outlines[0]!;
  assert.ok(Math.abs(seen!.yaw - Math.PI) < 1e-9, `${seen!.yaw}`);
});
