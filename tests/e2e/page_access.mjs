#!/usr/bin/env node
// A test that axe-core's rules find no obstacles for people who use the page by keyboard or screen
// reader, in both themes and on a phone.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  complaints, expect, FEW_FRAMES, openBrowser, openPage, RACE, run, sleep, startServer, until,
} from './lib.mjs';

const sources = join(dirname(fileURLToPath(import.meta.url)), '../..');
const axe = readFileSync(
  createRequire(join(sources, 'server/web/page/package.json')).resolve('axe-core/axe.min.js'), 'utf8');

async function obstacles(page, where) {
  await page.locator('main').first().waitFor();
  await page.evaluate(axe); // not as a script of the page: its policy lets none in
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations.map(({ id, nodes }) =>
    `${where}: ${id}: ${nodes.slice(0, 3).map((node) => node.target.join(' ')).join('; ')}`);
}

/** What is found on a page, which is closed then: one that stays open goes on drawing. */
async function lookAt(url, options, look) {
  const page = await openPage(url, { ...FEW_FRAMES, ...options });
  const found = await look(page);
  await page.context().close();
  return found;
}

const race = (server, where, options) => lookAt(server.url, options, async (page) => {
  await until('the race', 20, () =>
    page.evaluate(() => window.apex?.session()?.standings() != null));
  await sleep(1500);
  const found = await obstacles(page, where);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Help' }).waitFor();
  found.push(...await obstacles(page, `${where}, help`));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Drive/ }).first().click();
  await page.getByRole('dialog').waitFor();
  await page.locator('details.identity summary').click();
  found.push(...await obstacles(page, `${where}, wheel`));
  return found;
});

const password = (server, where, options) => lookAt(server.url, options, async (page) => {
  await page.getByRole('dialog', { name: /asks for a password/ }).waitFor();
  return obstacles(page, where);
});

const obstaclesAt = (url, where) => lookAt(url, {}, (page) => obstacles(page, where));

await run(async () => {
  const closed = await startServer('closed', { args: ['--password', 'sesame'] });
  const server = await startServer('server', {
    race: RACE.replace('start_players: 1', 'start_players: 4\nbots: 4'),
  });
  await openBrowser();
  const found = [
    ...await race(server, 'light', { colorScheme: 'light' }),
    ...await race(server, 'dark', { colorScheme: 'dark' }),
    ...await race(server, 'phone', { width: 390, height: 844, hasTouch: true, isMobile: true }),
    ...await password(closed, 'password, light', { colorScheme: 'light' }),
    ...await password(closed, 'password, dark', { colorScheme: 'dark' }),
    ...await obstaclesAt(`${server.url}/admin`, 'admin'),
    ...await obstaclesAt(`${server.url}/?list=1`, 'list'),
  ];
  expect('obstacles', found, []);
  expect('complaints of the console', complaints, []);
});
