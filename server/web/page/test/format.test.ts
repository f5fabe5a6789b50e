// Times as text.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { clockTenths, gapTime, lapTime, microseconds, NONE, raceTime } from '../src/ui/format';

const TEXT_OF: Record<string, (us: number) => string> = {
  time: lapTime,
  gap: gapTime,
  tenths: clockTenths,
  clock: raceTime,
};

// The server and its clients are held to the same lines by unit.base_time_text.
test('times are as the table has them', () => {
  const lines = readFileSync('../../../tests/time_text.cases', 'utf8').split('\n');
  let checked = 0;
  for (const line of lines) {
    if (line === '' || line.startsWith('#')) continue;
    const [kind = '', us = '', wanted = ''] = line.split(' ');
    const text = TEXT_OF[kind]?.(Number(us)).replace(NONE, 'none').replace('−', '-');
    assert.equal(text, wanted, line);
    checked++;
  }
  assert.ok(checked > 60, String(checked));
});

test('what is no time is a dash', () => {
  assert.equal(lapTime(NaN), NONE);
  assert.equal(clockTenths(NaN), NONE);
});

test('seconds of the API become the microseconds that they were', () => {
  for (let us = 1; us < 200e6; us += 77_777) {
    assert.equal(microseconds(us / 1e6), us);
  }
  assert.equal(lapTime(microseconds(1.001)), '1.001'); // times 1e6 it is 1000999.9999999999
});
