// Passwords of a tab: kept, forgotten when wrong, asked for in time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionWish, Welcome } from '../src/race/race';
import { Door } from '../src/shell/door';
import type { TextStore } from '../src/ui/storage';

class Tab implements TextStore {
  readonly values = new Map<string, string>();
  getItem = (key: string): string | null => this.values.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.values.set(key, value);
  removeItem = (key: string): void => void this.values.delete(key);
}

const wish: SessionWish = { url: 'ws://x/race/1', name: '', car: '', password: '', spectate: true };

/** As much of a token as the page looks into, good until `expiresS`. */
function token(expiresS: number): string {
  const bytes = Buffer.alloc(220);
  bytes.write('APXT');
  bytes.writeBigUInt64LE(BigInt(expiresS), 26);
  return bytes.toString('base64url');
}

const says = (passwordNeeded: boolean, watchingOpen: boolean) =>
  ({ passwordNeeded, watchingOpen }) as Welcome;

test('a password that was said goes with every wish of the tab, also after a reload', () => {
  const tab = new Tab();
  const door = new Door('/race/1', tab);
  assert.equal(door.with(wish).password, '');
  assert.equal(door.given('sesame'), true);
  assert.equal(door.with(wish).password, 'sesame');
  assert.equal(door.with({ ...wish, spectate: false }).password, 'sesame');
  assert.equal(new Door('/race/1', tab).with(wish).password, 'sesame');
  assert.equal(new Door('/race/2', tab).with(wish).password, '');
});

test('a wrong one is said to be wrong, and forgotten', () => {
  const tab = new Tab();
  const door = new Door('/race/1', tab);
  assert.equal(door.refused(), 'missing');
  door.given('Sesame');
  assert.equal(door.refused(), 'wrong');
  assert.equal(door.with(wish).password, '');
  assert.equal(tab.values.size, 0);
  assert.equal(door.refused(), 'missing');
});

test('one that was right before the page was loaded is asked for anew, not called wrong', () => {
  const tab = new Tab();
  new Door('/race/1', tab).given('of yesterday');
  assert.equal(new Door('/race/1', tab).refused(), 'missing');
});

test('a window that is opened beside one that was let in is let in', () => {
  const tab = new Tab();
  const door = new Door('/race/1', tab);
  door.inherit('sesame');
  assert.equal(new Door('/race/1', tab).password, 'sesame');
  door.inherit('');
  door.inherit('other');
  assert.equal(door.password, 'sesame');
  assert.equal(door.refused(), 'missing'); // nobody has said it here
});

test('nobody has to fail first: the server says what it will ask for', () => {
  const door = new Door('/race/1', new Tab());
  assert.equal(door.lacks(null, false), false);
  assert.equal(door.lacks(says(false, false), false), false);
  assert.equal(door.lacks(says(true, false), true), true);
  assert.equal(door.lacks(says(true, false), false), true);
  assert.equal(door.lacks(says(true, true), true), false);
  assert.equal(door.lacks(says(true, true), false), true);
  door.given('sesame');
  assert.equal(door.lacks(says(true, false), false), false);
});

test('what cannot be sent is no password', () => {
  const door = new Door('/race/1', null);
  assert.equal(door.given(''), false);
  assert.equal(door.given('x'.repeat(32)), false);
  assert.equal(door.given('ü'.repeat(16)), false);
  assert.equal(door.given('ü'.repeat(15)), true);
  assert.equal(door.with(wish).password, 'ü'.repeat(15)); // a tab that keeps nothing
});

test('an invitation opens what it was sent for, also after a reload', () => {
  const tab = new Tab();
  const day = { ms: 1e12 };
  const doorOf = (path = '/race/1') => new Door(path, tab, () => day.ms);
  const door = doorOf();
  assert.equal('token' in door.with(wish), false);
  const good = token(day.ms / 1000 + 60);
  door.invited({ password: 'sesame', token: good, isDamaged: false });
  assert.deepEqual(door.with(wish), { ...wish, password: 'sesame', token: good });
  assert.equal(doorOf().with(wish).token, good);
  assert.equal('token' in doorOf('/race/2').with(wish), false);
  door.invited({ password: null, token: null, isDamaged: true });
  assert.equal(door.with(wish).password, 'sesame', 'what a link does not say stays');
  assert.equal(door.with(wish).token, good);
  day.ms += 90_001; // a minute, and what clocks may differ
  assert.equal('token' in door.with(wish), false);
  assert.equal(tab.values.size, 1, 'the password');
});

test('a wrong password of an invitation is said to be wrong', () => {
  const door = new Door('/race/1', new Tab());
  door.invited({ password: 'Sesame', token: null, isDamaged: false });
  assert.equal(door.refused(), 'wrong');
});

test('a token that opens nothing here is forgotten, one that is early is kept', () => {
  const tab = new Tab();
  const door = new Door('/race/1', tab, () => 0);
  door.invited({ password: null, token: token(60), isDamaged: false });
  for (const name of ['token-early', 'race-full', 'lockdown']) door.heard({ name, text: '' });
  assert.equal(door.with(wish).token, token(60));
  door.heard({ name: 'token-used', text: '' });
  assert.equal('token' in door.with(wish), false);
  assert.equal(tab.values.size, 0);
});
