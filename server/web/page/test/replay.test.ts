// Recordings: times, frames, marks and seeking.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Playback } from '../src/race/race';
import { actionOf } from '../src/replay/replay_keys';
import { PlayClock } from '../src/replay/play_clock';
import { Seeker } from '../src/replay/seeker';
import { nextSpeed, speedChoices, speedText, speedWords } from '../src/replay/speeds';
import { markAt, markText, nextMark, placeMarks, Timeline } from '../src/replay/timeline';

type Marks = Playback['marks'];

function playback(wish: Partial<Playback>): Playback {
  const given = { tick: 0, lastTick: 6000, playing: true, speedPermille: 1000, marks: [] };
  return { ...given, ...wish };
}

const TWO_RACES: Marks = [
  { tick: 600, kind: 'lights', player: 0 },
  { tick: 3000, kind: 'finished', player: 7 },
  { tick: 3600, kind: 'phase', player: 0 },
  { tick: 4800, kind: 'lights', player: 0 },
  { tick: 6600, kind: 'phase', player: 0 },
];

test('times are those of the race, negative before its start', () => {
  const line = new Timeline(TWO_RACES, 7200, 60);
  assert.equal(line.text(0, false), '-0:10');
  assert.equal(line.text(600, false), '0:00');
  assert.equal(line.text(660, false), '0:01');
  assert.equal(line.text(659, false), '0:00');
  assert.equal(line.text(4799, false), '1:09'); // of the first race, to the very end
  assert.equal(line.text(4800, false), '0:00');
  assert.equal(line.totalUs(0), 70e6);
  assert.equal(line.totalUs(4799), 70e6);
  assert.equal(line.totalUs(4800), 40e6);
  assert.deepEqual([line.race(0), line.race(4799), line.race(4800), line.races], [1, 1, 2, 2]);
});

test('frames have times of their own', () => {
  const line = new Timeline(TWO_RACES, 7200, 60);
  assert.equal(line.text(600, true), '0:00.00');
  assert.equal(line.text(601, true), '0:00.01');
  assert.equal(line.text(606, true), '0:00.10');
  assert.equal(line.text(654, true), '0:00.90');
  assert.equal(line.text(4799, true), '1:09.98');
  assert.equal(line.text(594, true), '-0:00.10');
  assert.equal(line.text(510, true), '-0:01.50');
  assert.equal(line.text(0, true), '-0:10.00');
});

test('without a start in it a recording counts from its beginning', () => {
  const line = new Timeline([], 7200, 60);
  assert.equal(line.text(0, false), '0:00');
  assert.equal(line.text(7200, false), '2:00');
  assert.equal(line.totalUs(10), 120e6);
});

test('a race still under way ends where its recording does', () => {
  const line = new Timeline([{ tick: 600, kind: 'lights', player: 0 }], 4200, 60);
  assert.equal(line.totalUs(700), 60e6);
});

test('ticks stay within the recording', () => {
  const line = new Timeline([], 100, 60);
  assert.deepEqual([line.clamp(-3), line.clamp(41.6), line.clamp(101)], [0, 42, 100]);
});

test('marks of one place become one, the weightiest, and none is lost', () => {
  const marks: Marks = [
    { tick: 100, kind: 'contact', player: 3 },
    { tick: 110, kind: 'lights', player: 0 },
    { tick: 115, kind: 'contact', player: 4 },
    { tick: 500, kind: 'best-lap', player: 5 },
    { tick: 1001, kind: 'finished', player: 5 },
  ];
  const placed = placeMarks(marks, 1000, 10);
  assert.deepEqual(placed, [
    { share: 0.11, tick: 110, kind: 'lights', player: 0, others: 2 },
    { share: 0.5, tick: 500, kind: 'best-lap', player: 5, others: 0 },
  ]);
  assert.deepEqual(placeMarks(marks, 0, 10), []);
  assert.equal(placeMarks(marks, 1001, 10_000).length, 5);
});

test('a pointer finds the nearest mark within reach', () => {
  const placed = placeMarks(
    [
      { tick: 100, kind: 'contact', player: 3 },
      { tick: 130, kind: 'finished', player: 4 },
    ],
    1000,
    1000,
  );
  assert.equal(markAt(placed, 0.112, 0.02)?.tick, 100);
  assert.equal(markAt(placed, 0.118, 0.02)?.tick, 130);
  assert.equal(markAt(placed, 0.155, 0.02), null);
});

test('marks are told by what happened and to whom', () => {
  const nameOf = (player: number) => (player === 3 ? 'Ada' : null);
  const mark = { share: 0, tick: 0, others: 0 };
  assert.equal(markText({ ...mark, kind: 'best-lap', player: 3 }, nameOf), 'Best lap, Ada');
  assert.equal(markText({ ...mark, kind: 'best-lap', player: 9 }, nameOf), 'Best lap');
  const start = { ...mark, kind: 'lights', player: 0, others: 2 } as const;
  assert.equal(markText(start, nameOf), 'Start and 2 more');
});

test('going from mark to mark passes none and stays at none', () => {
  const marks: Marks = [
    { tick: 60, kind: 'lights', player: 0 },
    { tick: 1000, kind: 'contact', player: 3 },
    { tick: 1900, kind: 'finished', player: 4 },
  ];
  const lead = 120;
  assert.equal(nextMark(marks, 0, 1, lead), 880); // the start is here already
  assert.equal(nextMark(marks, 880, 1, lead), 1780);
  assert.equal(nextMark(marks, 1780, 1, lead), null);
  assert.equal(nextMark(marks, 1790, -1, lead), 880); // pressed again while it plays
  assert.equal(nextMark(marks, 1900, -1, lead), 1780); // long past it: back to it
  assert.equal(nextMark(marks, 880, -1, lead), 0);
  assert.equal(nextMark(marks, 0, -1, lead), null);
});

test('speeds go up and down in their order', () => {
  assert.equal(nextSpeed(1000, 1), 2000);
  assert.equal(nextSpeed(1000, -1), 500);
  assert.equal(nextSpeed(5000, 1), 8000);
  assert.equal(nextSpeed(5000, -1), 4000);
  assert.equal(nextSpeed(16000, 1), 16000);
  assert.equal(nextSpeed(250, -1), 250);
  assert.deepEqual(speedChoices(5000), [250, 500, 1000, 2000, 4000, 5000, 8000, 16000]);
  assert.deepEqual(speedChoices(4000), [250, 500, 1000, 2000, 4000, 8000, 16000]);
  assert.deepEqual([speedText(250), speedText(16000)], ['0.25×', '16×']);
  assert.deepEqual([speedWords(1000), speedWords(500)], ['Normal speed', 'Speed 0.5 times']);
});

test('between two words of the server the recording goes on by itself', () => {
  const clock = new PlayClock();
  assert.equal(clock.tick(0, 60), 0);
  const told = playback({ tick: 100, speedPermille: 4000 });
  assert.equal(clock.hear(told, 1000), true);
  assert.equal(clock.hear(told, 2000), false); // the same word again moves nothing
  assert.equal(clock.tick(1500, 60), 220);
  assert.equal(clock.tick(900, 60), 100);
  assert.equal(clock.tick(1e6, 60), 6000); // it pauses at its end
  clock.hear(playback({ tick: 300, playing: false }), 3000);
  assert.equal(clock.tick(9000, 60), 300);
  clock.hear(playback({ tick: 500, seeking: true }), 9000);
  assert.equal(clock.tick(9900, 60), 500);
});

test('a dragging hand asks five times a second, and its last wish counts', () => {
  const seeker = new Seeker();
  const now = playback({ tick: 50 });
  const asked: number[] = [];
  for (let ms = 0; ms <= 1000; ms += 10) {
    const tick = seeker.want(ms, now, ms) ?? seeker.due(now, ms);
    if (tick !== null) asked.push(tick);
    assert.equal(seeker.goal(), ms); // what is shown follows the hand
  }
  assert.deepEqual(asked, [0, 200, 400, 600, 800, 1000]);
  assert.equal(seeker.want(1100, now, 1050), null);
  assert.equal(seeker.due(now, 1199), null);
  assert.equal(seeker.due(now, 1200), 1100);
  assert.equal(seeker.due(now, 1500), null); // once
  assert.equal(seeker.settle(1120, now, 1210), 1120); // at once
});

test('what is shown stays at the goal until the server is there', () => {
  const seeker = new Seeker();
  const before = playback({ tick: 50 });
  seeker.settle(3000, before, 0);
  seeker.hear(before, 60, 10);
  assert.equal(seeker.goal(), 3000);
  seeker.hear(playback({ tick: 55 }), 60, 20); // said before it has heard
  assert.equal(seeker.goal(), 3000);
  seeker.hear(playback({ tick: 3000, seeking: true }), 60, 30);
  assert.equal(seeker.goal(), 3000);
  seeker.hear(playback({ tick: 3004 }), 60, 40);
  assert.equal(seeker.goal(), null);
});

test('a goal past the end is reached at the end, and one that is never reached is given up', () => {
  const seeker = new Seeker();
  seeker.settle(9000, null, 0);
  seeker.hear(playback({ tick: 6000 }), 60, 10);
  assert.equal(seeker.goal(), null);
  seeker.settle(3000, null, 100);
  seeker.hear(playback({ tick: 600 }), 60, 200); // it is damaged there
  assert.equal(seeker.goal(), 3000);
  seeker.hear(playback({ tick: 600 }), 60, 3200);
  assert.equal(seeker.goal(), null);
});

test('keys ask for what they are known for', () => {
  assert.deepEqual(actionOf(' ', false), { do: 'toggle' });
  assert.deepEqual(actionOf('ArrowLeft', false), { do: 'move', byS: -5 });
  assert.deepEqual(actionOf('ArrowRight', true), { do: 'move', byS: 30 });
  assert.deepEqual(actionOf('PageUp', false), { do: 'move', byS: 60 });
  assert.deepEqual(actionOf('End', false), { do: 'go', to: 'end' });
  assert.deepEqual(actionOf(',', false), { do: 'frame', by: -1 });
  assert.deepEqual(actionOf('>', true), { do: 'speed', by: 1 });
  assert.equal(actionOf('a', false), null);
});
