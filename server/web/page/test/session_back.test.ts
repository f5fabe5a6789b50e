// Coming back: the token, when the next try is due, and a page that goes without leaving.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdsWheel } from '../src/race/race';
import { decode, say, welcome } from './server_words';
import { absent, begin, HELLO, JOIN, LEAVE, SPECTATE, watching, type Line } from './session_scene';

const DRIVER = { spectate: false };
const TOKEN = '00112233445566778899aabbccddeeff';

const tokenOf = (line: Line): Uint8Array =>
  decode(decode(line.sent[0]!).get(HELLO)?.[0] as Uint8Array).get(3)?.[0] as Uint8Array;

const joined = (...more: [number, number][]) => say('joined', [[1, 5], [2, 9], ...more]);

test('who has a token says so at once', { skip: absent }, async () => {
  const { session, line } = await begin({ ...DRIVER, resumeToken: TOKEN });
  line.onopen?.({} as Event);
  assert.deepEqual(Buffer.from(tokenOf(line)).toString('hex'), TOKEN);
  line.hears(welcome());
  assert.equal(holdsWheel(session), false);
  line.hears(joined([4, 1]));
  assert.equal(session.state(), 'driving');
  assert.equal(session.player(), 5);
  assert.equal(holdsWheel(session), true);
});

test('who finds his place gone watches, and is no other driver', { skip: absent }, async () => {
  const { session, line } = await begin({ ...DRIVER, resumeToken: TOKEN });
  line.onopen?.({} as Event);
  line.kinds();
  line.hears(welcome());
  line.hears(say('joined', []));
  assert.equal(session.state(), 'spectating');
  assert.equal(holdsWheel(session), false);
  assert.ok(line.kinds().includes(SPECTATE));
  assert.ok(!line.kinds().includes(JOIN));
});

test('what is no token is none', { skip: absent }, async () => {
  for (const resumeToken of ['', '12', TOKEN.toUpperCase(), TOKEN.replace('c', 'x')]) {
    const { line } = await begin({ ...DRIVER, resumeToken });
    line.onopen?.({} as Event);
    assert.equal(tokenOf(line)?.length ?? 0, 0, resumeToken);
  }
});

test('a lost link says when it tries, and tries at once when asked', { skip: absent }, async () => {
  const { session, lines, line, clock } = await watching();
  assert.equal(session.nextTryMs(), 0);
  session.update((clock.ms += 10));
  line.onclose?.({} as CloseEvent);
  session.update((clock.ms += 10)); // the first try comes at once
  assert.equal(lines.length, 2);
  lines[1]!.onclose?.({} as CloseEvent);
  const wait = session.nextTryMs() - clock.ms;
  assert.ok(wait > 500 && wait <= 2000, `${wait} ms`);
  session.update((clock.ms += wait - 100));
  assert.equal(lines.length, 2);
  session.tryNow();
  assert.equal(lines.length, 3);
  lines[2]!.onopen?.({} as Event);
  assert.equal(session.nextTryMs(), 0); // it is at it
});

test('a driver keeps the wheel while his link is broken', { skip: absent }, async () => {
  const { session, line } = await begin(DRIVER);
  line.onopen?.({} as Event);
  line.hears(welcome());
  line.hears(joined());
  line.onclose?.({} as CloseEvent);
  assert.equal(session.state(), 'reconnecting');
  assert.equal(holdsWheel(session), true);
  session.close();
  assert.equal(holdsWheel(session), false);
});

test('a page that goes has not left', { skip: absent }, async () => {
  const { session, line } = await begin(DRIVER);
  line.onopen?.({} as Event);
  line.hears(welcome());
  line.hears(joined());
  line.kinds();
  session.breakOff();
  assert.equal(line.code, 4000);
  assert.ok(!line.kinds().includes(LEAVE));
  line.onclose?.({} as CloseEvent); // the page was only put aside
  assert.equal(session.state(), 'reconnecting');
});
