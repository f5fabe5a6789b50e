// The keyboard as a device: keys that are down become levels and wishes.
import { AT_REST, type Device, type DeviceInput, type Wish } from './device';
import type { Action, KeyMap } from './keymap';

const WISHES: readonly Action[] = ['shiftUp', 'shiftDown', 'gearbox', 'reset'];

/** Elements in which keys mean letters, or belong to the element itself. */
const TEXT = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), dialog';
/** Elements that the space bar presses. */
const PRESSABLE = 'button, a[href], summary, [role="button"], [role="tab"]';

/** Keys that are down. Of left and right the one that was pressed last counts. */
export class Keyboard implements Device {
  readonly kind = 'keys';
  /** Keys are taken only while somebody drives. */
  isOn = false;
  private readonly down = new Map<string, Action>();
  private lastMs = -Infinity;
  private steersLeft = false;
  private readonly levels: DeviceInput = { ...AT_REST };

  constructor(
    private readonly map: KeyMap,
    private readonly onWish: (wish: Wish) => void,
  ) {}

  /** Ahead of everything else on the page: an arrow that steers does not scroll. */
  attach(to: Window, signal: AbortSignal): void {
    const early = { capture: true, signal };
    to.addEventListener('keydown', (event) => this.hear(event, true), early);
    to.addEventListener('keyup', (event) => this.hear(event, false), early);
  }

  private hear(event: KeyboardEvent, isDown: boolean): void {
    if (!isDown) {
      this.lift(event.code); // wherever: it must not stay down
      return;
    }
    if (!this.isOn || event.ctrlKey || event.altKey || event.metaKey) return;
    const at = event.target;
    if (at instanceof Element) {
      if (at.closest(TEXT) !== null) return;
      const presses = event.code === 'Space' || event.code === 'Enter';
      if (presses && at.closest(PRESSABLE) !== null) return;
    }
    if (!this.press(event.code, event.repeat, event.timeStamp)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** True: the key means something here. */
  press(code: string, repeats: boolean, nowMs: number): boolean {
    const action = this.map.action(code);
    if (action === null) return false;
    if (repeats || this.down.has(code)) return true;
    this.lastMs = nowMs;
    if (WISHES.includes(action)) {
      this.onWish(action as Wish);
      return true;
    }
    this.down.set(code, action);
    if (action === 'left') this.steersLeft = true;
    if (action === 'right') this.steersLeft = false;
    return true;
  }

  lift(code: string): void {
    this.down.delete(code);
  }

  release(): void {
    this.down.clear();
  }

  usedMs(): number {
    return this.lastMs;
  }

  read(): Readonly<DeviceInput> {
    const left = this.isDown('left');
    const right = this.isDown('right');
    this.levels.steer = left && (!right || this.steersLeft) ? 1 : right ? -1 : 0;
    this.levels.throttle = this.isDown('throttle') ? 1 : 0;
    this.levels.brake = this.isDown('brake') ? 1 : 0;
    this.levels.clutch = this.isDown('clutch') ? 1 : 0;
    this.levels.handbrake = this.isDown('handbrake') ? 1 : 0;
    return this.levels;
  }

  private isDown(wanted: Action): boolean {
    for (const action of this.down.values()) if (action === wanted) return true;
    return false;
  }
}
