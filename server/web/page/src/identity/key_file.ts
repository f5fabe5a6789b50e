/**
 * A driver's key as a file, as apex-client has it, too: one line of hexadecimal digits, the secret
 * half; empty lines, and lines that begin with #, say nothing.
 */
import { KEY_BYTES } from '../race/numbers';
import { shortFingerprint } from '../ui/who';
import { driverKeyOf, type DriverKey } from './driver_key';
import { bytesOfHex, hexOf } from './hex';

export const KEY_FILE_BYTES_MAX = 511;

export function keyFileName(key: DriverKey): string {
  return `apex-driver-${shortFingerprint(key.fingerprint)}.key`;
}

export function keyFile(key: DriverKey): string {
  const about =
    `# Key of the Apex driver ${key.fingerprint}. Whoever has this file is this driver: ` +
    'keep a copy, and show it to nobody.';
  return `${about}\n${hexOf(key.secret)}\n`;
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
