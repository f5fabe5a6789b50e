#!/usr/bin/env node
// Links that invite: what stands behind # opens the race without a question, and is not left in the
// address. A wrong password is said to be wrong, a damaged token to be damaged.
import {
  complaints, expect, FEW_FRAMES, openBrowser, openPage, run, startServer, untilPageIs,
} from './lib.mjs';

async function isLetIn(server) {
  const page = await openPage(`${server.url}/race/1?theme=dark#password=ses%61me`, FEW_FRAMES);
  await untilPageIs('spectating', page);
  const address = await page.evaluate(() => location.href);
  expect('the address', address, `${server.url}/race/1?theme=dark`);
  expect('what the page asks', await page.getByRole('dialog').count(), 0);
  await page.reload({ waitUntil: 'commit' });
  await untilPageIs('spectating', page);
  await page.context().close();
}

/** By the address of the server: the page goes on to the only race that there is. */
async function isToldOfAWrongPassword(server) {
  const page = await openPage(`${server.url}/#password=Sesame`, FEW_FRAMES);
  const dialog = page.getByRole('dialog', { name: 'This race asks for a password' });
  await dialog.getByText('That is not the password.').waitFor();
  // The right link, opened in the same tab.
  await page.evaluate(() => (location.hash = '#password=sesame'));
  await untilPageIs('spectating', page);
  expect('the address', await page.evaluate(() => location.href), `${server.url}/race/1`);
  await page.context().close();
}

async function isToldOfDamage(server) {
  const page = await openPage(`${server.url}/#password=sesame&token=x`, FEW_FRAMES);
  await page.getByText('The invitation in this link is damaged.').first().waitFor();
  await untilPageIs('spectating', page);
  await page.context().close();
}

await run(async () => {
  const server = await startServer('server', { args: ['--password', 'sesame'] });
  await openBrowser();
  await isLetIn(server);
  await isToldOfAWrongPassword(server);
  await isToldOfDamage(server);
  expect('complaints of the console', complaints, []);
});
