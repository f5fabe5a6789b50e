// The width of a drawn road: seen from afar it is wider than the road, and it always grows as one
// zooms in (DECISIONS 45). On a map of a whole circuit twelve metres are a pixel and a half: a hair
// on a meadow. The width is true from twice a least one on; below, a curve leads to it without a
// step or a kink. A least width alone, max(true, least), stands still while one zooms and then
// starts with a jerk.
//
// The rim is stroked around the road's own shape, so that a wide straight stays wider; where more
// is rim than road it is one line. What lies beside the road comes out from below it: edges and
// kerbs are lines of some pixels outside of it, patches and walls are drawn only once they are in
// their place. Tiles are painted at one scale, once it has settled, so the width is a constant of a
// tile and costs no frame anything.

const LEAST_SHARE = 0.022; // of the map's shorter side
const LEAST_PX = 7;
const MOST_PX = 12;

/** The width in pixels of a drawn road that would truly be `truePx` wide. */
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
