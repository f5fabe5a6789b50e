/** Numbers that look like chance but are the same each time: of whole numbers, from 0 to 1. */
export function chance(seed: number, a = 0, b = 0, c = 0): number {
  let h = (seed | 0) ^ 0x9e3779b9;
  for (const part of [a, b, c]) {
    h = Math.imul(h ^ (part | 0), 0x85ebca6b);
    h ^= h >>> 13;
    h = Math.imul(h, 0xc2b2ae35);
    h ^= h >>> 16;
  }
  return (h >>> 0) / 4294967296;
}
