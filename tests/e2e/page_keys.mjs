#!/usr/bin/env node
// A test of a driver with four keys and no more: he sees what was 150 ms ago, moves a finger at
// most every 60 ms, and keeps his car in its lane round an oval, at racing speed. Where keys steer
// badly, where the car is shown late, or where it jumps about, he cannot.
import {
  ask, complaints, expect, expectThat, openBrowser, openPage, RACE, run, SMALL_WINDOW, startServer,
  takeTheWheel, undisturbed, until, untilPageIs,
} from './lib.mjs';

const NAME = 'Fingers';
const SECONDS = 32;

/** Runs in the page: drives, and tells how it went. */
function drive(seconds) {
  const SEES_MS = 150;
  const FINGER_MS = 60;
  const AHEAD_S = 1;
  const SIDEWAYS_MPS2 = 6.5; // that he dares; the car can do 9
  const BRAKES_MPS2 = 6;
  const PRESS_S = [0.25, 0.5]; // to the lock, as he feels it: while it stands, and fast
  const RELEASE_S = [0.12, 0.22];
  const at = { x: 1, y: 2, yaw: 4, vx: 7, vy: 8, yawRate: 10 };
  const session = window.apex.session();
  const { centre } = session.track();
  const count = centre.length / 2;
  const point = (i) => [centre[2 * (i % count)], centre[2 * (i % count) + 1]];
  const down = new Set();
  const told = { fastestMps: 0, offM: [], slideRad: 0, presses: 0, frames: 0, longestMs: 0 };
  const sights = [];
  let near = -1;
  let level = 0;
  let movedMs = 0;
  let lastMs = 0;

  function key(code, isDown) {
    if (down.has(code) === isDown) return;
    if (isDown) down.add(code);
    else down.delete(code);
    told.presses += isDown ? 1 : 0;
    const type = isDown ? 'keydown' : 'keyup';
    window.dispatchEvent(new KeyboardEvent(type, { code, cancelable: true }));
  }

  const side = () => (down.has('KeyA') ? 1 : down.has('KeyD') ? -1 : 0);

  function nearest(x, y) {
    const away = (i) => Math.hypot(point(i)[0] - x, point(i)[1] - y);
    const from = near < 0 ? 0 : near + count - 30;
    let best = from;
    for (let i = from; i < from + (near < 0 ? count : 90); i++) if (away(i) < away(best)) best = i;
    return best % count;
  }

  function ahead(from, metres) {
    let i = from;
    for (let left = metres; left > 0; i++) {
      const [a, b] = [point(i), point(i + 1)];
      left -= Math.hypot(b[0] - a[0], b[1] - a[1]);
    }
    return i;
  }

  const course = (i) => Math.atan2(point(i + 1)[1] - point(i)[1], point(i + 1)[0] - point(i)[0]);
  const turned = (a, b) => Math.atan2(Math.sin(b - a), Math.cos(b - a));

  /** The speed at which he still makes what lies ahead. */
  function safeSpeed(from) {
    let least = Infinity;
    for (let metres = 1; metres < 150; metres += 15) {
      const [i, j] = [ahead(from, metres), ahead(from, metres + 15)];
      const bend = Math.max(Math.abs(turned(course(i), course(j))) / 15, 1e-4);
      least = Math.min(least, SIDEWAYS_MPS2 / bend + 2 * BRAKES_MPS2 * metres);
    }
    return Math.sqrt(least);
  }

  /** The share of its grip that the lane asks of the car. */
  function wanted(sight) {
    const late = SEES_MS / 1000;
    const goal = point(ahead(sight.near, Math.max(12, sight.v * AHEAD_S) + sight.v * late));
    const heading = sight.heading + sight.yawRate * late;
    const dx = goal[0] - sight.x - Math.cos(sight.heading) * sight.v * late;
    const dy = goal[1] - sight.y - Math.sin(sight.heading) * sight.v * late;
    const left = dy * Math.cos(heading) - dx * Math.sin(heading);
    return ((2 * left) / (dx * dx + dy * dy)) * (Math.max(sight.v ** 2, 40) / 9);
  }

  /** The level to which he feels the wheel turned, by what his fingers have done. */
  function feel(pressed, v, dtS) {
    const hurry = Math.min(1, v / 55);
    const seconds = ([slow, fast]) => slow + (fast - slow) * hurry;
    let left = dtS;
    if (level !== 0 && pressed * level <= 0) {
      const back = Math.min(left, Math.abs(level) * seconds(RELEASE_S));
      level -= (Math.sign(level) * back) / seconds(RELEASE_S);
      left -= back;
      if (left > 0) level = 0;
    }
    level = Math.min(1, Math.max(-1, level + (pressed * left) / seconds(PRESS_S)));
  }

  function steer(wish, nowMs) {
    if (nowMs - movedMs < FINGER_MS) return;
    let next = side();
    if (Math.abs(wish - level) > 0.12) next = Math.sign(wish - level);
    else if (Math.abs(wish) <= 0.12) next = 0;
    if (next === side()) return;
    movedMs = nowMs;
    key('KeyA', next > 0);
    key('KeyD', next < 0);
  }

  function look(row, nowMs) {
    const [x, y, yaw] = [row[at.x], row[at.y], row[at.yaw]];
    const v = Math.hypot(row[at.vx], row[at.vy]);
    near = nearest(x, y);
    const heading = v > 4 ? Math.atan2(row[at.vy], row[at.vx]) : yaw;
    const lane = course(near);
    const [cx, cy] = point(near);
    told.fastestMps = Math.max(told.fastestMps, v);
    told.offM.push(Math.abs((y - cy) * Math.cos(lane) - (x - cx) * Math.sin(lane)));
    told.slideRad = Math.max(told.slideRad, Math.abs(turned(yaw, heading)));
    sights.push({ nowMs, x, y, v, heading, near, yawRate: row[at.yawRate] });
    while (sights.length > 1 && sights[1].nowMs <= nowMs - SEES_MS) sights.shift();
    return v;
  }

  return new Promise((done) => {
    const beganMs = performance.now();
    let frameMs = null;
    function frame(nowMs) {
      if (nowMs - beganMs > seconds * 1000) {
        for (const code of [...down]) key(code, false);
        done(told);
        return;
      }
      requestAnimationFrame(frame);
      if (frameMs !== null) told.longestMs = Math.max(told.longestMs, nowMs - frameMs);
      frameMs = nowMs;
      const { values: row } = session.poses(nowMs);
      if (row[0] !== session.car()) return;
      told.frames++;
      const v = look(row, nowMs);
      feel(side(), v, Math.min(0.1, (nowMs - lastMs) / 1000));
      lastMs = nowMs;
      steer(wanted(sights[0]), nowMs);
      const limit = safeSpeed(sights[0].near);
      key('ArrowUp', sights[0].v < limit);
      key('ArrowDown', sights[0].v > 1.03 * limit);
    }
    requestAnimationFrame(frame);
  });
}

async function driven(page) {
  const told = await page.evaluate(drive, SECONDS);
  const off = told.offM.slice(Math.floor(told.offM.length / 8)).sort((a, b) => a - b);
  const offM = off[Math.floor(0.95 * off.length)];
  const kmh = told.fastestMps * 3.6;
  console.log(
    `${kmh.toFixed(0)} km/h, ${offM.toFixed(2)} m off the lane (95 %), ` +
      `${off.at(-1).toFixed(2)} m at most, slid by ${told.slideRad.toFixed(2)} rad, ` +
      `${told.presses} presses, ${(told.frames / SECONDS).toFixed(0)} frames a second, ` +
      `the longest ${told.longestMs.toFixed(0)} ms`,
  );
  return { ...told, offM, kmh };
}

// Seven and a half are the road.
const isKept = ({ kmh, offM, slideRad }) => kmh > 150 && offM < 6 && slideRad < 0.4;

await run(async () => {
  const server = await startServer('server', { race: RACE.replace('lobby_s: 1', 'lobby_s: 0') });
  await openBrowser();
  const page = await openPage(server.url, SMALL_WINDOW);
  await untilPageIs('spectating', page);
  await takeTheWheel(page, NAME);
  await until('the race', 30, async () =>
    (await ask(server, '/api/races/1')).json.phase === 'race');
  const told = await undisturbed(server, page, () => driven(page), isKept);
  expectThat(`he dared ${told.kmh.toFixed(0)} km/h`, told.kmh > 150);
  expectThat(`he was ${told.offM.toFixed(2)} m off his lane`, told.offM < 6);
  expectThat(`he slid by ${told.slideRad.toFixed(2)} rad`, told.slideRad < 0.4);
  expectThat(`${told.presses} presses: nobody steered`, told.presses > 40);
  expect('complaints of the console', complaints, []);
});
