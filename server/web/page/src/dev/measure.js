// Measures how fast the map draws in Chromium without a graphics card: node src/dev/measure.js
// [QUERY...]. Each QUERY is one of dev.html's, such as "cars=1000&skip=60&follow".
import { context } from 'esbuild';
import { chromium } from 'playwright-core';
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

const WARM_MS = 3000;
const MEASURED_MS = 5000;
const usual = [
  'cars=24&skip=40',
  'cars=24&skip=40&choose=3&follow',
  'cars=24&skip=40&choose=3&follow&heading',
  'cars=24&skip=40&choose=3&follow&zoom=4',
  'cars=1000&skip=60',
  'cars=1000&skip=60&choose=3&follow',
  'cars=4000&skip=60',
];
const flags = [
  '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

/** Milliseconds that all processes below this one have computed. */
function computedMs() {
  const children = new Map();
  const spent = new Map();
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    let text;
    try {
      text = readFileSync(`/proc/${id}/stat`, 'utf8');
    } catch {
      continue; // has ended meanwhile
    }
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const parent = Number(fields[1]);
    spent.set(Number(id), 10 * (Number(fields[11]) + Number(fields[12])));
    children.set(parent, [...(children.get(parent) ?? []), Number(id)]);
  }
  const below = (id) =>
    (children.get(id) ?? []).reduce((sum, child) => sum + spent.get(child) + below(child), 0);
  return below(process.pid);
}

/** Runs in the page. */
function watchFrames(forMs) {
  return new Promise((done) => {
    const apart = [];
    let lastMs = 0;
    const fromMs = performance.now();
    function frame(nowMs) {
      if (lastMs > 0) apart.push(nowMs - lastMs);
      lastMs = nowMs;
      if (nowMs - fromMs < forMs) requestAnimationFrame(frame);
      else done(apart.sort((a, b) => a - b));
    }
    requestAnimationFrame(frame);
  });
}

async function measure(page, origin, query) {
  await page.goto(`${origin}/dev.html?${query}`);
  await page.waitForTimeout(WARM_MS);
  const before = computedMs();
  const apart = await page.evaluate(watchFrames, MEASURED_MS);
  const cpuMs = (computedMs() - before) / apart.length;
  const sumMs = apart.reduce((a, b) => a + b);
  const at = (part) => apart[Math.floor(part * apart.length)].toFixed(1);
  console.log(
    `${query.padEnd(42)} ${((1000 * apart.length) / sumMs).toFixed(1).padStart(5)} fps` +
      `  p50 ${at(0.5)} ms  p95 ${at(0.95)} ms  CPU ${cpuMs.toFixed(1)} ms a frame`,
  );
}

const out = mkdtempSync(join(tmpdir(), 'apex-measure-'));
copyFileSync('src/dev/dev.html', join(out, 'dev.html'));
const bundle = await context({
  entryPoints: ['src/dev/dev.ts'],
  outdir: out,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  logLevel: 'warning',
});
const server = await bundle.serve({ host: '127.0.0.1', port: 0, servedir: out });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: flags });
try {
  const load = loadavg()[0].toFixed(1);
  console.log(`1280x800, ${cpus().length} processors, load ${load}`);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const asked = process.argv.slice(2);
  for (const query of asked.length > 0 ? asked : usual) {
    await measure(page, `http://127.0.0.1:${server.port}`, query);
  }
} finally {
  await browser.close();
  await bundle.dispose();
  rmSync(out, { recursive: true, force: true });
}
