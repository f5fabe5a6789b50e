/**
 * The page's heart: each frame while it is looked at, ten times a second while it is not. Browsers
 * slow down timers of hidden pages, to one in a minute at worst, which would lose the connection;
 * those of a worker they leave alone. The worker is this very bundle, see main.ts.
 */
export class Beat {
  private worker: Worker | null = null;
  private timer = 0;
  private frameId = 0;

  constructor(private readonly beat: (nowMs: number) => void) {
    document.addEventListener('visibilitychange', () => this.arrange());
    this.arrange();
  }

  private arrange(): void {
    cancelAnimationFrame(this.frameId);
    this.stopTimer();
    if (document.hidden) this.startTimer();
    else this.frameId = requestAnimationFrame((nowMs) => this.frame(nowMs));
  }

  private frame(nowMs: number): void {
    this.frameId = requestAnimationFrame((next) => this.frame(next));
    this.beat(nowMs);
  }

  private startTimer(): void {
    const tick = (): void => this.beat(performance.now());
    try {
      this.worker = new Worker(new URL(import.meta.url), { type: 'module', name: 'beat' });
      this.worker.onmessage = tick;
      this.worker.onerror = () => {
        this.stopTimer();
        this.timer = window.setInterval(tick, BEAT_MS);
      };
    } catch {
      this.timer = window.setInterval(tick, BEAT_MS);
    }
  }

  private stopTimer(): void {
    this.worker?.terminate();
    this.worker = null;
    window.clearInterval(this.timer);
  }
}

const BEAT_MS = 100;

/** @return whether this is the worker; if so, it beats. */
export function beatInWorker(): boolean {
  if (typeof document !== 'undefined') return false;
  setInterval(() => postMessage(0), BEAT_MS);
  return true;
}
