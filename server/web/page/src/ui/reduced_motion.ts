// Motion is left out where the reader asks for less of it.

let query: MediaQueryList | null = null;

/** @return whether things should stand rather than fly. */
export function isMotionReduced(): boolean {
  query ??= matchMedia('(prefers-reduced-motion: reduce)');
  return query.matches;
}
