// Figures on the operator's page, and what stands out among them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isToken } from '../src/admin/orders';
import {
  counterRows,
  driversTitle,
  healthFigures,
  knownAs,
  stageShares,
  timeText,
  uptimeText,
  whereabouts,
} from '../src/admin/status';
import { agoText, raceCard, replayCard } from '../src/picker/cards';
import { errorText, listOf } from '../src/ui/api';
import { Announcements } from '../src/feed/announcements';
import { event, standing, standings } from './board_support';

test('what took longer than a tick stands out', () => {
  const status = {
    ticks: { p99_us: 16_000, max_us: 900_000 },
    ticks_last_min: { max_us: 17_000 },
    ticks_dropped: 0,
    strain: 2,
    strain_text: 'busy',
  };
  const bad = healthFigures(status, 16_667).filter((figure) => figure.isBad);
  assert.deepEqual(
    bad.map((figure) => figure.name),
    ['Worst tick, last minute', 'Load'],
  );
  const none = healthFigures({}, 16_667);
  assert.ok(none.every((figure) => !figure.isBad));
  assert.equal(none.find((figure) => figure.name === 'Controls on their tick')?.value, '–');
});

test('a worst tick of long ago is no news', () => {
  const status = { ticks: { max_us: 900_000 }, ticks_last_min: { max_us: 1500 } };
  const worst = healthFigures(status, 16_667).find(({ name }) => name.startsWith('Worst'));
  assert.deepEqual(worst, { name: 'Worst tick, last minute', value: '1.50 ms', isBad: false });
});

test('operators see by what a driver is known', () => {
  const player = {
    position: 1, player: 1, name: 'Ada', car: 'micra', laps: 0, best_lap_s: null, present: true,
    driven_by_server: false, connected: true, lost: false, address: null,
  };
  const driver = 'df34250704abcdf8ccae1da7fb55dc49';
  assert.equal(knownAs({ ...player, driver, guest: false }), 'df342507');
  assert.equal(knownAs({ ...player, driver: null, guest: true }), 'guest');
  assert.equal(knownAs({ ...player, driver: null, guest: false }), '', 'a bot of the server');
  assert.equal(knownAs(player), '', 'a server that knows no keys');
});

test('drivers are counted as the list has them', () => {
  const player = (id: number, present: boolean) => ({
    position: id, player: id, name: `D${id}`, car: 'micra', laps: 0, best_lap_s: null, present,
    driven_by_server: false, connected: present, lost: false, address: null,
  });
  const order = [player(1, true), player(2, true), player(3, false)];
  const figures = healthFigures({ players: 5, order }, 16_667);
  assert.equal(figures.find(({ name }) => name === 'Drivers')?.value, '2');
  assert.equal(driversTitle(order), 'Drivers (2), 1 has left');
  assert.equal(driversTitle(order.slice(0, 2)), 'Drivers (2)');
});

test('stages are shares, the largest first; what took nothing is left out', () => {
  assert.deepEqual(stageShares({ send: 1, step: 3, store: 0 }), [
    ['step', 0.75],
    ['send', 0.25],
  ]);
  assert.deepEqual(stageShares(undefined), []);
});

test('counters are read, whatever else is beside them', () => {
  const rows = counterRows({
    bad_name: 2,
    controls_late: 30,
    none: 0,
    newest: 'x',
    failing: false,
  });
  assert.deepEqual(rows, [
    ['controls late', 30],
    ['bad name', 2],
  ]);
  assert.deepEqual(counterRows(null), []);
});

test('times of an operator', () => {
  assert.deepEqual([812, 1240, 123_456, 2e6, undefined].map(timeText), [
    '812 µs',
    '1.24 ms',
    '123 ms',
    '2.0 s',
    '–',
  ]);
  assert.equal(uptimeText(93784), '1 d 02:03');
  assert.equal(uptimeText(65), '01:05');
  assert.equal(uptimeText(3605), '1:00:05');
});

test('where a player is', () => {
  const player = {
    position: 1,
    player: 1,
    name: 'x',
    car: 'y',
    laps: 0,
    best_lap_s: null,
    present: true,
    driven_by_server: true,
    connected: false,
    lost: true,
    address: null,
  };
  assert.equal(whereabouts(player), 'lost; the server drives');
  assert.equal(whereabouts({ ...player, lost: false }), 'server');
  assert.equal(
    whereabouts({ ...player, lost: false, driven_by_server: false, present: false }),
    'gone',
  );
});

test('a token fits into a header', () => {
  assert.ok(isToken('board-secret-token'));
  for (const text of ['', 'a b', 'a\r\nHost: x', 'tökén', 'x'.repeat(128)])
    assert.ok(!isToken(text), text);
});

test('refusals are told in the words of the server', () => {
  assert.equal(errorText(409, { error: 'the race is on' }), 'the race is on');
  assert.equal(errorText(401, null), 'The token is wrong, or missing.');
  assert.equal(errorText(500, { error: 5 }), 'The server answered 500.');
  assert.deepEqual(listOf({}), []);
});

test('cards say what a race is at', () => {
  const card = raceCard({
    id: 2,
    name: 'Sprint',
    players: 3,
    clients: 5,
    laps: 1,
    phase: 'race',
    race_time_s: 61.5,
  });
  assert.deepEqual(card.facts, ['3 drivers', '2 watching', '1 lap', '1:01']);
  assert.equal(card.href, '/race/2');
  assert.deepEqual(raceCard({ id: 1 }).facts, ['0 drivers', 'open session']);
  const recorded = replayCard(
    { name: 'a b.apexr', bytes: 1500, ticks: 3600, tick_hz: 60, modified_s: 100 },
    100 + 7200,
  );
  assert.equal(recorded.href, '/replay/a%20b.apexr');
  assert.deepEqual(recorded.facts, ['2 hours ago', '1:00', '1.5 kB']);
  assert.deepEqual([0, 60, 3599, 86400 * 2].map(agoText), [
    'just now',
    '1 minute ago',
    '59 minutes ago',
    '2 days ago',
  ]);
});

const nameOf = (player: number): string => `P${player}`;

test('who leads for a while is announced, once', () => {
  const heard = new Announcements();
  const one = standings([standing({ player: 1 })]);
  const two = standings([standing({ player: 2 })]);
  const said = [
    heard.order(one, 'grid', 0, nameOf),
    heard.order(one, 'race', 0, nameOf),
    heard.order(one, 'race', 3000, nameOf),
    heard.order(one, 'race', 9000, nameOf),
    heard.order(two, 'race', 10000, nameOf),
    heard.order(one, 'race', 11000, nameOf), // back after a second: that was no change
    heard.order(one, 'race', 15000, nameOf),
    heard.order(two, 'race', 20000, nameOf),
    heard.order(two, 'race', 22600, nameOf),
  ];
  assert.deepEqual(
    said.filter((text) => text !== null),
    ['P1 leads', 'P2 leads'],
  );
});

test('only what matters is announced', () => {
  const events = [
    event({ kind: 'lights', value: 9 }),
    event({ kind: 'lights', value: 1 }),
    event({ kind: 'lights', value: 0 }),
    event({ kind: 'lap', player: 1 }),
    event({ kind: 'finished', player: 2, value: 1 }),
    event({ kind: 'finished', player: 3, value: 2 }),
    event({ kind: 'finished', player: 1, value: 3 }),
    event({ kind: 'dnf', player: 3 }),
  ];
  const said = new Announcements().events(events, nameOf, (player) => player === 1);
  assert.deepEqual(said, ['1', 'Lights out, go', 'P2 wins', 'P1 finishes 3rd']);
});
