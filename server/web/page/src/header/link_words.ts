// What is said of the connection, and of how well others are foretold over it.
import type { SessionStats } from '../race/race';
import { shortLength } from '../ui/format';

export type Line = readonly [term: string, words: string];

export const milliseconds = (ms: number): string => `${Math.round(ms)} ms`;
const speed = (mps: number): string => `${mps.toFixed(mps < 1 ? 2 : 1)} m/s`;

const usually = (p50: string, p95: string): string =>
  `${p50} usually, ${p95} at most in 95 of 100`;

/** What there is to say of the connection to anybody. */
export function linkLines(stats: SessionStats, isDriver: boolean): Line[] {
  const isKnown = stats.rttMs > 0;
  return [
    ['Round trip', isKnown ? milliseconds(stats.rttMs) : 'not known yet'],
    [
      isDriver ? 'Cars far off are shown' : 'Cars are shown',
      `${milliseconds(stats.delayMs)} after news of them comes`,
    ],
  ];
}

const count = (number: number): string => number.toLocaleString('en');

function touchWords(stats: SessionStats): string {
  const { touchesCame: came, touchesPhantom: phantom, touchesUnforeseen: unforeseen } = stats;
  if (came + phantom + unforeseen === 0) return 'none';
  const wrong = `${count(phantom)} that did not, ${count(unforeseen)} too late`;
  return `${count(came)} felt as they came, ${wrong}`;
}

/** And to a driver, of his own car and those within 15 m. */
export function foretoldLines(stats: SessionStats): Line[] {
  const isForetold = stats.predictedTick > 0;
  const own = isForetold
    ? `where your controls act, ${shortLength(stats.predictionErrorM)} off usually`
    : 'as the server told of it, late';
  const lines: Line[] = [['Your car is shown', own]];
  if (stats.rivalsCompared === 0) return [...lines, ['Rivals within 15 m', 'nobody yet']];
  const horizon = milliseconds(stats.rivalHorizonP50Ms);
  const longest = milliseconds(stats.rivalHorizonP99Ms);
  const along = usually(shortLength(stats.rivalAlongP50M), shortLength(stats.rivalAlongP95M));
  const across = usually(shortLength(stats.rivalAcrossP50M), shortLength(stats.rivalAcrossP95M));
  const fastest = speed(stats.rivalCorrectionMaxMps);
  const late = stats.rivalsLate;
  const lateWords = late === 0 ? 'never' : `in ${count(late)} frames`;
  return [
    ...lines,
    ['Rivals are foretold over', `${horizon} usually, ${longest} at most in 99 of 100`],
    ['Off lengthways', along],
    ['Off sideways', across],
    ['Put right at', `${fastest} at most, ${speed(stats.rivalCorrectionP99Mps)} in 99 of 100`],
    ['Touches', touchWords(stats)],
    ['Late, for want of news', lateWords],
  ];
}
