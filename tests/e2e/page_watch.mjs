#!/usr/bin/env node
// The page of a race with bots: not a word on its console; cars move on the map, and the tower says
// what the server says. tests/bench/page.mjs measures how soon the race is there.
import {
  ask, complaints, expect, expectThat, FEW_FRAMES, openBrowser, openPage, run, sleep, startServer,
  until,
} from './lib.mjs';

const CARS = 12;

// Players in the order of the tower's rows.
const tower = (page) =>
  page.$$eval('.tower-row', (rows) =>
    rows
      .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
      .map((row) => Number(row.dataset.player)));

// Of each car x and y, by its id.
const places = (page) =>
  page.evaluate(() => {
    const { count, values } = window.apex.session().poses(performance.now());
    const fields = 20;
    return Array.from({ length: count }, (_, i) => Array.from(values.slice(i * fields, i * fields + 3)));
  });

async function opens(server) {
  const began = Date.now();
  const page = await openPage(server.url, FEW_FRAMES);
  await until('cars on the map', 10, () =>
    page.evaluate((cars) => (window.apex?.mapStats()?.cars ?? 0) >= cars, CARS));
  const took = Date.now() - began;
  console.log(`the race was on the map after ${took} ms`);
  return page;
}

async function carsMove(page) {
  const before = new Map((await places(page)).map(([car, x, y]) => [car, [x, y]]));
  await sleep(1000);
  const after = await places(page);
  expect('numbers of cars', after.length, CARS);
  for (const [car, x, y] of after) {
    const [fromX, fromY] = before.get(car);
    const moved = Math.hypot(x - fromX, y - fromY);
    expectThat(`car ${car} moved ${moved.toFixed(1)} m in a second`, moved > 5 && moved < 100);
  }
}

// A viewer who comes when the race is on reads what happened before, with names, the newest on top.
async function feedHasThePast(page) {
  const lines = async () =>
    (await page.locator('.feed-text').allTextContents()).reverse(); // the oldest first
  await until('what happened before', 5, async () => (await lines()).includes('The race is on'));
  const texts = await lines();
  const bots = Array.from({ length: CARS }, (_, i) => `Bot ${i + 1} has joined`);
  const phases = ['Cars form up on the grid', 'The start is counted down', 'The race is on'];
  const before = texts.slice(0, bots.length + phases.length);
  expect('what happened before', before, [...bots, ...phases]);
  const nameless = texts.filter((text) => /Driver \d/.test(text));
  expect('lines about nobody', nameless, []);
  expect('toasts', await page.locator('.toast').count(), 0);
  const start = page.locator('.feed-line', { hasText: 'The race is on' }).locator('.feed-time');
  await until("the start's time", 3, async () => (await start.innerText()) === '0:00');
}

// Positions change while they are read: the same order twice around the tower's is the tower's.
async function towerIsTheServers(server, page) {
  await until("the tower in the server's order", 20, async () => {
    const order = async () => (await ask(server, '/api/races/1')).json.order.map((line) => line.player);
    const before = await order();
    await sleep(600);
    const shown = await tower(page);
    const after = await order();
    const still = JSON.stringify(before) === JSON.stringify(after);
    return still && JSON.stringify(shown) === JSON.stringify(before) && shown.length === CARS;
  });
}

const chosen = (page) => page.$eval('.tower-row.is-chosen', (row) => Number(row.dataset.player));

async function linksLeadToDrivers(server, page) {
  await page.locator('.tower-choose').nth(4).click();
  await until('an address with a driver', 5, () => page.url().includes('?car='));
  const player = await chosen(page);
  const other = await openPage(page.url(), FEW_FRAMES);
  await other.locator('.tower-row.is-chosen').waitFor();
  expect('who is chosen', await chosen(other), player);
  await other.close();
}

async function wrongAddressesSayWhatThereIs(server) {
  for (const path of ['/race/99', '/replay/none.apexr', '/nowhere']) {
    const page = await openPage(server.url + path, FEW_FRAMES);
    await page.getByText(`There is nothing at ${path}.`).waitFor();
    await page.getByRole('link', { name: /e2e/ }).first().waitFor();
    await page.close();
  }
}

await run(async () => {
  const server = await startServer('server', { args: ['--bots', String(CARS), '--laps', '20'] });
  await openBrowser();
  await until('the race', 30, async () =>
    (await ask(server, '/api/races/1')).json.phase === 'race');
  const page = await opens(server);
  await feedHasThePast(page);
  await sleep(3000);
  await carsMove(page);
  await towerIsTheServers(server, page);
  await linksLeadToDrivers(server, page);
  expect('complaints of the console', complaints, []);
  await wrongAddressesSayWhatThereIs(server); // and the console complains of them
});
