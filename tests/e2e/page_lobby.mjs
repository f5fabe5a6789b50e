#!/usr/bin/env node
// A lobby lets a driver in by a link: its token names his key, and gives him the name he has there.
// A link for somebody else is refused in words that say what to do; so is coming without one.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import {
  complaints, expect, expectThat, FEW_FRAMES, folder, openBrowser, openPage, openTab, RACE, run,
  SERVER, startServer, untilPageIs,
} from './lib.mjs';

function token(...args) {
  const { status, stdout, stderr } = spawnSync(SERVER, ['token', ...args]);
  expectThat(`token ${args[0]}: ${stderr}`, status === 0);
  return String(stdout).trim();
}

const lobby = join(folder, 'lobby.key');
const sign = (holder, ...args) =>
  token('sign', '--key', lobby, '--audience', 'any', '--holder', holder, ...args);

async function ask(page) {
  await untilPageIs('spectating', page);
  await page.getByRole('button', { name: /^Drive/ }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Drive in this race' });
  await dialog.getByRole('button', { name: 'Drive', exact: true }).click();
  return dialog;
}

/** @returns his public key, which the refusal shows him: the lobby asks for it */
async function isSentToTheLobby(page) {
  const dialog = await ask(page);
  await dialog.getByText('This race is entered from its lobby.').waitFor();
  return dialog.locator('details.identity[open] code').nth(1).textContent();
}

async function isNotSomebodyElse(context, server) {
  const page = await openTab(context, `${server.url}/#token=${sign('ab'.repeat(32))}`);
  const dialog = await ask(page);
  await dialog.getByText('Your invitation is for another driver key').waitFor();
  await page.close();
}

async function isLetIn(context, server, key) {
  const page = await openTab(context, `${server.url}/#token=${sign(key, '--name', 'Rindt')}`);
  await ask(page);
  await untilPageIs('driving', page, 20);
  expect('the address', await page.evaluate(() => location.hash), '');
  const name = await page.evaluate(() => {
    const session = window.apex.session();
    return session.roster().find((entry) => entry.player === session.player())?.name;
  });
  expect('the name that the lobby gave', name, 'Rindt');
}

await run(async () => {
  const publicKey = token('key', lobby).match(/[0-9a-f]{64}/)[0];
  const settings = [`lobby_keys: [${publicKey}]`, 'token_needed: true', 'any_audience: true'];
  const lobbies = ['server:', ...settings].join('\n  ');
  const race = RACE.replace('lobby_s: 1', 'lobby_s: 600').replace('server:', lobbies);
  const server = await startServer('server', { race });
  await openBrowser();
  const page = await openPage(server.url, FEW_FRAMES);
  const key = await isSentToTheLobby(page);
  expectThat(`his public key is ${key}`, /^[0-9a-f]{64}$/.test(key));
  const context = page.context();
  await page.close();
  await isNotSomebodyElse(context, server);
  await isLetIn(context, server, key);
  expect('complaints of the console', complaints, []);
});
