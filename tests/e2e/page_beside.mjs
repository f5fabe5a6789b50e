#!/usr/bin/env node
// A driver in a field of others sees those beside him at the moment of his own car, where the
// server has them then: what his page shows is compared with what somebody who watches sees of that
// tick once it has come. What the page says of it is there too: the connection's figures, outlines.
// And where he touches another he feels it in the frame that shows it, once.
import {
  complaints, expect, expectThat, openBrowser, openPage, picture, RACE, run, sleep, startServer,
  takeTheWheel, until, untilPageIs,
} from './lib.mjs';

const BOTS = 7;
const BESIDE_M = 15;
const SECONDS = 6;
const WORD_MS = 500;
const TICK_HZ = 60;
const APART_TICKS_MAX = 30; // of the frames of who watches
const FIELD = RACE.replace('start_players: 1', `start_players: ${BOTS + 1}`)
  .replace('lobby_s: 1', 'lobby_s: 60');

/** Runs in the page: of each frame all cars, [car, tick, x, y, vx, vy], and the tick last told. */
function watchCars(seconds) {
  const session = window.apex.session();
  const frames = [];
  const beganMs = performance.now();
  return new Promise((done) => {
    const frame = (nowMs) => {
      const { count, values } = session.poses(nowMs);
      const fields = values.length / count;
      const cars = [];
      for (let at = 0; at < values.length; at += fields) {
        const [car, x, y] = values.subarray(at, at + 3);
        cars.push([car, values[at + 18], x, y, values[at + 7], values[at + 8]]);
      }
      frames.push({ cars, toldTick: session.toldPoses(nowMs).values[18] });
      if (nowMs - beganMs < 1000 * seconds) requestAnimationFrame(frame);
      else done(frames);
    };
    requestAnimationFrame(frame);
  });
}

/** Runs in the page: a pad that drives at the nearest car, and counts the blows of its motors. */
function plugIn() {
  const THROTTLE = 7;
  const button = (value) => ({ value, pressed: value > 0, touched: value > 0 });
  const pad = {
    id: 'Standard pad', index: 0, mapping: 'standard', connected: true, timestamp: 1,
    axes: [0, 0, 0, 0],
    buttons: Array.from({ length: 17 }, (_, i) => button(i === THROTTLE ? 1 : 0)),
    blows: 0,
    vibrationActuator: {
      // What is steady, of tyres and ground, shakes the two motors in another proportion.
      playEffect: async (_, { strongMagnitude, weakMagnitude }) => {
        pad.blows += Math.abs(weakMagnitude - 0.6 * strongMagnitude) < 1e-9;
      },
    },
  };
  const chase = (nowMs) => {
    const { count, values } = window.apex.session().poses(nowMs);
    const [, x, y, , yaw] = values;
    const places = Array.from({ length: count }, (_, row) => {
      const [, otherX, otherY] = values.subarray((row * values.length) / count);
      return [otherX - x, otherY - y];
    });
    const [dx, dy] = places.slice(1).sort((a, b) => Math.hypot(...a) - Math.hypot(...b))[0];
    const ahead = dx * Math.cos(yaw) + dy * Math.sin(yaw);
    const left = dy * Math.cos(yaw) - dx * Math.sin(yaw);
    pad.axes[0] = Math.max(-1, Math.min(1, -3 * Math.atan2(left, ahead)));
    requestAnimationFrame(chase);
  };
  requestAnimationFrame(chase);
  window.pad = pad;
  navigator.getGamepads = () => [pad];
}

/** Runs in the page: touches of the own car as foretold and as the server tells, by frames. */
function noteTouches() {
  const session = window.apex.session();
  const notes = { felt: [], told: [], frames: 0 };
  const takeEvents = session.takeEvents.bind(session);
  session.takeEvents = () => {
    const events = takeEvents();
    for (const { kind, player, other, isFelt } of events) {
      const isOurs = [player, other].includes(session.player());
      if (kind !== 'contact' || !isOurs) continue;
      const rival = player === session.player() ? other : player;
      const car = session.roster().find((entry) => entry.player === rival)?.car;
      notes.told.push({ car, isFelt: isFelt === true, frame: notes.frames });
    }
    return events;
  };
  const count = (nowMs) => {
    notes.frames++;
    for (const { car } of session.touches(nowMs)) notes.felt.push({ car, frame: notes.frames });
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  window.notes = notes;
}

/** Where somebody who watches saw a car at a tick: between two of his frames, by its velocities. */
function placeAt(track, tick) {
  const after = track.findIndex((place) => place.tick >= tick);
  if (after <= 0 || track[after].tick - track[after - 1].tick > APART_TICKS_MAX) return null;
  const [a, b] = [track[after - 1], track[after]];
  const apartS = (b.tick - a.tick) / TICK_HZ;
  const u = (tick - a.tick) / (b.tick - a.tick);
  const between = (from, to, fromMps, toMps) =>
    from * (1 + 2 * u) * (1 - u) ** 2 + to * u * u * (3 - 2 * u) +
    apartS * (fromMps * u * (1 - u) ** 2 + toMps * u * u * (u - 1));
  return [between(a.x, b.x, a.vx, b.vx), between(a.y, b.y, a.vy, b.vy)];
}

function tracksOf(frames) {
  const tracks = new Map();
  for (const [car, tick, x, y, vx, vy] of frames.flatMap(({ cars }) => cars)) {
    if (!tracks.has(car)) tracks.set(car, []);
    tracks.get(car).push({ tick, x, y, vx, vy });
  }
  return tracks;
}

const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];

/** How often others were beside him, and how far off he saw those that were at his car's moment. */
function besideOf(frames, tracks) {
  const beside = { times: 0, offM: [] };
  for (const { cars: [own, ...others] } of frames) {
    for (const [car, tick, x, y, vx, vy] of others) {
      if (Math.hypot(vx, vy) < 5 || Math.hypot(x - own[2], y - own[3]) > BESIDE_M) continue;
      const place = placeAt(tracks.get(car) ?? [], own[1]);
      if (place === null) continue;
      beside.times++;
      const isAtHisMoment = Math.abs(own[1] - tick) < 0.1;
      if (isAtHisMoment) beside.offM.push(Math.hypot(place[0] - x, place[1] - y));
    }
  }
  return beside;
}

function seesOthersWhereTheyAre(frames, told) {
  const { times, offM } = besideOf(frames, tracksOf(told));
  // A page that is kept from its frames hears late, and a quarter of a second ahead is the most
  // that it foretells others; as they were told they would never be at his moment.
  const least = Math.max(20, times / 10);
  expectThat(`${offM.length} of ${times} times at his moment`, offM.length > least);
  const ahead = quantile(frames.map(({ cars, toldTick }) => cars[0][1] - toldTick), 0.5);
  expectThat(`his moment is ${ahead} ticks after what was told`, ahead > 3);
  const [p50M, p95M] = [quantile(offM, 0.5), quantile(offM, 0.95)];
  const cm = (m) => `${(100 * m).toFixed(1)} cm`;
  console.log(`${times} times beside another, ${offM.length} at the moment of the own car: ` +
    `off by ${cm(p50M)} (p50), ${cm(p95M)} (p95), ${ahead.toFixed(1)} ticks after what was told`);
  expectThat(`off by ${p50M} m usually`, p50M < 0.1);
  expectThat(`off by ${p95M} m in 95 of 100`, p95M < 0.5);
}

/** Each touch is felt once: with another in the frame that shows it, or by the server's word. */
async function feelsTouches(page) {
  const notesOf = () => page.evaluate(() => ({ ...window.notes, blows: window.pad.blows }));
  await until('a touch, of a wall if of nobody', 30, async () => {
    const { felt, told } = await notesOf();
    return felt.length + told.length > 0;
  });
  await sleep(WORD_MS); // what was felt is told of, too
  const { felt, told, blows } = await notesOf();
  const marked = told.filter(({ isFelt }) => isFelt);
  for (const { car, frame } of marked) {
    expectThat(`what was told of ${car} in frame ${frame} was felt before`,
      felt.some((touch) => touch.car === car && touch.frame <= frame));
  }
  console.log(`${felt.length} touches felt, ${told.length} told of, ${marked.length} of them felt`);
  expect('blows', blows, felt.length + told.length - marked.length);
}

async function saysSo(page) {
  const panel = page.getByRole('region', { name: 'Connection' });
  const words = await panel.innerText();
  expectThat(`the panel says "${words}"`, /Off lengthways\s+[\d.]+ c?m usually/.test(words));
  const legend = await page.locator('.map-truth').innerText();
  expectThat(`the legend says "${legend}"`, /had the cars \d+ ms before what you see/.test(legend));
}

await run(async () => {
  const server = await startServer('field', { race: FIELD, args: ['--bots', String(BOTS)] });
  await openBrowser();
  const watching = await openPage(server.url, { width: 400, height: 300 });
  await untilPageIs('spectating', watching);
  const page = await openPage(server.url);
  await untilPageIs('spectating', page);
  await takeTheWheel(page, 'Fangio');
  await until('the race', 30, () =>
    page.evaluate(() => window.apex.session().raceState()?.phase === 'race'));
  await page.evaluate(plugIn);
  await page.evaluate(noteTouches);
  await page.keyboard.press('n');
  await page.keyboard.press('o');
  const seen = page.evaluate(watchCars, SECONDS);
  const told = await watching.evaluate(watchCars, SECONDS + 1);
  const frames = await seen;
  await picture(page, 'beside');
  await feelsTouches(page);
  seesOthersWhereTheyAre(frames, told);
  await saysSo(page);
  expect('complaints of the console', complaints, []);
});
