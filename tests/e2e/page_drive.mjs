#!/usr/bin/env node
// A person at the page: takes the wheel by the dialog, holds a key, and the server says that the car
// drives. Then an operator removes him by the page for operators' interface, and he is told why.
import {
  ask, complaints, expect, expectThat, FEW_FRAMES, openBrowser, openPage, RACE, run, sleep,
  startServer, takeTheWheel, TOKEN, until, untilPageIs,
} from './lib.mjs';

const NAME = 'Fangio';

const line = async (server) =>
  (await ask(server, '/api/races/1')).json.order.find((each) => each.name === NAME);

async function keyDrives(server, page) {
  await until('the race', 30, async () =>
    (await ask(server, '/api/races/1')).json.phase === 'race');
  const before = await line(server);
  await page.keyboard.down('ArrowUp');
  await sleep(4000);
  const after = await line(server);
  await page.keyboard.up('ArrowUp');
  const droveM = after.lap_m - before.lap_m;
  console.log(`${droveM.toFixed(1)} m in four seconds`);
  expectThat(`the key drove the car ${droveM.toFixed(1)} m`, droveM > 15 && droveM < 250);
  expect('who drives', after.driven_by_server, false);
  const { predictionErrorM, predictedTick } =
    await page.evaluate(() => window.apex.session().stats());
  expectThat('the own car is foretold', predictedTick > 0);
  expectThat(`prediction is off by ${predictionErrorM} m`, predictionErrorM < 0.01);
}

async function kickedIsTold(server, page) {
  expect('a kick without a token',
    (await ask(server, '/api/races/1/kick', { method: 'POST', body: { name: NAME } })).status, 401);
  const kick = await ask(server, '/api/races/1/kick', {
    method: 'POST', body: { name: NAME }, token: TOKEN,
  });
  expect('a kick', kick.status, 200);
  const told = page.getByRole('alertdialog');
  await told.waitFor({ timeout: 5000 });
  const text = await told.innerText();
  expectThat(`the dialog says "${text}"`, /operator/i.test(text));
  expect('who is left', await line(server).then((left) => left?.connected ?? false), false);
}

await run(async () => {
  const server = await startServer('server', { race: RACE.replace('lobby_s: 1', 'lobby_s: 0') });
  await openBrowser();
  const page = await openPage(server.url, FEW_FRAMES);
  const workers = [];
  page.on('worker', (worker) => workers.push(worker.url()));
  await untilPageIs('spectating', page);
  expect('workers of somebody who watches', workers, []);
  await takeTheWheel(page, NAME);
  expect('workers that laid the ground', workers.length, 1);
  await keyDrives(server, page);
  await kickedIsTold(server, page);
  expect('complaints of the console', complaints, []);
});
