// The driver's key lies in the browser's storage, for all windows of it and all its races.
import { browserStore, store, stored, type TextStore } from '../ui/storage';
import { KEY_BYTES } from '../race/numbers';
import { driverKeyOf, makeDriverKey, type DriverKey } from './driver_key';
import { bytesOfHex, hexOf } from './hex';

const KEY = 'apex.driver.key';

/**
 * The key of whoever uses this browser. It is read anew each time, since another window may have
 * imported one; a browser that keeps nothing has it until the page is closed.
 */
export class KeyStore {
  private loose: DriverKey | null = null; // as long as the page, where nothing is kept
  private read: { text: string; key: DriverKey } | null = null; // a key costs a multiplication

  constructor(private readonly browser: TextStore | null = browserStore()) {}

  /** Null before one has driven here. */
  key(): DriverKey | null {
    const text = stored(KEY, this.browser);
    if (text === null) return this.loose;
    if (this.read?.text !== text) {
      const secret = bytesOfHex(text, KEY_BYTES);
      this.read = secret === null ? null : { text, key: driverKeyOf(secret) };
    }
    return this.read?.key ?? this.loose;
  }

  /** The key, which is made if there is none. */
  keyForDriving(): DriverKey {
    return this.key() ?? this.take(makeDriverKey());
  }

  /** From now on this is who drives here. */
  take(key: DriverKey): DriverKey {
    this.loose = key;
    store(KEY, hexOf(key.secret), this.browser);
    return key;
  }

  /** @returns whether it will be there the next time that the page is opened */
  get isKept(): boolean {
    return stored(KEY, this.browser) !== null;
  }
}

let shared: KeyStore | undefined;

/** Of this browser. */
export function driverKeys(): KeyStore {
  shared ??= new KeyStore();
  return shared;
}
