/** What is kept in this browser. It may be forbidden or full: then nothing is kept, and no harm. */

export function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
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
