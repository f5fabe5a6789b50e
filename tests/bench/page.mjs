#!/usr/bin/env node
// A benchmark of how soon the page shows a race, and how many frames a second it draws, in headless
// Chromium with software rendering: page.mjs [--seconds N] [--cars N], of a large field 1,000 if
// not told. One figure a line, "name value unit", as tests/bench/run prints them. Server and
// browser share the machine.
import {
  ask, openBrowser, openPage, run, sleep, startServer, until,
} from '../e2e/lib.mjs';

if (process.argv.includes('-h') || process.argv.includes('--help')) {
  console.log('usage: page.mjs [--seconds N] [--cars N]\n\nHow soon the page shows a race, and how many frames a second it draws.');
  process.exit(0);
}

function option(name, value) {
  const at = process.argv.indexOf(name);
  return at > 0 ? Number(process.argv[at + 1]) : value;
}

const SECONDS = option('--seconds', 8);
const CARS = option('--cars', 1000);

const race = (track, cars) => `kind: race
name: bench
track: ${track}
cars: [boxster-s]
laps: 500
races: 1
player_capacity: ${cars}
start_players: ${cars}
bots: ${cars}
lobby_s: 1
countdown_s: 1
server: {port: 0, address: 127.0.0.1}
web: {listen: "127.0.0.1:0"}
`;

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

const hasCars = (page, cars) =>
  until('cars on the map', 30, () =>
    page.evaluate((least) => (window.apex?.mapStats()?.cars ?? 0) >= least, cars));

// Intervals between frames as the page's own clock has them.
const frames = (page, seconds) =>
  page.evaluate(
    (ms) =>
      new Promise((done) => {
        const times = [];
        const began = performance.now();
        const next = (now) => {
          times.push(now);
          if (now - began < ms) requestAnimationFrame(next);
          else done(times.slice(1).map((time, i) => time - times[i]));
        };
        requestAnimationFrame(next);
      }),
    seconds * 1000,
  );

async function measure(name, page) {
  const apart = (await frames(page, SECONDS)).sort((a, b) => a - b);
  const fps = (1000 * apart.length) / apart.reduce((sum, each) => sum + each, 0);
  console.log(`page.fps.${name} ${fps.toFixed(1)} Hz`);
  console.log(`page.frame_p95.${name} ${apart[Math.floor(apart.length * 0.95)].toFixed(1)} ms`);
  const drawn = await page.evaluate(() => window.apex.mapStats().cars);
  console.log(`page.cars_drawn.${name} ${drawn} cars`);
}

async function opening(server, cars, shown) {
  const took = [];
  for (let i = 0; i < 5; i++) {
    const began = performance.now();
    const page = await openPage(server.url);
    await hasCars(page, shown);
    took.push(performance.now() - began);
    await page.context().close();
  }
  console.log(`page.open_ms.${cars} ${median(took).toFixed(0)} ms`);
}

// Of a large field a viewer hears by and by: when `shown` have come the page is open.
async function field(track, cars, shown) {
  const server = await startServer(`field-${cars}`, {
    race: race(track, cars),
    args: ['--workers', '0'],
  });
  await until('the race', 60, async () =>
    (await ask(server, '/api/races/1')).json.phase === 'race');
  await opening(server, cars, shown);
  const page = await openPage(server.url);
  await hasCars(page, cars);
  await sleep(8000);
  await measure(`${cars}.whole`, page);
  await page.keyboard.press('f');
  await sleep(2000);
  await measure(`${cars}.follow`, page);
  await page.context().close();
  server.child.kill('SIGTERM');
  await server.child.ended;
}

await run(async () => {
  await openBrowser();
  await field('ridgeway', 24, 24);
  await field('wide-oval', CARS, 100);
});
