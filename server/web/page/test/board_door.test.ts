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
