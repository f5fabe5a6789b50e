// The part that scripts which look at the page in a browser share: servers and bots that end with
// them, a browser whose console is watched, and waiting with an end.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync, createWriteStream } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const SERVER = process.env.APEX_SERVER ?? join(sources, 'build/release/apex-server');
const CLIENT = process.env.APEX_CLIENT ?? join(sources, 'build/release/apex-client');
const SKIPPED = 77;
export const TOKEN = 'a-token-for-tests';

export const folder = mkdtempSync(join(tmpdir(), 'apex-page-'));
// Keys and known servers are the test's own.
const XDG_CONFIG_HOME = join(folder, 'config');
const XDG_STATE_HOME = join(folder, 'state');
const children = new Set();
let browser;

// However the script ends.
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130));

export const RACE = `kind: race
name: e2e
track: oval
cars: [boxster-s]
laps: 50
player_capacity: 64
start_players: 1
lobby_s: 1
countdown_s: 1
results_s: 600
races: 1
server:
  port: 0
  address: 127.0.0.1
web:
  listen: 127.0.0.1:0
`;

function skip(why) {
  console.log(`SKIPPED: ${why}`);
  process.exit(SKIPPED);
}

export function fail(text) {
  throw new Error(text);
}

export function expect(what, got, wanted) {
  const same = JSON.stringify(got) === JSON.stringify(wanted);
  if (!same) fail(`${what}: ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`);
}

export function expectThat(what, holds) {
  if (!holds) fail(what);
}

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** Tries until the probe gives something other than undefined, null or false. */
export async function until(what, seconds, probe) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const got = await probe();
    if (got !== undefined && got !== null && got !== false) return got;
    if (Date.now() > end) fail(`${what}: not within ${seconds} s`);
    await sleep(50);
  }
}

// Servers and bots come before the browser, where the system lets them: without a graphics
// processor it takes all processors that it gets.
const CHRT = ['chrt', '--rr', '1'];
const ON_TIME = spawnSync(CHRT[0], [...CHRT.slice(1), 'true']).status === 0 ? CHRT : [];

function start(program, name, args, environment = {}) {
  const [first, ...rest] = [...ON_TIME, program, ...args];
  const child = spawn(first, rest, {
    env: { ...process.env, XDG_CONFIG_HOME, XDG_STATE_HOME, ...environment },
  });
  const log = createWriteStream(join(folder, `${name}.log`));
  child.log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      child.log += bytes;
      log.write(bytes);
    });
  }
  children.add(child);
  child.ended = new Promise((done) => child.on('exit', (code) => done(code)));
  child.ended.then(() => children.delete(child));
  return child;
}

/** A server with its page: {child, url, udp}. */
export async function startServer(name, { race = RACE, args = [], web } = {}) {
  const file = join(folder, `${name}.yaml`);
  writeFileSync(file, race);
  const place = web === undefined ? [] : ['--web', web];
  const child = start(SERVER, name, ['--config', file, ...place, ...args], {
    APEX_WEB_TOKEN: TOKEN,
  });
  const url = await until('the page', 20, () => {
    if (child.exitCode !== null) fail(`the server ended: ${child.log}`);
    return child.log.match(/page: (http:\S+)/)?.[1];
  });
  const udp = Number(child.log.match(/UDP port (\d+)/)[1]);
  return { child, url: url.replace(/\/$/, ''), udp };
}

export function startBots(server, name, count, args = []) {
  const at = `127.0.0.1:${server.udp}`;
  return start(CLIENT, name, ['bot', at, '--count', String(count), '--quiet', ...args]);
}

export async function end(child) {
  child.kill('SIGTERM');
  await child.ended;
}

export async function ask(server, path, { method = 'GET', body, token } = {}) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const answer = await fetch(server.url + path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  return { status: answer.status, json: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined, text };
}

/** The lines of the page's console that tell of something wrong. */
export const complaints = [];

const CHROMIUM = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

// As Debian has them. Its Firefox is driven by WebDriver BiDi, since it is not playwright's own.
const BROWSERS = {
  chromium: {
    path: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    options: { args: CHROMIUM },
  },
  firefox: {
    path: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    options: { channel: 'moz-firefox', timeout: 120_000 }, // its first start takes half a minute
  },
};

export async function openBrowser(name = 'chromium') {
  const package_ = join(sources, 'server/web/page/package.json');
  const { path, options } = BROWSERS[name];
  if (!existsSync(path)) skip(`no ${path}: install it`);
  if (!existsSync(join(dirname(package_), 'node_modules/playwright-core'))) {
    skip('no playwright-core: run npm ci in server/web/page');
  }
  const playwright = createRequire(package_)('playwright-core');
  browser = await playwright[name].launch({ executablePath: path, ...options });
  return browser;
}

/**
 * For openPage: the page is drawn no more often than this, as on a slow machine. Without a graphics
 * processor drawing is most of what a page costs, and tests that look at no single frame take turns
 * with others on the same processors.
 */
export const FEW_FRAMES = { framesPerS: 20 };

/** For openPage, where each frame counts: a small window, though laid out as on a desk. */
export const SMALL_WINDOW = { width: 900, height: 560 };

/** Runs in the page before all of its own: frames come that much later. */
function holdFrames(heldMs) {
  const { requestAnimationFrame: request, cancelAnimationFrame: cancel } = window;
  const held = new Map();
  let newest = 0;
  window.requestAnimationFrame = (draw) => {
    const number = ++newest;
    const wait = { timer: setTimeout(() => {
      wait.frame = request((nowMs) => {
        held.delete(number);
        draw(nowMs);
      });
    }, heldMs) };
    held.set(number, wait);
    return number;
  };
  window.cancelAnimationFrame = (number) => {
    const wait = held.get(number);
    if (wait === undefined) return;
    clearTimeout(wait.timer);
    if (wait.frame !== undefined) cancel(wait.frame);
    held.delete(number);
  };
}

/** Opens an address in a context of its own; what its console says of errors becomes a complaint. */
export async function openPage(url, { width = 1280, height = 800, framesPerS, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, ...options });
  if (framesPerS !== undefined) await context.addInitScript(holdFrames, 1000 / framesPerS);
  return openTab(context, url);
}

/** One more window beside those of the same person. */
export async function openTab(context, url) {
  const page = await context.newPage();
  page.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') {
      complaints.push(`${line.type()}: ${line.text()}`);
    }
  });
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  await page.goto(url, { waitUntil: 'commit' });
  return page;
}

/** A picture for people, beside the server: screenshots/NAME.png. */
export async function picture(page, name) {
  const folder = join(dirname(SERVER), 'screenshots');
  mkdirSync(folder, { recursive: true });
  const before = complaints.length;
  await page.screenshot({ path: join(folder, `${name}.png`) });
  // Firefox is given a style for it, which the page's policy lets none add.
  const others = complaints.splice(before).filter((each) => !each.includes('style-src-elem'));
  complaints.push(...others);
}

/** Until the page's session is 'spectating', 'driving', ... */
export const untilPageIs = (state, page, seconds = 10) =>
  until(`the page is ${state}`, seconds, () =>
    page.evaluate((wanted) => window.apex?.session()?.state() === wanted, state));

/** By button and dialog, as a person does. */
export async function takeTheWheel(page, name) {
  await page.getByRole('button', { name: /^Drive/ }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your name').fill(name);
  await dialog.getByRole('button', { name: 'Drive', exact: true }).click();
  await untilPageIs('driving', page, 20);
}

/** By the key that puts a car back; with time for the clocks to find out. */
export async function backOnTheRoad(page) {
  await page.keyboard.press('KeyR');
  await sleep(5000);
}

/** A longer frame is the machine's doing. */
export const FRAME_MS_MAX = 100;

/**
 * What was measured of a drive, {longestMs, ...}: of one that holds, or else of the first that the
 * machine left alone, or else of the fifth. A machine that is busy with something else disturbs:
 * a server that is kept from its ticks drops them, a page that is kept from its frames shows late
 * and in large steps where the car is.
 */
export async function undisturbed(server, page, measure, holds) {
  const drops = () => server.child.log.split('ticks dropped').length;
  for (let tries = 1; ; tries++) {
    const before = drops();
    const told = await measure();
    const wasLeftAlone = drops() === before && told.longestMs < FRAME_MS_MAX;
    if (holds(told) || wasLeftAlone || tries === 5) return told;
    await backOnTheRoad(page);
  }
}

function hasPage() {
  const said = spawnSync(SERVER, ['--version']);
  return said.status === 0;
}

/** Runs a script's test, shows the logs if it fails, ends what it began. */
export async function run(test) {
  if (!hasPage()) skip('no server to test');
  let failed;
  try {
    await test();
  } catch (error) {
    failed = error;
  }
  await browser?.close();
  if (failed !== undefined) {
    console.log(`FAILED: ${failed.stack}`);
    for (const child of children) console.log('---', child.log.split('\n').slice(-30).join('\n'));
    for (const line of complaints) console.log('console:', line);
  }
  process.exit(failed === undefined ? 0 : 1);
}
