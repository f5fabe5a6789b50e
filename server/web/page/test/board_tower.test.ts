// The tower: gaps, laps down, sectors, searching, counting.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Welcome } from '../src/race/race';
import { findDrivers } from '../src/tower/search';
import { gapText, intervalText, lapsBehind, leadersLap, placesWon } from '../src/tower/gaps';
import { rowsOf, rowWords } from '../src/tower/model';
import { moves, windowOf } from '../src/tower/row_moves';
import { bestLapUs, lapColour, sectorChip } from '../src/tower/sectors';
import { standing, standings } from './board_support';

const LAP_M = 3000;
const wish = {
  lapLengthM: LAP_M,
  ownPlayer: 0,
  welcome: { takesKeys: true } as Welcome,
  driverOf: () => null,
  carTitle: (carDef: string) => carDef,
};

test('a car is a lap down only once the leader has come round to it', () => {
  const leader = standing({ laps: 5, lapM: 400 });
  assert.equal(lapsBehind(standing({ laps: 4, lapM: 2900 }), leader), 0);
  assert.equal(lapsBehind(standing({ laps: 4, lapM: 300 }), leader), 1);
  assert.equal(lapsBehind(standing({ laps: 3, lapM: 2900 }), leader), 1);
  assert.equal(lapsBehind(standing({ laps: 3, lapM: 100 }), leader), 2);
});

test('a leader who is home laps nobody who is on the last lap', () => {
  const leader = standing({ laps: 10, lapM: 2500, state: 'finished' });
  assert.equal(lapsBehind(standing({ laps: 9, lapM: 100 }), leader), 0);
  assert.equal(lapsBehind(standing({ laps: 9, lapM: 0, state: 'finished' }), leader), 1);
});

test('gaps are seconds once timed, metres before, laps when lapped', () => {
  const leader = standing({ player: 1, laps: 5, lapM: 400 });
  const second = standing({ player: 2, position: 2, laps: 5, lapM: 100, gapUs: 4_321_987 });
  const lapped = standing({ player: 3, position: 3, laps: 3, lapM: 100, gapUs: 90e6 });
  assert.equal(gapText(leader, leader, LAP_M), 'Leader');
  assert.equal(gapText(second, leader, LAP_M), '+4.321');
  assert.equal(gapText({ ...second, gapUs: 59_999_000 }, leader, LAP_M), '+59.999');
  assert.equal(gapText({ ...second, gapUs: 62_345_000 }, leader, LAP_M), '+1:02.3');
  assert.equal(gapText(lapped, leader, LAP_M), '+2 laps');
  const untimed = standing({ player: 4, position: 2, laps: 0, lapM: 120 });
  assert.equal(gapText(untimed, standing({ lapM: 150 }), LAP_M), '+30 m');
  assert.equal(gapText({ ...untimed, lapM: -20 }, standing({ lapM: 1480 }), LAP_M), '+1.5 km');
  const overTheLine = standing({ laps: 1, lapM: 20 });
  assert.equal(gapText(standing({ player: 4, laps: 0, lapM: 2990 }), overTheLine, LAP_M), '+30 m');
});

test('whoever was timed before those ahead got by has a gap in metres', () => {
  const at = (player: number, lapM: number, gapUs: number) =>
    standing({ player, position: player, laps: 1, lapM, gapUs });
  const lines = [at(1, 900, 0), at(2, 800, 5e6), at(3, 760, 4e6), at(4, 700, 6e6)];
  const rows = rowsOf(standings(lines), wish);
  assert.deepEqual(
    rows.map((row) => row.gap),
    ['Leader', '+5.000', '+140 m', '+6.000'],
  );
});

test('in the first lap all behind one who was not timed again have metres', () => {
  const at = (player: number, lapM: number, gapUs: number) =>
    standing({ player, position: player, lapM, gapUs });
  const lines = [at(1, 900, 0), at(2, 800, 5e6), at(3, 760, 4e6), at(4, 700, 6e6)];
  assert.deepEqual(
    rowsOf(standings(lines), wish).map((row) => row.gap),
    ['Leader', '+5.000', '+140 m', '+200 m'],
  );
});

test('a chip has whole and tenth seconds, not rounded up, also of more than a minute', () => {
  const line = standing({ sectorUs: [59_990_000, 62_449_000, 0] });
  const [row] = rowsOf(standings([line]), wish);
  assert.deepEqual(
    row!.chips.map((chip) => chip.text),
    ['59.9', '62.4', ''],
  );
});

test('guests are marked, drivers have their fingerprints, and those of the server neither', () => {
  const lines = [1, 2, 3, 4].map((player) => standing({ player, position: player }));
  const fingerprints = ['df34250704abcdf8ccae1da7fb55dc49', '', ''];
  const driverOf = (player: number) =>
    player > fingerprints.length
      ? null // has left
      : {
          player,
          car: player,
          name: 'Ada',
          code: 'ADA',
          carDef: 'kart',
          drivenByServer: player === 3,
          driver: fingerprints[player - 1]!,
        };
  const rows = rowsOf(standings(lines), { ...wish, driverOf });
  assert.deepEqual(rows.map((row) => row.isGuest), [false, true, false, false]);
  assert.deepEqual(rows.map((row) => row.who), ['driver df342507', 'guest', '', '']);
  assert.match(rowWords(rows[1]!), /^Position 2, ADA Ada Lovelace, guest, /);
  assert.doesNotMatch(rowWords(rows[0]!), /guest|df34/);
  const [, plain] = rowsOf(standings(lines), { ...wish, driverOf, welcome: null });
  assert.equal(plain!.isGuest, false);
});

test('nobody has a gap on the grid, nor after giving up', () => {
  const leader = standing({});
  assert.equal(gapText(standing({ player: 2, state: 'waiting' }), leader, LAP_M), '–');
  assert.equal(gapText(standing({ player: 2, state: 'dnf', gapUs: 5e6 }), leader, LAP_M), 'DNF');
});

test('the interval is to the car ahead; metres after a change of places', () => {
  const ahead = standing({ player: 2, position: 2, laps: 2, lapM: 900, gapUs: 3_000_000 });
  const line = standing({ player: 3, position: 3, laps: 2, lapM: 800, gapUs: 3_250_000 });
  assert.equal(intervalText(line, ahead, LAP_M), '+0.250');
  assert.equal(intervalText({ ...line, gapUs: 2_900_000 }, ahead, LAP_M), '+100 m');
  assert.equal(intervalText({ ...line, gapUs: 0, laps: 1, lapM: 2990 }, ahead, 0), '–');
  assert.equal(intervalText(line, null, LAP_M), '–');
  assert.equal(intervalText({ ...line, laps: 1, lapM: 10 }, ahead, LAP_M), '+1 lap');
});

test('places are counted from the grid once the race is on', () => {
  assert.equal(placesWon(standing({ grid: 7, position: 4 })), 3);
  assert.equal(placesWon(standing({ grid: 1, position: 4 })), -3);
  assert.equal(placesWon(standing({ grid: 0, position: 4 })), 0);
  assert.equal(placesWon(standing({ grid: 7, position: 4, state: 'waiting' })), 0);
  assert.equal(leadersLap(standing({ laps: 3 })), 4);
  assert.equal(leadersLap(standing({ laps: 3, state: 'finished' })), 3);
});

test('sectors: purple before green before yellow, and grey for the lap before', () => {
  const line = standing({
    laps: 3,
    sector: 2,
    sectorUs: [30e6, 31e6, 32e6],
    bestSectorUs: [30e6, 30e6, 32e6],
  });
  const all = standings([line], [29e6, 31e6, 32e6]);
  assert.equal(sectorChip(line, all, 0).colour, 'own');
  assert.equal(sectorChip({ ...line, sectorUs: [29e6, 31e6, 32e6] }, all, 0).colour, 'overall');
  assert.equal(sectorChip(line, standings([line], [29e6, 30e6, 32e6]), 1).colour, 'slower');
  assert.deepEqual(sectorChip(line, all, 2), { colour: 'before', timeUs: 32e6 });
  assert.equal(sectorChip(standing({}), all, 0).colour, 'none');
});

test('a lap that is just complete keeps its colours through the first sector of the next', () => {
  const line = standing({
    sector: 0,
    sectorUs: [30e6, 31e6, 32e6],
    bestSectorUs: [30e6, 31e6, 32e6],
  });
  const all = standings([line], [29e6, 29e6, 32e6]);
  assert.deepEqual(
    [0, 1, 2].map((i) => sectorChip(line, all, i).colour),
    ['own', 'own', 'overall'],
  );
});

test('the best lap is that of who has one', () => {
  const lines = [standing({}), standing({ bestLapUs: 91e6 }), standing({ bestLapUs: 90e6 })];
  assert.equal(bestLapUs(lines), 90e6);
  assert.equal(bestLapUs([standing({})]), 0);
  assert.equal(lapColour(90e6, 90e6, 90e6), 'overall');
  assert.equal(lapColour(91e6, 91e6, 90e6), 'own');
  assert.equal(lapColour(92e6, 91e6, 90e6), 'slower');
  assert.equal(lapColour(0, 91e6, 90e6), 'none');
});

test('rows move from where they were; new ones do not', () => {
  const moved = moves([1, 2, 3, 4], [2, 1, 5, 4, 3]);
  assert.deepEqual(
    [...moved],
    [
      [2, 1],
      [1, -1],
      [3, -2],
    ],
  );
});

test('long lists make only the rows around what is seen', () => {
  assert.deepEqual(windowOf(0, 280, 28, 65), { first: 0, end: 65 });
  assert.deepEqual(windowOf(0, 280, 28, 4000), { first: 0, end: 26 });
  const middle = windowOf(28 * 1000, 280, 28, 4000);
  assert.ok(middle.first <= 1000 && middle.end >= 1010 && middle.end - middle.first <= 30);
  const bottom = windowOf(28 * 3990, 280, 28, 4000);
  assert.equal(bottom.end, 4000);
  assert.ok(bottom.first <= 3990);
  assert.equal(windowOf(1e9, 280, 28, 4000).end, 4000);
});

test('drivers are found by parts of their names, also without accents, and by their codes', () => {
  const names = ['Zoë Blé', 'Bot 10', 'Bot 9', 'Robot', 'Max Bleriot', 'Bot 100'];
  const roster = names.map((name, i) => ({
    player: i + 1,
    car: i + 1,
    name,
    carDef: 'boxster-s',
    drivenByServer: false,
    driver: '',
  }));
  const found = (text: string) => findDrivers(roster, text).map((entry) => entry.name);
  assert.deepEqual(found('bot'), ['Bot 9', 'Bot 10', 'Bot 100', 'Robot']);
  assert.deepEqual(found(' BLE '), ['Max Bleriot', 'Zoë Blé']);
  assert.deepEqual(found('b09'), ['Bot 9']);
  assert.deepEqual(found('  '), []);
  roster[2]!.car = 0;
  assert.deepEqual(found('bot 9'), [], 'who has left has no car to choose');
});
