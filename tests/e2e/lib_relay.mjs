// A bad link between a browser and a server: cut and mended, late, and held up as by lost packets.
import { createConnection, createServer } from 'node:net';

/** The same numbers each time, 0 to 1. */
export function seeded(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Carries on what comes, in its order, each piece late; what follows one that is held up waits. */
function carry(from, to, link) {
  let freeMs = 0;
  from.on('data', (bytes) => {
    if (link.delayMs === 0) return to.write(bytes);
    const isLost = link.random() < link.lost;
    const dueMs = performance.now() + link.delayMs + (isLost ? link.stallMs : 0);
    freeMs = Math.max(freeMs, dueMs);
    setTimeout(() => to.writable && to.write(bytes), freeMs - performance.now());
  });
  from.on('error', () => {});
  from.on('close', () => to.destroy());
}

/** {port, cut(), mend(), link}: `link` may be changed at any time. */
export async function relayTo(server) {
  const target = Number(new URL(server.url).port);
  const link = { delayMs: 0, lost: 0, stallMs: 0, random: seeded(1) };
  const carried = new Set();
  let isCut = false;
  const door = createServer((near) => {
    if (isCut) return near.destroy();
    const far = createConnection(target, '127.0.0.1');
    near.setNoDelay(true);
    far.setNoDelay(true);
    for (const end of [near, far]) carried.add(end);
    carry(near, far, link);
    carry(far, near, link);
  });
  await new Promise((done) => door.listen(0, '127.0.0.1', done));
  return {
    port: door.address().port,
    link,
    cut() {
      isCut = true;
      for (const end of carried) end.destroy();
      carried.clear();
    },
    mend() {
      isCut = false;
    },
  };
}
