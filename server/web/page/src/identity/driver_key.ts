/**
 * A driver is an Ed25519 key, and known by its fingerprint (PROTOCOL.md, "Who somebody is"). What
 * is signed here is bound to no seal: a page's link is a WebSocket, which has TLS or nothing.
 *
 * The browser's own crypto.subtle is not there on a page without TLS, and answers later, while the
 * library asks for a signature in the middle of a call (DECISIONS 61).
 */
import { etc, getPublicKey, sign } from '@noble/ed25519';
import { blake2b } from '@noble/hashes/blake2';
import { sha512 } from '@noble/hashes/sha2';
import { DRIVER_BYTES, KEY_BYTES } from '../race/numbers';
import { hexOf } from './hex';

etc.sha512Sync = (...parts) => sha512(etc.concatBytes(...parts));

const CONTEXT = new TextEncoder().encode('apex driver v1\0');
const NO_BINDING = new Uint8Array(KEY_BYTES);

export interface DriverKey {
  secret: Uint8Array; // the seed: whoever has it is the driver
  key: Uint8Array; // the public half
  fingerprint: string; // 32 digits
}

/** @param secret of KEY_BYTES */
export function driverKeyOf(secret: Uint8Array): DriverKey {
  const key = getPublicKey(secret);
  return { secret, key, fingerprint: fingerprintOf(key) };
}

export function makeDriverKey(): DriverKey {
  return driverKeyOf(crypto.getRandomValues(new Uint8Array(KEY_BYTES)));
}

export function fingerprintOf(key: Uint8Array): string {
  return hexOf(blake2b(key, { dkLen: DRIVER_BYTES }));
}

/** Proves to a server that one has the key: good for this server and this challenge alone. */
export function prove(
  { secret }: DriverKey,
  serverKey: Uint8Array,
  challenge: Uint8Array,
): Uint8Array {
  return sign(etc.concatBytes(CONTEXT, serverKey, challenge, NO_BINDING), secret);
}
