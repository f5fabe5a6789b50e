#!/usr/bin/env node
// The page of a race with bots: there within two seconds, without a word on its console; cars move on
// the map, and the tower says what the server says.
import {
  ask, complaints, expect, expectThat, openBrowser, openPage, run, sleep, startServer, until,
} from './lib.mjs';

const CARS = 12;

// Names in the order of the tower's rows.
const tower = (page) =>
  page.$$eval('[data-part="tower"] tbody tr[data-player]', (rows) =>
    rows.map((row) => row.dataset.name));

const poses = (page) =>
  page.evaluate(() => {
    const shown = window.apex.session.poses(performance.now());
    return Array.from(shown.values.subarray(0, shown.count * (shown.values.length / shown.count)));
  });

async function opensWithin2s(server) {
  const began = Date.now();
  const page = await openPage(server.url);
  await until('cars on the map', 10, () =>
    page.evaluate((cars) => (window.apex?.map?.stats().carsDrawn ?? 0) >= cars, CARS));
  const took = Date.now() - began;
  console.log(`the race was on the map after ${took} ms`);
  expectThat(`the race is to be on the map within 2 s, not ${took} ms`, took < 2000);
  return page;
}

async function carsMove(page) {
  const before = await poses(page);
  await sleep(1000);
  const after = await poses(page);
  expect('numbers of cars', after.length, before.length);
  const fields = before.length / CARS;
  let moved = 0;
  for (let i = 0; i < CARS; i++) {
    const x = after[i * fields + 1] - before[i * fields + 1];
    const y = after[i * fields + 2] - before[i * fields + 2];
    if (Math.hypot(x, y) > 5) moved++;
  }
  expectThat(`${moved} of ${CARS} cars move`, moved === CARS);
}

// Positions change while they are read: the same order twice around the tower's is the tower's.
async function towerIsTheServers(server, page) {
  await until("the tower in the server's order", 20, async () => {
    const order = async () => (await ask(server, '/api/races/1')).json.order.map((line) => line.name);
    const before = await order();
    await sleep(600);
    const shown = await tower(page);
    const after = await order();
    const still = JSON.stringify(before) === JSON.stringify(after);
    return still && JSON.stringify(shown) === JSON.stringify(before) && shown.length === CARS;
  });
}

await run(async () => {
  const server = await startServer('server', { args: ['--bots', String(CARS), '--laps', '20'] });
  await openBrowser();
  await until('the race', 30, async () =>
    (await ask(server, '/api/races/1')).json.phase === 'race');
  const page = await opensWithin2s(server);
  await sleep(3000);
  await carsMove(page);
  await towerIsTheServers(server, page);
  expect('complaints of the console', complaints, []);
});
