// A session against a server that the test plays: hello, join, news, links that break.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pose, POSE_FIELDS } from '../src/race/race';
import { car, decode, encode, float, say, snapshot, welcome, zigzag } from './server_words';
import {
  absent, ACK, begin, HELLO, JOIN, LEAVE, PLAYBACK, SPECTATE, SUBSCRIBE, watching,
} from './session_scene';

test('a session greets, subscribes and asks to watch', { skip: absent }, async () => {
  const { session, link } = await begin();
  assert.equal(link.url, 'ws://host:8080/race/1');
  assert.equal(link.binaryType, 'arraybuffer');
  assert.equal(session.state(), 'connecting');
  assert.equal(session.welcome(), null);
  link.onopen?.({} as Event);
  assert.equal(session.state(), 'greeted');
  assert.deepEqual(link.kinds(), [HELLO]);
  link.hears(welcome([[11, true], [15, true]])); // watching is open
  assert.deepEqual(link.kinds().slice(0, 2), [SUBSCRIBE, SPECTATE]);
  assert.equal(session.state(), 'joining');
  assert.deepEqual(session.welcome(), {
    server: 'a server',
    race: 'A race',
    track: '',
    cars: [],
    laps: 5,
    tickHz: 60,
    snapshotHz: 20,
    speedPermille: 1000,
    gravityMps2: 9.81,
    playerCapacity: 24,
    passwordNeeded: true,
    watchingOpen: true,
    takesKeys: false,
    keyNeeded: false,
    tokenNeeded: false,
    resumeToken: '07'.repeat(16),
    resumeGraceS: 60,
  });
  link.hears(say('joined', []));
  assert.equal(session.state(), 'spectating');
  assert.equal(session.player(), 0);
});

test('a server that asks for a password is not asked without one', { skip: absent }, async () => {
  const { session, link } = await begin();
  link.onopen?.({} as Event);
  link.kinds();
  link.hears(welcome([[11, true]]));
  assert.equal(session.state(), 'closed');
  assert.equal(session.closeReason()?.name, 'password');
  assert.equal(session.welcome()?.race, 'A race');
  assert.ok(!link.kinds().includes(SPECTATE));
});

test('a driver joins by name, car and password', { skip: absent }, async () => {
  const wish = { spectate: false, name: 'Zoë', car: 'boxster-s', password: 'pst' };
  const { session, link } = await begin(wish);
  link.onopen?.({} as Event);
  link.hears(welcome());
  const join = link.sent.map(decode).find((fields) => fields.has(JOIN));
  const fields = decode(join?.get(JOIN)?.[0] as Uint8Array);
  const text = (number: number) => new TextDecoder().decode(fields.get(number)?.[0] as Uint8Array);
  assert.deepEqual([text(1), text(2), text(3)], ['Zoë', 'boxster-s', 'pst']);
  link.hears(say('joined', [[1, 77], [2, 78], [3, 'boxster-s']]));
  assert.equal(session.state(), 'driving');
  assert.equal(session.player(), 77);
  assert.equal(session.car(), 78);
});

test('what is not told anew is the same object', { skip: absent }, async () => {
  const { session, link } = await watching();
  assert.deepEqual(session.roster(), []);
  const entry = (player: number, name: string) =>
    encode([[1, player], [2, player + 1], [3, name], [4, 'kart']]);
  link.hears(say('roster', [[1, true], [2, entry(5, 'Ann "the" \\ <b>')]]));
  const before = session.roster();
  assert.deepEqual(before, [
    {
      player: 5,
      car: 6,
      name: 'Ann "the" \\ <b>',
      carDef: 'kart',
      drivenByServer: false,
      driver: '',
    },
  ]);
  link.hears(say('raceState', [
    [1, 2], [2, 1], [3, zigzag(-2_500_000)], [4, 5], [5, 2], [6, 1], [7, 3], [8, 23_500_000],
  ]));
  assert.equal(session.roster(), before);
  assert.deepEqual(session.raceState(), {
    phase: 'countdown',
    raceNumber: 1,
    raceTimeUs: -2_500_000,
    laps: 5,
    players: 2,
    running: 1,
    startPlayers: 3,
    lobbyLeftUs: 23_500_000,
    seed: 0,
  });
  link.hears(say('roster', [[2, entry(9, 'Bob')]]));
  assert.deepEqual(session.roster().map((e) => e.name), ['Ann "the" \\ <b>', 'Bob']);
});

test('standings carry sectors, and times of more than 32 bits', { skip: absent }, async () => {
  const { session, link } = await watching();
  const times = (number: number, of: number[]): [number, number][] => of.map((us) => [number, us]);
  const first = encode([
    [1, 1], [2, 5], [3, 'Ann'], [4, 'kart'], [5, 1], [6, 3], [7, float(812.5)],
    [8, 91_234_567], [9, 90_000_001], [10, 7_200_000_000], [11, 0], [12, 4], [13, 1],
    ...times(14, [30_000_000, 31_000_000]), ...times(15, [29_000_000, 30_500_000]),
  ]);
  const best = times(4, [28_000_000, 30_500_000]);
  link.hears(say('standings', [[1, 99], [2, 40], [3, first], ...best]));
  assert.deepEqual(session.standings(), {
    tick: 99,
    total: 40,
    bestSectorUs: [28_000_000, 30_500_000],
    lines: [
      {
        position: 1, player: 5, name: 'Ann', carDef: 'kart', state: 'running', laps: 3, lapM: 812.5,
        lastLapUs: 91_234_567, bestLapUs: 90_000_001, totalUs: 7_200_000_000, gapUs: 0, grid: 4,
        sector: 1, sectorUs: [30_000_000, 31_000_000], bestSectorUs: [29_000_000, 30_500_000],
        kicked: false,
      },
    ],
  });
});

test('events and notices are taken once, none is lost', { skip: absent }, async () => {
  const { session, link, clock } = await watching();
  link.hears(say('raceEvent', [[1, 3], [2, 10], [3, 1], [6, zigzag(4)]]));
  link.hears(say('notice', [[1, 'be kind']]));
  clock.ms += 16;
  session.update(clock.ms);
  const fields: [number, number][] = [[1, 10], [2, 11], [3, 1], [4, 5], [5, 9], [6, zigzag(-3)]];
  link.hears(say('raceEvent', [...fields, [7, 12], [8, 'Ann'], [9, 'Zoë']]));
  const none = { player: 0, other: 0, value: 0, timeUs: 0, name: '', otherName: '' };
  const touch = { player: 5, other: 9, name: 'Ann', otherName: 'Zoë' };
  assert.deepEqual(session.takeEvents(), [
    { ...none, kind: 'lights', tick: 10, raceNumber: 1, value: 4 },
    { ...touch, kind: 'contact', tick: 11, raceNumber: 1, value: -3, timeUs: 12 },
  ]);
  assert.deepEqual(session.takeNotices(), ['be kind']);
  assert.deepEqual(session.takeEvents(), []);
  assert.deepEqual(session.takeNotices(), []);
});

test('what happened before is told apart, and after a broken link only what is new', {
  skip: absent,
}, async () => {
  const { session, link, links, clock } = await watching();
  const joined = (tick: number, name: string): [number, Uint8Array] =>
    [1, encode([[1, 1], [2, tick], [4, tick], [8, name]])];
  const past = say('pastEvents', [joined(3, 'Ann'), joined(9, 'Bob')]);
  link.hears(past);
  assert.deepEqual(session.takeEvents(), []);
  const taken = session.takePastEvents().map(({ name, tick }) => `${name} ${tick}`);
  assert.deepEqual(taken, ['Ann 3', 'Bob 9']);
  assert.deepEqual(session.takePastEvents(), []);
  link.hears(say('raceEvent', [[1, 1], [2, 1001], [8, 'Eve']]));
  link.onclose?.({} as CloseEvent);
  clock.ms += 100;
  session.update(clock.ms);
  const next = links[1]!;
  next.onopen?.({} as Event);
  next.hears(welcome([[6, 1100]]));
  next.hears(say('joined', []));
  next.hears(say('pastEvents', [joined(9, 'Bob'), joined(1001, 'Eve'), joined(1050, 'Max')]));
  assert.deepEqual(session.takePastEvents().map(({ name }) => name), ['Max']);
  assert.deepEqual(session.takeEvents().map(({ name }) => name), ['Eve']);
});

test('cars are shown between snapshots', { skip: absent }, async () => {
  const { session, link, clock } = await watching();
  // 20 m/s along x, 20 times a second; in the end the moment shown is a snapshot or two behind.
  for (let i = 0; i <= 40; i++) {
    link.hears(snapshot(1000 + 3 * i, [car(3, i, 7, 20), car(9, -i, 0, -20)]));
    for (let k = 0; k < 3; k++) {
      session.update(clock.ms);
      clock.ms += 50 / 3;
    }
  }
  const poses = session.poses(clock.ms);
  assert.equal(poses.count, 2);
  const row = (of: number, field: keyof typeof Pose) =>
    poses.values[of * POSE_FIELDS + Pose[field]] ?? NaN;
  assert.deepEqual([row(0, 'car'), row(1, 'car')], [3, 9]);
  assert.equal(row(0, 'y'), 7);
  assert.ok(row(0, 'x') > 38 && row(0, 'x') < 40.1, `x is ${row(0, 'x')}`);
  // Its place and its tick go together: a metre a snapshot.
  assert.ok(Math.abs(row(0, 'x') - (row(0, 'tick') - 1000) / 3) < 1e-6);
  assert.ok(Math.abs(row(0, 'x') + row(1, 'x')) < 1e-6);
  assert.ok(Math.abs(row(0, 'vx') - 20) < 1e-9);
  assert.equal(row(0, 'gear'), 2);
  assert.equal(row(0, 'throttle'), 1);
  assert.equal(row(0, 'flags'), 8);
  assert.equal(row(0, 'damage'), 0.2);
  assert.equal(row(0, 'stale'), 0);
  const told = session.toldPoses(clock.ms).values.slice();
  assert.deepEqual(told, poses.values.slice(), 'who watches sees what is told');
  assert.equal(session.stats().predictedTick, 0);
  // A quarter of a second later nothing more is believed.
  assert.equal(session.poses(clock.ms + 1000).values[Pose.stale], 1);
});

test('a driver has his own car first, the others by their numbers', { skip: absent }, async () => {
  const { session, link, clock } = await begin({ spectate: false, name: 'Zoë' });
  link.onopen?.({} as Event);
  link.hears(welcome());
  link.hears(say('joined', [[1, 77], [2, 78], [3, 'boxster-s']]));
  for (let i = 0; i <= 10; i++) {
    link.hears(snapshot(1000 + 3 * i, [car(3, i, 7, 20), car(78, 0, i, 0), car(90, -i, 0, -20)]));
    session.update((clock.ms += 50));
  }
  const cars = ({ values }: { values: Float64Array }) =>
    [0, 1, 2].map((row) => values[row * POSE_FIELDS + Pose.car]);
  assert.deepEqual(cars(session.poses(clock.ms)), [78, 3, 90]);
  assert.deepEqual(cars(session.toldPoses(clock.ms)), [3, 78, 90]);
});

test('a frame is shown as of its begin, whatever came since', { skip: absent }, async () => {
  const { session, link, clock } = await watching();
  for (let i = 0; i <= 40; i++) {
    link.hears(snapshot(1000 + 3 * i, [car(3, i, 7, 20)]));
    for (let k = 0; k < 3; k++) session.update((clock.ms += 50 / 3));
  }
  const frameMs = clock.ms;
  const x = (ms: number) => session.poses(ms).values[Pose.x] ?? NaN;
  const before = x(frameMs - 50 / 3);
  clock.ms = frameMs + 12;
  link.hears(snapshot(1000 + 3 * 41, [car(3, 41, 7, 20)]));
  const steps = [x(frameMs) - before, x(frameMs + 50 / 3) - x(frameMs)];
  for (const step of steps) {
    assert.ok(Math.abs(step - 20 / 60) < 0.05, `a frame goes ${step} m, not 20 m/s / 60`);
  }
});

test('cars of a frame stay while other things are asked for', { skip: absent }, async () => {
  const { session, link, clock } = await watching();
  link.hears(snapshot(1000, [car(3, 5, 7, 20)]));
  const poses = session.poses(clock.ms);
  assert.equal(session.poses(clock.ms), poses, 'another view of the same frame');
  link.hears(new Uint8Array(3_000_000)); // for which memory grows
  assert.equal(poses.values[Pose.car], 3);
  link.hears(snapshot(1003, [car(3, 6, 7, 20), car(4, 0, 0, 0)]));
  assert.equal(session.poses(clock.ms).count, 2, 'what has come since');
});

test('a spectator looks at a car and plays a recording', { skip: absent }, async () => {
  const { session, link, clock } = await watching();
  link.kinds();
  session.focus(42);
  clock.ms += 200;
  session.update(clock.ms);
  const subscribe = link.sent.map(decode).find((fields) => fields.has(SUBSCRIBE));
  const wishes = decode(subscribe?.get(SUBSCRIBE)?.[0] as Uint8Array);
  assert.equal(wishes.get(2)?.[0], 20n, 'telemetry 20 times a second');
  assert.equal(wishes.get(8)?.[0], 42n, 'of the car in focus');
  assert.equal(wishes.get(9)?.[0], 1n, 'sectors');
  link.sent = [];
  session.play({ playing: false, tick: 0 });
  session.update((clock.ms += 20));
  const play = link.sent.map(decode).find((fields) => fields.has(PLAYBACK));
  const wish = decode(play?.get(PLAYBACK)?.[0] as Uint8Array);
  assert.equal(wish.get(1)?.[0], 2n, 'pause');
  assert.equal(wish.get(2), undefined, 'the pace stays');
  assert.equal(wish.get(3)?.[0], 1n, 'from the first tick on');
  assert.ok(!link.kinds().includes(ACK), 'nothing came that could be acknowledged');
});

test('a recording says where it stands; marks told once stay', { skip: absent }, async () => {
  const { session, link } = await watching();
  assert.equal(session.playback(), null);
  const mark = encode([[1, 300], [2, 6], [3, 5]]);
  link.hears(say('playback', [[1, 60], [2, 6000], [3, true], [4, 1000], [5, 1], [7, mark]]));
  const first = session.playback();
  assert.equal(first?.lastTick, 6000);
  assert.deepEqual(first?.marks, [{ tick: 300, kind: 'best-lap', player: 5 }]);
  assert.equal(session.playback(), first);
  link.hears(say('playback', [[1, 90], [2, 6000], [4, 2000], [5, 1]]));
  const second = session.playback();
  assert.equal(second?.tick, 90);
  assert.equal(second?.playing, false);
  assert.equal(second?.speedPermille, 2000);
  assert.equal(second?.marks, first?.marks);
});

test('telemetry of one car is not that of the next', { skip: absent }, async () => {
  const { session, link } = await watching();
  session.focus(3);
  const wheel = encode([[1, float(4000)], [10, true]]);
  link.hears(say('telemetry', [[1, 5], [2, 3], [3, float(31.25)], [5, zigzag(-1)], [14, wheel]]));
  assert.equal(session.telemetry()?.speedMps, 31.25);
  assert.equal(session.telemetry()?.gear, -1);
  assert.equal(session.telemetry()?.wheels[0]?.sliding, true);
  assert.equal(session.telemetry()?.wheels[0]?.loadN, 4000);
  session.focus(4);
  session.update(2000);
  assert.equal(session.telemetry(), null);
});

test('who is kicked is told why, also after the close', { skip: absent }, async () => {
  const { session, link } = await watching();
  link.hears(say('goodbye', [[1, 11], [2, 'mind the kerbs']]));
  assert.equal(session.state(), 'closed');
  assert.deepEqual(session.closeReason(), { name: 'kicked', text: 'mind the kerbs' });
  link.onclose?.({} as CloseEvent);
  session.close();
  assert.deepEqual(session.closeReason(), { name: 'kicked', text: 'mind the kerbs' });
  assert.equal(session.state(), 'closed');
});

test('a refusal says what may be put right', { skip: absent }, async () => {
  const { session, link } = await begin({ password: 'wrong' });
  link.onopen?.({} as Event);
  link.hears(welcome());
  link.hears(say('reject', [[1, 4], [2, 'the password is another']]));
  assert.deepEqual(session.reject(), { name: 'password', text: 'the password is another' });
});

test('a link that breaks is made anew with the token of before', { skip: absent }, async () => {
  const { session, links, link, clock } = await watching();
  link.onclose?.({} as CloseEvent);
  assert.equal(session.state(), 'reconnecting');
  session.update((clock.ms += 50));
  assert.equal(links.length, 2);
  links[1]!.onopen?.({} as Event);
  const hello = decode(decode(links[1]!.sent[0]!).get(HELLO)?.[0] as Uint8Array);
  assert.deepEqual(hello.get(3)?.[0], new Uint8Array(16).fill(7));
  links[1]!.hears(welcome());
  links[1]!.hears(say('joined', []));
  assert.equal(session.state(), 'spectating');
  // Nobody listens to what the old one may still say.
  assert.equal(link.onmessage, null);
});

test('a server that does not answer is given up with a reason', { skip: absent }, async () => {
  const { session, link } = await begin();
  link.onclose?.({} as CloseEvent);
  assert.equal(session.state(), 'closed');
  assert.equal(session.closeReason()?.name, 'timeout');
  assert.match(session.closeReason()?.text ?? '', /host:8080/);
});

test('leaving says so before the socket closes', { skip: absent }, async () => {
  const { session, link } = await watching();
  link.kinds();
  session.leave();
  assert.ok(link.kinds().includes(LEAVE));
  assert.ok(link.closed);
  link.onclose?.({} as CloseEvent);
  assert.equal(session.state(), 'closed');
  assert.equal(session.closeReason(), null);
});

test('hostile bytes do no harm', { skip: absent }, async () => {
  const { session, link } = await watching();
  const random = ((seed: number) => () => (seed = (seed * 48271) % 2147483647))(7);
  for (let i = 0; i < 2000; i++) {
    link.hears(Uint8Array.from({ length: random() % 300 }, () => random() & 255));
  }
  link.hears(new Uint8Array(2_000_000)); // memory has grown, and all views of it are others
  link.hears(say('notice', [[1, 'still here']]));
  assert.equal(session.state(), 'spectating');
  assert.ok(session.takeNotices().includes('still here'));
  link.onmessage?.({ data: 'a text' } as MessageEvent);
  assert.equal(session.state(), 'spectating');
});

test('what may be lost waits for nobody', { skip: absent }, async () => {
  const { session, link, clock } = await watching();
  link.kinds();
  link.bufferedAmount = 1e6;
  for (let i = 0; i < 100; i++) session.update((clock.ms += 50));
  assert.deepEqual(link.kinds(), [], 'time requests are skipped');
  session.leave();
  assert.ok(link.kinds().includes(LEAVE), 'a leave is not');
});
