/** Figures of the drive display, as they are read in passing. */
import { microseconds, NONE } from '../ui/format';

export type SpeedUnit = 'km/h' | 'mph';

export function speedText(speedMps: number, unit: SpeedUnit): string {
  return String(Math.round(Math.abs(speedMps) * (unit === 'mph' ? 2.236936 : 3.6)));
}

/**
 * "+0.12", "−1.05", "±0.00": two digits, cut toward zero as every time is, and a real minus; more
 * than a minute is no comparison.
 */
export function deltaText(deltaS: number | null): string {
  if (deltaS === null || !Number.isFinite(deltaS)) return NONE;
  const us = Math.min(microseconds(Math.abs(deltaS)), 99_990_000);
  const hundredths = Math.floor(us / 1e4);
  if (hundredths === 0) return '±0.00';
  const rest = String(hundredths % 100).padStart(2, '0');
  return `${deltaS > 0 ? '+' : '−'}${Math.floor(hundredths / 100)}.${rest}`;
}

/** The share of its bar that a delta fills, -1 to 1: small ones show, large ones stay on it. */
export function deltaShare(deltaS: number | null): number {
  if (deltaS === null || !Number.isFinite(deltaS)) return 0;
  return Math.tanh(deltaS / 0.8);
}

/**
 * The number of `count` shift lights that burn: they begin at four fifths of the engine's range.
 */
export function shiftLights(rpm: number, rpmMax: number, count: number): number {
  if (!(rpmMax > 0)) return 0;
  const share = (rpm / rpmMax - 0.8) / 0.17;
  return Math.min(count, Math.max(0, Math.ceil(share * count)));
}

/** Time to change up, if there is a gear. */
export function isShiftTime(rpm: number, rpmMax: number): boolean {
  return rpmMax > 0 && rpm >= 0.97 * rpmMax;
}
