#!/usr/bin/env node
// A driver at the page whose link breaks: he is told, his car is driven for him, and it is his again
// when the link is back; also when he loads the page anew in the race. A driver who leaves has
// left.
import {
  ask, complaints, expect, expectThat, FEW_FRAMES, openBrowser, openPage, RACE, run, sleep,
  startServer, takeTheWheel, until,
} from './lib.mjs';
import { relayTo } from './lib_relay.mjs';

const NAME = 'Fangio';

const line = async (server) =>
  (await ask(server, '/api/races/1')).json.order.find((each) => each.name === NAME);
const seat = (page) => page.evaluate(() => {
  const session = window.apex?.session();
  return { state: session?.state(), player: session?.player(), car: session?.car() };
});
const isDriving = async (page) => (await seat(page)).state === 'driving';

async function takeTheWheelOfARace(server, page) {
  await takeTheWheel(page, NAME);
  await until('the race', 30, async () =>
    (await ask(server, '/api/races/1')).json.phase === 'race');
}

async function isCutOff(server, page, relay) {
  const before = await seat(page);
  relay.cut();
  const banner = page.locator('.banner');
  await banner.getByText(/Next try in \d s/).waitFor({ timeout: 15000 });
  const text = (await banner.innerText()).replaceAll('\n', ' ');
  expectThat(`the banner says "${text}"`, /lost \d+ s ago. The server drives your car/.test(text));
  await page.locator('.drive').getByText('the server drives', { exact: false })
    .waitFor({ timeout: 3000 });
  expect('who drives', (await line(server)).driven_by_server, true);
  const wasM = (await line(server)).lap_m;
  await sleep(3000);
  const droveM = (await line(server)).lap_m - wasM;
  expectThat(`the server drove it ${droveM} m`, droveM > 5);
  await page.getByRole('button', { name: 'Try now' }).click(); // in vain, and no harm
  relay.mend();
  await until('the wheel again', 6, () => isDriving(page));
  expect('player and car', await seat(page), before);
  await until('the car is his', 4, async () => !(await line(server)).driven_by_server);
  await until('nothing is said any more', 3, () => banner.isHidden());
  const joins = (await page.locator('.feed-text').allTextContents())
    .filter((text) => text === `${NAME} has joined`);
  expect('what the feed says of his coming', joins.length, 1);
}

async function isLoadedAnew(server, page) {
  const before = await seat(page);
  const { laps } = await line(server);
  await until('the browser keeps his place', 10, () => page.evaluate(() => {
    const token = window.apex.session().welcome().resumeToken;
    return Object.values(localStorage).some((kept) => kept.includes(token));
  }));
  await page.reload({ waitUntil: 'commit' });
  await until('the wheel after a reload', 10, () => isDriving(page));
  expect('player and car', await seat(page), before);
  const after = await line(server);
  expectThat('his laps', after.laps >= laps);
  await until('the car is his', 4, async () => !(await line(server)).driven_by_server);
  await page.keyboard.down('ArrowUp');
  await sleep(2500);
  await page.keyboard.up('ArrowUp');
  const { predictionErrorM } = await page.evaluate(() => window.apex.session().stats());
  expectThat(`prediction is off by ${predictionErrorM} m`, predictionErrorM < 0.01);
}

async function leaves(server, page) {
  await page.getByRole('button', { name: /^Stop/ }).first().click();
  await until('he watches', 10, async () => (await seat(page)).state === 'spectating');
  await page.reload({ waitUntil: 'commit' });
  await until('he still watches', 10, async () => (await seat(page)).state === 'spectating');
  const left = await line(server);
  expect('who has left', left?.connected ?? false, false);
}

await run(async () => {
  const relayed = RACE.replace('lobby_s: 1', 'lobby_s: 0');
  const server = await startServer('server', { race: relayed });
  const relay = await relayTo(server);
  await openBrowser();
  const page = await openPage(`http://127.0.0.1:${relay.port}`, FEW_FRAMES);
  await until('the page watches', 10, async () => (await seat(page)).state === 'spectating');
  await takeTheWheelOfARace(server, page);
  await isCutOff(server, page, relay);
  await isLoadedAnew(server, page);
  await leaves(server, page);
  // A socket that breaks is told of by the browser, and so is what the picker asks meanwhile.
  const other = complaints.filter((each) => !/WebSocket|ERR_|Failed to load/.test(each));
  expect('complaints of the console', other, []);
});
