// The speeds of a recording: which there are, and their texts.

/** The speeds that can be chosen, in thousandths of the race's. */
const SPEEDS: readonly number[] = [250, 500, 1000, 2000, 4000, 8000, 16000];

/** "0.25×", "4×". */
export function speedText(speedPermille: number): string {
  return `${Number((speedPermille / 1000).toFixed(3))}×`;
}

/** For readers of screens. */
export function speedWords(speedPermille: number): string {
  if (speedPermille === 1000) return 'Normal speed';
  return `Speed ${Number((speedPermille / 1000).toFixed(3))} times`;
}

/** The next of them up or down, also from one that is none of them. */
export function nextSpeed(speedPermille: number, by: 1 | -1): number {
  const next =
    by > 0
      ? SPEEDS.find((each) => each > speedPermille)
      : SPEEDS.findLast((each) => each < speedPermille);
  return next ?? speedPermille;
}

/** All to choose from: the server may play at one of its own when it can't keep up. */
export function speedChoices(speedPermille: number): number[] {
  const others = SPEEDS.filter((each) => each !== speedPermille);
  return [...others, speedPermille].sort((a, b) => a - b);
}
