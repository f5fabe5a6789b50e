// Serves the pages of src/dev, bundled anew at each visit: npm run dev [-- --port N].
import { context } from 'esbuild';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const at = process.argv.indexOf('--port');
const port = at > 0 ? Number(process.argv[at + 1]) : 8200;
const out = mkdtempSync(join(tmpdir(), 'apex-dev-'));
for (const file of readdirSync('src/dev')) {
  if (file.endsWith('.html')) copyFileSync(join('src/dev', file), join(out, file));
}
const bundle = await context({
  entryPoints: ['src/dev/dev.ts'],
  outdir: out,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  sourcemap: 'inline',
  logLevel: 'warning',
});
await bundle.serve({ host: '127.0.0.1', port, servedir: out });
console.log(`http://127.0.0.1:${port}/dev.html?cars=24&track=circuit`);

async function end() {
  await bundle.dispose();
  rmSync(out, { recursive: true, force: true });
  process.exit(0);
}
process.on('SIGINT', end);
process.on('SIGTERM', end);
