// The connection: comes back by itself, keeps the old session on show, stays out after a kick.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reason, Session, SessionWish, State } from '../src/race/race';
import { Connection } from '../src/shell/connection';

/** As much of a session as its keeper asks of it. */
class Puppet {
  now: State = 'connecting';
  why: Reason | null = null;
  refusal: Reason | null = null;
  closed = false;
  update(): void {}
  state(): State {
    return this.closed ? 'closed' : this.now;
  }
  closeReason(): Reason | null {
    return this.why;
  }
  reject(): Reason | null {
    return this.refusal;
  }
  player(): number {
    return 5;
  }
  playback(): null {
    return null;
  }
  nextTryMs(): number {
    return 3000;
  }
  tries = 0;
  tryNow(): void {
    this.tries++;
  }
  close(): void {
    this.closed = true;
  }
}

const wish: SessionWish = { url: 'ws://x/race/1', name: '', car: '', password: '', spectate: true };

class Bench {
  readonly puppets: Puppet[] = [];
  readonly shown: Puppet[] = [];
  readonly refusals: string[] = [];
  readonly wishes: SessionWish[] = [];
  isServerThere = true;
  readonly connection: Connection;

  constructor(isRecording = false) {
    this.connection = new Connection({
      open: async (wished) => {
        if (!this.isServerThere) throw new Error('no answer');
        this.wishes.push(wished);
        const puppet = new Puppet();
        this.puppets.push(puppet);
        return puppet as unknown as Session;
      },
      onShown: (session) => this.shown.push(session as unknown as Puppet),
      onRefused: (reason) => this.refusals.push(reason.name),
      random: () => 0,
      isRecording,
    });
  }

  async at(nowMs: number): Promise<string> {
    this.connection.update(nowMs);
    await new Promise((done) => setImmediate(done));
    return this.connection.status().kind;
  }
}

async function live(): Promise<Bench> {
  const bench = new Bench();
  bench.connection.start(wish, 0);
  await bench.at(0);
  bench.puppets[0]!.now = 'spectating';
  assert.equal(await bench.at(10), 'live');
  return bench;
}

test('a session that comes back by itself is told to do so now, not put in place of', async () => {
  const bench = await live();
  bench.puppets[0]!.now = 'reconnecting';
  assert.equal(await bench.at(1000), 'reconnecting');
  const status = bench.connection.status();
  assert.ok(status.kind === 'reconnecting' && status.untilMs === 3000 && status.isDriver);
  bench.connection.retry(1500);
  assert.equal(bench.puppets[0]!.tries, 1);
  assert.equal(await bench.at(1600), 'reconnecting');
  assert.equal(bench.puppets.length, 1);
});

test('who is still loading is given the time, who hears nothing is not', async () => {
  const bench = await live();
  bench.connection.start({ ...wish, spectate: false }, 100);
  await bench.at(110);
  bench.puppets[1]!.now = 'loading';
  assert.equal(await bench.at(30_000), 'connecting');
  assert.equal(bench.puppets[1]!.closed, false);
  bench.puppets[1]!.now = 'greeted';
  assert.equal(await bench.at(30_100), 'waiting');
  assert.equal(bench.puppets[1]!.closed, true);
});

test('a session is shown at once when there is none', async () => {
  const bench = await live();
  assert.deepEqual(bench.shown, [bench.puppets[0]]);
});

test('when the server is gone the page comes again, and shows the old race meanwhile', async () => {
  const bench = await live();
  const old = bench.puppets[0]!;
  old.now = 'closed';
  old.why = { name: 'shutdown', text: 'the server is shutting down' };
  bench.isServerThere = false;
  assert.equal(await bench.at(1000), 'waiting');
  const status = bench.connection.status();
  assert.ok(status.kind === 'waiting' && status.untilMs === 2000);
  assert.equal(status.reason?.name, 'shutdown');
  assert.equal(await bench.at(1999), 'waiting');
  assert.equal(await bench.at(2000), 'waiting'); // tried and failed
  bench.isServerThere = true;
  assert.equal(await bench.at(3999), 'waiting'); // the second wait is two seconds
  assert.equal(await bench.at(4000), 'connecting');
  assert.equal(old.closed, false);
  bench.puppets[1]!.now = 'spectating';
  assert.equal(await bench.at(4100), 'live');
  assert.equal(old.closed, true);
  assert.equal(bench.shown.length, 2);
});

test('who was kicked stays out until asked to come again', async () => {
  const bench = await live();
  bench.puppets[0]!.now = 'closed';
  bench.puppets[0]!.why = { name: 'kicked', text: 'an operator removed you' };
  assert.equal(await bench.at(1000), 'ended');
  assert.equal(await bench.at(60000), 'ended');
  assert.equal(bench.puppets.length, 1);
  bench.connection.retry(60000);
  await bench.at(60001);
  assert.equal(bench.puppets.length, 2);
});

test('who asks to drive sees the race until the wheel is there, or the refusal', async () => {
  const bench = await live();
  bench.connection.start({ ...wish, spectate: false }, 100);
  await bench.at(100);
  bench.puppets[1]!.now = 'joining';
  await bench.at(200);
  assert.equal(bench.connection.shown(), bench.puppets[0]);
  bench.puppets[1]!.refusal = { name: 'password', text: 'the password is wrong' };
  await bench.at(300);
  assert.equal(bench.connection.shown(), bench.puppets[1]);
  assert.equal(bench.puppets[0]!.closed, true);
});

test('who is refused the wheel goes on watching, and hears why', async () => {
  const bench = await live();
  bench.connection.start({ ...wish, spectate: false }, 100);
  await bench.at(100);
  bench.puppets[1]!.now = 'closed';
  bench.puppets[1]!.why = { name: 'password', text: 'the password is wrong' };
  assert.equal(await bench.at(200), 'live');
  assert.deepEqual(bench.refusals, ['password']);
  assert.equal(bench.connection.shown(), bench.puppets[0]);
  assert.equal(bench.puppets[0]!.closed, false);
  assert.equal(bench.puppets[1]!.closed, true);
  assert.equal(await bench.at(90000), 'live');
  assert.equal(bench.puppets.length, 2);
  bench.puppets[0]!.now = 'closed'; // and comes again to watch
  await bench.at(90100);
  await bench.at(92000);
  assert.deepEqual(bench.wishes.map((each) => each.spectate), [true, false, true]);
});

test('a refusal when nothing is shown any more is the end', async () => {
  const bench = await live();
  bench.puppets[0]!.now = 'closed';
  bench.connection.start({ ...wish, spectate: false }, 100);
  await bench.at(100);
  bench.puppets[1]!.now = 'closed';
  bench.puppets[1]!.why = { name: 'race-closed', text: 'the race has begun' };
  assert.equal(await bench.at(200), 'ended');
  assert.equal(bench.connection.shown(), bench.puppets[1]);
  assert.equal(await bench.at(90000), 'ended');
  assert.equal(bench.puppets.length, 2);
});

test('a driver who was made a spectator comes again as one', async () => {
  const bench = new Bench();
  bench.connection.start({ ...wish, spectate: false }, 0);
  await bench.at(0);
  bench.puppets[0]!.now = 'driving';
  await bench.at(10);
  bench.puppets[0]!.now = 'spectating';
  bench.connection.settle(wish);
  bench.puppets[0]!.now = 'closed';
  await bench.at(20);
  await bench.at(2000);
  assert.deepEqual(bench.wishes.map((each) => each.spectate), [false, true]);
});

test('a recording that cannot be played is not tried again, a server that is gone is', async () => {
  for (const [name, kind] of [
    ['race-closed', 'ended'],
    ['shutdown', 'waiting'],
  ] as const) {
    const bench = new Bench(true);
    bench.connection.start(wish, 0);
    await bench.at(0);
    bench.puppets[0]!.now = 'closed';
    bench.puppets[0]!.why = { name, text: 'format 1' };
    assert.equal(await bench.at(100), kind);
  }
});

test('a server that answers nothing is given up after a while, and tried again', async () => {
  const bench = await live();
  bench.puppets[0]!.now = 'closed';
  await bench.at(1000);
  await bench.at(2000);
  assert.equal(bench.puppets.length, 2);
  await bench.at(17001);
  assert.equal(bench.puppets[1]!.closed, true);
  assert.equal(bench.connection.status().kind, 'waiting');
});

test('an answer to a wish that has passed is closed', async () => {
  const bench = await live();
  bench.connection.start({ ...wish, spectate: false }, 100);
  bench.connection.stop();
  await bench.at(200);
  assert.equal(bench.puppets[1]!.closed, true);
  assert.equal(bench.connection.shown(), null);
});
