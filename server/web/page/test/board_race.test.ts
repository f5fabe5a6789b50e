// The feed: events as sentences, names, and the past.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RaceEvent, RaceState, Results, Session, Standings } from '../src/race/race';
import { Announcements } from '../src/feed/announcements';
import { eventLine } from '../src/feed/event_text';
import { eventTimeUs, FeedLog, pastTimeUs } from '../src/feed/feed_log';
import { LightSequence } from '../src/header/light_sequence';
import {
  csvField,
  highlights,
  resultsCsv,
  resultsFileName,
  resultsJson,
} from '../src/header/results_file';
import { News, type Hearers } from '../src/shell/news';
import { Drivers } from '../src/ui/drivers';
import { event, standing } from './board_support';

const nameOf = (player: number): string => (player === 1 ? 'Ada' : player === 2 ? 'Bob' : '?');
const taste = { contactNs: 500 };

function said(changes: Parameters<typeof event>[0]): string | undefined {
  return eventLine(event(changes), nameOf, taste)?.text;
}

test('events become sentences', () => {
  assert.equal(said({ kind: 'lap', value: 3, timeUs: 91_234_567 }), 'Ada: lap 3 in 1:31.234');
  assert.equal(
    said({ kind: 'best-lap', player: 2, timeUs: 90e6 }),
    'Bob sets the fastest lap, 1:30.000',
  );
  assert.equal(said({ kind: 'finished', value: 2, timeUs: 300e6 }), 'Ada finishes 2nd in 5:00.000');
  assert.equal(said({ kind: 'finished', value: 1, timeUs: 300e6 }), 'Ada wins in 5:00.000');
  assert.equal(said({ kind: 'contact', other: 2, value: 900 }), 'Ada and Bob touch');
  assert.equal(said({ kind: 'contact', other: 0, value: 9000 }), 'Ada hits a wall hard');
  assert.equal(said({ kind: 'contact', other: 2, value: 499 }), undefined);
  assert.equal(said({ kind: 'left', value: 1 }), 'Ada gave up and left');
  assert.equal(said({ kind: 'phase', player: 0, phase: 'race' }), 'The race is on');
  assert.equal(said({ kind: 'phase', player: 0 }), undefined);
  assert.equal(said({ kind: 'lights', value: 3 }), undefined);
  assert.equal(said({ kind: 'lights', value: 0 }), 'Lights out, and go');
});

test('an event says itself whom it is about', () => {
  const names = { name: 'Zoë', otherName: 'Max' };
  assert.equal(said({ ...names, kind: 'left', player: 7 }), 'Zoë has left');
  const touch = { ...names, kind: 'contact', player: 7, other: 8, value: 900 } as const;
  assert.equal(said(touch), 'Zoë and Max touch');
  const finishes = new Announcements().events(
    [event({ kind: 'finished', player: 7, value: 1, name: 'Zoë' })],
    nameOf,
    () => false,
  );
  assert.deepEqual(finishes, ['Zoë wins']);
});

test('whom events have named is known, whatever the roster says', () => {
  const drivers = new Drivers();
  assert.equal(drivers.nameOf(7), 'Driver 7');
  const touch = event({ player: 7, name: 'Zoë', other: 8, otherName: 'Max' });
  drivers.note([touch, event({ player: 7 })]);
  assert.equal(drivers.nameOf(7) + drivers.nameOf(8), 'ZoëMax');
  drivers.forget();
  assert.equal(drivers.nameOf(7), 'Driver 7');
});

test('what happened before one came is listed, and nothing acts on it', () => {
  const listed: string[] = [];
  const acted: string[] = [];
  const hearers = {
    drivers: new Drivers(),
    feed: { past: (events: RaceEvent[]) => listed.push(...events.map(({ name }) => name)) },
    stage: { events: (events: RaceEvent[]) => acted.push(...events.map(({ name }) => name)) },
    announcements: new Announcements(),
    announcer: { say: (text: string) => acted.push(text) },
    toasts: { add: (text: string) => acted.push(text) },
  } as unknown as Hearers;
  const session = {
    takePastEvents: () => [
      event({ kind: 'best-lap', player: 7, name: 'Zoë', timeUs: 60e6 }),
      event({ kind: 'left', player: 8, name: 'Max' }),
    ],
    takeEvents: () => [event({ kind: 'finished', player: 7, value: 1, name: '' })],
    takeNotices: () => [],
  } as unknown as Session;
  new News(hearers).hear(session, 0, () => false);
  assert.deepEqual(listed, ['Zoë', 'Max']);
  assert.deepEqual(acted, ['', 'Zoë wins'], 'known from before');
});

test('what happened before one came gets its time in this race', () => {
  const counts = { laps: 3, players: 2, running: 2, startPlayers: 0, lobbyLeftUs: 0 };
  const race: RaceState = { ...counts, phase: 'race', raceNumber: 2, raceTimeUs: 90e6 };
  const at = (changes: Partial<RaceEvent>, now = race): number | null =>
    pastTimeUs(event({ raceNumber: 2, ...changes }), now, 7200, 90e6, 60);
  assert.equal(at({ tick: 6600 }), 80e6);
  assert.equal(at({ tick: 600 }), null, 'before the start');
  assert.equal(at({ tick: 6600, raceNumber: 1 }), null, 'of the race before');
  assert.equal(at({ tick: 6600 }, { ...race, phase: 'results' }), null, 'no clock goes');
  assert.equal(at({ tick: 1799, kind: 'phase', phase: 'race' }), 0);
});

test('race control speaks in sentences', () => {
  const line = (changes: Partial<RaceEvent>): string | undefined =>
    eventLine(event({ name: 'Ada', other: 2, ...changes }), () => 'Bob', { contactNs: 0 })?.text;
  assert.equal(line({ kind: 'chequered' }), 'The chequered flag is out');
  assert.equal(line({ kind: 'control', value: 3 }), 'Red flag: the session is stopped');
  assert.equal(line({ kind: 'control', value: 9 }), undefined, 'of a newer server');
  assert.equal(line({ kind: 'offence', value: 2 }), 'Ada is noted for speed in the pit lane');
  assert.equal(line({ kind: 'yellow', value: 4, timeUs: 2 }), 'Double yellow flags');
  assert.equal(line({ kind: 'yellow', value: 4, timeUs: 0 }), undefined);
  assert.equal(line({ kind: 'fault', value: 70 }), 'Ada has 70 % of the fault with Bob');
  assert.equal(line({ kind: 'pit', value: 1 }), undefined, 'the tower says it');
});

test('the feed is bounded and does not repeat itself', () => {
  const log = new FeedLog(3);
  const touch = { topic: 'contacts', text: 'Ada and Bob touch', player: 1, loud: false } as const;
  assert.notEqual(log.add(touch, 10e6), null);
  assert.equal(log.add(touch, 12e6), null);
  assert.notEqual(log.add(touch, 13.5e6), null);
  for (let i = 0; i < 5; i++) log.add({ ...touch, topic: 'laps', text: `lap ${i}` }, 20e6);
  assert.deepEqual(
    log.all().map((line) => line.text),
    ['lap 2', 'lap 3', 'lap 4'],
  );
  assert.equal(new Set(log.all().map((line) => line.id)).size, 3);
});

test('an event has the time of its tick', () => {
  assert.equal(eventTimeUs(event({ tick: 540 }), 600, 30e6, 60), 29e6);
  assert.equal(eventTimeUs(event({ tick: 540 }), 0, 30e6, 60), 30e6);
  assert.equal(eventTimeUs(event({ tick: 5 }), 99999, 30e6, 60), 30e6);
  const go = event({ kind: 'lights', value: 0, tick: 595 });
  assert.equal(eventTimeUs(go, 600, -20e3, 60), 0, 'the clock may be behind, the start is not');
  assert.equal(eventTimeUs({ ...go, kind: 'phase', phase: 'race' }, 600, -20e3, 60), 0);
});

function lit(sequence: LightSequence, nowMs: number): string {
  const at = sequence.at(nowMs);
  return !at.shown ? 'off' : at.go ? 'go' : String(at.lit);
}

test('a light more each second, and all out is go', () => {
  const sequence = new LightSequence();
  assert.equal(lit(sequence, 0), 'off');
  const seen: string[] = [];
  [7, 5, 4, 3, 2, 1, 0].forEach((value, i) => {
    sequence.event(event({ kind: 'lights', value }), i * 1000);
    seen.push(lit(sequence, i * 1000));
  });
  assert.deepEqual(seen, ['0', '1', '2', '3', '4', '5', 'go']);
  sequence.hear('race', 0.1e6);
  assert.equal(lit(sequence, 8000), 'go');
  assert.equal(lit(sequence, 9000), 'off');
});

test('who comes in the middle of the countdown sees its lights', () => {
  const sequence = new LightSequence();
  sequence.hear('countdown', -2.5e6);
  assert.equal(lit(sequence, 0), '3');
  sequence.event(event({ kind: 'lights', value: 2 }), 500);
  assert.equal(lit(sequence, 500), '4');
  sequence.hear('countdown', -2.05e6); // a clock that is a little late takes no light back
  assert.equal(lit(sequence, 500), '4');
  sequence.hear('lobby', 0);
  assert.equal(lit(sequence, 600), 'off');
});

test('lights go out with the race that they were of', () => {
  const go = event({ kind: 'lights', value: 0 });
  const jumped = new LightSequence();
  jumped.event(go, 0);
  assert.equal(lit(jumped, 100), 'go');
  jumped.hear('lobby', 0);
  assert.equal(lit(jumped, 200), 'off', 'a jump in a recording');
  const left = new LightSequence();
  left.event(go, 0);
  left.forget();
  assert.equal(lit(left, 200), 'off');
  left.hear('countdown', -2e6);
  left.forget();
  assert.equal(lit(left, 200), 'off', 'another race is watched');
});

test('until the lights are out a second is left', () => {
  const sequence = new LightSequence();
  sequence.hear('countdown', 0);
  assert.equal(sequence.at(0).secondsLeft, 1);
});

test('what repeats is the same touch of the same cars, whatever comes between', () => {
  const log = new FeedLog(10);
  const touch = { topic: 'contacts', text: 'Ada and Bob touch', player: 1, loud: false } as const;
  const lap = { ...touch, topic: 'laps', text: 'Ada: a lap' } as const;
  assert.notEqual(log.add(touch, 50e6), null);
  assert.notEqual(log.add({ ...touch, text: 'Ada and Eve touch' }, 50.5e6), null);
  assert.notEqual(log.add(lap, 51e6), null);
  assert.notEqual(log.add(lap, 51.5e6), null, 'only contacts come many at a time');
  assert.equal(log.add(touch, 52e6), null);
  assert.notEqual(log.add(touch, 20e6), null, 'after a jump back it is another one');
  log.clear();
  assert.deepEqual(log.all(), []);
});

test('a leader is told once, and not before he has led for a while', () => {
  const announcements = new Announcements();
  const order = (player: number, nowMs: number): string | null => {
    const lines = [standing({ player, state: 'running' })];
    return announcements.order({ lines } as unknown as Standings, 'race', nowMs, nameOf);
  };
  assert.equal(order(1, 1000), null);
  assert.equal(order(1, 3499), null);
  assert.equal(order(1, 3500), 'Ada leads');
  assert.equal(order(1, 9000), null, 'it was said');
  assert.equal(order(2, 20_000), null, 'he has only just come by');
  assert.equal(order(2, 22_500), 'Bob leads');
  announcements.forget();
  assert.equal(order(2, 30_000), null, 'another race begins anew');
});

test('five seconds are counted, and a car that is driven again is no news', () => {
  const say = (changes: Parameters<typeof event>[0]): string[] =>
    new Announcements().events([event(changes)], nameOf, () => true);
  assert.deepEqual(say({ kind: 'lights', value: 5 }), ['5']);
  assert.deepEqual(say({ kind: 'lights', value: 6 }), []);
  assert.deepEqual(say({ kind: 'idle', value: 0 }), []);
});

const results: Results = {
  raceNumber: 4,
  track: 'Ridgeway (long)',
  laps: 3,
  lines: [
    standing({
      position: 1,
      name: '=SUM(A1), "x"',
      grid: 2,
      state: 'finished',
      laps: 3,
      totalUs: 270_123_456,
      bestLapUs: 89e6,
    }),
    standing({
      position: 2,
      player: 2,
      name: 'Bob',
      grid: 6,
      state: 'finished',
      laps: 3,
      totalUs: 271e6,
      gapUs: 876_544,
      bestLapUs: 88e6,
    }),
    standing({ position: 3, player: 3, name: 'Eve', grid: 9, state: 'dnf', laps: 1 }),
  ],
};

test('results can be kept, and are no formulas', () => {
  assert.equal(csvField('-1'), "'-1");
  const rows = resultsCsv(results).split('\r\n');
  const times = 'total_s,gap_s,best_lap_s,last_lap_s';
  assert.equal(rows[0], `position,name,car,state,laps,${times},grid,kicked`);
  assert.equal(rows[1], `1,"'=SUM(A1), ""x""",boxster-s,finished,3,270.123456,,89,,2,0`);
  assert.equal(rows[2], '2,Bob,boxster-s,finished,3,271,0.876544,88,,6,0');
  const json = JSON.parse(resultsJson(results));
  assert.equal(json.lines[0].name, '=SUM(A1), "x"');
  assert.equal(json.lines[2].total_s, null);
  assert.equal(resultsFileName(results, 'csv'), 'apex-ridgeway-long-race-4.csv');
});

test('who never took the start is in the files, apart', () => {
  const passer = { ...results.lines[0]!, position: 0, name: 'Passer', kicked: true };
  const files = { ...results, apart: [passer] };
  const last = resultsCsv(files).trimEnd().split('\r\n').at(-1)!;
  assert.match(last, /^,Passer,boxster-s,did not start,.*,1$/);
  const json = JSON.parse(resultsJson(files));
  assert.deepEqual(json.did_not_start, [{ name: 'Passer', car: 'boxster-s', kicked: true }]);
  assert.equal(json.lines.length, results.lines.length);
});

test('who was fastest, who made up most places', () => {
  const { best, climber } = highlights(results);
  assert.equal(best?.name, 'Bob');
  assert.equal(climber?.name, 'Bob');
});
