// The lap finder turns places of cars into distances along the lap.
import type { TrackOutline } from '../race/race';

const LOOK_ROWS = 12; // on both sides of where a car was
const LOST_M = 60; // further from the road near there: look everywhere
const HEIGHT_WEIGHT = 4; // of heights against places: lanes of a crossing differ in it
const KEPT_MAX = 20_000;

/** Lap distances of places: the nearest point of the lap, near the last one if there was one. */
export class LapFinder {
  private readonly rows = new Map<number, number>();
  private readonly count: number;

  constructor(private readonly outline: TrackOutline) {
    this.count = outline.lapM.length;
  }

  private away2(row: number, x: number, y: number, z: number): number {
    const { centre, heightM } = this.outline;
    const dx = centre[2 * row]! - x;
    const dy = centre[2 * row + 1]! - y;
    const dz = HEIGHT_WEIGHT * (heightM[row]! - z);
    return dx * dx + dy * dy + dz * dz;
  }

  find(car: number, x: number, y: number, z: number): number {
    const before = this.rows.get(car);
    let row = before === undefined ? this.search(x, y, z) : this.searchNear(before, x, y, z);
    if (before !== undefined && this.away2(row, x, y, z) > LOST_M * LOST_M) {
      row = this.search(x, y, z);
    }
    if (this.rows.size > KEPT_MAX) this.rows.clear();
    this.rows.set(car, row);
    return this.between(row, x, y);
  }

  private search(x: number, y: number, z: number): number {
    let best = 0;
    let least = Infinity;
    for (let i = 0; i < this.count; i++) {
      const away = this.away2(i, x, y, z);
      if (away >= least) continue;
      least = away;
      best = i;
    }
    return best;
  }

  private searchNear(before: number, x: number, y: number, z: number): number {
    let best = before;
    let least = Infinity;
    for (let k = -LOOK_ROWS; k <= LOOK_ROWS; k++) {
      const row = this.outline.closed
        ? (((before + k) % this.count) + this.count) % this.count
        : Math.min(Math.max(before + k, 0), this.count - 1);
      const away = this.away2(row, x, y, z);
      if (away >= least) continue;
      least = away;
      best = row;
    }
    return best === before || Math.abs(best - before) < LOOK_ROWS ? best : this.search(x, y, z);
  }

  /** Along the lap from the row's own point, onwards or back. */
  private between(row: number, x: number, y: number): number {
    const { centre, lapM, closed, lengthM } = this.outline;
    const next = closed ? (row + 1) % this.count : Math.min(row + 1, this.count - 1);
    const dx = centre[2 * next]! - centre[2 * row]!;
    const dy = centre[2 * next + 1]! - centre[2 * row + 1]!;
    const length = Math.hypot(dx, dy);
    if (length === 0) return lapM[row]!;
    const along = ((x - centre[2 * row]!) * dx + (y - centre[2 * row + 1]!) * dy) / length;
    const found = lapM[row]! + Math.max(-length, Math.min(length, along));
    return closed ? ((found % lengthM) + lengthM) % lengthM : found;
  }

  heightAt(wayM: number): number {
    const { lapM, heightM, closed, lengthM } = this.outline;
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (lapM[mid]! <= wayM) low = mid;
      else high = mid - 1;
    }
    const next = low + 1 < this.count ? low + 1 : closed ? 0 : low;
    const endM = low + 1 < this.count ? lapM[next]! : lengthM;
    const part = Math.min(Math.max((wayM - lapM[low]!) / Math.max(endM - lapM[low]!, 1e-6), 0), 1);
    return heightM[low]! + part * (heightM[next]! - heightM[low]!);
  }
}
