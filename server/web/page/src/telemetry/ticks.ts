/** Round numbers from `min` to `max`, at most `most` of them, at steps of 1, 2 or 5 times ten. */
export function roundTicks(min: number, max: number, most: number): number[] {
  const span = max - min;
  if (!(span > 0) || !Number.isFinite(span) || most < 1) return [];
  const power = 10 ** Math.floor(Math.log10(span / (most + 1)));
  for (const factor of [1, 2, 5, 10, 20, 50]) {
    const ticks = multiples(factor * power, min, max);
    if (ticks.length <= most) return ticks;
  }
  return [];
}

function multiples(step: number, min: number, max: number): number[] {
  const ticks: number[] = [];
  const end = Math.floor(max / step + 1e-9);
  for (let i = Math.ceil(min / step - 1e-9); i <= end; i++) {
    ticks.push(Math.round(i * step * 1e6) / 1e6 + 0); // no -0, no 0.30000000000000004
  }
  return ticks;
}
