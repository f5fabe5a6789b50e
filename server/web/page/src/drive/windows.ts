/**
 * The windows of one browser at the same race: a new one asks whether another drives. Not by Web
 * Locks, which browsers have only where the page is encrypted or local, while friends come by plain
 * http.
 */

/** As much of a BroadcastChannel as is used. */
export interface Channel {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
  close(): void;
}

type Word = { kind: 'asks'; from: string } | { kind: 'drives'; to: string };

/**
 * A window that draws on a busy machine has been seen to take more than a second, and a car that is
 * taken from it is worse than one that comes back later; one that has crashed says nothing.
 */
const ANSWER_MS = 3000;

function isWord(value: unknown): value is Word {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, from, to } = value as Partial<Record<string, unknown>>;
  return kind === 'asks' ? typeof from === 'string' : kind === 'drives' && typeof to === 'string';
}

export class Windows {
  private hasWheel = false;
  private answered: ((yes: boolean) => void) | null = null;

  constructor(
    private readonly id: string,
    private readonly channel: Channel | null,
  ) {
    if (channel !== null) channel.onmessage = (event) => this.hear(event.data);
  }

  /** Of this window: it drives, or has asked the server for the wheel. */
  holdsWheel(on: boolean): void {
    this.hasWheel = on;
  }

  /** @return whether another window has the wheel; false if none says so in time. */
  otherHolds(): Promise<boolean> {
    this.answered?.(false);
    const { channel } = this;
    if (channel === null) return Promise.resolve(false);
    return new Promise((done) => {
      const timer = setTimeout(() => this.answered?.(false), ANSWER_MS);
      this.answered = (yes) => {
        clearTimeout(timer);
        this.answered = null;
        done(yes);
      };
      channel.postMessage({ kind: 'asks', from: this.id } satisfies Word);
    });
  }

  end(): void {
    this.answered?.(false);
    this.channel?.close();
  }

  private hear(word: unknown): void {
    if (!isWord(word)) return;
    if (word.kind === 'drives') {
      if (word.to === this.id) this.answered?.(true);
    } else if (this.hasWheel) {
      this.channel?.postMessage({ kind: 'drives', to: word.from } satisfies Word);
    }
  }
}

export function channelOf(path: string): Channel | null {
  if (typeof BroadcastChannel === 'undefined') return null;
  return new BroadcastChannel(`apex.drive:${path}`);
}

/** Not by crypto.randomUUID, which plain http has not. */
export function newWindowId(): string {
  const numbers = crypto.getRandomValues(new Uint32Array(2));
  return Array.from(numbers, (each) => each.toString(36)).join('-');
}
