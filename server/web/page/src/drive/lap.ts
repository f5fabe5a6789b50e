/**
 * The lap under way: since when, and how it compares, at the same place, with the best that this
 * driver has driven with this car on this track. Places come 20 times a second (telemetry); between
 * two of them the way is reckoned on at the car's speed.
 */
import { isRecord, storedAs, type Store } from './settings_store';

const SLOTS = 400; // of a lap: some 4 to 15 m each
// Farther than this, beyond what it could drive, and it was put somewhere else.
const JUMP_S = 0.6;
const JUMP_M = 25;

/** The time at which each place of a lap was reached first, in seconds since its line. */
export class Trace {
  readonly timeS: Float32Array;
  /** The server's time of this lap, in microseconds; 0: it has told none yet. */
  officialUs = 0;
  /** The time at which it ended, in seconds of the server; NaN for a lap of another day. */
  endS = NaN;
  private filled = 0; // slots with a time, from the line on
  private lastM = 0;
  private lastS = 0;

  constructor(readonly lengthM: number) {
    this.timeS = new Float32Array(SLOTS + 1);
  }

  clear(): void {
    this.officialUs = 0;
    this.endS = NaN;
    this.filled = 1; // the line itself, at 0
    this.lastM = 0;
    this.lastS = 0;
  }

  get isWhole(): boolean {
    return this.filled === SLOTS + 1;
  }

  get lapS(): number {
    return this.timeS[SLOTS]!;
  }

  /** Going back and over the same ground again does not count anew. */
  add(lapM: number, timeS: number): void {
    if (lapM <= this.lastM) return;
    const slotM = this.lengthM / SLOTS;
    while (this.filled <= SLOTS && this.filled * slotM <= lapM + 1e-6) {
      const share = (this.filled * slotM - this.lastM) / (lapM - this.lastM);
      this.timeS[this.filled++] = this.lastS + (timeS - this.lastS) * share;
    }
    this.lastM = lapM;
    this.lastS = timeS;
  }

  at(lapM: number): number {
    const place = Math.min(SLOTS, Math.max(0, (lapM / this.lengthM) * SLOTS));
    const slot = Math.min(SLOTS - 1, Math.floor(place));
    const before = this.timeS[slot]!;
    return before + (this.timeS[slot + 1]! - before) * (place - slot);
  }
}

function keyOf(track: string, lengthM: number, car: string): string {
  return `apex.drive.lap.${track}.${Math.round(lengthM)}.${car}`;
}

/** Times of places in whole milliseconds: 3 KB for a lap. That of the lap is the server's. */
export function keepTrace(store: Store, track: string, car: string, trace: Trace): void {
  const ms = Array.from(trace.timeS, (s) => Math.round(s * 1000));
  store.set(keyOf(track, trace.lengthM, car), JSON.stringify({ ms, us: trace.officialUs }));
}

export function keptTrace(store: Store, track: string, lengthM: number, car: string): Trace | null {
  return storedAs(store, keyOf(track, lengthM, car), (value) => {
    if (!isRecord(value) || !Array.isArray(value['ms'])) return null;
    const ms: unknown[] = value['ms'];
    if (ms.length !== SLOTS + 1) return null;
    const trace = new Trace(lengthM);
    for (let i = 0; i <= SLOTS; i++) {
      const time = ms[i];
      if (typeof time !== 'number' || !(time >= (i > 0 ? trace.timeS[i - 1]! * 1000 - 1 : 0))) {
        return null; // time does not run backwards
      }
      trace.timeS[i] = time / 1000;
    }
    const us = value['us'];
    if (typeof us === 'number' && isTimeOf(us, trace)) trace.officialUs = us;
    return trace.lapS > 0 ? trace : null;
  });
}

const OFF_S_MAX = 0.1; // between two samples the line is found to a few milliseconds

/** @return whether this can be the time that the server gave the lap. */
export function isTimeOf(us: number, trace: Trace): boolean {
  return us > 0 && Math.abs(us / 1e6 - trace.lapS) <= OFF_S_MAX;
}

/** The server's word on a lap that has just ended. */
export interface TimedLap {
  us: number;
  endS: number; // seconds of the server
}

export function isSameLap(timed: TimedLap, trace: Trace): boolean {
  return Math.abs(timed.endS - trace.endS) <= OFF_S_MAX && isTimeOf(timed.us, trace);
}

/** The part of a sample of telemetry that is about the lap. */
export interface LapSample {
  timeS: number; // of the server
  lapM: number;
  speedMps: number;
}

export class LapClock {
  private best: Trace | null = null;
  private now: Trace | null = null;
  private spare: Trace | null = null;
  private startS = NaN; // of the lap under way
  private last: LapSample | null = null;
  private backM = 0; // rolled back over the line: the next crossing is none
  private isClean = true; // all of it was driven
  private deltaS: number | null = null;

  /** @param best of another day, if there is one */
  begin(lengthM: number, best: Trace | null): void {
    this.now = lengthM > 0 ? new Trace(lengthM) : null;
    this.spare = lengthM > 0 ? new Trace(lengthM) : null;
    this.best = best;
    this.stop();
  }

  /** The race begins anew, or this driver has finished: no lap is under way until the line. */
  stop(): void {
    this.startS = NaN;
    this.last = null;
    this.backM = 0;
    this.deltaS = null;
  }

  /** The quickest lap so far, also of other days; null: none. */
  bestTrace(): Trace | null {
    return this.best;
  }

  isRunning(): boolean {
    return !Number.isNaN(this.startS);
  }

  lapS(nowS: number): number {
    return this.isRunning() ? Math.max(0, nowS - this.startS) : NaN;
  }

  /** Seconds behind the best lap at the same place, below 0 ahead of it; null: no such lap. */
  delta(): number | null {
    return this.deltaS;
  }

  /** True: a lap was completed that is better than any before. */
  add(sample: LapSample): boolean {
    const trace = this.now;
    const last = this.last;
    if (trace === null || (last !== null && sample.timeS <= last.timeS)) return false;
    this.last = { ...sample };
    if (last === null) return false;
    const lengthM = trace.lengthM;
    const stepM = sample.lapM - last.lapM;
    let isBetter = false;
    if (stepM < -lengthM / 2) isBetter = this.cross(last, sample, trace);
    else if (stepM > lengthM / 2) this.backM++;
    else this.watchForJump(last, sample, stepM);
    this.compare(sample);
    return isBetter;
  }

  private watchForJump(last: LapSample, sample: LapSample, stepM: number): void {
    const speedMps = Math.max(last.speedMps, sample.speedMps);
    const couldM = speedMps * (sample.timeS - last.timeS + JUMP_S) + JUMP_M;
    if (stepM > couldM) this.isClean = false;
  }

  /** The line lay between two samples: time is shared out by the way. */
  private cross(last: LapSample, sample: LapSample, trace: Trace): boolean {
    if (this.backM > 0) {
      this.backM--;
      return false;
    }
    const beforeM = trace.lengthM - last.lapM;
    const share = beforeM / Math.max(beforeM + sample.lapM, 1e-6);
    const atS = last.timeS + (sample.timeS - last.timeS) * share;
    let isBetter = false;
    if (this.isRunning()) {
      trace.add(trace.lengthM, atS - this.startS);
      trace.endS = atS;
      isBetter = this.complete(trace);
    }
    this.now!.clear();
    this.startS = atS;
    this.isClean = true;
    return isBetter;
  }

  private complete(trace: Trace): boolean {
    if (!trace.isWhole || !this.isClean) return false;
    if (this.best !== null && this.best.lapS <= trace.lapS) return false;
    const old = this.best;
    this.best = trace;
    this.now = this.spare ?? new Trace(trace.lengthM);
    this.spare = old;
    return true;
  }

  private compare(sample: LapSample): void {
    if (!this.isRunning() || this.now === null || this.backM > 0) {
      this.deltaS = null;
      return;
    }
    const lapS = sample.timeS - this.startS;
    this.now.add(sample.lapM, lapS);
    this.deltaS = this.best === null ? null : lapS - this.best.at(sample.lapM);
  }
}
