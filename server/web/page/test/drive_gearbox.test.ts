// The gearbox: when holding the brake means to reverse, and when that ends.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gearbox } from '../src/drive/gearbox';

const DT_S = 1 / 64; // 16 of them are the quarter of a second that it waits

/** The gear after so many steps. */
function after(box: Gearbox, steps: number, throttle: number, brake: number, mps = 0): number {
  let gear = 0;
  for (let i = 0; i < steps; i++) gear = box.step(throttle, brake, mps, false, DT_S).gear;
  return gear;
}

function reversing(): Gearbox {
  const box = new Gearbox();
  after(box, 16, 0, 1);
  assert.equal(box.isReversing, true);
  return box;
}

test('the brake is held for a quarter of a second, not less and not more', () => {
  const box = new Gearbox();
  assert.equal(after(box, 15, 0, 1), 126);
  assert.equal(after(box, 1, 0, 1), -1);
});

test('two short stops are not one long one', () => {
  const box = new Gearbox();
  after(box, 10, 0, 1);
  after(box, 1, 0, 0);
  assert.equal(after(box, 10, 0, 1), 126);
});

test('who has just left reverse waits for it anew', () => {
  const box = reversing();
  assert.equal(after(box, 1, 1, 0), 126);
  assert.equal(after(box, 15, 0, 1), 126);
  assert.equal(after(box, 1, 0, 1), -1);
});

test('a new car neither reverses nor has waited', () => {
  const box = reversing();
  box.reset();
  assert.equal(box.isReversing, false);
  after(box, 15, 0, 1);
  box.reset();
  assert.equal(after(box, 1, 0, 1), 126);
});

test('both pedals at once change nothing', () => {
  assert.equal(after(new Gearbox(), 32, 1, 1), 126);
  assert.equal(after(reversing(), 32, 1, 1), -1);
});

test('a car that is put back and rolls ahead is out of reverse', () => {
  assert.equal(after(reversing(), 1, 0, 1, 1.9), -1);
  assert.equal(after(reversing(), 1, 0, 1, 2.1), 126);
});

test('who brakes while the car rolls back wants to stop it', () => {
  assert.equal(after(new Gearbox(), 32, 0, 1, -5), 126);
});
