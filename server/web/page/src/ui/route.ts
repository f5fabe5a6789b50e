/** Where in the page one is, as the address says it. */

export type Overlay = 'none' | 'tower' | 'map';

export type Route =
  | { kind: 'home'; list: boolean } // list: show it even if there is but one race
  | { kind: 'race'; id: string }
  | { kind: 'replay'; name: string }
  | { kind: 'admin' }
  | { kind: 'unknown'; path: string };

export interface Look {
  overlay: Overlay; // only this part, for streaming software
  transparent: boolean;
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

export function lookOf(search: string): Look {
  const query = new URLSearchParams(search);
  const view = query.get('view');
  return {
    overlay: view === 'tower' || view === 'map' ? view : 'none',
    transparent: query.get('transparent') === '1',
    fps: query.has('fps'),
  };
}

/** The address of the WebSocket of what is shown: the same path, another scheme. */
export function socketUrl(origin: string, path: string): string {
  return origin.replace(/^http/, 'ws') + path;
}
