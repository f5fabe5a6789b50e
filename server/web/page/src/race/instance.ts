/**
 * The client library: a WebAssembly module (client-lite/wasm), an instance for each session, whose
 * memory goes with it. Here are its memory and its few wishes to the system; session.ts has the
 * meaning.
 */
import type { Exports } from './exports';
import { KEY_BYTES, SIGNATURE_BYTES, TOKEN_BYTES_MAX } from './numbers';

/** The calls that the library makes of the carrier of its messages. */
export interface Link {
  open(): void;
  /** The bytes are good until it returns. */
  send(bytes: Uint8Array, reliable: boolean): void;
  close(): void;
}

/** Who asks to come in: the driver's key and the lobby's token stay on this side. */
export interface Identity {
  /** Null: a guest. The bytes are good until it returns. */
  prove(serverKey: Uint8Array, challenge: Uint8Array): Proof | null;
  /** Of a lobby, TOKEN_BYTES_MAX at most. */
  token(): Uint8Array | null;
}

export interface Proof {
  key: Uint8Array;
  signature: Uint8Array;
}

/** The library gave up: an assert, or no memory. */
export class LibraryFault extends Error {}

let shared: Promise<WebAssembly.Module> | undefined;

/** The library, fetched once for all sessions. */
export function loadLibrary(url = '/apex.wasm'): Promise<WebAssembly.Module> {
  shared ??= WebAssembly.compileStreaming(fetch(url)).catch((error: unknown) => {
    shared = undefined; // the next session tries again
    throw error;
  });
  return shared;
}

/** Who has no key and no token, or asks for nothing: a worker. */
export const GUEST: Identity = { prove: () => null, token: () => null };

const ERRNO_BADF = 8;
const ERRNO_SPIPE = 70;

export class Instance {
  readonly calls: Exports;
  readonly #decoder = new TextDecoder();
  readonly #encoder = new TextEncoder();
  #bytes = new Uint8Array(0);
  #said = '';

  private constructor(exports: Exports) {
    this.calls = exports;
  }

  static async create(
    module: WebAssembly.Module,
    link: Link,
    identity: Identity = GUEST,
  ): Promise<Instance> {
    let made: Instance | undefined;
    const here = (): Instance => {
      if (made === undefined) throw new LibraryFault('called before it was made');
      return made;
    };
    const instance = await WebAssembly.instantiate(module, {
      apex: {
        link_open: () => link.open(),
        link_send: (at: number, length: number, reliable: number) =>
          link.send(here().bytes(at, length), reliable !== 0),
        link_close: () => link.close(),
        prove: (serverKeyAt: number, challengeAt: number, keyAt: number, signatureAt: number) => {
          const serverKey = here().bytes(serverKeyAt, KEY_BYTES);
          const proof = identity.prove(serverKey, here().bytes(challengeAt, KEY_BYTES));
          if (proof === null) return 0;
          here().bytes(keyAt, KEY_BYTES).set(proof.key);
          here().bytes(signatureAt, SIGNATURE_BYTES).set(proof.signature);
          return 1;
        },
        token: (at: number) => {
          const token = identity.token();
          if (token === null || token.length > TOKEN_BYTES_MAX) return 0;
          here().bytes(at, token.length).set(token);
          return token.length;
        },
      },
      wasi_snapshot_preview1: system(here),
    });
    made = new Instance(instance.exports as unknown as Exports);
    made.calls._initialize();
    return made;
  }

  /** A view of its memory; good until the next call into it. */
  bytes(at: number, length: number): Uint8Array {
    return this.#memory().subarray(at, at + length);
  }

  numbers(at: number, count: number): Float64Array {
    return new Float64Array(this.calls.memory.buffer, at, count);
  }

  floats(at: number, count: number): Float32Array {
    return new Float32Array(this.calls.memory.buffer, at, count);
  }

  words(at: number, count: number): Uint32Array {
    return new Uint32Array(this.calls.memory.buffer, at, count);
  }

  text(at: number, length: number): string {
    return this.#decoder.decode(this.bytes(at, length));
  }

  /** Puts bytes where the next call looks for them. */
  give(bytes: Uint8Array): number {
    const at = this.calls.input(bytes.length);
    if (at === 0) throw new LibraryFault('out of memory');
    this.bytes(at, bytes.length).set(bytes);
    return bytes.length;
  }

  giveTexts(texts: string[]): number {
    return this.give(this.#encoder.encode(texts.map((text) => `${text}\0`).join('')));
  }

  /** Takes what the library wrote on its standard error: a line of an assert. */
  said(text: string): void {
    this.#said += text;
    const lines = this.#said.split('\n');
    this.#said = lines.pop() ?? '';
    for (const line of lines) console.error(`apex: ${line}`);
  }

  // Memory that has grown is another buffer, and views of the one before are empty.
  #memory(): Uint8Array {
    const buffer = this.calls.memory.buffer;
    if (this.#bytes.buffer !== buffer) this.#bytes = new Uint8Array(buffer);
    return this.#bytes;
  }
}

/** The part of WASI that C's library is linked with, as far as a page has it. */
function system(here: () => Instance): WebAssembly.ModuleImports {
  const view = () => new DataView(here().calls.memory.buffer);
  const nothing = (countAt: number, bytesAt: number): number => {
    view().setUint32(countAt, 0, true);
    view().setUint32(bytesAt, 0, true);
    return 0;
  };
  return {
    environ_sizes_get: nothing,
    environ_get: () => 0,
    fd_close: () => ERRNO_BADF,
    fd_seek: () => ERRNO_SPIPE,
    fd_write: (file: number, vectors: number, count: number, writtenAt: number): number => {
      if (file !== 1 && file !== 2) return ERRNO_BADF;
      let written = 0;
      for (let i = 0; i < count; i++) {
        const at = view().getUint32(vectors + 8 * i, true);
        const length = view().getUint32(vectors + 8 * i + 4, true);
        here().said(here().text(at, length));
        written += length;
      }
      view().setUint32(writtenAt, written, true);
      return 0;
    },
    proc_exit: (status: number) => {
      throw new LibraryFault(`it ended with ${status}`);
    },
  };
}
