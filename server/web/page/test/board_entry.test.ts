// The entry: joining, coming back, and giving way to another window.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Invitation } from '../src/identity/invitation';
import { Seat } from '../src/drive/seat';
import type { Session, SessionWish, State } from '../src/race/race';
import { Connection } from '../src/shell/connection';
import { Entry } from '../src/shell/entry';
import type { TextStore } from '../src/ui/storage';

const PATH = '/race/1';
const FRAME_MS = 16;
const JOIN_MS = 100; // so long a session takes to become what it was opened for
const GRACE_S = 3600; // the test is over long before a seat is out of date

class Store implements TextStore {
  readonly values = new Map<string, string>();
  getItem = (key: string): string | null => this.values.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.values.set(key, value);
  removeItem = (key: string): void => void this.values.delete(key);
}

/** As much of an element as the closed password dialog asks of it. */
class Plain {
  id = '';
  open = false;
  setAttribute(): void {}
  append(): void {}
  addEventListener(): void {}
}

/** As much of a session as the entry, its seat and its connection ask of it. */
class Puppet {
  private now: State = 'joining';
  private bornMs = NaN;

  constructor(readonly wish: SessionWish) {}

  update(nowMs: number): void {
    if (Number.isNaN(this.bornMs)) this.bornMs = nowMs;
    if (this.now !== 'joining' || nowMs - this.bornMs < JOIN_MS) return;
    this.now = this.wish.spectate ? 'spectating' : 'driving';
  }
  state = (): State => this.now;
  player = (): number => (this.now === 'driving' ? 5 : 0);
  welcome = () => ({ resumeToken: '00112233445566778899aabbccddeeff', resumeGraceS: GRACE_S });
  roster = () => [{ player: 5, car: 2, name: 'Bob', carDef: 'boxster-s', drivenByServer: false }];
  playback = (): null => null;
  closeReason = (): null => null;
  reject = (): null => null;
  close = (): void => void (this.now = 'closed');
}

/** The browser's things that the entry takes for itself; they are put back after the test. */
function lend(t: TestContext, things: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(things)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    t.after(() => {
      if (before === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, before);
    });
  }
}

/** One window of a race page, without what it shows. */
class Bench {
  readonly puppets: Puppet[] = [];
  readonly told: string[] = [];
  readonly connection: Connection;
  readonly entry: Entry;
  private nowMs = 0;

  constructor(invitation: Invitation | null = null) {
    this.connection = new Connection({
      open: async (wish) => {
        const puppet = new Puppet(wish);
        this.puppets.push(puppet);
        return puppet as unknown as Session;
      },
      onShown: (session) => this.entry.shown(session),
      onRefused: (reason) => this.entry.refused(reason),
      random: () => 0,
      isRecording: false,
    });
    this.entry = new Entry({
      path: PATH,
      spectate: { url: `ws://x${PATH}`, name: '', car: '', password: '', spectate: true },
      connection: this.connection,
      invitation,
      mayDrive: true,
      drive: () => null,
      tell: (text) => this.told.push(text),
    });
  }

  /** Frames go by, each as the race page has it. */
  async run(forMs: number): Promise<void> {
    for (const endMs = this.nowMs + forMs; this.nowMs < endMs; ) {
      this.nowMs += FRAME_MS;
      this.connection.update(this.nowMs);
      const session = this.connection.shown();
      if (session !== null) this.entry.hear(session, this.nowMs);
      await new Promise((done) => setImmediate(done));
    }
  }

  end(): void {
    this.entry.end();
    this.connection.stop();
  }
}

test('who is driven out by another window hears so once, and watches', async (t) => {
  const browser = new Store();
  const document = { createElement: () => new Plain() };
  lend(t, { document, localStorage: browser, sessionStorage: new Store() });
  const bench = new Bench();
  t.after(() => bench.end());
  await bench.entry.join({ name: 'Bob', car: 'boxster-s', isGuest: false });
  await bench.run(2000);
  const driver = bench.puppets[0]!;
  assert.equal(driver.state(), 'driving');
  assert.equal(bench.connection.shown(), driver as unknown as Session);

  // The other window writes its name over ours, and our session still holds its player.
  const other = new Seat(PATH, 'other', browser);
  other.take(false);
  other.keep(driver as unknown as Session, 0);
  assert.equal(other.kept()?.window, 'other');
  assert.equal(driver.player(), 5);
  await bench.run(10_000);

  const counts = { told: bench.told.length, opened: bench.puppets.length - 1 };
  assert.deepEqual(counts, { told: 1, opened: 1 }); // a failure is a few lines, not hundreds
  assert.deepEqual(bench.told, ['You drive in another window now, and watch here.']);
  assert.deepEqual(bench.puppets.map((each) => each.wish.spectate), [false, true]);
  const watcher = bench.puppets[1]!;
  assert.equal(watcher.state(), 'spectating');
  assert.equal(bench.connection.shown(), watcher as unknown as Session);
  assert.equal(bench.connection.status().kind, 'live');
  assert.equal(driver.state(), 'closed');
  assert.equal(other.kept()?.window, 'other'); // the seat stays its own
});

const expiresLate = Buffer.alloc(220, 0xff);
expiresLate.write('APXT');
const TOKEN = expiresLate.toString('base64url');

test('an invitation goes with the wish to watch and to drive, until it is refused', async (t) => {
  const document = { createElement: () => new Plain() };
  const tab = new Store();
  lend(t, { document, localStorage: new Store(), sessionStorage: tab });
  const bench = new Bench({ password: 'sesame', token: TOKEN, isDamaged: false });
  t.after(() => bench.end());
  await bench.entry.start(0);
  await bench.run(200);
  await bench.entry.join({ name: 'Bob', car: 'boxster-s', isGuest: true });
  await bench.run(200);
  const said = bench.puppets.map(({ wish }) => [wish.password, wish.token, wish.isGuest]);
  assert.deepEqual(said, [['sesame', TOKEN, undefined], ['sesame', TOKEN, true]]);
  assert.deepEqual(bench.told, []);
  bench.entry.refused({ name: 'token-used', text: '' });
  await bench.entry.join({ name: 'Bob', car: 'boxster-s', isGuest: false });
  await bench.run(200);
  const { password, token, isGuest } = bench.puppets.at(-1)!.wish;
  assert.deepEqual([password, token, isGuest], ['sesame', undefined, false]);
});

test('who opens a damaged invitation hears so, and watches', async (t) => {
  const document = { createElement: () => new Plain() };
  lend(t, { document, localStorage: new Store(), sessionStorage: new Store() });
  const bench = new Bench({ password: null, token: null, isDamaged: true });
  t.after(() => bench.end());
  await bench.entry.start(0);
  await bench.run(200);
  assert.deepEqual(bench.told, [
    'The invitation in this link is damaged. Ask whoever sent it for another.',
  ]);
  assert.equal(bench.puppets[0]?.wish.spectate, true);
});

test('whose key drives on another machine hears so, and watches', async (t) => {
  const document = { createElement: () => new Plain() };
  lend(t, { document, localStorage: new Store(), sessionStorage: new Store() });
  const bench = new Bench();
  t.after(() => bench.end());
  await bench.entry.join({ name: 'Bob', car: 'boxster-s', isGuest: false });
  await bench.run(200);
  assert.equal(bench.entry.ended({ name: 'resumed', text: '' }), true);
  await bench.run(200);
  assert.equal(bench.told.length, 1);
  assert.match(bench.told[0]!, /with your driver key on another machine/);
  assert.deepEqual(bench.puppets.map((each) => each.wish.spectate), [false, true]);
});
