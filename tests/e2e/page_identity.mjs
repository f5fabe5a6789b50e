#!/usr/bin/env node
// A driver at the page is the same one after the page was loaded anew, and in another browser with
// his exported key, where he takes over; nobody else has his name. Who wants to be nobody is a
// guest, and seen to be one.
import { spawnSync } from 'node:child_process';
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  complaints, expect, expectThat, FEW_FRAMES, folder, openBrowser, openPage, RACE, run,
  startServer, until, untilPageIs,
} from './lib.mjs';

const NAME = 'Moss';

const inPage = (page) => page.evaluate(() => {
  const session = window.apex.session();
  const own = session.roster().find((entry) => entry.player === session.player());
  return { state: session.state(), driver: own?.driver, name: own?.name };
});

async function openDialog(page) {
  await untilPageIs('spectating', page);
  await page.getByRole('button', { name: /^Drive/ }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Drive in this race' });
  await dialog.waitFor();
  const panel = dialog.locator('details.identity');
  if (await panel.getAttribute('open') === null) await panel.locator('summary').click();
  return { dialog, panel };
}

async function shownKey(panel) {
  const [fingerprint, key] = await panel.locator('code').allTextContents();
  return { fingerprint, key };
}

async function drive(page, dialog, name = NAME) {
  await dialog.getByLabel('Your name').fill(name);
  await dialog.getByRole('button', { name: 'Drive', exact: true }).click();
  await untilPageIs('driving', page, 20);
  return until('the own line of the roster', 5, async () => {
    const own = await inPage(page);
    return own.driver !== undefined && own;
  });
}

async function stop(page) {
  await page.getByRole('button', { name: /^Stop/ }).first().click();
  await untilPageIs('spectating', page);
}

/** What other libraries make of the secret half. */
function keyOf(secret) {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret]);
  const own = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const key = createPublicKey(own).export({ format: 'der', type: 'spki' }).subarray(-32);
  const script = 'import hashlib, sys; print(hashlib.blake2b(bytes.fromhex(sys.argv[1]), ' +
    'digest_size=16).hexdigest())';
  const { stdout } = spawnSync('python3', ['-c', script, key.toString('hex')]);
  return { fingerprint: String(stdout).trim(), key: key.toString('hex') };
}

/** @returns the first browser's window, his key as it is shown, and the file of it */
async function isKnown(server) {
  const page = await openPage(server.url, FEW_FRAMES);
  const first = await openDialog(page);
  const summary = first.panel.locator('summary');
  expect('a new browser', await summary.textContent(), 'Your driver key: new');
  const exports = first.panel.getByRole('button', { name: 'Export key' });
  expectThat('there is nothing to export', await exports.isDisabled());
  const own = await drive(page, first.dialog);
  expectThat(`his fingerprint is ${own.driver}`, /^[0-9a-f]{32}$/.test(own.driver));
  await stop(page);
  await page.reload({ waitUntil: 'commit' });
  const { dialog, panel } = await openDialog(page);
  const shown = await shownKey(panel);
  expect('the key after the page was loaded anew', shown.fingerprint, own.driver);
  const short = `Your driver key: ${own.driver.slice(0, 8)}`;
  expect('in short', await panel.locator('summary').textContent(), short);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'Export key' }).click(),
  ]);
  const file = join(folder, download.suggestedFilename());
  await download.saveAs(file);
  const secret = readFileSync(file, 'utf8').match(/^[0-9a-f]{64}$/m)?.[0] ?? '';
  expect('the key in the file', keyOf(Buffer.from(secret, 'hex')), shown);
  const again = await drive(page, dialog);
  expect('he is the same', again.driver, own.driver);
  await stop(page);
  return { page, shown, file };
}

async function isKnownElsewhere(server, { shown, file }) {
  const page = await openPage(server.url, FEW_FRAMES); // another browser: it shares nothing
  const { dialog, panel } = await openDialog(page);
  const [input, said] = [panel.locator('input[type=file]'), panel.getByRole('status')];
  const garbage = join(folder, 'garbage.key');
  writeFileSync(garbage, 'this is no key\n');
  await input.setInputFiles(garbage);
  await until('garbage is refused', 5, async () =>
    (await said.textContent()).startsWith('That is no driver key.'));
  expect('no key came of it', await shownKey(panel), { fingerprint: '', key: '' });
  await input.setInputFiles(file);
  await until('the key is imported', 5, async () =>
    (await shownKey(panel)).fingerprint === shown.fingerprint);
  expect('its public half', await shownKey(panel), shown);
  const own = await drive(page, dialog);
  expect('he is the same in another browser', own.driver, shown.fingerprint);
  await stop(page);
  await page.context().close();
}

/** Himself in another browser, while he drives. */
async function takesOver(server, { page, file, shown }) {
  const { dialog } = await openDialog(page);
  const before = await drive(page, dialog);
  const other = await openPage(server.url, FEW_FRAMES);
  const there = await openDialog(other);
  await there.panel.locator('input[type=file]').setInputFiles(file);
  await until('the key is imported', 5, async () =>
    (await shownKey(there.panel)).fingerprint === shown.fingerprint);
  const after = await drive(other, there.dialog);
  expect('the car that he drives', after, before);
  await page.getByText('with your driver key on another machine').first().waitFor();
  await untilPageIs('spectating', page);
  await stop(other);
  await other.context().close();
}

async function isRefusedTheName(server) {
  const page = await openPage(server.url, FEW_FRAMES);
  const { dialog, panel } = await openDialog(page);
  await dialog.getByLabel('Your name').fill(NAME);
  await dialog.getByRole('button', { name: 'Drive', exact: true }).click();
  await dialog.getByText('Another driver holds this name here.').waitFor();
  expect('the panel', await panel.getAttribute('open'), '');
  const own = await drive(page, dialog, 'Behra');
  expect('he comes by another name', own.name, 'Behra');
  await stop(page);
  await page.context().close();
}

/** Where no guests are taken, nobody can choose to be one, also who was one elsewhere. */
async function isNoGuest(keyed) {
  const page = await openPage(keyed.url, FEW_FRAMES);
  await page.evaluate(() => {
    localStorage.setItem('apex.drive.settings', JSON.stringify({ guest: true }));
  });
  await page.reload({ waitUntil: 'commit' });
  const { dialog, panel } = await openDialog(page);
  expect('the offer', await panel.getByLabel('Drive as a guest').isVisible(), false);
  const own = await drive(page, dialog, 'Trips');
  expectThat(`his fingerprint is ${own.driver}`, /^[0-9a-f]{32}$/.test(own.driver));
  await stop(page);
  await page.context().close();
}

/** A browser that has a key is asked before another one takes its place. */
async function isAskedBefore(server, { file, shown }) {
  const page = await openPage(server.url, FEW_FRAMES);
  const first = await openDialog(page);
  const own = await drive(page, first.dialog, 'Collins');
  await stop(page);
  const { panel } = await openDialog(page);
  const replace = page.getByRole('alertdialog', { name: 'Replace your driver key?' });
  await panel.locator('input[type=file]').setInputFiles(file);
  await replace.getByRole('button', { name: 'Cancel' }).click();
  expect('he stays who he is', (await shownKey(panel)).fingerprint, own.driver);
  await panel.locator('input[type=file]').setInputFiles(file);
  await replace.getByRole('button', { name: 'Replace it' }).click();
  expect('he is somebody else', (await shownKey(panel)).fingerprint, shown.fingerprint);
  await page.context().close();
}

async function isGuest(server, { page }) {
  const { dialog, panel } = await openDialog(page);
  await panel.getByLabel('Drive as a guest').check();
  expect('the panel', await panel.locator('summary').textContent(), 'You drive as a guest');
  const own = await drive(page, dialog, 'Nobody');
  expect('a guest has no fingerprint', own.driver, '');
  const row = page.locator('.tower-row', { hasText: 'Nobody' });
  await until('the tower marks him', 5, async () =>
    (await row.locator('.tower-guest').textContent()) === 'guest');
  const words = await row.getByRole('button').getAttribute('aria-label');
  expectThat(`a reader hears "${words}"`, / Nobody, guest, /.test(words));
  await stop(page);
}

await run(async () => {
  const race = RACE.replace('lobby_s: 1', 'lobby_s: 600');
  const server = await startServer('server', { race });
  const noGuests = race.replace('server:\n', 'server:\n  guests: false\n');
  const keyed = await startServer('keyed', { race: noGuests });
  await openBrowser();
  const known = await isKnown(server);
  await isKnownElsewhere(server, known);
  await takesOver(server, known);
  await isRefusedTheName(server);
  await isAskedBefore(server, known);
  await isGuest(server, known);
  await isNoGuest(keyed);
  expect('complaints of the console', complaints, []);
});
