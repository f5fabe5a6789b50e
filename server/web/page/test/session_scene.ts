// A server played by hand for a session that runs the real library.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { afterEach } from 'node:test';
import type { Ground, TrackDef } from '../src/race/ground';
import type { SessionWish } from '../src/race/race';
import type { Socket } from '../src/race/link';
import { driverKeyOf } from '../src/identity/driver_key';
import { identityOf } from '../src/identity/identity';
import { KeyStore } from '../src/identity/key_store';
import { RaceSession } from '../src/race/session';
import { TrackCache } from '../src/race/track_cache';
import { decode, say, welcome } from './server_words';

const library = process.env['APEX_WASM'] ?? '../../../build/release/wasm/apex.wasm';
export const absent = existsSync(library)
  ? false
  : `no ${library}: build the target page, or set APEX_WASM`;

/** A socket whose other end, the server, is played by the test. */
export class FakeLink implements Socket {
  binaryType: BinaryType = 'blob';
  bufferedAmount = 0;
  onopen: ((event: Event) => void) | null = null;
  onmessage: ((event: MessageEvent) => void) | null = null;
  onclose: ((event: CloseEvent) => void) | null = null;
  sent: Uint8Array[] = [];
  closed = false;
  code: number | undefined;

  constructor(readonly url: string) {}

  send(data: Uint8Array): void {
    assert.ok(!this.closed, 'nothing is sent after the close');
    this.sent.push(data.slice());
  }

  close(code?: number): void {
    this.closed = true;
    this.code = code;
  }

  hears(bytes: Uint8Array<ArrayBuffer>): void {
    this.onmessage?.({ data: bytes.buffer } as MessageEvent);
  }

  /** Kinds of what was sent since the last look. */
  kinds(): number[] {
    return this.sent.splice(0).map((bytes) => [...decode(bytes).keys()][0] ?? 0);
  }
}

export const HELLO = 1;
export const JOIN = 2;
export const SPECTATE = 3;
export const LEAVE = 4;
export const SUBSCRIBE = 7;
export const ACK = 9;
export const PLAYBACK = 11;

export interface Scene {
  session: RaceSession;
  links: FakeLink[];
  link: FakeLink;
  clock: { ms: number };
}

/** Who drives here: the seed 1, 2, 3, ... 32. */
export const DRIVER = driverKeyOf(Uint8Array.from({ length: 32 }, (_, i) => i + 1));

const open: RaceSession[] = [];
afterEach(() => {
  for (const session of open.splice(0)) session.close();
});

export type Lay = (def: TrackDef) => Promise<Ground>;
const layNone: Lay = () => Promise.resolve(null);

export async function begin(wish: Partial<SessionWish> = {}, lay = layNone): Promise<Scene> {
  const clock = { ms: 1000 };
  const links: FakeLink[] = [];
  const url = 'ws://host:8080/race/1';
  const keys = new KeyStore(null);
  keys.take(DRIVER);
  const whole = { url, name: 'Anna', car: '', password: '', spectate: true };
  const session = await RaceSession.open(
    await WebAssembly.compile(readFileSync(library)),
    { ...whole, ...wish },
    {
      socket: (url) => {
        const link = new FakeLink(url);
        links.push(link);
        return link;
      },
      clock: () => clock.ms,
      ground: lay,
      tracks: new TrackCache(),
      identity: (wish) => identityOf(wish, keys),
    },
  );
  open.push(session);
  return { session, links, link: links[0]!, clock };
}

export async function watching(): Promise<Scene> {
  const scene = await begin();
  scene.link.onopen?.({} as Event);
  scene.link.hears(welcome());
  scene.link.hears(say('joined', []));
  assert.equal(scene.session.state(), 'spectating');
  return scene;
}
