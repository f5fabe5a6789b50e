// What a session says of who asks to come in, against a server that the test plays.
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import type { SessionWish } from '../src/race/race';
import { decode, encode, say, welcome } from './server_words';
import { absent, begin, DRIVER, JOIN, SPECTATE, type Scene } from './session_scene';

const SERVER_KEY = Uint8Array.from({ length: 32 }, (_, i) => 100 + i);
const CHALLENGE = Uint8Array.from({ length: 32 }, (_, i) => 200 + i);
const TOKEN = Uint8Array.from({ length: 150 }, (_, i) => (i < 4 ? 'APXT'.charCodeAt(i) : i));
const tokenText = Buffer.from(TOKEN).toString('base64url');

const KEY_NEEDED = 19;
const TOKEN_NEEDED = 20;

/** A server that takes keys. */
function greeting(...needs: number[]): Uint8Array<ArrayBuffer> {
  const more = needs.map((field): [number, boolean] => [field, true]);
  return welcome([[17, SERVER_KEY], [18, CHALLENGE], ...more]);
}

async function greeted(wish: Partial<SessionWish>, hello = greeting()): Promise<Scene> {
  const scene = await begin({ spectate: false, ...wish });
  scene.link.onopen?.({} as Event);
  scene.link.hears(hello);
  return scene;
}

/** The identity that was sent with a request: key, signature, token; null: none was. */
function identityIn({ link }: Scene, kind: number): (Uint8Array | undefined)[] | null {
  const asked = link.sent.map(decode).find((fields) => fields.has(kind));
  assert.ok(asked, 'it has asked');
  const request = decode(asked.get(kind)![0] as Uint8Array);
  const bytes = request.get(kind === JOIN ? 4 : 2)?.[0] as Uint8Array | undefined;
  if (bytes === undefined) return null;
  const fields = decode(bytes);
  return [1, 2, 3].map((number) => fields.get(number)?.[0] as Uint8Array | undefined);
}

/** By the crypto of node: PROTOCOL.md 11 with a binding of zeros. */
function isProof(signature: Uint8Array, serverKey = SERVER_KEY, challenge = CHALLENGE): boolean {
  const context = Buffer.from('apex driver v1\0');
  const signed = Buffer.concat([context, serverKey, challenge, new Uint8Array(32)]);
  const prefix = Buffer.from('302a300506032b6570032100', 'hex');
  const der = Buffer.concat([prefix, DRIVER.key]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(null, signed, key, signature);
}

test('a driver proves his key to this server and this challenge', { skip: absent }, async () => {
  const scene = await greeted({});
  const [key, signature, token] = identityIn(scene, JOIN) ?? [];
  assert.deepEqual(key, DRIVER.key);
  assert.equal(signature?.length, 64);
  assert.equal(isProof(signature!), true);
  assert.equal(isProof(signature!, CHALLENGE, SERVER_KEY), false);
  assert.equal(token, undefined);
  const { takesKeys, keyNeeded, tokenNeeded } = scene.session.welcome()!;
  assert.deepEqual([takesKeys, keyNeeded, tokenNeeded], [true, false, false]);
});

test('each challenge has a signature of its own', { skip: absent }, async () => {
  const scene = await greeted({});
  const [, first] = identityIn(scene, JOIN) ?? [];
  scene.link.onclose?.({} as CloseEvent);
  scene.clock.ms += 20_000;
  scene.session.update(scene.clock.ms);
  const link = scene.links.at(-1)!;
  assert.notEqual(link, scene.link, 'it comes again');
  link.onopen?.({} as Event);
  const other = CHALLENGE.map((byte) => byte ^ 1);
  link.hears(welcome([[17, SERVER_KEY], [18, other]]));
  const [, second] = identityIn({ ...scene, link }, JOIN) ?? [];
  assert.notDeepEqual(second, first);
  assert.equal(isProof(second!, SERVER_KEY, other), true);
});

test('a guest says nothing, nor where keys are not known anybody', { skip: absent }, async () => {
  assert.equal(identityIn(await greeted({ isGuest: true }), JOIN), null);
  const plain = await greeted({}, welcome());
  assert.equal(identityIn(plain, JOIN), null);
  assert.equal(plain.session.welcome()?.takesKeys, false);
});

test('a token goes with the key, and with a guest alone', { skip: absent }, async () => {
  const [key, signature, token] = identityIn(await greeted({ token: tokenText }), JOIN) ?? [];
  assert.deepEqual(key, DRIVER.key);
  assert.equal(isProof(signature!), true);
  assert.deepEqual(token, TOKEN);
  const alone = identityIn(await greeted({ token: tokenText, isGuest: true }), JOIN);
  assert.deepEqual(alone, [undefined, undefined, TOKEN]);
  const [, , none] = identityIn(await greeted({ token: 'nonsense' }), JOIN) ?? [];
  assert.equal(none, undefined);
});

test('who only watches is not known', { skip: absent }, async () => {
  const wish = { spectate: true, token: tokenText };
  for (const needs of [[], [KEY_NEEDED], [TOKEN_NEEDED], [KEY_NEEDED, TOKEN_NEEDED]]) {
    const scene = await greeted(wish, greeting(...needs));
    assert.equal(identityIn(scene, SPECTATE), null);
    const { keyNeeded, tokenNeeded } = scene.session.welcome()!;
    const told = [keyNeeded, tokenNeeded];
    assert.deepEqual(told, [needs.includes(KEY_NEEDED), needs.includes(TOKEN_NEEDED)]);
  }
});

test('a refusal over who one is has its name', { skip: absent }, async () => {
  const names = ['key', 'key-needed', 'name-held', 'not-listed', 'token-needed', 'token-invalid',
    'token-issuer', 'token-audience', 'token-early', 'token-expired', 'token-holder',
    'token-used', 'lockdown'];
  for (const [i, name] of names.entries()) {
    const { session, link } = await greeted({});
    link.hears(say('reject', [[1, 22 + i]]));
    const reason = session.state() === 'closed' ? session.closeReason() : session.reject();
    assert.equal(reason?.name, name);
  }
});

test('the roster tells drivers by their fingerprints', { skip: absent }, async () => {
  const { session, link } = await greeted({});
  const driver = Uint8Array.from({ length: 16 }, (_, i) => 0xa0 + i);
  const entry = (player: number, more: [number, Uint8Array][]) =>
    encode([[1, player], [2, player + 1], [3, 'Ann'], [4, 'kart'], ...more]);
  link.hears(say('joined', [[1, 5], [2, 6], [3, 'kart']]));
  link.hears(say('roster', [[1, true], [2, entry(5, [[6, driver]])], [2, entry(7, [])]]));
  const fingerprints = session.roster().map((each) => each.driver);
  assert.deepEqual(fingerprints, ['a0a1a2a3a4a5a6a7a8a9aaabacadaeaf', '']);
});
