// Coming back: the token, when the next try is due, and a page that goes without leaving.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdsWheel } from '../src/race/race';
import { decode, say, welcome } from './server_words';
import {
  absent,
  begin,
  HELLO,
  JOIN,
  LEAVE,
  SPECTATE,
  watching,
  type FakeLink,
} from './session_scene';

const DRIVER = { spectate: false };
const TOKEN = '00112233445566778899aabbccddeeff';

const tokenOf = (link: FakeLink): Uint8Array =>
  decode(decode(link.sent[0]!).get(HELLO)?.[0] as Uint8Array).get(3)?.[0] as Uint8Array;

const joined = (...more: [number, number][]) => say('joined', [[1, 5], [2, 9], ...more]);

test('who has a token says so at once', { skip: absent }, async () => {
  const { session, link } = await begin({ ...DRIVER, resumeToken: TOKEN });
  link.onopen?.({} as Event);
  assert.deepEqual(Buffer.from(tokenOf(link)).toString('hex'), TOKEN);
  link.hears(welcome());
  assert.equal(holdsWheel(session), false);
  link.hears(joined([4, 1]));
  assert.equal(session.state(), 'driving');
  assert.equal(session.player(), 5);
  assert.equal(holdsWheel(session), true);
});

test('who finds his place gone watches, and is no other driver', { skip: absent }, async () => {
  const { session, link } = await begin({ ...DRIVER, resumeToken: TOKEN });
  link.onopen?.({} as Event);
  link.kinds();
  link.hears(welcome());
  link.hears(say('joined', []));
  assert.equal(session.state(), 'spectating');
  assert.equal(holdsWheel(session), false);
  assert.ok(link.kinds().includes(SPECTATE));
  assert.ok(!link.kinds().includes(JOIN));
});

test('what is no token is none', { skip: absent }, async () => {
  for (const resumeToken of ['', '12', TOKEN.toUpperCase(), TOKEN.replace('c', 'x')]) {
    const { link } = await begin({ ...DRIVER, resumeToken });
    link.onopen?.({} as Event);
    assert.equal(tokenOf(link)?.length ?? 0, 0, resumeToken);
  }
});

test('a lost link says when it tries, and tries at once when asked', { skip: absent }, async () => {
  const { session, links, link, clock } = await watching();
  assert.equal(session.nextTryMs(), 0);
  session.update((clock.ms += 10));
  link.onclose?.({} as CloseEvent);
  session.update((clock.ms += 10)); // the first try comes at once
  assert.equal(links.length, 2);
  links[1]!.onclose?.({} as CloseEvent);
  const wait = session.nextTryMs() - clock.ms;
  assert.ok(wait > 500 && wait <= 2000, `${wait} ms`);
  session.update((clock.ms += wait - 100));
  assert.equal(links.length, 2);
  session.tryNow();
  assert.equal(links.length, 3);
  links[2]!.onopen?.({} as Event);
  assert.equal(session.nextTryMs(), 0); // it is at it
});

test('a driver keeps the wheel while his link is broken', { skip: absent }, async () => {
  const { session, link } = await begin(DRIVER);
  link.onopen?.({} as Event);
  link.hears(welcome());
  link.hears(joined());
  link.onclose?.({} as CloseEvent);
  assert.equal(session.state(), 'reconnecting');
  assert.equal(holdsWheel(session), true);
  session.close();
  assert.equal(holdsWheel(session), false);
});

test('a page that goes has not left', { skip: absent }, async () => {
  const { session, link } = await begin(DRIVER);
  link.onopen?.({} as Event);
  link.hears(welcome());
  link.hears(joined());
  link.kinds();
  session.breakOff();
  assert.equal(link.code, 4000);
  assert.ok(!link.kinds().includes(LEAVE));
  link.onclose?.({} as CloseEvent); // the page was only put aside
  assert.equal(session.state(), 'reconnecting');
});
