// Wheel telemetry as grip: shares of the friction circle, heat, names of wheels.
import type { WheelTelemetry } from '../race/race';

export interface Grip {
  lateral: number; // -1 to 1 of what the tyre can, to the left
  longitudinal: number; // forwards
  used: number; // 0: nothing, 1: all
}

/** A wheel's forces as shares of its friction circle. A wheel in the air uses nothing. */
export function gripOf(wheel: WheelTelemetry): Grip {
  const mostN = wheel.loadN * wheel.friction;
  if (!(mostN > 1)) return { lateral: 0, longitudinal: 0, used: 0 };
  const lateral = wheel.forceLatN / mostN;
  const longitudinal = wheel.forceLongN / mostN;
  return { lateral, longitudinal, used: Math.hypot(lateral, longitudinal) };
}

export type Heat = 'cold' | 'good' | 'hot' | 'cooked';

/** The range in which a tyre's temperature is. */
export function heatOf(temperatureC: number): Heat {
  if (temperatureC < 50) return 'cold';
  if (temperatureC < 105) return 'good';
  return temperatureC < 125 ? 'hot' : 'cooked';
}

/** Names of wheels, front to rear, left before right; bikes have one on an axle. */
export function wheelNames(count: number): string[] {
  if (count === 2) return ['Front', 'Rear'];
  const axles = Math.ceil(count / 2);
  const names: string[] = [];
  for (let axle = 0; axle < axles; axle++) {
    const place = axle === 0 ? 'Front' : axle === axles - 1 ? 'Rear' : 'Middle';
    const nth = axles > 3 && place === 'Middle' ? ` ${axle}` : '';
    names.push(`${place}${nth} left`, `${place}${nth} right`);
  }
  return names.slice(0, count);
}

export const SHIFT_LIGHTS = 10;

/**
 * The number of shift lights that are on: the first at 70 % of what the engine turns, all at 97 %.
 */
export function shiftLights(rpm: number, rpmMax: number): number {
  if (!(rpmMax > 0)) return 0;
  const share = (rpm / rpmMax - 0.7) / 0.27;
  return Math.max(0, Math.min(SHIFT_LIGHTS, Math.floor(share * SHIFT_LIGHTS + 1e-9)));
}
