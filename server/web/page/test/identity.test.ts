// A driver's key: what it signs, where it is kept, and as a file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { driverKeyOf, fingerprintOf, makeDriverKey, prove } from '../src/identity/driver_key';
import { bytesOfHex, hexOf } from '../src/identity/hex';
import { KEY_FILE_BYTES_MAX, keyFile, keyFileName, readKeyFile } from '../src/identity/key_file';
import { KeyStore } from '../src/identity/key_store';
import { isGuest, whoWords } from '../src/ui/who';
import type { RosterEntry, Welcome } from '../src/race/race';
import type { TextStore } from '../src/ui/storage';

class Browser implements TextStore {
  readonly values = new Map<string, string>();
  getItem = (key: string): string | null => this.values.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.values.set(key, value);
  removeItem = (key: string): void => void this.values.delete(key);
}

class Forbidden implements TextStore {
  getItem = (): string | null => null;
  setItem = (): void => {
    throw new Error('this browser keeps nothing');
  };
  removeItem = (): void => {};
}

const bytes = (first: number) => Uint8Array.from({ length: 32 }, (_, i) => first + i);

// By PyNaCl and hashlib, of the seed 1, 2, ... 32.
const PUBLIC = '79b5562e8fe654f94078b112e8a98ba7901f853ae695bed7e0e3910bad049664';
const FINGERPRINT = 'df34250704abcdf8ccae1da7fb55dc49';
const SIGNATURE =
  '85217310dabf9241ff31b40e4ef94e2990ab099c7dc041a17463969cad18b8a4' +
  '5d65bc849edd6b2bc6e2aec14bf34a2b3037bb42859df45f2ded19a559d1ad03';

test('a key, its fingerprint and a proof are those of other libraries', () => {
  const driver = driverKeyOf(bytes(1));
  assert.equal(hexOf(driver.key), PUBLIC);
  assert.equal(driver.fingerprint, FINGERPRINT);
  assert.equal(fingerprintOf(bytes(0)), 'f39a2cad58411cd49f577e5086b8031f');
  assert.equal(hexOf(prove(driver, bytes(100), bytes(200))), SIGNATURE);
});

test('hexadecimal digits are read strictly', () => {
  assert.deepEqual(bytesOfHex('00fF10', 3), Uint8Array.of(0, 255, 16));
  for (const bad of ['00fF1', '00fF1g', '00fF1000', '', ' 0fF10', '-0fF10', '0x0010']) {
    assert.equal(bytesOfHex(bad, 3), null, bad);
  }
});

test('a browser has one key, made when it is first driven by, the same in every window', () => {
  const browser = new Browser();
  const keys = new KeyStore(browser);
  assert.equal(keys.key(), null);
  assert.equal(browser.values.size, 0, 'who only watches has none');
  const made = keys.keyForDriving();
  assert.equal(keys.keyForDriving().fingerprint, made.fingerprint);
  assert.equal(keys.isKept, true);
  const other = new KeyStore(browser);
  assert.equal(other.key()?.fingerprint, made.fingerprint);
  other.take(driverKeyOf(bytes(1)));
  assert.equal(keys.key()?.fingerprint, FINGERPRINT, 'imported in another window');
});

test('two browsers have two keys', () => {
  assert.notEqual(makeDriverKey().fingerprint, makeDriverKey().fingerprint);
});

test('a browser that keeps nothing has a key as long as the page', () => {
  for (const browser of [new Forbidden(), null]) {
    const keys = new KeyStore(browser);
    const made = keys.keyForDriving();
    assert.equal(keys.isKept, false);
    assert.equal(keys.keyForDriving().fingerprint, made.fingerprint);
  }
});

test('what is no key in the storage is not taken for one', () => {
  const browser = new Browser();
  const keys = new KeyStore(browser);
  for (const text of ['', 'x', '01'.repeat(31), `${'01'.repeat(31)}0g`]) {
    browser.values.set('apex.driver.key', text);
    assert.equal(keys.key(), null, text);
  }
});

test('a key goes through a file, and nothing else does', () => {
  const driver = driverKeyOf(bytes(1));
  const text = keyFile(driver);
  assert.match(text, /^# Key of the Apex driver df34250704abcdf8ccae1da7fb55dc49\. /);
  assert.ok(text.length <= KEY_FILE_BYTES_MAX, 'apex-client reads no more');
  const read = readKeyFile(text);
  assert.ok(typeof read !== 'string');
  assert.deepEqual(read.secret, driver.secret);
  assert.equal(read.fingerprint, FINGERPRINT);
  assert.equal(keyFileName(driver), 'apex-driver-df342507.key');
  const windows = readKeyFile(`\ufeff${text.replaceAll('\n', '\r\n')}`);
  assert.ok(typeof windows !== 'string', 'as an editor of Windows writes it');
  const secret = hexOf(driver.secret);
  for (const bad of ['', '# only words', '\0'.repeat(64), PUBLIC.slice(2), `${text}${secret}\n`,
    text.replace(secret, secret.slice(1)), text.replace(secret, `${secret}0`), 'PK\x03\x04']) {
    const said = readKeyFile(bad);
    assert.match(typeof said === 'string' ? said : 'a key', /Export key/, bad);
  }
});

const entry = (changes: Partial<RosterEntry>): RosterEntry => ({
  player: 1, car: 1, name: 'Ada', carDef: 'kart', drivenByServer: false, driver: '', ...changes,
});
const server = (takesKeys: boolean) => ({ takesKeys }) as Welcome;

test('a guest is who has no key where others have one', () => {
  assert.equal(isGuest(entry({}), server(true)), true);
  assert.equal(isGuest(entry({ driver: FINGERPRINT }), server(true)), false);
  assert.equal(isGuest(entry({ drivenByServer: true }), server(true)), false);
  assert.equal(isGuest(entry({}), server(false)), false);
  assert.equal(isGuest(entry({}), null), false);
  assert.equal(isGuest(null, server(true)), false);
  assert.equal(whoWords(entry({ driver: FINGERPRINT }), server(true)), 'driver df342507');
  assert.equal(whoWords(entry({}), server(true)), 'guest');
  assert.equal(whoWords(entry({ drivenByServer: true }), server(true)), '');
  // In a recording there is no challenge any more, but drivers have fingerprints.
  assert.equal(whoWords(entry({ driver: FINGERPRINT }), server(false)), 'driver df342507');
});
