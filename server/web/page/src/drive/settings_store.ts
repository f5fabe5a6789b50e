// The store of settings remembers texts between visits, if the browser lets it.

/**
 * A store of what the page remembers between visits. Some browsers forbid it: then it forgets, no
 * more.
 */
export interface Store {
  get(key: string): string | null;
  set(key: string, value: string): void;
}

export class MemoryStore implements Store {
  private readonly values = new Map<string, string>();

  get(key: string): string | null {
    return this.values.get(key) ?? null;
  }

  set(key: string, value: string): void {
    this.values.set(key, value);
  }
}

export class BrowserStore implements Store {
  private readonly fallback = new MemoryStore();

  get(key: string): string | null {
    try {
      return localStorage.getItem(key) ?? this.fallback.get(key);
    } catch {
      return this.fallback.get(key);
    }
  }

  set(key: string, value: string): void {
    try {
      localStorage.setItem(key, value);
    } catch {
      this.fallback.set(key, value); // full, or forbidden
    }
  }
}

/** The value that was stored as JSON, if `read` still takes it; null otherwise. */
export function storedAs<T>(
  store: Store,
  key: string,
  read: (value: unknown) => T | null,
): T | null {
  const text = store.get(key);
  if (text === null) return null;
  try {
    return read(JSON.parse(text));
  } catch {
    return null;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A finite number within bounds, or what stands in for it. */
export function numberIn(value: unknown, low: number, high: number, otherwise: number): number {
  return typeof value === 'number' && value >= low && value <= high ? value : otherwise;
}
