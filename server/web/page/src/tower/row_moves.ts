// The tower's rows: how far each has moved, and which of a long list are made.

/**
 * The number of rows by which each row that was there before has moved: animations start from it.
 */
export function moves(before: readonly number[], after: readonly number[]): Map<number, number> {
  const was = new Map<number, number>();
  before.forEach((key, i) => was.set(key, i));
  const moved = new Map<number, number>();
  after.forEach((key, i) => {
    const from = was.get(key);
    if (from !== undefined && from !== i) moved.set(key, from - i);
  });
  return moved;
}

export interface Window {
  first: number;
  end: number; // one past the last
}

const SPARE = 8; // rows above and below what is seen, for scrolling

/**
 * Chooses which of `count` rows to make, of a list that is scrolled. Short lists are made whole.
 */
export function windowOf(scrollPx: number, heightPx: number, rowPx: number, count: number): Window {
  if (count <= WHOLE) return { first: 0, end: count };
  const seen = Math.ceil(Math.max(heightPx, 0) / rowPx);
  const top = Math.floor(Math.max(scrollPx, 0) / rowPx);
  const first = Math.max(0, Math.min(top - SPARE, count - seen - SPARE));
  return { first, end: Math.min(count, first + seen + 2 * SPARE) };
}

/** The most rows that are all made. */
const WHOLE = 80;
