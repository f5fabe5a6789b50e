// An evening of somebody at the page of a race with a password: lets himself in, watches, drives,
// stops, closes the window and opens it again, opens another. He is one driver throughout.
import {
  ask, complaints, expect, expectThat, FEW_FRAMES, openBrowser, openPage, openTab, picture, RACE,
  sleep, startServer, takeTheWheel, until, untilPageIs,
} from './lib.mjs';

const NAME = 'Fangio';
const PASSWORD = 'sesame';
const BOTS = 2;
const SIZES = { wide: [1280, 720], phone: [390, 844], lying: [844, 390] };

const raceWith = (server) =>
  RACE.replace('lobby_s: 1', 'lobby_s: 0').replace('port: 0', `port: 0\n  ${server}`);
const race = async (server) => (await ask(server, '/api/races/1')).json;
// A driver who has left stays in the order as one who is out.
const hisLines = async (server) =>
  (await race(server)).order.filter((line) => line.name.startsWith(NAME) && line.state !== 'dnf');
const isDriver = (page) => page.evaluate(() => window.apex?.session()?.player() > 0);
const seat = (page) => page.evaluate(() => {
  const session = window.apex.session();
  return { player: session.player(), car: session.car() };
});

/** Looks at the order all the time: how many of him there were at most. */
function watchNames(server) {
  const seen = { most: 0, names: new Set() };
  const timer = setInterval(async () => {
    const lines = await hisLines(server).catch(() => []);
    seen.most = Math.max(seen.most, lines.length);
    for (const { name } of lines) seen.names.add(name);
  }, 200);
  return () => {
    clearInterval(timer);
    return { most: seen.most, names: [...seen.names] };
  };
}

/** Checks that what is to be pressed lies within its dialog and what is seen. */
async function isWithin(page, inner, outer, [width, height]) {
  const a = await inner.boundingBox();
  const b = await outer.boundingBox();
  const holds = a !== null && b !== null && a.x >= b.x && a.y >= b.y &&
    a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height &&
    b.x >= 0 && b.y >= 0 && b.x + b.width <= width && b.y + b.height <= height;
  const at = JSON.stringify([a, b]);
  expectThat(`at ${width} x ${height} the button is within the dialog: ${at}`, holds);
}

const passwordDialog = (page) => page.getByRole('dialog', { name: /asks for a password/ });

/** Says a password in the dialog. */
async function say(page, text) {
  const dialog = passwordDialog(page);
  await dialog.getByLabel('Password').fill(text);
  await dialog.getByRole('button', { name: /^(Watch|Drive)$/ }).click();
}

async function isToldThatItIsWrong(page) {
  await passwordDialog(page).getByText('That is not the password.').waitFor({ timeout: 10000 });
  const field = await page.evaluate(() => {
    const { id, value, selectionStart, selectionEnd } = document.activeElement;
    return { isField: id.startsWith('password-field'), marked: selectionEnd - selectionStart, length: value.length };
  });
  expect('the field is ready to be typed over', field, { isField: true, marked: 5, length: 5 });
}

async function isLetIn(page, browser) {
  await passwordDialog(page).waitFor({ timeout: 20000 });
  expect('what the tower says to who is not in', await page.locator('.tower-empty').innerText(), '');
  for (const [name, [width, height]] of Object.entries(SIZES)) {
    await page.setViewportSize({ width, height });
    await picture(page, `${browser}-password-${name}`);
    const go = passwordDialog(page).getByRole('button', { name: 'Watch' });
    await isWithin(page, go, passwordDialog(page), [width, height]);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  await say(page, 'wrong');
  await isToldThatItIsWrong(page);
  await page.keyboard.press('Escape');
  await sleep(2500); // nothing tries on behind his back
  expect('dialogs of who does not want to say it', await page.getByRole('dialog').count(), 0);
  await page.locator('.banner').getByText('This race asks for a password.').waitFor();
  await page.getByRole('button', { name: 'Enter the password' }).click();
  await say(page, PASSWORD);
  await untilPageIs('spectating', page, 20);
  await passwordDialog(page).waitFor({ state: 'hidden' });
  await page.reload({ waitUntil: 'commit' });
  await untilPageIs('spectating', page, 20); // the tab remembers it
  expect('dialogs after a reload', await page.getByRole('dialog').count(), 0);
}

async function buttonIsInSight(page, browser) {
  await page.getByRole('button', { name: /^Drive/ }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Drive in this race' });
  const go = dialog.getByRole('button', { name: 'Drive', exact: true });
  expect('fields for a password', await dialog.getByLabel(/password/i).count(), 0);
  for (const [name, [width, height]] of Object.entries(SIZES)) {
    await page.setViewportSize({ width, height });
    await isWithin(page, go, dialog, [width, height]);
    await picture(page, `${browser}-drive-${name}`);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
}

async function drivesAndStops(server, page, browser) {
  await takeTheWheel(page, NAME);
  expect('players', (await race(server)).players, BOTS + 1);
  await until('his line', 5, async () => (await hisLines(server)).length === 1);
  await until('the race', 30, async () => (await race(server)).phase === 'race');
  const [before] = await hisLines(server);
  await page.keyboard.down('ArrowUp');
  await sleep(4000);
  await picture(page, `${browser}-driving-wide`);
  const [after] = await hisLines(server);
  await page.keyboard.up('ArrowUp');
  expectThat(`the key drove the car ${after.lap_m - before.lap_m} m`, after.lap_m > before.lap_m + 15);
  await page.setViewportSize({ width: 390, height: 844 });
  await picture(page, `${browser}-driving-phone`);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole('button', { name: /^Stop/ }).first().click();
  await untilPageIs('spectating', page, 10);
  expect('what he is asked', await page.getByRole('dialog').count(), 0);
  await until('nobody of his name', 5, async () => (await hisLines(server)).length === 0);
  await picture(page, `${browser}-watching-wide`);
  await page.setViewportSize({ width: 390, height: 844 });
  await picture(page, `${browser}-watching-phone`);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.reload({ waitUntil: 'commit' });
  await untilPageIs('spectating', page, 20); // a driver who stopped does not come back by himself
}

async function comesBackInAnotherWindow(server, page) {
  await takeTheWheel(page, NAME);
  const before = await seat(page);
  const context = page.context();
  await page.close();
  await until('the server drives', 10, async () => (await hisLines(server))[0]?.driven_by_server);
  const other = await openTab(context, server.url);
  await until('the wheel in another window', 20, () => isDriver(other));
  expect('player and car', await seat(other), before);
  await until('the car is his', 5, async () => !(await hisLines(server))[0].driven_by_server);
  expect('players', (await race(server)).players, BOTS + 1);
  return other;
}

/** A second window watches, and may take over; the first one watches then. */
async function secondWindowWatches(server, first, browser) {
  const before = await seat(first);
  const second = await openTab(first.context(), server.url);
  await second.setViewportSize({ width: 1280, height: 720 });
  await untilPageIs('spectating', second, 20);
  expect('what the second one is asked', await second.getByRole('dialog').count(), 0);
  await second.locator('.banner').getByText('You drive in another window of this browser.').waitFor();
  await picture(second, `${browser}-second-window`);
  expect('players', (await race(server)).players, BOTS + 1);
  await second.getByRole('button', { name: /^Drive/ }).first().click(); // nor by mistake
  await second.getByRole('dialog').getByRole('button', { name: 'Keep watching' }).click();
  expect('who drives', await isDriver(first), true);
  await second.getByRole('button', { name: 'Drive here instead' }).click();
  await until('the wheel in the second window', 20, () => isDriver(second));
  expect('player and car', await seat(second), before);
  await untilPageIs('spectating', first, 20);
  await first.getByText('You drive in another window now').first().waitFor();
  expect('players', (await race(server)).players, BOTS + 1);
  await first.close();
  await second.getByRole('button', { name: /^Stop/ }).first().click();
  await untilPageIs('spectating', second, 10);
  const kept = await second.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('apex.drive.seat')));
  expect('what is kept of who stopped', kept, []);
  await second.context().close();
}

async function watchingIsOpen(browser) {
  const server = await startServer('open', {
    race: raceWith(`password: ${PASSWORD}\n  password_for: drive`), args: ['--bots', '1'],
  });
  const page = await openPage(server.url, { ...FEW_FRAMES, width: 1280, height: 720 });
  await untilPageIs('spectating', page, 30);
  expect('what who watches is asked', await page.getByRole('dialog').count(), 0);
  await page.getByRole('button', { name: /^Drive/ }).first().click();
  await page.getByLabel('Your name').fill(NAME);
  await page.getByRole('button', { name: 'Drive', exact: true }).last().click();
  await page.getByRole('dialog', { name: 'Driving here asks for a password' }).waitFor();
  await picture(page, `${browser}-drive-password`);
  await say(page, 'wrong');
  await isToldThatItIsWrong(page);
  expect('who was refused goes on watching', await page.evaluate(() => window.apex.session().state()), 'spectating');
  await say(page, PASSWORD);
  await until('the wheel', 20, () => isDriver(page));
  expect('dialogs of who drives', await page.getByRole('dialog').count(), 0);
  await page.context().close();
}

export async function evening(browser) {
  const server = await startServer('server', {
    race: raceWith(`password: ${PASSWORD}`), args: ['--bots', String(BOTS)],
  });
  await openBrowser(browser);
  const page = await openPage(server.url, { ...FEW_FRAMES, width: 1280, height: 720 });
  const namesSeen = watchNames(server);
  await isLetIn(page, browser);
  await buttonIsInSight(page, browser);
  await drivesAndStops(server, page, browser);
  const other = await comesBackInAnotherWindow(server, page);
  await secondWindowWatches(server, other, browser);
  expect('drivers of his name throughout', namesSeen(), { most: 1, names: [NAME] });
  await watchingIsOpen(browser);
  expect('complaints of the console', complaints, []);
}
