// The theme, light or dark, is chosen here and heard of by canvases.
import { stored, store } from './storage';

export type Theme = 'auto' | 'light' | 'dark';

const KEY = 'apex.theme';
const listeners = new Set<() => void>();
let cache = new Map<string, string>();
let asked: 'light' | 'dark' | null = null; // by the address: for this visit alone

export function theme(): Theme {
  const value = stored(KEY);
  return value === 'light' || value === 'dark' ? value : 'auto';
}

/** @return whether the dark theme is seen, chosen here or by the system. */
export function isDark(): boolean {
  const chosen = asked ?? theme();
  if (chosen !== 'auto') return chosen === 'dark';
  return matchMedia('(prefers-color-scheme: dark)').matches;
}

export function setTheme(chosen: Theme): void {
  asked = null;
  store(KEY, chosen === 'auto' ? null : chosen);
  applyTheme();
}

function applyTheme(): void {
  document.documentElement.setAttribute('data-theme', isDark() ? 'dark' : 'light');
  cache = new Map();
  for (const listener of listeners) listener();
}

/**
 * Calls the listener at each change: canvases have to be drawn anew.
 * @return the call that ends it
 */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A colour of page.css by its name, "--text": for canvases. */
export function colour(name: string): string {
  let value = cache.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    cache.set(name, value);
  }
  return value;
}

/** @param wish of the address, before what was chosen here */
export function watchTheme(wish: 'light' | 'dark' | null = null): void {
  asked = wish;
  for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)']) {
    matchMedia(query).addEventListener('change', applyTheme);
  }
  applyTheme();
}
