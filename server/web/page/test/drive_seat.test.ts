import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Seat, type SeatStore } from '../src/drive/seat';
import type { Session } from '../src/race/race';

const TOKEN = '00112233445566778899aabbccddeeff';

class Tab implements SeatStore {
  readonly values = new Map<string, string>();
  getItem = (key: string): string | null => this.values.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.values.set(key, value);
  removeItem = (key: string): void => void this.values.delete(key);
}

function driver(state = 'driving', player = 5): Session {
  return {
    state: () => state,
    player: () => player,
    playback: () => null,
    welcome: () => ({ resumeToken: TOKEN, resumeGraceS: 30 }),
    roster: () => [
      { player: 4, car: 1, name: 'Ada', carDef: 'gt3', drivenByServer: false },
      { player: 5, car: 2, name: 'Bob', carDef: 'boxster-s', drivenByServer: false },
    ],
  } as unknown as Session;
}

function scene(path = '/race/1') {
  const tab = new Tab();
  const day = { ms: 1e12 };
  const seatAt = (at: string) => new Seat(at, tab, () => day.ms);
  return { tab, day, seat: seatAt(path), seatAt };
}

test('a driver whose page is loaded anew comes back to his car', () => {
  const { day, seat, seatAt } = scene();
  assert.equal(seat.wish(), null);
  seat.keep(driver(), 0);
  day.ms += 29_000;
  assert.deepEqual(seatAt('/race/1').wish(), {
    name: 'Bob',
    car: 'boxster-s',
    spectate: false,
    resumeToken: TOKEN,
  });
});

test('not to another race, nor after the grace', () => {
  const { day, seat, seatAt } = scene();
  seat.keep(driver(), 0);
  assert.equal(seatAt('/race/2').wish(), null);
  day.ms += 30_000;
  assert.equal(seat.wish(), null);
});

test('the time is put forward while one drives, and while the link is broken', () => {
  const { day, seat } = scene();
  seat.keep(driver(), 0);
  day.ms += 20_000;
  seat.keep(driver('reconnecting'), 20_000);
  day.ms += 20_000;
  assert.notEqual(seat.wish(), null);
});

test('who leaves, or only watches, has no place', () => {
  const { seat } = scene();
  seat.keep(driver('spectating', 0), 0);
  assert.equal(seat.wish(), null);
  seat.keep(driver(), 0);
  seat.leave();
  seat.keep(driver(), 5000); // his session has not ended yet
  assert.equal(seat.wish(), null);
  seat.take();
  seat.keep(driver(), 9000);
  assert.notEqual(seat.wish(), null);
});

test('what somebody else wrote there is nobody\'s place', () => {
  const { tab, seat } = scene();
  for (const text of ['', '{', 'null', '[]', '{"path":"/race/1"}', '{"path":1,"token":2}']) {
    tab.values.set('apex.drive.seat', text);
    assert.equal(seat.wish(), null, text);
  }
});

test('a browser that forbids it forgets, no more', () => {
  const forbids = () => {
    throw new Error('forbidden');
  };
  const seat = new Seat('/race/1', { getItem: forbids, setItem: forbids, removeItem: forbids });
  seat.keep(driver(), 0);
  seat.leave();
  assert.equal(seat.wish(), null);
  assert.equal(new Seat('/race/1', null).wish(), null);
});
