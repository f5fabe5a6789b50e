#!/usr/bin/env node
// A benchmark of what it costs a driver's page to hear of his rivals: page_ahead.mjs [--seconds N].
// One figure a line, "name value unit", as tests/bench/run prints them. A drive in a pack, over a
// line of 50 ms each way, is recorded at the page's library: the calls that its session makes, with
// their bytes. Then it is played to a fresh library, in Node.js and in Chromium's main thread, and
// each call is timed. What a call does is the same each time, so of five plays its best counts: a
// busy machine only adds. `snapshot` is a message with one, after which the own car and its rivals
// are stepped anew from there to where controls set now act; `frame` is all cars of a frame.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser, openPage, run, SERVER, startServer } from '../e2e/lib.mjs';
import { relayTo } from '../e2e/lib_relay.mjs';

if (process.argv.includes('-h') || process.argv.includes('--help')) {
  console.log('usage: page_ahead.mjs [--seconds N]\n\nWhat hearing of rivals costs a page.');
  process.exit(0);
}

const at = process.argv.indexOf('--seconds');
const SECONDS = at > 0 ? Number(process.argv[at + 1]) : 10;
const DELAY_MS = 50;
const BOTS = 31;
const RIVALS = 12; // of so many at most does a client foretell
const PLAYS = 5;

const RACE = `kind: race
name: bench
track: wide-oval
cars: [boxster-s]
laps: 500
races: 1
player_capacity: ${BOTS + 1}
start_players: ${BOTS + 1}
bots: ${BOTS}
lobby_s: 60
countdown_s: 3
server: {port: 0, address: 127.0.0.1}
web: {listen: "127.0.0.1:0"}
`;

/** Runs in the page, before it: notes each call of a library, and its bytes or levels. */
function record() {
  const TAKES_BYTES = new Set(['begin', 'link_received']);
  const NOTED = new Set([
    ...TAKES_BYTES, 'link_opened', 'link_closed', 'was_deaf', 'update', 'take_ground',
    'set_controls', 'poses',
  ]);
  const CONTROLS = 10;
  const base64 = (bytes) => {
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
  };
  window.tapes = [];

  function noting({ exports }) {
    const tape = [];
    let inputAt = 0;
    const wrapped = { ...exports };
    wrapped.input = (bytes) => (inputAt = exports.input(bytes));
    for (const name of NOTED) {
      wrapped[name] = (...args) => {
        const note = { name, args };
        if (TAKES_BYTES.has(name)) {
          note.bytes = base64(new Uint8Array(exports.memory.buffer, inputAt, args[0]));
        } else if (name === 'set_controls') {
          note.levels = [...new Float64Array(exports.memory.buffer, exports.controls(), CONTROLS)];
        }
        tape.push(note);
        return exports[name](...args);
      };
    }
    window.tapes.push(tape);
    return { exports: wrapped };
  }

  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = async (module, imports) => noting(await instantiate(module, imports));
}

/** Plays a tape to fresh libraries, in a page or here. What snapshots and frames cost, in ms. */
async function play({ library, tape, plays, rivalsWanted }) {
  const FIELDS = 20;
  const TICK = 18;
  const SNAPSHOTS = 3;
  const unpacked = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const module = await WebAssembly.compile(unpacked(library));
  const messages = tape.map(({ bytes }) => (bytes === undefined ? null : unpacked(bytes)));

  function importsOf(here) {
    const nothing = (countAt, bytesAt) => {
      new Uint32Array(here().memory.buffer, countAt, 1)[0] = 0;
      new Uint32Array(here().memory.buffer, bytesAt, 1)[0] = 0;
      return 0;
    };
    const none = () => 0;
    return {
      apex: { link_open: none, link_send: none, link_close: none, prove: none, token: none },
      wasi_snapshot_preview1: {
        environ_sizes_get: nothing,
        environ_get: none, fd_close: none, fd_seek: none, fd_write: none,
        proc_exit: (status) => {
          throw new Error(`it ended with ${status}`);
        },
      },
    };
  }

  /** Rivals that are stepped with the own car, which comes first: later than those as told. */
  function rivalsIn(calls, count) {
    const rows = new Float64Array(calls.memory.buffer, calls.pose_rows(), count * FIELDS);
    const ticks = Array.from({ length: count }, (_, row) => rows[row * FIELDS + TICK]);
    const told = Math.min(...ticks);
    return ticks.slice(1).filter((tick) => tick > told + 0.5).length;
  }

  function give(calls, bytes, levels) {
    const at = bytes === null ? 0 : calls.input(bytes.length); // for which memory may grow
    if (bytes !== null) new Uint8Array(calls.memory.buffer, at, bytes.length).set(bytes);
    if (levels) new Float64Array(calls.memory.buffer, calls.controls(), levels.length).set(levels);
  }

  async function once(costs) {
    let calls;
    ({ exports: calls } = await WebAssembly.instantiate(module, importsOf(() => calls)));
    calls._initialize();
    let rivals = 0;
    let snapshots = 0;
    for (let i = 0; i < tape.length; i++) {
      const { name, args, levels } = tape[i];
      give(calls, messages[i], levels);
      if (name === 'take_ground') args[0] = 0; // it lays the track itself
      const began = performance.now();
      const result = calls[name](...args);
      const ms = performance.now() - began;
      if (name === 'poses') rivals = rivalsIn(calls, result);
      const heard = new Float64Array(calls.memory.buffer, calls.stats(), SNAPSHOTS + 1)[SNAPSHOTS];
      const kind = name === 'poses' ? 'frame' : heard > snapshots ? 'snapshot' : 'other';
      snapshots = heard;
      costs[i] = { kind, rivals, ms: Math.min(ms, costs[i]?.ms ?? Infinity) };
    }
    return [...new Float64Array(calls.memory.buffer, calls.stats(), 17)];
  }

  const costs = [];
  let stats = [];
  for (let i = 0; i < plays; i++) stats = await once(costs);
  const most = costs.reduce((rivals, cost) => Math.max(rivals, cost.rivals), 0);
  const least = Math.min(most, rivalsWanted);
  const of = (kind) =>
    costs.filter((cost) => cost.kind === kind && cost.rivals >= least).map(({ ms }) => ms);
  return { rivals: least, stats, snapshot: of('snapshot'), frame: of('frame') };
}

const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))];

function tell(where, told) {
  for (const kind of ['snapshot', 'frame']) {
    for (const [name, share] of [['p50', 0.5], ['p99', 0.99], ['max', 1]]) {
      const us = 1000 * quantile(told[kind], share);
      console.log(`page.ahead_${kind}_${name}.${where} ${us.toFixed(0)} us`);
    }
  }
}

/** Runs in the page: a driver who steers to a car ahead of him and keeps to its pack. */
async function drive([name, seconds]) {
  const url = `${location.origin.replace('http', 'ws')}/race/1`;
  const session = await race.openSession(
    { url, name, car: '', password: '', spectate: false },
    { ...race.fromBrowser, ground: () => Promise.resolve(null) }, // the library lays it
  );
  const FIELDS = 20;
  const AIM_M = [8, 40];
  const WIDEST_RAD = 0.6;
  let racedMs = 0;

  function levels({ count, values }) {
    const [, x, y, , yaw] = values;
    let [aheadM, left] = [Infinity, 0];
    for (let at = FIELDS; at < count * FIELDS; at += FIELDS) {
      const [dx, dy] = [values[at + 1] - x, values[at + 2] - y];
      const ahead = dx * Math.cos(yaw) + dy * Math.sin(yaw);
      if (ahead < AIM_M[0] || ahead > AIM_M[1] || ahead > aheadM) continue;
      [aheadM, left] = [ahead, dy * Math.cos(yaw) - dx * Math.sin(yaw)];
    }
    const steerRad = aheadM < Infinity ? (2.4 * 2 * left) / (aheadM ** 2 + left ** 2) : 0;
    return { steer: Math.max(-1, Math.min(1, steerRad / WIDEST_RAD)), throttle: 1 };
  }

  const CAR = {
    brake: 0, clutch: 0, handbrake: 0, gear: race.Gear.automatic,
    shiftUp: 0, shiftDown: 0, reset: 0, aidsOff: 0,
  };
  return new Promise((done, failed) => {
    const frame = (nowMs) => {
      session.update(nowMs);
      if (session.state() === 'closed') return failed(new Error(session.closeReason()?.text));
      if (session.raceState()?.phase === 'race') racedMs ||= nowMs;
      const poses = session.poses(nowMs);
      if (poses.count > 0) session.setControls({ ...CAR, ...levels(poses) });
      if (racedMs > 0 && nowMs > racedMs + 1000 * seconds) done(window.tapes.at(-1));
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/** The page's session by itself: what draws would take the processor that a pack needs. */
async function sessionAlone() {
  const folder = join(dirname(fileURLToPath(import.meta.url)), '../../server/web/page');
  const { build } = createRequire(join(folder, 'package.json'))('esbuild');
  const files = ['session', 'means', 'numbers'];
  const contents = files.map((file) => `export * from './${file}';`).join('');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(folder, 'src/race') },
    bundle: true, format: 'iife', globalName: 'race', write: false, logLevel: 'error',
  });
  return outputFiles[0].text;
}

const BLANK = { contentType: 'text/html', body: '<!doctype html>' };

/** A drive in a pack; what the page's library was told. */
async function recorded(browser) {
  const server = await startServer('pack', { race: RACE });
  const relay = await relayTo(server);
  Object.assign(relay.link, { delayMs: DELAY_MS });
  const context = await browser.newContext({ bypassCSP: true });
  await context.addInitScript(record);
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${relay.port}/api/races`); // nothing that draws
  await page.evaluate(`${await sessionAlone()}; globalThis.race = race`);
  const tape = await page.evaluate(drive, ['Fangio', SECONDS]);
  await context.close();
  server.child.kill('SIGTERM');
  await server.child.ended;
  return tape;
}

/** A page whose clock is not blurred: it shares its process with nobody. */
async function isolatedPage() {
  const page = await openPage('about:blank');
  const headers = {
    'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp',
  };
  await page.route('**/*', (route) => route.fulfill({ headers, ...BLANK }));
  await page.goto('http://127.0.0.1:9/');
  if (!(await page.evaluate(() => crossOriginIsolated))) throw new Error('the clock is blurred');
  return page;
}

await run(async () => {
  const browser = await openBrowser();
  const tape = await recorded(browser);
  const file = join(dirname(SERVER), 'wasm/apex.wasm');
  const library = (await readFile(file)).toString('base64');
  const given = { library, tape, plays: PLAYS, rivalsWanted: RIVALS };
  const here = await play(structuredClone(given));
  const there = await (await isolatedPage()).evaluate(play, given);
  console.log(`page.ahead_rivals ${here.rivals} cars`);
  console.log(`page.ahead_snapshots ${here.snapshot.length} messages`);
  console.log(`page.ahead_horizon_p50 ${here.stats[13].toFixed(0)} ms`);
  console.log(`page.ahead_horizon_p99 ${here.stats[14].toFixed(0)} ms`);
  tell('node', here);
  tell('chromium', there);
});
