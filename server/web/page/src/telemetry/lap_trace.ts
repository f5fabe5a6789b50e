/** Speed along the lap: the one under way, and the quickest of those that were seen whole. */
export class LapTrace {
  private now: Trace;
  private bestTrace: Trace;
  private bestS = Infinity;
  private bestUs = 0; // the same by the server, 0: not told yet
  private bestEndS = NaN; // when it ended
  private told = { us: 0, endS: NaN }; // the newest lap, by the server
  private startS = 0;
  private whole = false; // the lap under way was seen from its line
  private lastM = NaN;
  private lastS = NaN;

  constructor(private readonly samples: number) {
    this.now = new Trace(samples);
    this.bestTrace = new Trace(samples);
  }

  /** @param timeS of the server, @param lengthM of a lap */
  add(timeS: number, lapM: number, speedMps: number, lengthM: number): void {
    if (!(lengthM > 0)) return;
    const stepM = lapM - this.lastM;
    const isLater = timeS > this.lastS && timeS - this.lastS < GAP_S;
    if (isLater && stepM < -lengthM / 2) this.line(timeS, lapM, lengthM);
    else if (!isLater || Math.abs(stepM) > MAX_STEP_M)
      this.begin(false, timeS); // put back, a jump
    else if (Number.isNaN(stepM)) this.begin(false, timeS);
    this.lastM = lapM;
    this.lastS = timeS;
    const slot = Math.floor((lapM / lengthM) * this.samples);
    if (slot >= 0 && slot < this.samples) this.now.set(slot, speedMps);
  }

  /** Speeds by slot of the lap; NaN where none was driven. */
  current(): Float64Array {
    return this.now.values;
  }

  best(): Float64Array | null {
    return Number.isFinite(this.bestS) ? this.bestTrace.values : null;
  }

  /** As the server timed it, in microseconds; 0: not known. */
  bestLapUs(): number {
    return this.bestUs;
  }

  /** The server has timed a lap of this car, and may say so before telemetry crosses the line. */
  timed(lapUs: number, endS: number): void {
    this.told = { us: lapUs, endS };
    this.settle();
  }

  // One lap has one time, and the server's is it: telemetry only comes close.
  private settle(): void {
    const { us, endS } = this.told;
    const isIt = Math.abs(endS - this.bestEndS) <= OFF_S_MAX;
    if (isIt && Math.abs(us / 1e6 - this.bestS) <= OFF_S_MAX) this.bestUs = us;
  }

  clear(): void {
    this.begin(false, 0);
    this.bestS = Infinity;
    this.bestUs = 0;
    this.bestEndS = NaN;
    this.lastM = NaN;
    this.lastS = NaN;
  }

  private line(timeS: number, lapM: number, lengthM: number): void {
    // The line was crossed between two samples: share the time by the way.
    const beforeM = lengthM - this.lastM;
    const share = beforeM / Math.max(beforeM + Math.max(lapM, 0), 1e-9);
    const atS = this.lastS + (timeS - this.lastS) * share;
    const lapS = atS - this.startS;
    if (this.whole && lapS < this.bestS) {
      this.bestS = lapS;
      this.bestUs = 0;
      this.bestEndS = atS;
      this.settle();
      [this.bestTrace, this.now] = [this.now, this.bestTrace];
    }
    this.begin(true, atS);
  }

  private begin(whole: boolean, timeS: number): void {
    this.now.clear();
    this.whole = whole;
    this.startS = timeS;
  }
}

const GAP_S = 1.5; // without figures; a recording was set elsewhere
const MAX_STEP_M = 60; // between two samples of a twentieth of a second
const OFF_S_MAX = 0.1; // the line is found to a few milliseconds between them

class Trace {
  readonly values: Float64Array;
  private last = -1;

  constructor(samples: number) {
    this.values = new Float64Array(samples).fill(NaN);
  }

  set(slot: number, value: number): void {
    // Slots that were jumped over at speed get the line between their neighbours.
    const from = this.last >= 0 && slot > this.last ? this.last : slot;
    const old = this.values[from]!;
    for (let i = from; i <= slot; i++) {
      this.values[i] = from === slot ? value : old + ((value - old) * (i - from)) / (slot - from);
    }
    this.last = slot;
  }

  clear(): void {
    this.values.fill(NaN);
    this.last = -1;
  }
}
