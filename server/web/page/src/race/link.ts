/**
 * A session's WebSocket, and the next one when it breaks.
 *
 * A page that goes closes it with a code of its own, 4000, and where the browser is faster with
 * 1001. The server takes both for a broken link, since the page may be loaded anew or opened again;
 * a wish to leave is a Leave, or 1000 (DECISIONS 29). The price: the car of a player who closes the
 * window instead of leaving is driven on for the grace.
 */
import type { Link } from './instance';

/** The part of a WebSocket that a session needs. */
export interface Socket {
  binaryType: BinaryType;
  readonly bufferedAmount: number;
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(code?: number): void;
}

export interface LinkEars {
  opened(): void;
  received(bytes: Uint8Array): void;
  closed(): void;
}

/** Messages that may be lost are not sent while so much waits to go out already. */
const CHOKED_BYTES = 4096;
/** A code of our own: a page that closes with it has not left. */
const BROKEN_OFF = 4000;

/**
 * The library must not be called from within a call to it, as a socket might; so what it wishes is
 * kept until act().
 */
export class SocketLink implements Link {
  readonly #make: () => Socket;
  readonly #ears: LinkEars;
  #socket: Socket | null = null;
  #outgoing: { bytes: Uint8Array<ArrayBuffer>; reliable: boolean }[] = [];
  #opens = false;
  #closes = false;

  constructor(make: () => Socket, ears: LinkEars) {
    this.#make = make;
    this.#ears = ears;
  }

  open(): void {
    this.#opens = true;
  }

  send(bytes: Uint8Array, reliable: boolean): void {
    this.#outgoing.push({ bytes: new Uint8Array(bytes), reliable });
  }

  close(): void {
    this.#closes = true;
  }

  act(): void {
    if (this.#outgoing.length > 0) {
      const outgoing = this.#outgoing;
      this.#outgoing = [];
      for (const message of outgoing) this.#send(message);
    }
    if (this.#closes) {
      this.#closes = false;
      this.#socket?.close(1000);
    }
    if (this.#opens) {
      this.#opens = false;
      this.#begin();
    }
  }

  /** Not as a page that leaves: that would be 1000. */
  breakOff(): void {
    this.#socket?.close(BROKEN_OFF);
  }

  /** Closes without listening any more. */
  drop(): void {
    const socket = this.#socket;
    if (socket === null) return;
    this.#socket = null;
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close(1000);
  }

  #send(message: { bytes: Uint8Array<ArrayBuffer>; reliable: boolean }): void {
    const socket = this.#socket;
    if (socket === null) return;
    if (message.reliable || socket.bufferedAmount <= CHOKED_BYTES) socket.send(message.bytes);
  }

  #begin(): void {
    this.drop();
    this.#outgoing = [];
    let socket: Socket;
    try {
      socket = this.#make();
    } catch {
      this.#ears.closed(); // an address that is none
      return;
    }
    this.#socket = socket;
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => this.#ears.opened();
    socket.onmessage = (event) => {
      const data: unknown = event.data;
      if (data instanceof ArrayBuffer) this.#ears.received(new Uint8Array(data));
    };
    socket.onclose = () => {
      this.drop();
      this.#ears.closed();
    };
  }
}
