#!/usr/bin/env node
// The server goes and comes back: the page says so, tries again by itself, and shows the race as
// before. A server that is killed says no goodbye.
import {
  end, expectThat, FEW_FRAMES, openBrowser, openPage, run, startServer, until,
} from './lib.mjs';

const cars = (page) => page.evaluate(() => window.apex?.mapStats()?.cars ?? 0);
const isShown = (page) =>
  page.evaluate(() => window.apex?.session()?.state() === 'spectating');

async function comesBack(page, place, how) {
  await until(`the page says that the server is gone (${how})`, 15, () =>
    page.evaluate(() => window.apex?.session()?.state() !== 'spectating'));
  const banner = await page.getByRole('status').first().innerText().catch(() => '');
  console.log(`${how}: "${banner.replaceAll('\n', ' ')}"`);
  const server = await startServer(`after-${how}`, { web: place, args: ['--bots', '4'] });
  await until(`the page shows the race again (${how})`, 30, async () =>
    (await isShown(page)) && (await cars(page)) === 4);
  return server;
}

await run(async () => {
  const first = await startServer('first', { args: ['--bots', '4'] });
  const place = new URL(first.url).host;
  await openBrowser();
  const page = await openPage(first.url, FEW_FRAMES);
  await until('the race', 20, async () => (await isShown(page)) && (await cars(page)) === 4);
  await end(first.child);
  const second = await comesBack(page, place, 'goodbye');
  second.child.kill('SIGKILL');
  await second.child.ended;
  await comesBack(page, place, 'killed');
  expectThat('one page all along', (await page.evaluate(() => performance.getEntriesByType('navigation').length)) === 1);
});
