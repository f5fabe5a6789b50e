import { curve, deadZone, type PadState } from './axes';
import type { DeviceInput, Wish } from './device';
import { Stick } from './stick';

/** Buttons of the standard layout (W3C Gamepad): where they lie, not what is printed on them. */
const Button = {
  bottom: 0,
  top: 3,
  leftShoulder: 4,
  rightShoulder: 5,
  leftTrigger: 6,
  rightTrigger: 7,
  back: 8,
  left: 14,
  right: 15,
} as const;

const WISHES: readonly [number, Wish][] = [
  [Button.rightShoulder, 'shiftUp'],
  [Button.leftShoulder, 'shiftDown'],
  [Button.top, 'reset'],
  [Button.back, 'gearbox'],
];

const STICK_ZONE = 0.1;
const STICK_POWER = 1.6;
const TRIGGER_ZONE = 0.04;

/** Levels of a pad with the standard layout. */
export function padInput(pad: PadState): DeviceInput {
  const value = (index: number): number => pad.buttons[index]?.value ?? 0;
  const stick = curve(deadZone(-(pad.axes[0] ?? 0), STICK_ZONE), STICK_POWER);
  const cross = value(Button.left) - value(Button.right);
  return {
    steer: cross !== 0 ? cross : stick,
    throttle: deadZone(value(Button.rightTrigger), TRIGGER_ZONE),
    brake: deadZone(value(Button.leftTrigger), TRIGGER_ZONE),
    clutch: 0,
    handbrake: value(Button.bottom) > 0.5 ? 1 : 0,
  };
}

/** A pad with sticks and triggers. Comes and goes with its cable. */
export class Pad extends Stick {
  readonly kind = 'pad';

  /** Once a frame while it is there. */
  look(pad: PadState, nowMs: number): void {
    this.levels = padInput(pad);
    this.watch(nowMs);
    for (const [index, wish] of WISHES) this.press(pad, index, wish, nowMs);
  }
}
