// The dev page's race is the same each time and runs to its results.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeSession } from '../src/dev/fake_session';
import { Pose, POSE_FIELDS } from '../src/race/race';

test('the same race each time, and cars go where they point', () => {
  const one = new FakeSession({ cars: 12, skipS: 20 });
  const two = new FakeSession({ cars: 12, skipS: 20 });
  one.update(1000);
  two.update(5000);
  const at = [...one.poses(3000).values];
  assert.deepEqual(at, [...two.poses(7000).values]);
  const later = one.poses(3010).values;
  for (let i = 0; i < 12; i++) {
    const row = i * POSE_FIELDS;
    const movedX = (later[row + Pose.x]! - at[row + Pose.x]!) / 0.01;
    const movedY = (later[row + Pose.y]! - at[row + Pose.y]!) / 0.01;
    assert.ok(Math.abs(movedX - at[row + Pose.vx]!) < 6, `car ${i} goes ${movedX}`);
    assert.ok(Math.abs(movedY - at[row + Pose.vy]!) < 6, `car ${i} goes ${movedY}`);
  }
});

test('a race runs from the lights to its results', () => {
  const session = new FakeSession({ cars: 6, laps: 1, skipS: -6 });
  const kinds = new Set<string>();
  for (let ms = 0; ms < 220_000; ms += 50) {
    session.update(ms);
    for (const event of session.takeEvents()) kinds.add(event.kind);
  }
  for (const kind of ['lights', 'phase', 'sector', 'lap', 'best-lap', 'finished']) {
    assert.ok(kinds.has(kind), kind);
  }
  const results = session.results();
  assert.equal(results?.lines.length, 6);
  assert.ok(results.lines[0]!.bestLapUs > 60e6);
  assert.equal(session.raceState()?.raceNumber, 2);
});
