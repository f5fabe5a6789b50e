// The means of a session: sockets, clocks and workers, which tests replace.
import { groundOf, type Ground, type TrackDef } from './ground';
import { GUEST, type Identity } from './instance';
import type { Socket } from './link';
import type { SessionWish } from './race';
import { TrackCache } from './track_cache';

/** The means that a session needs of the world. */
export interface SessionMeans {
  socket: (url: string) => Socket;
  /** Milliseconds that never go back. */
  clock: () => number;
  /** Lays a track, beside the page. */
  ground: (def: TrackDef) => Promise<Ground>;
  /** Who asks to come in with a wish. */
  identity: (wish: SessionWish) => Identity;
  /** Shared by the sessions of a page. */
  tracks: TrackCache;
}

export const SUBPROTOCOL = 'apex-1';

export const fromBrowser: SessionMeans = {
  socket: (url) => new WebSocket(url, SUBPROTOCOL),
  clock: () => performance.now(),
  ground: groundOf,
  identity: () => GUEST,
  tracks: new TrackCache(),
};
