/**
 * Texts are kept in this browser. It may forbid that or be full: then nothing is kept, and no harm.
 */

/** Texts by key, as much as is used of it. */
export type TextStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Of all windows of this browser; null where it is forbidden. */
export function browserStore(): TextStore | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** Of this tab alone, through every load of it. */
export function tabStore(): TextStore | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

export function stored(key: string, from = browserStore()): string | null {
  try {
    return from?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

export function store(key: string, value: string | null, into = browserStore()): void {
  try {
    if (value === null) into?.removeItem(key);
    else into?.setItem(key, value);
  } catch {
    // Then not.
  }
}

export function storedFlag(key: string, otherwise: boolean): boolean {
  const value = stored(key);
  return value === null ? otherwise : value === '1';
}

export function storeFlag(key: string, on: boolean): void {
  store(key, on ? '1' : '0');
}
