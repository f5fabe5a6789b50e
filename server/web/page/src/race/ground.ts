/**
 * A driver's prediction needs the track's ground, and laying it takes half a second on a desk and
 * seconds on a phone: a worker does it. The worker is this very bundle, see main.ts; what it lays
 * with is the same library, so that the ground is the same to the bit.
 */
import { Instance, loadLibrary, type Link } from './instance';

/** A track's definition, and the name of its content. */
export interface TrackDef {
  hash: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A laid ground as the library takes it; null where it has to lay it by itself. */
export type Ground = Uint8Array<ArrayBuffer> | null;

const NAME = 'ground';

interface Order {
  library: WebAssembly.Module;
  def: Uint8Array<ArrayBuffer>;
}

const NOBODY: Link = { open: () => {}, send: () => {}, close: () => {} };

/** Lays a track, now. */
export async function layGround(order: Order): Promise<Ground> {
  const instance = await Instance.create(order.library, NOBODY);
  const length = instance.calls.lay_ground(instance.give(order.def));
  return length > 0 ? instance.bytes(instance.calls.laid_bytes(), length).slice() : null;
}

/** @return whether this is the worker that lays; if so, it waits for its order. */
export function laysInWorker(): boolean {
  if (typeof document !== 'undefined' || self.name !== NAME) return false;
  self.onmessage = ({ data }: MessageEvent<Order>) => {
    layGround(data).then(
      (ground) => postMessage(ground, { transfer: ground === null ? [] : [ground.buffer] }),
      () => postMessage(null),
    );
  };
  return true;
}

function layInWorker(order: Order): Promise<Ground> {
  return new Promise((done) => {
    const worker = new Worker(new URL(import.meta.url), { type: 'module', name: NAME });
    const end = (ground: Ground): void => {
      worker.terminate(); // and its memory is free
      done(ground);
    };
    worker.onmessage = ({ data }: MessageEvent<Ground>) => end(data);
    worker.onerror = () => end(null);
    worker.postMessage(order);
  });
}

/** The ground of a track. */
export function groundOf(def: TrackDef): Promise<Ground> {
  return loadLibrary()
    .then((library) => layInWorker({ library, def: def.bytes }))
    .catch(() => null);
}
