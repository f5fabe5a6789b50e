// Levels of thumbs and of a tilted telephone, by formulas without a screen.
import { curve } from './axes';

/** A thumb's way on glass, in shares of its control: what is meant by it. */

const STEER_POWER = 1.3;
const PEDAL_FULL = 0.25; // from the top: the pedal is down from here on

/** The share by which a thumb went sideways from where it came down; `reachPx` is full. */
export function thumbSteer(fromPx: number, nowPx: number, reachPx: number): number {
  const share = Math.min(1, Math.max(-1, (fromPx - nowPx) / reachPx));
  return curve(share, STEER_POWER);
}

/** The higher on the pedal, the further it is down; its lower end still presses a little. */
export function thumbPedal(topPx: number, heightPx: number, nowPx: number): number {
  const fromTop = (nowPx - topPx) / Math.max(heightPx, 1);
  const level = (1 - fromTop) / (1 - PEDAL_FULL);
  return Math.min(1, Math.max(0.15, level));
}

const TILT_FULL_DEG = 32;
const TILT_ZONE_DEG = 1.5;

/**
 * The angle by which a phone is turned like a wheel, to the right above 0: from the angles of
 * DeviceOrientationEvent and of the screen. Null while it lies flat: then there is no telling.
 */
export function tiltDeg(betaDeg: number, gammaDeg: number, screenDeg: number): number | null {
  const beta = (betaDeg * Math.PI) / 180;
  const gamma = (gammaDeg * Math.PI) / 180;
  // Up, seen in the plane of the glass: x to its right, y to its top, as it is held upright.
  const x = -Math.sin(gamma) * Math.cos(beta);
  const y = Math.sin(beta);
  if (Math.hypot(x, y) < 0.2) return null;
  const screen = (screenDeg * Math.PI) / 180;
  const right = x * Math.cos(screen) - y * Math.sin(screen);
  const top = x * Math.sin(screen) + y * Math.cos(screen);
  return (Math.atan2(-right, top) * 180) / Math.PI;
}

/** Steering for it: to the left above 0. */
export function tiltSteer(deg: number): number {
  const size = Math.abs(deg);
  if (size <= TILT_ZONE_DEG) return 0;
  return -Math.sign(deg) * Math.min(1, (size - TILT_ZONE_DEG) / (TILT_FULL_DEG - TILT_ZONE_DEG));
}
