import type { Session } from '../race/race';
import { el } from './dom';
import type { MapPart } from './parts';

/** Where the map will be. */
export function mapPlaceholder(): MapPart {
  const element = el('div', { class: 'placeholder' }, 'The map comes here.');
  return {
    element,
    follow() {},
    headingUp() {},
    fit() {},
    zoomBy() {},
    stats: () => ({ fps: 0, p50Ms: 0, p95Ms: 0 }),
  };
}

export function sessionPlaceholder(): Promise<Session> {
  return Promise.reject(new Error('this page was built without what talks with a server'));
}
