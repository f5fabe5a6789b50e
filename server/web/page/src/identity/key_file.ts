/**
 * A driver's key as a file, the same that apex-client has: lines that begin with # are for people,
 * and the one that is left is the secret half in hexadecimal digits.
 */
import { KEY_BYTES } from '../race/numbers';
import { shortFingerprint } from '../ui/who';
import { driverKeyOf, type DriverKey } from './driver_key';
import { bytesOfHex, hexOf } from './hex';

export const KEY_FILE_BYTES_MAX = 4096;

export function keyFileName(key: DriverKey): string {
  return `apex-driver-${shortFingerprint(key.fingerprint)}.key`;
}

export function keyFile(key: DriverKey): string {
  return [
    '# The key of a driver of Apex. Whoever has this file can drive as him: keep it to yourself.',
    `# fingerprint ${key.fingerprint}`,
    hexOf(key.secret),
    '',
  ].join('\n');
}

/** @returns the key, or why the text is none */
export function readKeyFile(text: string): DriverKey | string {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const said = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const secret = said.length === 1 ? bytesOfHex(said[0]!, KEY_BYTES) : null;
  if (secret === null) {
    return (
      'That is no driver key. Choose a file that came from “Export key”, or from ' +
      '“apex-client key export”.'
    );
  }
  return driverKeyOf(secret);
}
