// Runs the tests below test/ (or those named) with node's own runner, each bundled beforehand:
// node reads no TypeScript.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const named = process.argv.slice(2);
const tests = named.length > 0 ? named : readdirSync('test').filter((f) => f.endsWith('.test.ts')).map((f) => join('test', f));
const out = mkdtempSync(join(tmpdir(), 'apex-page-'));
try {
  await build({
    entryPoints: tests,
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node18',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  const files = readdirSync(out).map((f) => join(out, f));
  const run = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...files], { stdio: 'inherit' });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(out, { recursive: true });
}
