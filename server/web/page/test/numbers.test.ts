// What the page shares with C is what the headers say.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test('src/race/numbers.ts is as its headers are', () => {
  const run = spawnSync(process.execPath, ['numbers.js', '--check'], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
});
