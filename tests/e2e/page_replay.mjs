#!/usr/bin/env node
// A recording in the page: chosen from the list, it plays, stands still, goes faster, and jumps to where
// it is asked, also backwards; what is shown is what the race was.
import { join } from 'node:path';
import {
  ask, complaints, end, expect, expectThat, FEW_FRAMES, folder, openBrowser, openPage, RACE, run,
  sleep, startServer, until,
} from './lib.mjs';

const CARS = 6;
const replays = join(folder, 'replays');
const race = RACE.replace('start_players: 1', `start_players: ${CARS}\nbots: ${CARS}`);

const playback = (page) => page.evaluate(() => window.apex.session()?.playback() ?? null);
const places = (page) =>
  page.evaluate(() => {
    const { count, values } = window.apex.session().poses(performance.now());
    const row = (i) => Array.from(values.slice(i * 20, i * 20 + 3)).map((x) => x.toFixed(2));
    return Array.from({ length: count }, (_, i) => row(i).join(' '));
  });

// Half a minute of a race, as fast as it goes.
async function record() {
  const server = await startServer('recorded', { race, args: ['--replays', replays, '--speed', '8'] });
  await until('half a minute of a race', 60, async () =>
    (await ask(server, '/api/races/1')).json.race_time_s > 30);
  await end(server.child);
}

async function choose(page) {
  const card = page.locator('a[href^="/replay/"]');
  await card.first().waitFor();
  await card.last().click();
  await until('cars of the recording', 20, () =>
    page.evaluate((cars) => (window.apex?.mapStats()?.cars ?? 0) === cars, CARS));
}

async function jump(page, tick) {
  await page.evaluate((to) => window.apex.session().play({ tick: to }), tick);
  await until(`tick ${tick}`, 10, async () => (await playback(page)).tick === tick);
  await sleep(700); // what is shown runs up to it
  return places(page);
}

await run(async () => {
  await record();
  const server = await startServer('shown', { args: ['--replays', join(replays), '--bots', '1'] });
  await openBrowser();
  const page = await openPage(`${server.url}/?list=1`, FEW_FRAMES);
  await choose(page);

  const first = await playback(page);
  expectThat(`it lasts ${first.lastTick} ticks`, first.lastTick > 30 * 60);
  expect('it plays', first.playing, true);
  await until('it goes on', 10, async () => (await playback(page)).tick > first.tick + 60);

  await page.getByRole('button', { name: 'Pause' }).click();
  await until('a pause', 5, async () => !(await playback(page)).playing);
  const early = await jump(page, 600);
  const late = await jump(page, 1500);
  expectThat('another moment is another picture', early.join() !== late.join());
  expect('the same moment again', await jump(page, 600), early);
  expect('cars', early.length, CARS);

  await page.evaluate(() => window.apex.session().play({ playing: true, speedPermille: 8000 }));
  const began = Date.now();
  await until('twenty seconds of the race', 15, async () => (await playback(page)).tick > 600 + 1200);
  const tookS = (Date.now() - began) / 1000;
  expectThat(`at 8 times the speed 20 s took ${tookS} s`, tookS < 15);
  expect('complaints of the console', complaints, []);
});
