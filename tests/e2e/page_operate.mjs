#!/usr/bin/env node
// Two races in one process: the page lists both and shows either. An operator comes in with his token,
// says something that a watcher reads, and closes a race, of which its watchers hear why.
import {
  ask, complaints, expect, expectThat, FEW_FRAMES, openBrowser, openPage, RACE, run, sleep,
  startServer, TOKEN, until, untilPageIs,
} from './lib.mjs';
import { writeFileSync } from 'node:fs';
import { folder } from './lib.mjs';
import { join } from 'node:path';

const named = (name, track) =>
  RACE.replace('name: e2e', `name: ${name}`).replace('track: oval', `track: ${track}`);

// The text under a title among the figures of a race.
const figure = (panel, title) =>
  panel.locator('.admin-figures > div').filter({ hasText: title }).locator('dd').textContent();

// The race itself beside the orders: its map with its cars, and a list that the figures agree with.
async function seesTheRace(server, panel) {
  const rows = panel.locator('.admin-players tbody tr');
  await until('two drivers', 10, async () => (await rows.count()) === 2);
  expect('drivers among the figures', await figure(panel, 'Drivers'), '2');
  expectThat('a worst tick of the last minute',
    /^(⚠ )?[\d.]+ (µs|ms|s)$/.test(await figure(panel, 'Worst tick, last minute')));
  const [orders, map] = await Promise.all(
    ['.admin-orders', '.map-canvas'].map((part) => panel.locator(part).boundingBox()));
  expectThat('the map stands beside the orders',
    map.x >= orders.x + orders.width && map.width > 300 && map.height > 200);
  // A race is watched once it is looked at.
  await panel.locator('.map-canvas').scrollIntoViewIfNeeded();
  await until('the race is watched', 20, async () =>
    (await ask(server, '/api/races/2')).json.clients === 2 &&
    panel.locator('.banner').evaluate((banner) => banner.hidden));
  await sleep(1500);
  const colours = await panel.locator('.map-canvas').evaluate((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
  expectThat(`a map of ${colours} colours: more than meadow`, colours > 20);
}

const isLocked = async (server, race) =>
  (await ask(server, `/api/races/${race}/status`, { token: TOKEN })).json.lockdown;

// The switch says how it stands, whoever has turned it, and who is in stays.
async function locksAndOpens(server, panel, watcher) {
  const lockdown = panel.getByRole('switch', { name: 'Lockdown' });
  const stands = (on) => until(`the switch is ${on ? 'on' : 'off'}`, 10, async () =>
    (await lockdown.getAttribute('aria-checked')) === String(on));
  await stands(false);
  await lockdown.click();
  await panel.getByText('locked: nobody new gets in').waitFor({ timeout: 5000 });
  await stands(true);
  expect('the second race, as the API has it', await isLocked(server, 2), true);
  expect('the first race', await isLocked(server, 1), false);
  await panel.locator('.admin-about', { hasText: 'nobody new gets in' }).waitFor({ timeout: 5000 });
  const late = await openPage(`${server.url}/race/2`, FEW_FRAMES);
  await until('a newcomer hears why', 20, () =>
    late.evaluate(() => /operator lets nobody in/i.test(document.body.innerText)));
  expect('the watcher', await watcher.evaluate(() => window.apex.session()?.welcome()?.track), 'highfell');
  await ask(server, '/api/races/2/lockdown', { method: 'POST', token: TOKEN, body: { on: false } });
  await stands(false);
  expect('the second race, opened', await isLocked(server, 2), false);
  await untilPageIs('spectating', late, 40); // it comes by itself
  await late.close();
}

async function comeIn(page, token) {
  await page.locator('input[type=password]').fill(token);
  await page.keyboard.press('Enter');
}

await run(async () => {
  writeFileSync(join(folder, 'hill.yaml'), named('Hill climb', 'highfell'));
  const server = await startServer('server', {
    race: named('Sunday cup', 'oval'),
    args: ['--config', join(folder, 'hill.yaml'), '--bots', '2'],
  });
  await openBrowser();
  const watcher = await openPage(server.url, FEW_FRAMES);
  await watcher.getByRole('link', { name: /Hill climb/ }).click();
  await until('the second race is shown', 20, () =>
    watcher.evaluate(() => window.apex.session()?.welcome()?.track === 'highfell'));

  const admin = await openPage(`${server.url}/admin`, FEW_FRAMES);
  await comeIn(admin, 'a-wrong-token-for-tests');
  await admin.getByRole('alert').filter({ hasText: /token/i }).first().waitFor({ timeout: 5000 });
  expect('complaints of more than the token', complaints.filter((line) => !/401/.test(line)), []);
  complaints.length = 0;
  await comeIn(admin, TOKEN);
  const hill = admin.locator('section, article').filter({ hasText: 'Hill climb' }).last();
  await seesTheRace(server, hill);
  await hill.getByPlaceholder(/say something/i).fill('five minutes to go');
  await hill.getByRole('button', { name: 'Say' }).click();
  await until('the watcher reads it', 10, () =>
    watcher.locator('.feed-line', { hasText: 'five minutes to go' }).isVisible());
  await until('the operator reads it, too', 10, () =>
    hill.locator('.feed-line', { hasText: 'five minutes to go' }).isVisible());

  await locksAndOpens(server, hill, watcher);

  await hill.getByRole('button', { name: /^Quit/ }).click();
  await admin
    .getByRole('button', { name: 'Stop the server' }).first().click();
  const gone = await until('the watcher hears why', 15, () =>
    watcher.evaluate(() => document.body.innerText.match(/operator closed the server/i)?.[0]));
  expectThat('it is said', gone.length > 0);
  const left = await openPage(`${server.url}/race/1`, FEW_FRAMES);
  await untilPageIs('spectating', left, 20); // the other race goes on
});
