// The lobby's words, and the count of people.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lobbyWords } from '../src/header/lobby';
import { peopleWords } from '../src/header/people';
import type { RaceState } from '../src/race/race';
import { standing, standings } from './board_support';

function state(changes: Partial<RaceState>): RaceState {
  return {
    phase: 'lobby', raceNumber: 1, raceTimeUs: 0, laps: 3, players: 2, running: 0,
    startPlayers: 4, lobbyLeftUs: 0, ...changes,
  };
}

test('a lobby says what it waits for, and how long', () => {
  assert.equal(
    lobbyWords(state({}), 22_100_000),
    'Waiting for 2 more drivers; starts in 23 s with who is here',
  );
  assert.equal(
    lobbyWords(state({ players: 3 }), 1),
    'Waiting for 1 more driver; starts in 1 s with who is here',
  );
  assert.equal(lobbyWords(state({}), 0), 'Waiting for 2 more drivers', 'no time ends it');
  assert.equal(lobbyWords(state({ players: 0 }), 0), 'Waiting for 4 drivers');
  assert.equal(lobbyWords(state({ startPlayers: 0 }), 0), 'Waiting for the operator to start');
  assert.equal(lobbyWords(state({ players: 4 }), 9e6), 'Everybody is here');
  assert.equal(lobbyWords(state({ phase: 'grid' }), 9e6), '');
});

test('who has retired is no driver any more', () => {
  const lines = [
    standing({ player: 1 }),
    standing({ player: 2, position: 2, state: 'finished' }),
    standing({ player: 3, position: 3, state: 'dnf' }),
    standing({ player: 4, position: 4, state: 'waiting' }),
  ];
  const race = state({ phase: 'race', players: 4, running: 1 });
  assert.equal(peopleWords(standings(lines), race, 3), '2 drivers · 1 out · 3 watching');
  assert.equal(peopleWords(standings(lines.slice(0, 1)), race, 0), '1 driver');
  assert.equal(peopleWords(standings(lines), state({}), 0), '2 drivers', 'in the lobby all count');
  assert.equal(peopleWords(null, race, 0), '4 drivers');
});
