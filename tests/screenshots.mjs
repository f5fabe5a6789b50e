#!/usr/bin/env node
// Takes the pictures of the page that README shows, into server/web/page/screenshots: a race of bots is
// hosted, watched, driven in and played again. Takes two minutes; names of pictures choose some of them.
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ask, folder, openBrowser, openPage, run, sleep, startServer, takeTheWheel, until,
} from './e2e/lib.mjs';

const OUT = join(dirname(fileURLToPath(import.meta.url)), '../server/web/page/screenshots');
const CARS = 20;
const RACE = `kind: race
name: Ridgeway Grand Prix
track: ridgeway
cars: [boxster-s, corvette-c5, mp4-12c]
laps: 12
races: 1
player_capacity: 32
start_players: ${CARS}
bots: ${CARS}
lobby_s: 1
countdown_s: 3
server: {port: 0, address: 127.0.0.1}
web: {listen: "127.0.0.1:0"}
`;

const wanted = process.argv.slice(2);
if (wanted.includes('-h') || wanted.includes('--help')) {
  console.log('usage: screenshots.mjs [NAME...]\n\nTakes the pictures of the page that README shows, or those that are named.');
  process.exit(0);
}
const wants = (name) => wanted.length === 0 || wanted.includes(name);

async function shoot(page, name) {
  await page.screenshot({ path: join(OUT, `${name}.png`) });
  console.log(`${name}.png`);
  await page.context().close();
}

async function open(server, path = '/', options = {}) {
  const page = await openPage(server.url + path, { colorScheme: 'light', ...options });
  await until('cars on the map', 20, () =>
    page.evaluate(() => (window.apex?.mapStats()?.cars ?? 0) > 0));
  return page;
}

// The second of the order, which has company.
const choose = (page) => page.locator('.tower-choose').nth(1).click();

async function watched(server) {
  if (wants('race')) {
    const page = await open(server, '/', { width: 1400, height: 860 });
    await choose(page);
    await sleep(32000);
    await shoot(page, 'race');
  }
  if (wants('follow')) {
    const page = await open(server, '/', { width: 1400, height: 860, colorScheme: 'dark' });
    await choose(page);
    await page.keyboard.press('f');
    await sleep(32000);
    await shoot(page, 'follow');
  }
  if (wants('phone')) {
    const page = await open(server, '/', { width: 390, height: 844, deviceScaleFactor: 2 });
    await sleep(8000);
    await shoot(page, 'phone');
  }
}

async function driven(server) {
  if (!wants('drive')) return;
  const page = await open(server, '/', { width: 1400, height: 860, colorScheme: 'dark' });
  await takeTheWheel(page, 'You');
  await page.keyboard.down('ArrowUp');
  await sleep(7000);
  await shoot(page, 'drive');
}

async function replayed(server) {
  if (!wants('replay')) return;
  const [recording] = (await ask(server, '/api/replays')).json;
  const page = await open(server, recording.live, { width: 1400, height: 860 });
  await sleep(12000);
  await shoot(page, 'replay');
}

await run(async () => {
  mkdirSync(OUT, { recursive: true });
  const args = ['--replays', join(folder, 'replays')];
  const server = await startServer('shown', { race: RACE, args });
  await openBrowser();
  await until('the race', 60, async () =>
    (await ask(server, '/api/races/1')).json.phase === 'race');
  await sleep(wanted.length === 0 ? 60000 : 5000);
  await watched(server);
  await driven(server);
  await replayed(server);
});
