// A token of a lobby, as far as the page looks into it: identity.h has all of it.
import { TOKEN_BYTES_MAX } from '../race/numbers';

const MAGIC = 'APXT';
const EXPIRES_AT = 26; // after magic, version and flags (6), lobby (4), issued and not before (16)
const SIGNATURE_BYTES = 64;
const SKEW_MS = 30_000; // by which a server lets clocks differ

/** The bytes, of base64url without padding; null: it is no token. */
export function tokenBytes(text: string): Uint8Array | null {
  if (!/^[A-Za-z0-9_-]+$/.test(text) || text.length > Math.ceil((TOKEN_BYTES_MAX * 4) / 3)) {
    return null;
  }
  let letters: string;
  try {
    letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return null; // a length that base64 has not
  }
  if (!letters.startsWith(MAGIC) || letters.length <= EXPIRES_AT + SIGNATURE_BYTES) return null;
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

/** @returns whether it is of no use any more, by this machine's calendar */
export function isSpent(text: string, todayMs: number): boolean {
  const bytes = tokenBytes(text);
  if (bytes === null) return true;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const expiresS = view.getBigUint64(EXPIRES_AT, true);
  return todayMs > Number(expiresS) * 1000 + SKEW_MS;
}
