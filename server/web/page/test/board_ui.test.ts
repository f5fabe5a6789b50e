// Routes, links, words and other small parts of the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backoff, comesAgain } from '../src/shell/backoff';
import { RaceClock } from '../src/ui/clock';
import { codeOf } from '../src/ui/codes';
import { linkTo } from '../src/shell/share';
import { bannerOf, sentence } from '../src/shell/status_banner';
import { bytesText, gearText, ordinal } from '../src/ui/format';
import { lookOf, pathOf, routeOf, socketUrl } from '../src/ui/route';
import type { RaceState } from '../src/race/race';

test('paths lead to races, recordings and the operator', () => {
  assert.deepEqual(routeOf('/', ''), { kind: 'home', list: false });
  assert.deepEqual(routeOf('/', '?list=1'), { kind: 'home', list: true });
  assert.deepEqual(routeOf('/race/12', ''), { kind: 'race', id: '12' });
  assert.deepEqual(routeOf('/race/12/', ''), { kind: 'race', id: '12' });
  assert.deepEqual(routeOf('/replay/a%20b.apexr', ''), { kind: 'replay', name: 'a b.apexr' });
  assert.deepEqual(routeOf('/admin', ''), { kind: 'admin' });
});

test('odd paths are nothing', () => {
  const odd = [
    '/race/',
    '/race/x',
    '/race/1/2',
    '/replay/',
    '/replay/..',
    '/replay/a%2Fb',
    '/replay/%E0',
    '/x',
  ];
  for (const path of odd) assert.equal(routeOf(path, '').kind, 'unknown', path);
});

test('a route and its path are the same thing', () => {
  for (const path of ['/', '/?list=1', '/race/3', '/replay/a%20b.apexr', '/admin', '/what']) {
    const [pathname, search] = path.split('?');
    assert.equal(pathOf(routeOf(pathname!, search === undefined ? '' : `?${search}`)), path);
  }
});

test('overlays are asked for in the query', () => {
  const plain = lookOf('');
  assert.deepEqual(lookOf('?view=tower&transparent=1&theme=dark'), {
    ...plain,
    overlay: 'tower',
    transparent: true,
    theme: 'dark',
  });
  assert.deepEqual(lookOf('?view=everything&theme=red&follow=2&at=-3&car=&fps'), {
    ...plain,
    fps: true,
  });
  assert.equal(plain.overlay, 'none');
});

test('a link leads to the driver and the moment that are seen', () => {
  const here = { origin: 'http://a', pathname: '/replay/b.apexr', search: '?fps=&car=Old' };
  const link = linkTo(here, 'Zoë & Co', 83.46);
  assert.equal(link, 'http://a/replay/b.apexr?fps=&car=Zo%C3%AB+%26+Co&at=83.5');
  const { car, atS, fps } = lookOf(new URL(link).search);
  assert.deepEqual([car, atS, fps], ['Zoë & Co', 83.5, true]);
  assert.equal(linkTo({ ...here, search: '?car=Old' }, null, null), 'http://a/replay/b.apexr');
  assert.deepEqual(lookOf('?follow=1').follow, 'north');
  assert.deepEqual(lookOf('?follow=heading').follow, 'heading');
});

test('WebSockets are as safe as the page is', () => {
  assert.equal(socketUrl('http://localhost:8080', '/race/1'), 'ws://localhost:8080/race/1');
  assert.equal(socketUrl('https://apex.example', '/race/1'), 'wss://apex.example/race/1');
});

test('waits double up to a quarter of a minute, and begin again after a success', () => {
  const backoff = new Backoff();
  const waits = Array.from({ length: 6 }, () => backoff.next(0));
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 15000, 15000]);
  backoff.succeeded();
  assert.equal(backoff.next(1), 750);
});

test('who was kicked stays out; who lost the server comes again', () => {
  assert.equal(comesAgain({ name: 'kicked', text: '' }), false);
  assert.equal(comesAgain({ name: 'resumed', text: '' }), false);
  assert.equal(comesAgain({ name: 'shutdown', text: '' }), true);
  assert.equal(comesAgain(null), true);
});

test('other numbers', () => {
  assert.equal(bytesText(999), '999 B');
  assert.equal(bytesText(1500), '1.5 kB');
  assert.equal(bytesText(999_600), '1.0 MB');
  assert.equal(gearText(-1) + gearText(0) + gearText(3), 'RN3');
  assert.deepEqual(
    [1, 2, 3, 4, 11, 12, 13, 21, 112].map(ordinal).join(' '),
    '1st 2nd 3rd 4th 11th 12th 13th 21st 112th',
  );
});

test('codes tell drivers apart', () => {
  assert.equal(codeOf('Ada Lovelace'), 'LOV');
  assert.equal(codeOf('Bot 7'), 'B07');
  assert.equal(codeOf('Bot 12'), 'B12');
  assert.equal(codeOf('bot-123'), '123');
  assert.equal(codeOf('Müller'), 'MUL');
  assert.equal(codeOf('Yi Li'), 'YIL');
  assert.equal(codeOf('x'), 'X');
  assert.equal(codeOf('  --  '), '???');
});

function state(raceTimeUs: number, phase: RaceState['phase'] = 'race'): RaceState {
  const lobby = { startPlayers: 0, lobbyLeftUs: 0 };
  return { phase, raceNumber: 1, raceTimeUs, laps: 3, players: 2, running: 2, ...lobby };
}

test('the clock runs between what the server says, and stands where nothing moves', () => {
  const clock = new RaceClock();
  const first = state(10e6);
  clock.hear(first, 1, 1000);
  assert.equal(clock.at(1500), 10.5e6);
  clock.hear(first, 0, 1500); // paused
  assert.equal(clock.at(9000), 10.5e6);
  clock.hear(first, 2, 9000);
  assert.equal(clock.at(9500), 11.5e6);
  clock.hear(state(60e6, 'results'), 1, 9500);
  assert.equal(clock.at(99500), 60e6);
});

test('the clock leans towards a late message and follows a jump', () => {
  const clock = new RaceClock();
  clock.hear(state(10e6), 1, 0);
  clock.hear(state(10.9e6), 1, 1000);
  assert.ok(Math.abs(clock.at(1000) - 10.99e6) < 1);
  clock.hear(state(100e6), 1, 2000);
  assert.equal(clock.at(2000), 100e6);
  clock.hear(state(-5e6, 'countdown'), 1, 3000);
  assert.equal(clock.at(4000), -4e6);
});

test('a banner says what is wrong, in the words of whoever knows', () => {
  const kicked = { name: 'kicked', text: 'an operator removed you' };
  assert.equal(sentence(kicked), 'An operator removed you.');
  assert.equal(
    sentence({ name: 'kicked', text: '' }),
    'An operator has removed you from the race.',
  );
  assert.equal(sentence(null), 'The server does not answer.');
  assert.equal(bannerOf({ kind: 'live' }, 0), null);
  const waits = bannerOf({ kind: 'waiting', reason: null, untilMs: 3400 }, 1000);
  assert.deepEqual(waits, {
    text: 'The server does not answer. Next try in 3 s.',
    kind: 'warn',
    action: 'Try now',
  });
  assert.equal(bannerOf({ kind: 'ended', reason: kicked }, 0)?.kind, 'bad');
  const asks = { name: 'password', text: 'the password is wrong' };
  assert.deepEqual(bannerOf({ kind: 'ended', reason: asks }, 0), {
    text: 'This race asks for a password.',
    kind: 'warn',
    action: 'Enter the password', // to try without one again would be in vain
  });
  const lost = { kind: 'reconnecting', sinceMs: 1000, untilMs: 5200, isDriver: true } as const;
  assert.deepEqual(bannerOf(lost, 4000), {
    text: 'The connection was lost 3 s ago. The server drives your car. Next try in 2 s.',
    kind: 'warn',
    action: 'Try now',
  });
  const tries = bannerOf({ ...lost, untilMs: 0, isDriver: false }, 4000);
  assert.equal(tries?.text, 'The connection was lost 3 s ago. Coming back…');
  assert.equal(tries?.action, '');
});
