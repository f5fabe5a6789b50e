#!/usr/bin/env node
// Somebody who has read the first screen of README and nothing else: clones, types the command that
// stands there, opens the page that it names, takes the wheel and drives off. Nothing is built
// beforehand, so it takes as long as it takes him; how long that was is told.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  complaints, expect, expectThat, folder, openBrowser, openPage, run, takeTheWheel, until,
} from './lib.mjs';

const SOURCES = join(dirname(fileURLToPath(import.meta.url)), '../..');
const SCREEN_LINES = 45;
const NAME = 'Newcomer';
const seconds = (since) => (Date.now() - since) / 1000;

/** The first command of README's first screen. */
function firstCommand() {
  const screen = readFileSync(join(SOURCES, 'README.md'), 'utf8').split('\n').slice(0, SCREEN_LINES);
  const line = screen.find((each) => /^ {4}(deploy|build|tests)\//.test(each));
  expectThat('a command on the first screen of README', line !== undefined);
  expectThat('the first screen says to open the page', /page/i.test(screen.join(' ')));
  return line.trim().split(/\s+#/)[0].trim();
}

function clone() {
  const checkout = join(folder, 'apex');
  const done = spawnSync('git', ['clone', '--quiet', SOURCES, checkout], { encoding: 'utf8' });
  expect(`git clone: ${done.stderr}`, done.status, 0);
  return checkout;
}

function begin(command, checkout) {
  const child = spawn('bash', ['-c', `exec ${command}`], {
    cwd: checkout, stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      child.said += bytes;
      process.stdout.write(bytes);
    });
  }
  child.ended = new Promise((done) => child.on('exit', (code) => done(code)));
  process.on('exit', () => child.kill('SIGTERM'));
  return child;
}

async function order(url) {
  const answer = await fetch(new URL('/api/races/1', url));
  return (await answer.json()).order;
}

/** The place at which the own car is shown. */
const place = (page) =>
  until('the own car', 30, () =>
    page.evaluate(() => {
      const session = window.apex.session();
      const [car, x, y] = session.poses(performance.now()).values;
      return car === session.car() ? [x, y] : undefined;
    }));

async function driveOff(url, page) {
  await takeTheWheel(page, NAME);
  await page.keyboard.down('ArrowUp');
  const from = await place(page);
  const metres = await until('the car is 20 m on', 60, async () => {
    const at = await place(page);
    const moved = Math.hypot(at[0] - from[0], at[1] - from[1]);
    return moved >= 20 ? moved : undefined;
  });
  await page.keyboard.up('ArrowUp');
  console.log(`the newcomer is ${metres.toFixed(0)} m on`);
  const mine = (await order(url)).filter((line) => line.name === NAME);
  expect('cars of the newcomer', mine.length, 1);
  expect('who drives it', mine[0].driven_by_server, false);
}

await run(async () => {
  const checkout = clone();
  const began = Date.now();
  const demo = begin(firstCommand(), checkout);
  const url = await until('the address of the page', 600, () => {
    if (demo.exitCode !== null) throw new Error(`the demo ended: ${demo.said}`);
    return demo.said.match(/page: (http:\S+)/)?.[1];
  });
  const pageS = seconds(began);
  await openBrowser();
  const page = await openPage(url);
  await until('twelve bots', 60, async () => (await order(url)).length >= 12);
  console.log(`page after ${pageS.toFixed(1)} s, cars after ${seconds(began).toFixed(1)} s`);
  await driveOff(url, page);
  demo.kill('SIGINT');
  expect('the exit code of an interrupted demo', await demo.ended, 130);
  expect('complaints of the console', complaints, []);
});
