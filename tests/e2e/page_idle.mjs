#!/usr/bin/env node
// Somebody takes the wheel and goes away: he is warned, touches it in time, goes away again, and
// finds himself watching, with a way back.
import {
  ask, complaints, expect, expectThat, FEW_FRAMES, openBrowser, openPage, RACE, run, sleep,
  startServer, takeTheWheel, until, untilPageIs,
} from './lib.mjs';

const NAME = 'Fangio';
const IDLE_S = 12; // half of it passes before the warning

const isIn = async (server) =>
  (await ask(server, '/api/races/1')).json.order.some((line) =>
    line.name === NAME && line.present && line.state !== 'dnf');
const warning = (page) => page.locator('.drive-warning').innerText();
const isWarned = async (page) => /^Nobody drives your car: \d+ s$/.test(await warning(page));

await run(async () => {
  const race = `idle_s: ${IDLE_S}\n${RACE.replace('lobby_s: 1', 'lobby_s: 0')}`;
  const server = await startServer('server', { race, args: ['--bots', '1'] });
  await openBrowser();
  const page = await openPage(server.url, FEW_FRAMES);
  await untilPageIs('spectating', page);
  await takeTheWheel(page, NAME);
  await until('a warning', IDLE_S + 15, () => isWarned(page));
  const before = Number((await warning(page)).match(/(\d+) s/)[1]);
  expectThat(`${before} s are left`, before <= IDLE_S / 2);
  await until('it counts down', 4, async () =>
    Number((await warning(page)).match(/(\d+) s/)?.[1]) < before);
  await page.keyboard.down('ArrowUp'); // he is back
  await sleep(500);
  await page.keyboard.up('ArrowUp');
  expect('what is said to who drives', await isWarned(page), false);
  await sleep(IDLE_S * 500);
  expect('who drives', await isIn(server), true); // the time began anew
  await untilPageIs('spectating', page, IDLE_S + 15);
  expect('who is in the race', await isIn(server), false);
  await page.locator('.banner').getByText('Nobody drove your car, so you watch now.').waitFor();
  await page.getByRole('button', { name: 'Drive again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.reload({ waitUntil: 'commit' }); // no token is left that would bring him back
  await untilPageIs('spectating', page);
  expect('who is in the race after a reload', await isIn(server), false);
  await takeTheWheel(page, NAME);
  expect('who is back', await isIn(server), true);
  expect('complaints of the console', complaints, []);
});
