// The seat: which driver comes back to which car, from which window, for how long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Seat } from '../src/drive/seat';
import type { Session } from '../src/race/race';
import type { TextStore } from '../src/ui/storage';

const TOKEN = '00112233445566778899aabbccddeeff';
const KEY = 'apex.drive.seat:/race/1';

class Browser implements TextStore {
  readonly values = new Map<string, string>();
  getItem = (key: string): string | null => this.values.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.values.set(key, value);
  removeItem = (key: string): void => void this.values.delete(key);
}

function driver(state = 'driving', player = 5, resumeToken = TOKEN): Session {
  return {
    state: () => state,
    player: () => player,
    playback: () => null,
    welcome: () => ({ resumeToken, resumeGraceS: 30 }),
    roster: () => [
      { player: 4, car: 1, name: 'Ada', carDef: 'gt3', drivenByServer: false },
      { player: 5, car: 2, name: 'Bob', carDef: 'boxster-s', drivenByServer: false },
    ],
  } as unknown as Session;
}

function scene() {
  const browser = new Browser();
  const day = { ms: 1e12 };
  const seatOf = (window: string, path = '/race/1') =>
    new Seat(path, window, browser, () => day.ms);
  return { browser, day, seat: seatOf('a'), seatOf };
}

test('a driver whose window is closed comes back to his car in another', () => {
  const { day, seat, seatOf } = scene();
  assert.equal(seat.wish(), null);
  seat.keep(driver(), 0);
  seat.goes();
  day.ms += 29_000;
  const other = seatOf('b');
  assert.equal(other.isElsewhere(), false);
  assert.equal(other.leftS(), 1);
  assert.deepEqual(other.wish(), {
    name: 'Bob',
    car: 'boxster-s',
    spectate: false,
    resumeToken: TOKEN,
  });
});

test('the password is kept as long as the car, and no longer', () => {
  const { browser, day, seat, seatOf } = scene();
  seat.keep(driver(), 0, 'sesame');
  seat.goes();
  seatOf('b').clear();
  assert.equal(seatOf('b').kept()?.password, 'sesame');
  day.ms += 30_000;
  seatOf('b').clear();
  assert.equal(browser.values.size, 0);
});

test('not to another race, nor after the grace', () => {
  const { day, seat, seatOf } = scene();
  seat.keep(driver(), 0);
  seat.goes();
  assert.equal(seatOf('b', '/race/2').wish(), null);
  day.ms += 30_000;
  assert.equal(seat.wish(), null);
  assert.equal(seat.leftS(), 0);
});

test('the time is put forward while one drives, and while the link is broken', () => {
  const { day, seat } = scene();
  seat.keep(driver(), 0);
  day.ms += 20_000;
  seat.keep(driver('reconnecting'), 20_000);
  day.ms += 20_000;
  assert.notEqual(seat.wish(), null);
});

test('a new token is kept at once: the one before is soon nobody\'s', () => {
  const { seat } = scene();
  seat.keep(driver(), 0);
  seat.keep(driver('driving', 5, 'ff'.repeat(16)), 100);
  assert.equal(seat.wish()?.resumeToken, 'ff'.repeat(16));
});

test('other windows see who drives, from the moment that he asks', () => {
  const { day, seat, seatOf } = scene();
  const other = seatOf('b');
  seat.take(true);
  assert.equal(other.isElsewhere(), true);
  assert.equal(seat.isElsewhere(), false);
  assert.equal(other.wish(), null); // no token is known yet
  seat.keep(driver(), 0);
  assert.equal(other.isElsewhere(), true);
  assert.equal(other.leftS(), 0); // his car waits for nobody
  day.ms += 31_000; // nothing was heard of it: it has crashed, or sleeps
  assert.equal(other.isElsewhere(), false);
  assert.equal(other.isOthers(), true);
});

test('who takes over has the place, and who had it gives it up without taking it along', () => {
  const { seat, seatOf } = scene();
  const other = seatOf('b');
  assert.equal(seat.keep(driver(), 0), true);
  other.take(false);
  assert.equal(other.keep(driver('driving', 5, 'ff'.repeat(16)), 0), true);
  assert.equal(seat.keep(driver(), 2000), false);
  assert.equal(seat.isElsewhere(), true);
  seat.goes(); // and his window may close
  seat.leave();
  assert.equal(other.kept()?.window, 'b');
  assert.equal(other.kept()?.isGone, false);
});

test('who leaves, or only watches, has no place', () => {
  const { seat } = scene();
  seat.keep(driver('spectating', 0), 0);
  assert.equal(seat.wish(), null);
  seat.keep(driver(), 0);
  seat.leave();
  seat.keep(driver(), 5000); // his session has not ended yet
  seat.goes();
  assert.equal(seat.kept(), null);
  seat.take(true);
  seat.keep(driver(), 9000);
  assert.notEqual(seat.wish(), null);
});

test('what somebody else wrote there is nobody\'s place', () => {
  const { browser, seat } = scene();
  for (const text of ['', '{', 'null', '[]', '{"window":"b"}', '{"token":1,"untilMs":2}']) {
    browser.values.set(KEY, text);
    assert.equal(seat.wish(), null, text);
    assert.equal(seat.isOthers(), false, text);
  }
});

test('a browser that forbids it forgets, no more', () => {
  const forbids = () => {
    throw new Error('forbidden');
  };
  const store = { getItem: forbids, setItem: forbids, removeItem: forbids };
  for (const seat of [new Seat('/race/1', 'a', store), new Seat('/race/1', 'a', null)]) {
    seat.take(true);
    assert.equal(seat.keep(driver(), 0), true);
    assert.equal(seat.keep(driver(), 5000), true);
    seat.goes();
    seat.leave();
    assert.equal(seat.wish(), null);
  }
});
