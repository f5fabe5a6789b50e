// Writes the page's files as C: node embed.js --in DIR --out page_assets.c
// server/web/page_files/page_assets.h says what is in it. The same files give the same bytes.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

function option(name) {
  const at = process.argv.indexOf(name);
  const value = at > 0 ? process.argv[at + 1] : undefined;
  if (value === undefined) {
    console.error('usage: node embed.js --in DIR --out FILE');
    process.exit(2);
  }
  return value;
}

function array(index, bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 24) {
    lines.push(`    ${Array.from(bytes.subarray(at, at + 24)).join(',')},`);
  }
  return `static const uint8_t file_${index}[] = {\n${lines.join('\n')}\n};\n`;
}

const folder = option('--in');
const out = option('--out');
const names = readdirSync(folder).sort();
let arrays = '';
let entries = '';
let total = 0;
names.forEach((name, index) => {
  const type = TYPES[extname(name)];
  if (type === undefined) throw new Error(`${name}: of no known type; add it to embed.js`);
  const bytes = gzipSync(readFileSync(join(folder, name)), { level: 9 });
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const path = name === 'index.html' ? '/' : `/${name}`;
  arrays += array(index, bytes);
  entries += `    {"${path}", "${type}", "\\"${hash}\\"", file_${index}, sizeof file_${index}},\n`;
  total += bytes.length;
});
writeFileSync(
  out,
  `// Written by server/web/page/embed.js.\n#include "web/page_files/page_assets.h"\n\n${arrays}\n` +
    `const web_asset web_assets[] = {\n${entries}};\n` +
    `const size_t web_asset_count = ${names.length};\n`,
);
console.log(`the page: ${names.length} files, ${(total / 1000).toFixed(0)} kB compressed`);
