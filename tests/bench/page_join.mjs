#!/usr/bin/env node
// A benchmark of how long taking the wheel keeps the page's thread, in headless Chromium:
// page_join.mjs [TRACK...]. One figure a line, "name value unit", as tests/bench/run prints them.
// `task` is the processor time of the longest task, from the button to three seconds at the wheel
// (APEX_TRACE=say lists the longest); `wait` is from the dialog's button to the wheel.
import { openBrowser, openPage, run, sleep, startServer, until } from '../e2e/lib.mjs';

const tracks = process.argv.slice(2);
if (tracks.includes('-h') || tracks.includes('--help')) {
  console.log('usage: page_join.mjs [TRACK...]\n\nHow long taking the wheel keeps the page\'s thread.');
  process.exit(0);
}
const AT_THE_WHEEL_MS = 3000;

const race = (track) => `kind: race
name: bench
track: ${track}
cars: [boxster-s]
laps: 500
races: 1
player_capacity: 24
start_players: 1
bots: 11
lobby_s: 0
countdown_s: 1
late_join: true
server: {port: 0, address: 127.0.0.1}
web: {listen: "127.0.0.1:0"}
`;

const stateOf = (page) => page.evaluate(() => window.apex?.session()?.state());

/** Tasks of the page's own thread while `act` goes on, in ms, the longest first. */
async function tasksOf(page, act) {
  const link = await page.context().newCDPSession(page);
  const events = [];
  link.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  const categories = 'disabled-by-default-devtools.timeline,devtools.timeline,toplevel,__metadata';
  await link.send('Tracing.start', {
    transferMode: 'ReportEvents', traceConfig: { includedCategories: categories.split(',') },
  });
  await act();
  const whole = new Promise((done) => link.once('Tracing.tracingComplete', done));
  await link.send('Tracing.end');
  await whole;
  const main = new Set(events
    .filter((each) => each.name === 'thread_name' && each.args.name === 'CrRendererMain')
    .map((each) => `${each.pid}/${each.tid}`));
  const ours = events.filter((each) => main.has(`${each.pid}/${each.tid}`) && each.ph === 'X' && each.tdur > 0);
  const tasks = ours.filter((each) => /RunTask$/.test(each.name)).sort((a, b) => b.tdur - a.tdur);
  if (process.env.APEX_TRACE === 'say') {
    for (const task of tasks.slice(0, 6)) {
      const inside = ours.filter((each) => each.tid === task.tid && each !== task &&
        each.ts >= task.ts && each.ts + each.dur <= task.ts + task.dur && each.tdur > 4000);
      const what = inside.map((each) =>
        `${each.name}${each.args?.data?.functionName ? ` ${each.args.data.functionName}` : ''} ${(each.tdur / 1000).toFixed(0)}`);
      console.log(`  ${(task.tdur / 1000).toFixed(1)} ms at ${((task.ts - tasks.reduce((m, t) => Math.min(m, t.ts), Infinity)) / 1000).toFixed(0)}: ${what.join(', ')}`);
    }
  }
  return tasks.map((each) => each.tdur / 1000);
}

async function join(track) {
  const server = await startServer(`server-${track}`, { race: race(track) });
  const page = await openPage('about:blank');
  const opening = await tasksOf(page, async () => {
    await page.goto(server.url, { waitUntil: 'commit' });
    await until('the page watches', 20, async () => (await stateOf(page)) === 'spectating');
    await sleep(AT_THE_WHEEL_MS);
  });
  console.log(`page.open_task_ms.${track} ${opening[0].toFixed(1)} ms`);
  let waitMs = 0;
  const joining = await tasksOf(page, async () => {
    await page.getByRole('button', { name: /^Drive/ }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your name').fill('Fangio');
    await sleep(500); // nobody types faster
    const began = performance.now();
    await dialog.getByRole('button', { name: 'Drive', exact: true }).click();
    await until('the wheel', 30, async () => (await stateOf(page)) === 'driving');
    waitMs = performance.now() - began;
    await sleep(AT_THE_WHEEL_MS);
  });
  console.log(`page.join_task_ms.${track} ${joining[0].toFixed(1)} ms`);
  console.log(`page.join_wait_ms.${track} ${waitMs.toFixed(0)} ms`);
  const { predictionErrorM } = await page.evaluate(() => window.apex.session().stats());
  console.log(`page.join_error_m.${track} ${predictionErrorM.toFixed(4)} m`);
  await page.context().close();
  server.child.kill('SIGKILL');
}

await run(async () => {
  await openBrowser();
  for (const track of tracks.length > 0 ? tracks : ['ridgeway', 'wide-oval']) await join(track);
});
