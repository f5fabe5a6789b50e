/**
 * Devices that drive: a keyboard, a pad, a wheel, fingers. Several may be there; the newest used
 * wins.
 */

export type DeviceKind = 'keys' | 'pad' | 'wheel' | 'touch';

/** Discrete wishes, of whatever device: each counts. */
export type Wish = 'shiftUp' | 'shiftDown' | 'gearbox' | 'reset';

/**
 * The controls that a device asks for at this moment; steering -1 (right) to 1 (left), the rest 0
 * to 1.
 */
export interface DeviceInput {
  steer: number;
  throttle: number;
  brake: number;
  clutch: number;
  handbrake: number;
}

export const AT_REST: Readonly<DeviceInput> = {
  steer: 0,
  throttle: 0,
  brake: 0,
  clutch: 0,
  handbrake: 0,
};

export interface Device {
  readonly kind: DeviceKind;
  /** Levels now. The object belongs to the device. */
  read(): Readonly<DeviceInput>;
  /** The time at which somebody last moved it; -Infinity: never. */
  usedMs(): number;
  /** Lets go of everything, as when the page is no longer looked at. */
  release(): void;
}

/** The least change that is somebody's hand, and not the noise of a worn stick. */
const MOVED = 0.06;

export function hasMoved(now: Readonly<DeviceInput>, before: Readonly<DeviceInput>): boolean {
  return (
    Math.abs(now.steer - before.steer) > MOVED ||
    Math.abs(now.throttle - before.throttle) > MOVED ||
    Math.abs(now.brake - before.brake) > MOVED ||
    Math.abs(now.clutch - before.clutch) > MOVED ||
    Math.abs(now.handbrake - before.handbrake) > MOVED
  );
}

/**
 * The device in charge: the one that was moved last, or one that was chosen for good. The one in
 * charge stays so when two were never moved.
 */
export function inCharge(
  devices: readonly Device[],
  before: Device | null,
  chosen: DeviceKind | 'newest',
): Device | null {
  let newest: Device | null = before !== null && devices.includes(before) ? before : null;
  for (const device of devices) {
    if (chosen !== 'newest' && device.kind === chosen) return device;
    if (newest === null || device.usedMs() > newest.usedMs()) newest = device;
  }
  return newest;
}
