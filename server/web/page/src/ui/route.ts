/** Routes of the page: the place in it that an address leads to. */

export type Overlay = 'none' | 'tower' | 'map';

/** To a race, live or recorded. */
export type WatchedRoute = { kind: 'race'; id: string } | { kind: 'replay'; name: string };

export type Route =
  | { kind: 'home'; list: boolean } // list: show it even if there is but one race
  | WatchedRoute
  | { kind: 'admin' }
  | { kind: 'unknown'; path: string };

/** The look of the page. */
export interface Look {
  overlay: Overlay; // only this part, for streaming software
  transparent: boolean;
  theme: 'light' | 'dark' | null; // null: as the browser has it
  follow: 'north' | 'heading' | null; // the chosen car, or the leader
  car: string | null; // name of the driver who is chosen
  atS: number | null; // moment of a recording
  fps: boolean;
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** @param search what follows the path, with its question mark */
export function routeOf(path: string, search: string): Route {
  const query = new URLSearchParams(search);
  if (path === '/' || path === '/index.html') return { kind: 'home', list: query.has('list') };
  const [, first, second, ...rest] = path.split('/');
  if (rest.length === 0 || (rest.length === 1 && rest[0] === '')) {
    if (first === 'admin' && !second) return { kind: 'admin' };
    const name = decoded(second ?? '');
    if (first === 'race' && name !== null && /^[0-9]{1,5}$/.test(name)) {
      return { kind: 'race', id: name };
    }
    const plain = name !== null && name !== '' && !name.includes('/') && !name.startsWith('.');
    if (first === 'replay' && plain) return { kind: 'replay', name };
  }
  return { kind: 'unknown', path };
}

export function pathOf(route: Route): string {
  switch (route.kind) {
    case 'home':
      return route.list ? '/?list=1' : '/';
    case 'race':
      return `/race/${route.id}`;
    case 'replay':
      return `/replay/${encodeURIComponent(route.name)}`;
    case 'admin':
      return '/admin';
    case 'unknown':
      return route.path;
  }
}

function oneOf<T extends string>(value: string | null, ...known: readonly T[]): T | null {
  return known.find((each) => each === value) ?? null;
}

export function lookOf(search: string): Look {
  const query = new URLSearchParams(search);
  const atS = Number.parseFloat(query.get('at') ?? '');
  return {
    overlay: oneOf(query.get('view'), 'tower', 'map') ?? 'none',
    transparent: query.get('transparent') === '1',
    theme: oneOf(query.get('theme'), 'light', 'dark'),
    follow: query.get('follow') === '1' ? 'north' : oneOf(query.get('follow'), 'heading'),
    car: query.get('car') || null,
    atS: atS >= 0 && atS < 1e9 ? atS : null,
    fps: query.has('fps'),
  };
}

/** A query with something else for one of its keys; null: without it. */
export function withQuery(search: string, key: string, value: string | null): string {
  const query = new URLSearchParams(search);
  if (value === null) query.delete(key);
  else query.set(key, value);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** The address of the WebSocket of what is shown: the same path, another scheme. */
export function socketUrl(origin: string, path: string): string {
  return origin.replace(/^http/, 'ws') + path;
}
