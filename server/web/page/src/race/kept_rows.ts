// Rows of cars are read once a frame, and outlast the calls after which memory is another.
import type { Instance } from './instance';
import { POSE_FIELDS } from './numbers';
import type { Poses } from './race';

export const NO_POSES: Poses = { count: 0, values: new Float64Array(0) };

/** The cars of the newest frame, of one of the two calls that tell of them. */
export class KeptRows {
  #poses = NO_POSES;
  #ofMs = NaN;
  #rows = new Float64Array(0);

  constructor(private readonly call: 'poses' | 'told_poses') {}

  /** More has come: the same frame is read anew. */
  forget(): void {
    this.#ofMs = NaN;
  }

  has(nowMs: number): boolean {
    return nowMs === this.#ofMs;
  }

  get poses(): Poses {
    return this.#poses;
  }

  read(instance: Instance, nowMs: number): void {
    const count = instance.calls[this.call](nowMs * 1000);
    const length = count * POSE_FIELDS;
    if (this.#rows.length < length) this.#rows = new Float64Array(2 * length);
    this.#rows.set(instance.numbers(instance.calls.pose_rows(), length));
    this.#poses = { count, values: this.#rows.subarray(0, length) };
    this.#ofMs = nowMs;
  }
}
