// A golden scene as the page computes it: node wasm.mjs PROGRAM.wasm EXPECTED
// PROGRAM.wasm prints lines, as its native twin does; they must be those of EXPECTED.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WASI } from 'node:wasi';

const [program, expected] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'apex-golden-'));
const printed = join(folder, 'printed');
try {
  const stdout = openSync(printed, 'w');
  const wasi = new WASI({ version: 'preview1', args: [program], stdout, returnOnExit: true });
  const { instance } = await WebAssembly.instantiate(readFileSync(program), wasi.getImportObject());
  const status = wasi.start(instance);
  closeSync(stdout);
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
  const is = readFileSync(printed, 'utf8').split('\n');
  const wanted = readFileSync(expected, 'utf8').split('\n');
  const at = wanted.findIndex((line, i) => line !== is[i]);
  if (at >= 0 || is.length !== wanted.length) {
    const line = at >= 0 ? at : wanted.length;
    console.error(`line ${line + 1}: expected '${wanted[line]}', printed '${is[line]}'`);
    process.exitCode = 1;
  } else {
    console.log(`wasm: as expected, ${wanted.length - 1} lines`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
