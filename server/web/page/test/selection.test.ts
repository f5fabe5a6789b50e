// The selection tells its listeners of a choice once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Selection } from '../src/ui/selection';

test('listeners hear of a choice once', () => {
  const selection = new Selection();
  const heard: number[] = [];
  selection.onChange((car) => heard.push(car));
  selection.choose(7);
  selection.choose(7);
  selection.choose(0);
  assert.deepEqual(heard, [7, 0]);
  assert.equal(selection.car, 0);
});
