#!/usr/bin/env node
// A test of the page's looks on desks and in hands: the lobby says what it waits for, a circuit can
// be seen from afar, names of cars keep clear of buttons, the tower has names where there is room,
// the button that drives is in sight, and drivers who have retired do not count.
import {
  ask, complaints, end, expect, expectThat, FEW_FRAMES, openBrowser, openPage, RACE, run, sleep,
  startBots, startServer, until,
} from './lib.mjs';

const CARS = 8;
const PHONES = [{ width: 390, height: 844 }, { width: 844, height: 390 }];
const held = (size) => ({ ...FEW_FRAMES, ...size, deviceScaleFactor: 2, hasTouch: true, isMobile: true });

const cars = (page) => until('cars on the map', 20, () =>
  page.evaluate((wanted) => (window.apex?.mapStats()?.cars ?? 0) >= wanted, CARS));

const words = (page) => page.evaluate(() => {
  const element = document.querySelector('.lobby');
  return element === null || element.hidden ? '' : element.querySelector('.lobby-words').textContent;
});

async function lobby(server, bots) {
  const page = await openPage(server.url, FEW_FRAMES);
  await until('an empty lobby', 10, async () => (await words(page)) === `Waiting for ${CARS} drivers`);
  bots.push(startBots(server, 'first', 1));
  const waits = new RegExp(`^Waiting for ${CARS - 1} more drivers; starts in (\\d+) s with who is here$`);
  const seconds = async () => Number((await words(page)).match(waits)?.[1] ?? NaN);
  const first = await until('a lobby with a driver', 10, async () => (await seconds()) || null);
  const { json } = await ask(server, '/api/races/1');
  expect('drivers who form the grid', json.start_players, CARS);
  expectThat(`${json.lobby_left_s} s of about ${first} s are left`,
    Math.abs(json.lobby_left_s - first) < 3 && first <= 120);
  await until('it counts down', 5, async () => (await seconds()) <= first - 2);
  bots.push(startBots(server, 'others', CARS - 1));
  await until('the grid', 20, async () => (await words(page)) === '');
  return page;
}

// The mean width of what has the road's colour, of a map of the whole circuit.
async function roadPx(page) {
  return page.evaluate(() => {
    const canvas = document.querySelector('.map-canvas');
    const { width, height } = canvas;
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    const probe = document.createElement('span');
    probe.style.color = 'var(--map-road)';
    document.querySelector('.map').append(probe);
    const [r, g, b] = getComputedStyle(probe).color.match(/\d+/g).map(Number);
    probe.remove();
    let [area, west, east] = [0, width, 0];
    for (let i = 0; i < width * height; i++) {
      const away = Math.abs(data[4 * i] - r) + Math.abs(data[4 * i + 1] - g) + Math.abs(data[4 * i + 2] - b);
      if (away > 12) continue;
      area++;
      west = Math.min(west, i % width);
      east = Math.max(east, i % width);
    }
    const { bounds, lengthM } = window.apex.session().track();
    const pxPerM = (east - west) / (bounds.east - bounds.west);
    return area / (lengthM * pxPerM) / devicePixelRatio;
  });
}

/** @return whether a selector is seen in the first row of the tower. */
const seen = (page, selector) => page.evaluate((wanted) =>
  (document.querySelector(`.tower-row ${wanted}`)?.offsetWidth ?? 0) > 0, selector);

async function tower(page, where, { name, code }) {
  await until(`${where}: a tower`, 10, () => page.locator('.tower-row').nth(CARS - 1).isVisible());
  expect(`${where}: names`, await seen(page, '.tower-name'), name);
  expect(`${where}: codes`, await seen(page, '.tower-code'), code);
  if (!name) return;
  const car = (await seen(page, '.tower-below')) || (await seen(page, '.tower-car'));
  expectThat(`${where}: cars`, car);
  const cut = await page.$$eval('.tower-name', (all) =>
    all.filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent));
  expect(`${where}: names that are cut`, cut, []);
}

async function desks(server) {
  const wide = await openPage(server.url, { ...FEW_FRAMES, width: 1920, height: 1080 });
  await cars(wide);
  await tower(wide, '1920', { name: true, code: true });
  await wide.context().close();
  const page = await openPage(server.url, { ...FEW_FRAMES, width: 1280, height: 720 });
  await cars(page);
  await tower(page, '1280', { name: true, code: false });
  await sleep(1000);
  const px = await roadPx(page);
  console.log(`the road is ${px.toFixed(1)} px wide`);
  expectThat(`a road of ${px.toFixed(1)} px`, px > 6.5 && px < 16);
  await page.setViewportSize({ width: 1000, height: 700 });
  await tower(page, '1000', { name: false, code: true });
  return page;
}

// Names and the buttons on the map, some times while cars go round.
async function names(page, where, selector) {
  let seenNames = 0;
  for (let i = 0; i < 24; i++) {
    const found = await page.evaluate((wanted) => {
      const buttons = [...document.querySelectorAll(wanted)].map((each) => each.getBoundingClientRect());
      const lie = window.apex.mapNames();
      const meets = (a, b) =>
        b.width > 2 && a.left < b.right - 1 && a.right > b.left + 1 && a.top < b.bottom - 1 && a.bottom > b.top + 1;
      return { names: lie.length, below: lie.filter((name) => buttons.some((at) => meets(name, at))).length };
    }, selector);
    seenNames += found.names;
    expect(`${where}: names below buttons`, found.below, 0);
    await sleep(250);
  }
  expectThat(`${where}: ${seenNames} names were seen`, seenNames > 24);
}

async function isInSight(page, locator, what) {
  const box = await locator.boundingBox();
  const { width, height } = page.viewportSize();
  const isIn = box !== null && box.x >= 0 && box.y >= 0 &&
    box.x + box.width <= width && box.y + box.height <= height;
  expectThat(`${what} is in sight: ${JSON.stringify(box)} of ${width} x ${height}`, isIn);
}

async function phones(server) {
  for (const size of PHONES) {
    const where = `${size.width} x ${size.height}`;
    const page = await openPage(server.url, held(size));
    await cars(page);
    await tower(page, where, { name: true, code: false });
    await sleep(500);
    await names(page, where, '.map-buttons button');
    const drive = page.getByRole('button', { name: /^Drive/ }).first();
    await isInSight(page, drive, `${where}: Drive`);
    await drive.click();
    const go = page.getByRole('dialog').getByRole('button', { name: 'Drive', exact: true });
    await go.waitFor();
    await isInSight(page, go, `${where}: Drive in its dialog`);
    await page.context().close();
  }
}

async function retired(page, bots) {
  await page.setViewportSize({ width: 1440, height: 800 });
  const people = () => page.locator('.header-people').textContent();
  await until('all count', 10, async () => (await people()).startsWith(`${CARS} drivers`));
  await end(bots[0]);
  await until('who has left does not', 20, async () =>
    (await people()).startsWith(`${CARS - 1} drivers · 1 out`));
}

await run(async () => {
  const race = RACE.replace('start_players: 1', `start_players: ${CARS}`)
    .replace('lobby_s: 1', 'lobby_s: 120').replace('track: oval', 'track: ridgeway');
  const server = await startServer('server', { race });
  const bots = [];
  await openBrowser();
  const first = await lobby(server, bots);
  await cars(first);
  await first.context().close();
  await phones(server);
  const page = await desks(server);
  await retired(page, bots);
  expect('complaints of the console', complaints, []);
});
