// Traces follow the session: skid marks, smoke and flashes as they come about.
import { CarFlag, Pose, POSE_FIELDS } from '../race/race';
import type { RaceEvent, Session, Touch } from '../race/race';
import { isUnder, type Bridge } from './bridges';
import { Effects } from './effects';
import { anyShape, type Field } from './field';
import { SkidMaker, SkidRing } from './skid_marks';

const SKIDS_MAX = 24_000;
const PUFF_ABOVE = 0.35; // of a slide
const PUFF_MS = 70;
const BEHIND_M = 1.4;
const BLOWN_MS = 12_000; // that an engine smokes for

/** The traces that cars leave behind: marks, smoke, and where they touched. */
export class Traces {
  readonly skids = new SkidRing(SKIDS_MAX);
  readonly effects = new Effects();
  private readonly maker = new SkidMaker(this.skids);
  private puffedMs = 0;
  private readonly blownMs = new Map<number, number>(); // since when, by car

  /** Looks at all cars, wherever the map looks. `rate`: faster than real time. */
  watch(field: Field, bridges: readonly Bridge[], nowMs: number, rate: number): void {
    const { rows, count } = field;
    const puffs = nowMs - this.puffedMs > PUFF_MS || nowMs < this.puffedMs;
    if (puffs) this.puffedMs = nowMs;
    for (let i = 0; i < count; i++) {
      const at = i * POSE_FIELDS;
      const x = rows[at + Pose.x]!;
      const y = rows[at + Pose.y]!;
      // A car below a bridge leaves none: the marks would lie on the bridge's road.
      if (bridges.length > 0 && isUnder(bridges, x, y, rows[at + Pose.z]!)) continue;
      const info = field.infoOf(rows[at + Pose.car]!);
      const slide = this.maker.watch(rows, at, info?.shape ?? anyShape, nowMs, rate);
      if (puffs) this.smoke(rows, at, slide, nowMs);
    }
    if (puffs) this.maker.sweep(nowMs);
  }

  private smoke(rows: Float64Array, at: number, slide: number, nowMs: number): void {
    const blown = this.isBlown(rows, at, nowMs);
    if (!blown && slide <= PUFF_ABOVE) return;
    const yaw = rows[at + Pose.yaw]!;
    const along = blown ? BEHIND_M : -BEHIND_M; // engines smoke ahead, tyres behind
    const x = rows[at + Pose.x]! + along * Math.cos(yaw);
    const y = rows[at + Pose.y]! + along * Math.sin(yaw);
    this.effects.puff(x, y, blown ? 1 : slide, blown, nowMs);
  }

  /** @return whether an engine has blown up lately. */
  private isBlown(rows: Float64Array, at: number, nowMs: number): boolean {
    const car = rows[at + Pose.car]!;
    if ((rows[at + Pose.flags]! & CarFlag.engineBlown) === 0) {
      if (this.blownMs.size > 0) this.blownMs.delete(car);
      return false;
    }
    const since = this.blownMs.get(car) ?? nowMs;
    this.blownMs.set(car, since);
    return nowMs - since < BLOWN_MS;
  }

  /** The touches of the frame that is drawn, before the server can tell of them. */
  feel(touches: readonly Touch[], nowMs: number): void {
    for (const { x, y, impulseNs } of touches) this.effects.contact(x, y, impulseNs, nowMs);
  }

  hear(events: readonly RaceEvent[], field: Field, nowMs: number): void {
    const { rows } = field;
    for (const event of events) {
      if (event.kind !== 'contact' || event.isFelt) continue;
      const at = field.indexOf(field.carOf(event.player)) * POSE_FIELDS;
      if (at < 0) continue;
      let x = rows[at + Pose.x]!;
      let y = rows[at + Pose.y]!;
      const other = field.indexOf(field.carOf(event.other)) * POSE_FIELDS;
      if (event.other !== 0 && other >= 0) {
        x = (x + rows[other + Pose.x]!) / 2;
        y = (y + rows[other + Pose.y]!) / 2;
      }
      this.effects.contact(x, y, event.value, nowMs);
    }
  }

  clear(): void {
    this.skids.clear();
    this.maker.clear();
    this.effects.clear();
    this.blownMs.clear();
  }
}

/** The rate of the race over real time. */
export function rateOf(session: Session): number {
  const permille = session.playback()?.speedPermille ?? session.welcome()?.speedPermille ?? 0;
  return permille > 0 ? permille / 1000 : 1;
}
