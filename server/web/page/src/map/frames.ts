// Times of frames are gathered, and say when a map that turns has to be drawn roughly.

export interface FrameStats {
  frames: number; // since the start
  fps: number; // over the last seconds, like what follows
  p50Ms: number; // between frames
  p95Ms: number;
  workP50Ms: number; // of our own in a frame
  workP95Ms: number;
  cars: number;
}

const KEPT = 300;
const PAUSE_MS = 1000; // a page in hiding has no frames: that says nothing

/** The times that frames took. */
export class FrameTimes {
  private readonly apart = new Float64Array(KEPT);
  private readonly work = new Float64Array(KEPT);
  private readonly sorted = new Float64Array(KEPT);
  private lastMs = NaN;
  private held = 0;
  private count = 0;
  cars = 0;

  begin(nowMs: number): void {
    const apartMs = nowMs - this.lastMs;
    this.lastMs = nowMs;
    this.count++;
    if (!(apartMs > 0 && apartMs < PAUSE_MS)) return;
    this.apart[this.held % KEPT] = apartMs;
    this.held++;
  }

  worked(ms: number): void {
    this.work[Math.max(this.held - 1, 0) % KEPT] = ms;
  }

  forget(): void {
    this.held = 0;
    this.lastMs = NaN;
  }

  private quantile(of: Float64Array, part: number): number {
    const n = Math.min(this.held, KEPT);
    if (n === 0) return 0;
    const sorted = this.sorted.subarray(0, n);
    sorted.set(of.subarray(0, n));
    sorted.sort();
    return sorted[Math.min(Math.floor(part * n), n - 1)]!;
  }

  stats(): FrameStats {
    const n = Math.min(this.held, KEPT);
    let sumMs = 0;
    for (let i = 0; i < n; i++) sumMs += this.apart[i]!;
    return {
      frames: this.count,
      fps: sumMs > 0 ? (1000 * n) / sumMs : 0,
      p50Ms: this.quantile(this.apart, 0.5),
      p95Ms: this.quantile(this.apart, 0.95),
      workP50Ms: this.quantile(this.work, 0.5),
      workP95Ms: this.quantile(this.work, 0.95),
      cars: this.cars,
    };
  }
}

const SLOW_MS = 24;
const LEAN = 0.02; // a second or two until it is sure
const USUAL_MS = 1000 / 60;

/**
 * The decision whether a map that turns is drawn roughly: bitmaps that lie askew are smoothed at
 * half of a frame's cost where no graphics processor helps. Once it is, it stays so until the map
 * lies still, or it would change all the time.
 */
export class Haste {
  private meanMs = USUAL_MS;
  isRough = false;

  hear(elapsedMs: number, isTurned: boolean): void {
    if (!isTurned) {
      this.meanMs = USUAL_MS;
      this.isRough = false;
      return;
    }
    this.meanMs += (Math.min(elapsedMs, 4 * SLOW_MS) - this.meanMs) * LEAN;
    if (this.meanMs > SLOW_MS) this.isRough = true;
  }
}
