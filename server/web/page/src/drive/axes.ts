/** The arithmetic of axes: what a stick or a pedal reports, and what is meant. */

/** Nothing within `zone` of the centre, and from there evenly to the end: no step at its edge. */
export function deadZone(value: number, zone: number): number {
  const size = Math.abs(value);
  if (!(size > zone)) return 0;
  return Math.sign(value) * Math.min(1, (size - zone) / (1 - zone));
}

/** Finer about the centre: 1 is straight, 2 a square. Ends stay where they are. */
export function curve(value: number, power: number): number {
  return Math.sign(value) * Math.abs(value) ** power;
}

/** From 0 where it rests to 1 where it ends, whichever way round; a little at both ends is lost. */
export function travelled(value: number, rest: number, full: number, slack = 0.03): number {
  const span = full - rest;
  if (Math.abs(span) < 0.05) return 0;
  const share = (value - rest) / span;
  return Math.min(1, Math.max(0, (share - slack) / (1 - 2 * slack)));
}

/** The state of a pad as browsers tell it, as far as it is used here. */
export interface PadState {
  readonly id: string;
  readonly index: number;
  readonly mapping: string;
  readonly axes: readonly number[];
  readonly buttons: readonly { readonly value: number; readonly pressed: boolean }[];
}

/** Axes, and after them buttons as values: pedals may be either. */
export function inputsOf(pad: PadState, into: number[]): number[] {
  into.length = 0;
  for (const axis of pad.axes) into.push(Number.isFinite(axis) ? axis : 0);
  for (const button of pad.buttons) into.push(button.value);
  return into;
}
