// What is said of the connection, and of how well others are foretold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foretoldLines, linkLines } from '../src/header/link_words';
import type { SessionStats } from '../src/race/race';
import { shortLength } from '../src/ui/format';

const stats = {
  rttMs: 61.4,
  delayMs: 83,
  predictedTick: 500,
  predictionErrorM: 0,
  rivalsCompared: 0,
} as SessionStats;

const near = {
  ...stats,
  rivalsCompared: 9,
  rivalsLate: 0,
  touchesCame: 0,
  touchesPhantom: 0,
  touchesUnforeseen: 0,
  rivalAlongP50M: 0.004,
  rivalAlongP95M: 0.053,
  rivalAcrossP50M: 0.006,
  rivalAcrossP95M: 0.123,
  rivalHorizonP50Ms: 133.4,
  rivalHorizonP99Ms: 201,
  rivalCorrectionP99Mps: 0.314,
  rivalCorrectionMaxMps: 2.26,
};

test('the connection is told in words, that of a driver with his rivals', () => {
  assert.deepEqual(linkLines(stats, false), [
    ['Round trip', '61 ms'],
    ['Cars are shown', '83 ms after news of them comes'],
  ]);
  assert.equal(linkLines(stats, true)[1]![0], 'Cars far off are shown');
  assert.deepEqual(linkLines({ ...stats, rttMs: 0 }, true)[0], ['Round trip', 'not known yet']);
  assert.deepEqual(foretoldLines(stats), [
    ['Your car is shown', 'where your controls act, 0.0 cm off usually'],
    ['Rivals within 15 m', 'nobody yet'],
  ]);
  assert.deepEqual(foretoldLines(near).slice(1), [
    ['Rivals are foretold over', '133 ms usually, 201 ms at most in 99 of 100'],
    ['Off lengthways', '0.4 cm usually, 5.3 cm at most in 95 of 100'],
    ['Off sideways', '0.6 cm usually, 12 cm at most in 95 of 100'],
    ['Put right at', '2.3 m/s at most, 0.31 m/s in 99 of 100'],
    ['Touches', 'none'],
    ['Late, for want of news', 'never'],
  ]);
  const touched = { ...near, touchesCame: 1200, touchesPhantom: 2, touchesUnforeseen: 3 };
  assert.equal(
    foretoldLines(touched).at(-2)![1],
    '1,200 felt as they came, 2 that did not, 3 too late',
  );
  assert.equal(foretoldLines({ ...near, rivalsLate: 1234 }).at(-1)![1], 'in 1,234 frames');
  const untold = foretoldLines({ ...near, predictedTick: 0 })[0]!;
  assert.equal(untold[1], 'as the server told of it, late');
});

test('short lengths', () => {
  const said = [0, 0.0996, 0.1, 0.994, 1, 12.345].map(shortLength);
  assert.deepEqual(said, ['0.0 cm', '10.0 cm', '10 cm', '99 cm', '1.00 m', '12.35 m']);
});
