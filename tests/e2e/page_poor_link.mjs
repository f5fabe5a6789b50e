#!/usr/bin/env node
// Driving at the page over a poor link: 50 ms each way, and of the pieces that cross it one in twenty
// held up by 150 ms, with all that follow it, as TCP does where a packet is lost. The own car goes on
// evenly: from frame to frame it moves as its velocity says. Measured where it is drawn.
import {
  backOnTheRoad, complaints, expect, expectThat, FRAME_MS_MAX, openBrowser, openPage, RACE, run,
  SMALL_WINDOW, startServer, takeTheWheel, undisturbed, until, untilPageIs,
} from './lib.mjs';
import { relayTo } from './lib_relay.mjs';

const SECONDS = 14;

/** Runs in the page: drives, and tells how the own car moved. */
function drive([seconds, frameMsMax]) {
  const at = { x: 1, y: 2, yaw: 4, vx: 7, vy: 8, yawRate: 10 };
  const session = window.apex.session();
  const told = { beyondM: [], turnRad: [], fastestMps: 0, frames: 0, longestMs: 0 };
  const down = new Set();
  const beganMs = performance.now();
  let before = null;

  function key(code, isDown) {
    if (down.has(code) === isDown) return;
    if (isDown) down.add(code);
    else down.delete(code);
    const type = isDown ? 'keydown' : 'keyup';
    window.dispatchEvent(new KeyboardEvent(type, { code, cancelable: true }));
  }

  function look(nowMs) {
    const { values } = session.poses(nowMs); // the own car is the first
    const now = session.stats().predictedTick > 0 ? Object.fromEntries(
      Object.entries(at).map(([name, column]) => [name, values[column]])) : null;
    if (now !== null && before !== null && nowMs - before.ms < frameMsMax) {
      const dtS = (nowMs - before.ms) / 1000;
      const mean = (name) => (before[name] + now[name]) / 2;
      const dx = now.x - before.x - mean('vx') * dtS;
      const dy = now.y - before.y - mean('vy') * dtS;
      const turn = now.yaw - before.yaw - mean('yawRate') * dtS;
      told.beyondM.push(Math.hypot(dx, dy));
      told.turnRad.push(Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn))));
      told.fastestMps = Math.max(told.fastestMps, Math.hypot(now.vx, now.vy));
    }
    if (before !== null) told.longestMs = Math.max(told.longestMs, nowMs - before.ms);
    before = now && { ...now, ms: nowMs };
    told.frames++;
  }

  return new Promise((done) => {
    const frame = (nowMs) => {
      const s = (nowMs - beganMs) / 1000;
      look(nowMs);
      // On and off the throttle, and a little to and fro: each change is one to be late with.
      key('KeyW', s < 3 || s % 2 < 1.2);
      key('KeyS', s >= 3 && s % 2 > 1.7);
      key('KeyA', s > 2 && s % 1.6 < 0.15);
      key('KeyD', s > 2 && s % 1.6 > 0.8 && s % 1.6 < 0.95);
      if (s < seconds) return requestAnimationFrame(frame);
      for (const code of [...down]) key(code, false);
      done(told);
    };
    requestAnimationFrame(frame);
  });
}

const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];

async function measured(page, name) {
  const told = await page.evaluate(drive, [SECONDS, FRAME_MS_MAX]);
  const p99M = quantile(told.beyondM, 0.99);
  const worstM = Math.max(...told.beyondM);
  const worstRad = Math.max(...told.turnRad);
  const stats = await page.evaluate(() => window.apex.session().stats());
  console.log(`${name}: ${told.frames} frames, up to ${told.fastestMps.toFixed(1)} m/s, round trip ` +
    `${stats.rttMs.toFixed(0)} ms; beyond its velocity a frame p50 ` +
    `${(100 * quantile(told.beyondM, 0.5)).toFixed(2)} cm, p99 ${(100 * p99M).toFixed(2)} cm, at most ` +
    `${(100 * worstM).toFixed(2)} cm and ${((180 / Math.PI) * worstRad).toFixed(2)} degrees`);
  return { ...told, p99M, worstM, worstRad };
}

const isEven = (told) => told.p99M < 0.1 && told.worstM < 0.5 && told.worstRad < 0.1;

await run(async () => {
  const server = await startServer('server', { race: RACE.replace('lobby_s: 1', 'lobby_s: 0') });
  const relay = await relayTo(server);
  await openBrowser();
  const page = await openPage(`http://127.0.0.1:${relay.port}`, SMALL_WINDOW);
  await untilPageIs('spectating', page);
  await takeTheWheel(page, 'Fangio');
  await until('the race', 20, () =>
    page.evaluate(() => window.apex.session().raceState()?.phase === 'race'));
  await measured(page, 'good link');
  Object.assign(relay.link, { delayMs: 50, lost: 0.05, stallMs: 150 });
  await backOnTheRoad(page);
  const poor = await undisturbed(server, page, () => measured(page, 'poor link'), isEven);
  expectThat('it drives', poor.fastestMps > 8);
  expectThat(`99 of 100 frames within ${poor.p99M} m`, poor.p99M < 0.1);
  expectThat(`it snapped by ${poor.worstM} m`, poor.worstM < 0.5);
  expectThat(`it snapped by ${poor.worstRad} rad`, poor.worstRad < 0.1);
  expect('complaints of the console', complaints, []);
});
