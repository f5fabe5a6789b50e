import { curve, deadZone, type PadState } from './axes';
import { AT_REST, hasMoved, type Device, type DeviceInput, type Wish } from './device';

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

/** Which buttons went down since the last look. */
export class Presses {
  private readonly were = new Set<number>();

  /** True once for each press. */
  look(index: number, isDown: boolean): boolean {
    const fresh = isDown && !this.were.has(index);
    if (isDown) this.were.add(index);
    else this.were.delete(index);
    return fresh;
  }
}

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
export class Pad implements Device {
  readonly kind = 'pad';
  private levels: Readonly<DeviceInput> = AT_REST;
  private anchor: Readonly<DeviceInput> = AT_REST; // when it was last seen to move
  private lastMs = -Infinity;
  private readonly presses = new Presses();

  constructor(private readonly onWish: (wish: Wish) => void) {}

  /** Once a frame while it is there. */
  look(pad: PadState, nowMs: number): void {
    this.levels = padInput(pad);
    if (hasMoved(this.levels, this.anchor)) {
      this.anchor = this.levels;
      this.lastMs = nowMs;
    }
    for (const [index, wish] of WISHES) {
      if (!this.presses.look(index, pad.buttons[index]?.pressed === true)) continue;
      this.lastMs = nowMs;
      this.onWish(wish);
    }
  }

  read(): Readonly<DeviceInput> {
    return this.levels;
  }

  usedMs(): number {
    return this.lastMs;
  }

  release(): void {
    this.levels = AT_REST;
  }
}
