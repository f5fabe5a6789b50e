// Pads and wheels that are plugged in are read once a frame; of several the newest counts.
import type { Device, Wish } from './device';
import { Pad } from './pad';
import type { PadMap } from './pad_map';
import type { Store } from './settings_store';
import { setupOf, Wheel, type WheelSetup } from './wheel';

const STANDARD = 'standard';

/** The pads and wheels that are plugged in, looked at once a frame. */
export class Pads {
  private readonly padDevice: Pad;
  private readonly wheelDevice: Wheel;
  private pad: Gamepad | null = null;
  private raw: Gamepad | null = null; // without a layout: a wheel
  private setup: WheelSetup | null = null;
  private setupId = '';

  constructor(
    onWish: (wish: Wish) => void,
    private readonly store: Store,
    map: PadMap,
  ) {
    this.padDevice = new Pad(onWish, map);
    this.wheelDevice = new Wheel(onWish);
  }

  /** Adds those that can drive to `devices`. */
  look(nowMs: number, devices: Device[]): void {
    this.find();
    if (this.pad !== null) {
      this.padDevice.look(this.pad, nowMs);
      devices.push(this.padDevice);
    }
    const setup = this.setupNow();
    if (this.raw !== null && setup !== null) {
      this.wheelDevice.look(this.raw, setup, nowMs);
      devices.push(this.wheelDevice);
    }
  }

  private find(): void {
    this.pad = null;
    this.raw = null;
    if (typeof navigator.getGamepads !== 'function') return;
    for (const pad of navigator.getGamepads()) {
      if (pad === null || !pad.connected) continue;
      if (pad.mapping === STANDARD) this.pad = newer(this.pad, pad);
      else if (pad.axes.length > 0) this.raw = newer(this.raw, pad);
    }
  }

  private setupNow(): WheelSetup | null {
    const id = this.raw?.id ?? '';
    if (id !== this.setupId) {
      this.setupId = id;
      this.setup = id === '' ? null : setupOf(this.store, id);
    }
    return this.setup;
  }

  forgetSetup(): void {
    this.setupId = '';
  }

  /** Something without a layout that browsers know. */
  wheel(): Gamepad | null {
    this.find();
    return this.raw;
  }

  /** One with the layout that browsers know. */
  standard(): Gamepad | null {
    this.find();
    return this.pad;
  }

  /** The pad that shakes. */
  shaker(): Gamepad | null {
    return this.pad;
  }

  /** One is there that nobody has set up. */
  needsSetup(): boolean {
    return this.raw !== null && this.setupNow() === null;
  }

  release(): void {
    this.padDevice.release();
    this.wheelDevice.release();
  }
}

/** Of several the one whose state changed last. */
function newer(a: Gamepad | null, b: Gamepad): Gamepad {
  return a !== null && a.timestamp >= b.timestamp ? a : b;
}
