// Serves the whole page over made-up races: node src/dev/board_serve.js [--port N].
import { context } from 'esbuild';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { answerOf } from './board_api.js';

const at = process.argv.indexOf('--port');
const port = at > 0 ? Number(process.argv[at + 1]) : 8201;
const bundle = await context({
  entryPoints: { page: 'src/dev/board.ts' },
  outdir: '/',
  write: false,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  sourcemap: 'inline',
  logLevel: 'warning',
});
const csp =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
  "img-src 'self' data: blob:; connect-src 'self' ws: wss:";

async function fileOf(path) {
  if (path === '/icon.svg') return ['image/svg+xml', readFileSync('src/icon.svg')];
  if (path !== '/page.js' && path !== '/page.css') {
    return ['text/html', readFileSync('src/index.html')];
  }
  const { outputFiles } = await bundle.rebuild();
  const file = outputFiles.find((each) => each.path.endsWith(path));
  return [path === '/page.js' ? 'text/javascript' : 'text/css', file.contents];
}

const server = createServer(async (request, response) => {
  const path = new URL(request.url, 'http://x').pathname;
  try {
    if (path.startsWith('/api/')) {
      const [status, body] = await answerOf(path, request);
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(body));
      return;
    }
    const [type, bytes] = await fileOf(path);
    response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': csp });
    response.end(bytes);
  } catch (error) {
    response.writeHead(500);
    response.end(String(error));
  }
});
server.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/race/1?skip=60`));
process.on('SIGTERM', () => process.exit(0));
process.on('SIGINT', () => process.exit(0));
