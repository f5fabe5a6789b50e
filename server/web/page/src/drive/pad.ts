// A pad with the standard layout as levels and wishes.
import { curve, deadZone, type PadState } from './axes';
import type { DeviceInput, Wish } from './device';
import type { PadAction, PadMap } from './pad_map';
import { Stick } from './stick';

/** Of the standard layout; the rest is in pad_map.ts. */
const CROSS_LEFT = 14;
const CROSS_RIGHT = 15;

const WISHES = ['shiftUp', 'shiftDown', 'reset', 'gearbox'] as const satisfies readonly Wish[];

const STICK_ZONE = 0.1;
const STICK_POWER = 1.6;
const TRIGGER_ZONE = 0.04;

/** Levels of a pad with the standard layout. */
export function padInput(pad: PadState, map: PadMap): DeviceInput {
  const value = (index: number): number => pad.buttons[index]?.value ?? 0;
  const level = (action: PadAction): number => deadZone(value(map.buttonOf(action)), TRIGGER_ZONE);
  const stick = curve(deadZone(-(pad.axes[0] ?? 0), STICK_ZONE), STICK_POWER);
  const cross = value(CROSS_LEFT) - value(CROSS_RIGHT);
  return {
    steer: cross !== 0 ? cross : stick,
    throttle: level('throttle'),
    brake: level('brake'),
    clutch: level('clutch'),
    handbrake: level('handbrake'),
  };
}

/** A pad with sticks and triggers. Comes and goes with its cable. */
export class Pad extends Stick {
  readonly kind = 'pad';

  constructor(
    onWish: (wish: Wish) => void,
    private readonly map: PadMap,
  ) {
    super(onWish);
  }

  /** Once a frame while it is there. */
  look(pad: PadState, nowMs: number): void {
    this.levels = padInput(pad, this.map);
    this.watch(nowMs);
    for (const wish of WISHES) this.press(pad, this.map.buttonOf(wish), wish, nowMs);
  }
}
