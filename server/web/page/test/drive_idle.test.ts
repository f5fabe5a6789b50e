// The warning of an idle driver counts down and ends with a touch.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IdleWarning } from '../src/drive/idle';
import type { Controls } from '../src/race/race';

const hands = (changes: Partial<Controls> = {}) =>
  ({ throttle: 0, brake: 0, steer: 0, ...changes }) as Controls;

test('the warning counts down, and ends with the first touch', () => {
  const idle = new IdleWarning();
  assert.equal(idle.text(hands(), 0), '');
  idle.warned(15, 1000);
  assert.equal(idle.text(hands(), 1000), 'Nobody drives your car: 15 s');
  assert.equal(idle.text(hands(), 14_500), 'Nobody drives your car: 2 s');
  for (const touch of [{ throttle: 0.1 }, { brake: 1 }, { steer: -0.02 }]) {
    idle.warned(15, 1000);
    assert.equal(idle.text(hands(touch), 2000), '');
    assert.equal(idle.text(hands(), 3000), '');
  }
});

test('it does not outlast its time', () => {
  const idle = new IdleWarning();
  idle.warned(5, 0);
  assert.equal(idle.text(hands(), 5000), '');
});
