// The ground that a join waits for, with a library that only says what it is asked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ground, TrackDef } from '../src/race/ground';
import type { Instance } from '../src/race/instance';
import { Preparation } from '../src/race/preparation';

const ROOM = 64;
const DEF_AT = 16;

class Library {
  awaits = false;
  hasTrack = true;
  room = ROOM;
  taken: number[] = [];
  deaf = 0;
  readonly memory = new Uint8Array(256);

  readonly instance = {
    calls: {
      awaits_ground: () => Number(this.awaits),
      track_def: () => Number(this.hasTrack),
      text_bytes: () => 0,
      ground_room: () => this.room,
      take_ground: (length: number) => {
        this.taken.push(length);
        this.awaits = false;
      },
      was_deaf: () => this.deaf++,
    },
    text: () => JSON.stringify({ hash: 'abc', bytes: [DEF_AT, 3] }),
    bytes: (at: number, length: number) => this.memory.subarray(at, at + length),
  } as unknown as Instance;
}

function scene(ground: Ground) {
  const library = new Library();
  library.memory.set([1, 2, 3], DEF_AT);
  const asked: TrackDef[] = [];
  const preparation = new Preparation({
    call: (act) => act(library.instance),
    lay: async (def) => {
      asked.push(def);
      return ground;
    },
    nowUs: () => 0,
  });
  return { library, asked, preparation };
}

const settled = () => new Promise((done) => setImmediate(done));

test('who waits is given the ground, and asks for it once', async () => {
  const { library, asked, preparation } = scene(new Uint8Array([7, 8, 9, 10]));
  library.awaits = true;
  preparation.look(library.instance);
  preparation.look(library.instance);
  assert.equal(asked.length, 1);
  assert.equal(asked[0]!.hash, 'abc');
  assert.deepEqual([...asked[0]!.bytes], [1, 2, 3]);
  await settled();
  assert.deepEqual(library.taken, [4]);
  assert.deepEqual([...library.memory.subarray(ROOM, ROOM + 4)], [7, 8, 9, 10]);
  assert.equal(library.deaf, 0);
  assert.equal(preparation.begin(), true);
});

test('who only watches has it laid ahead, and is given nothing', async () => {
  const { library, asked, preparation } = scene(new Uint8Array(4));
  library.hasTrack = false;
  assert.equal(preparation.begin(), false);
  library.hasTrack = true;
  assert.equal(preparation.begin(), false);
  await settled();
  assert.equal(preparation.begin(), true);
  assert.equal(asked.length, 1);
  assert.deepEqual(library.taken, []);
});

test('where nobody can lay it, or there is no room, the library does', async () => {
  for (const [ground, room] of [[null, ROOM], [new Uint8Array(4), 0]] as const) {
    const { library, preparation } = scene(ground);
    library.awaits = true;
    library.room = room;
    preparation.look(library.instance);
    await settled();
    assert.deepEqual(library.taken, [0]);
    assert.equal(library.deaf, 1, 'that took long');
  }
});

test('what came before it was wanted is asked for again', async () => {
  const { library, preparation } = scene(new Uint8Array(4));
  preparation.begin();
  await settled();
  library.awaits = true;
  preparation.look(library.instance);
  await settled();
  assert.deepEqual(library.taken, [4]);
});
