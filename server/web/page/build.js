// Bundles the page: node build.js --out DIR. A server embeds the files that lie in DIR afterwards.
import { build } from 'esbuild';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const at = process.argv.indexOf('--out');
const out = at > 0 ? process.argv[at + 1] : undefined;
if (out === undefined) {
  console.error('usage: node build.js --out DIR');
  process.exit(2);
}
mkdirSync(out, { recursive: true });
await build({
  entryPoints: ['src/main.ts'],
  outfile: join(out, 'page.js'),
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  sourcemap: false,
  legalComments: 'none',
  logLevel: 'warning',
});
for (const file of ['index.html', 'icon.svg']) copyFileSync(join('src', file), join(out, file));
