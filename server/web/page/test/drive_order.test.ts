// The own place in the order: neighbours, crowds, before the start.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aheadText, behindText, lapText, ownOrder, placeText, worth } from '../src/drive/own_order';
import { warningOf } from '../src/drive/readout';
import type { RaceState, Standing, Standings } from '../src/race/race';

function line(position: number, gapUs: number, more: Partial<Standing> = {}): Standing {
  return {
    position, player: 100 + position, name: `D${position}`, carDef: 'micra', state: 'running',
    laps: 2, lapM: 1000 - position, lastLapUs: 0, bestLapUs: 0, totalUs: 0, gapUs, grid: position,
    sector: 0, sectorUs: [], bestSectorUs: [], ...more,
  };
}

function standings(lines: Standing[], total = lines.length): Standings {
  return { tick: 1, total, bestSectorUs: [], lines };
}

test('the neighbours are the lines beside one\'s own', () => {
  const order = ownOrder(standings([line(1, 0), line(2, 1.5e6), line(3, 2.25e6)]), 102);
  assert.equal(placeText(order), 'P2 of 3');
  assert.equal(aheadText(order, 3000), '+1.500 D1');
  assert.equal(behindText(order, 3000), '+0.750 D3');
  assert.equal(lapText(order, 5), 'Lap 3 of 5');
  assert.equal(lapText(order, 0), 'Lap 3');
});

test('far down the order, after the first lines, nobody is known to be next', () => {
  const order = ownOrder(standings([line(1, 0), line(2, 1), line(90, 9e6)], 200), 190);
  assert.equal(placeText(order), 'P90 of 200');
  assert.equal(aheadText(order, 3000), '–');
  assert.equal(behindText(order, 3000), '–');
});

test('who has retired is behind nobody, and is not counted', () => {
  const out = { state: 'dnf' as const };
  const lines = [line(1, 0), line(2, 1e6), line(3, 2e6), line(4, 0, out), line(5, 0, out)];
  const last = ownOrder(standings(lines), 103);
  assert.equal(placeText(last), 'P3 of 3');
  assert.equal(behindText(last, 3000), '–');
  assert.equal(placeText(ownOrder(standings(lines), 104)), 'Out');
  const home = [line(1, 0, { state: 'finished' }), ...lines.slice(1)];
  assert.equal(placeText(ownOrder(standings(home), 102)), 'P2 of 3', 'who is home still counts');
  const waits = [...lines.slice(0, 3), line(4, 0, { state: 'waiting' })];
  assert.equal(placeText(ownOrder(standings(waits), 103)), 'P3 of 3');
  assert.equal(placeText(ownOrder(standings(waits), 104)), '', 'in the next race, not in this');
});

test('of a crowd the race says how many are on the track', () => {
  const state: RaceState = {
    phase: 'finish', raceNumber: 1, raceTimeUs: 1, laps: 3, players: 190, running: 150,
    startPlayers: 0, lobbyLeftUs: 0,
  };
  const lines = [line(1, 0, { state: 'finished' }), line(2, 1), line(90, 9e6)];
  assert.equal(placeText(ownOrder(standings(lines, 200), 190, state)), 'P90 of 151');
});

test('before the start everybody counts', () => {
  const lines = [1, 2, 3].map((at) => line(at, 0, { state: 'waiting' }));
  assert.equal(placeText(ownOrder(standings(lines), 102)), 'P2 of 3');
});

test('who is not in the order has no place, and a spectator none', () => {
  assert.equal(placeText(ownOrder(standings([line(1, 0)]), 7)), '');
  assert.equal(ownOrder(standings([line(1, 0, { player: 0 })]), 0), null);
  assert.equal(ownOrder(null, 5), null);
});

test('the last lap stays the last one', () => {
  const done = ownOrder(standings([line(1, 0, { laps: 5, state: 'finished' })]), 101);
  assert.equal(lapText(done, 5), 'Finished');
  assert.equal(lapText(ownOrder(standings([line(1, 0, { laps: 5 })]), 101), 5), 'Lap 5 of 5');
  assert.equal(lapText(ownOrder(standings([line(1, 0, { state: 'dnf' })]), 101), 5), 'Out');
});

test('a time is worth its colour, whether the order knows it already or not', () => {
  assert.equal(worth(30e6, 31e6, 30.5e6), 'overall');
  assert.equal(worth(30e6, 30e6, 30e6), 'overall');
  assert.equal(worth(30e6, 31e6, 29e6), 'own');
  assert.equal(worth(30e6, 29.5e6, 29e6), 'slower');
  assert.equal(worth(30e6, 0, 0), 'overall', 'the first of all');
  assert.equal(worth(30e6, 0, 29e6), 'own', 'the first of one\'s own');
});

test('of several warnings the gravest is shown', () => {
  assert.equal(warningOf(0, false).text, '');
  assert.equal(warningOf(16, false).text, 'Off track');
  assert.deepEqual(warningOf(16, true), { text: 'Wrong way', isGrave: true });
  assert.equal(warningOf(8 | 16, true).text, 'Engine blown');
});
