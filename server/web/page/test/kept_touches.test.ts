// Touches of the own car: felt once, in the frame that shows them or by the server's word.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Effects } from '../src/map/effects';
import { Field } from '../src/map/field';
import { Traces } from '../src/map/traces';
import type { Instance } from '../src/race/instance';
import { KeptTouches } from '../src/race/kept_touches';
import { Pose, POSE_FIELDS, type RaceEvent, type RosterEntry } from '../src/race/race';

const HZ = 60;
const OWN = 5;
const ROSTER = [[OWN, 1], [6, 40], [7, 41]].map(
  ([player, car]) => ({ player, car }) as RosterEntry,
);

type Row = [car: number, tick: number, impulseNs: number, x: number, y: number];

/** The library, as far as its touches go. */
function library(rows: Row[]): Instance {
  const values = Float64Array.from([0, ...rows.flat()]);
  return {
    calls: { touches: () => rows.length, touch_rows: () => 8 },
    numbers: (at: number, count: number) => values.subarray(at / 8, at / 8 + count),
  } as unknown as Instance;
}

function contact(player: number, other: number, tick: number): RaceEvent {
  return {
    kind: 'contact', tick, raceNumber: 1, player, other, value: 900, timeUs: 0, name: '',
    otherName: '',
  };
}

/** @return which of them are not to be felt any more */
function felt(touches: KeptTouches, events: RaceEvent[]): boolean[] {
  touches.hear(events, OWN, ROSTER, HZ);
  return events.map(({ isFelt }) => isFelt === true);
}

test('a touch is of the frame that began it, and of no other', () => {
  const touches = new KeptTouches();
  touches.read(library([[40, 300, 1200, 7, -3]]), 16, HZ);
  assert.deepEqual(touches.of(16), [{ car: 40, tick: 300, impulseNs: 1200, x: 7, y: -3 }]);
  touches.read(library([[41, 300, 500, 0, 0]]), 16, HZ);
  assert.deepEqual(touches.of(16).map(({ car }) => car), [40, 41], 'read again after news');
  touches.read(library([]), 33, HZ);
  assert.deepEqual([touches.of(16), touches.of(33)], [[], []]);
});

test('one that is foretold anew a few ticks later is the same', () => {
  const touches = new KeptTouches();
  touches.read(library([[40, 300, 1200, 7, -3]]), 16, HZ);
  touches.read(library([[40, 309, 1100, 8, -3]]), 33, HZ);
  assert.deepEqual(touches.of(33), []);
  touches.read(library([[40, 310, 1100, 8, -3]]), 50, HZ);
  assert.equal(touches.of(50).length, 1, 'the next blow is not');
});

test('cars that rub more lightly than anybody feels do not touch', () => {
  const touches = new KeptTouches();
  touches.read(library([[40, 300, 199, 0, 0], [41, 300, 200, 0, 0]]), 16, HZ);
  assert.deepEqual(touches.of(16).map(({ car }) => car), [41]);
  assert.deepEqual(felt(touches, [contact(OWN, 6, 300)]), [false], 'its event is felt');
});

test('the server\'s word of what was felt is marked, and of others never', () => {
  const touches = new KeptTouches();
  touches.read(library([[40, 300, 1200, 7, -3]]), 16, HZ);
  assert.deepEqual(
    felt(touches, [
      contact(OWN, 6, 304), contact(6, OWN, 291), contact(OWN, 6, 290), contact(OWN, 7, 300),
      contact(6, 7, 300), contact(OWN, 0, 300), { ...contact(OWN, 6, 300), kind: 'lap' },
    ]),
    [true, true, false, false, false, false, false],
  );
});

test('what the server told first is not felt after it', () => {
  const touches = new KeptTouches();
  const told = [contact(6, OWN, 300), contact(6, OWN, 302)];
  assert.deepEqual(felt(touches, told), [false, false]);
  touches.read(library([[40, 301, 1200, 7, -3], [41, 301, 1200, 7, -3]]), 16, HZ);
  assert.deepEqual(touches.of(16).map(({ car }) => car), [41]);
});

test('a touch flashes where it is, and not again when the server tells of it', () => {
  const flashes: [number, number, number][] = [];
  const traces = new Traces();
  traces.effects.contact = (...at: Parameters<Effects['contact']>) =>
    void flashes.push([at[0], at[1], at[2]]);
  traces.feel([{ car: 40, tick: 300, impulseNs: 1200, x: 7, y: -3 }], 16);
  assert.deepEqual(flashes.splice(0), [[7, -3, 1200]]);
  const rows = new Float64Array(2 * POSE_FIELDS);
  for (const [row, car, x] of [[0, 1, 10], [1, 40, 12]] as const) {
    rows[row * POSE_FIELDS + Pose.car] = car;
    rows[row * POSE_FIELDS + Pose.x] = x;
  }
  const carOf = (player: number): number =>
    ROSTER.find((entry) => entry.player === player)?.car ?? 0;
  const field = Object.assign(new Field(), { rows, count: 2, carOf });
  traces.hear([{ ...contact(OWN, 6, 300), isFelt: true }, contact(6, OWN, 400)], field, 90);
  assert.deepEqual(flashes, [[11, 0, 900]]);
});
