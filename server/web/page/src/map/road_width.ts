// The width of a drawn road: seen from afar it is wider than the road, and it always grows as one
// zooms in (DECISIONS 45).

const LEAST_SHARE = 0.022; // of the map's shorter side
const LEAST_PX = 7;
const MOST_PX = 12;

/**
 * The width in pixels of a drawn road that would truly be `truePx` wide: on a map of a whole
 * circuit it would be a hair on a meadow. Wider than true where it is small, by nothing from twice
 * `leastPx` on, and without a step or a kink between: zooming in, the road always grows.
 */
export function roadPx(truePx: number, leastPx: number): number {
  if (!(leastPx > 0) || truePx >= 2 * leastPx) return truePx;
  const px = Math.max(truePx, 0);
  return leastPx + (px * px) / (4 * leastPx);
}

/** The least width of a road, in pixels of the layout, on a map of that size. */
export function leastRoadPx(widthPx: number, heightPx: number): number {
  const share = LEAST_SHARE * Math.min(widthPx, heightPx);
  return Math.min(Math.max(share, LEAST_PX), MOST_PX);
}
