/** The newest of several series that share their x, oldest first, ready for a plot. */
export class Ring {
  private readonly columns: Float64Array[];
  private start = 0;
  private length = 0;

  constructor(
    readonly width: number,
    private readonly capacity: number,
  ) {
    this.columns = Array.from({ length: width }, () => new Float64Array(2 * capacity));
  }

  get count(): number {
    return this.length;
  }

  /** Each value is written twice, so that any window lies in one piece. */
  push(row: ArrayLike<number>): void {
    const at = (this.start + this.length) % this.capacity;
    for (let i = 0; i < this.width; i++) {
      const column = this.columns[i]!;
      column[at] = row[i]!;
      column[at + this.capacity] = row[i]!;
    }
    if (this.length < this.capacity) this.length++;
    else this.start = (this.start + 1) % this.capacity;
  }

  /** A view of a column: good until the next push. */
  column(i: number): Float64Array {
    return this.columns[i]!.subarray(this.start, this.start + this.length);
  }

  last(i: number): number {
    return this.length === 0 ? NaN : this.columns[i]![this.start + this.length - 1]!;
  }

  /** Lets go of rows whose first column is below `x`. */
  dropBefore(x: number): void {
    const first = this.columns[0]!;
    while (this.length > 0 && first[this.start]! < x) {
      this.start = (this.start + 1) % this.capacity;
      this.length--;
    }
  }

  clear(): void {
    this.start = 0;
    this.length = 0;
  }
}
