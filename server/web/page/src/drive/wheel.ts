// A steering wheel as a device: axes as they were calibrated, kept by the wheel's name.
import { inputsOf, travelled, type PadState } from './axes';
import type { Wish } from './device';
import { Stick } from './stick';
import { isRecord, storedAs, type Store } from './settings_store';

/**
 * Steering wheels have no layout that browsers know: which axis is what, and where it ends, is
 * asked for once (calibration.ts) and kept by the wheel's name.
 */
export interface PedalSource {
  input: number; // index of axes.ts inputsOf
  rest: number;
  full: number;
}

export interface WheelSetup {
  steer: { input: number; left: number; right: number };
  throttle: PedalSource;
  brake: PedalSource;
  clutch: PedalSource | null;
  handbrake: PedalSource | null;
  shiftUp: number; // indexes of buttons; -1: none
  shiftDown: number;
  reset: number;
}

const NEAR_REST = 0.15;
const WISHES = ['shiftUp', 'shiftDown', 'reset'] as const satisfies readonly Wish[];

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function readPedal(value: unknown): PedalSource | null {
  if (!isRecord(value)) return null;
  const { input, rest, full } = value;
  return isNumber(input) && isNumber(rest) && isNumber(full) ? { input, rest, full } : null;
}

export function readSetup(value: unknown): WheelSetup | null {
  if (!isRecord(value) || !isRecord(value['steer'])) return null;
  const { input, left, right } = value['steer'];
  const throttle = readPedal(value['throttle']);
  const brake = readPedal(value['brake']);
  if (!isNumber(input) || !isNumber(left) || !isNumber(right)) return null;
  if (throttle === null || brake === null) return null;
  const { shiftUp, shiftDown, reset } = value;
  return {
    steer: { input, left, right },
    throttle,
    brake,
    clutch: readPedal(value['clutch']),
    handbrake: readPedal(value['handbrake']),
    shiftUp: isNumber(shiftUp) ? shiftUp : -1,
    shiftDown: isNumber(shiftDown) ? shiftDown : -1,
    reset: isNumber(reset) ? reset : -1,
  };
}

function key(id: string): string {
  return `apex.drive.wheel.${id.slice(0, 80)}`;
}

export function setupOf(store: Store, id: string): WheelSetup | null {
  return storedAs(store, key(id), readSetup);
}

export function keepSetup(store: Store, id: string, setup: WheelSetup): void {
  store.set(key(id), JSON.stringify(setup));
}

/** 1 at the left end, -1 at the right, 0 in the middle between them. */
export function steerOf(value: number, left: number, right: number): number {
  const half = (left - right) / 2;
  if (Math.abs(half) < 0.02) return 0;
  return Math.min(1, Math.max(-1, (value - (left + right) / 2) / half));
}

/** A wheel with pedals. */
export class Wheel extends Stick {
  readonly kind = 'wheel';
  private hasBegun = false;
  private readonly inputs: number[] = [];
  // Browsers report 0 for an axis that has not moved yet: half throttle, of many a pedal. A pedal
  // counts once it was seen at rest.
  private readonly seenAtRest = new Set<number>();

  look(pad: PadState, setup: WheelSetup, nowMs: number): void {
    const inputs = inputsOf(pad, this.inputs);
    const { input, left, right } = setup.steer;
    this.levels = {
      steer: steerOf(inputs[input] ?? 0, left, right),
      throttle: this.pedal(inputs, setup.throttle),
      brake: this.pedal(inputs, setup.brake),
      clutch: setup.clutch === null ? 0 : this.pedal(inputs, setup.clutch),
      handbrake: setup.handbrake === null ? 0 : this.pedal(inputs, setup.handbrake),
    };
    if (!this.hasBegun) {
      this.begin(pad, setup);
      return;
    }
    this.watch(nowMs);
    for (const wish of WISHES) this.press(pad, setup[wish], wish, nowMs);
  }

  /**
   * Takes the wheel where it happens to stand: that is nobody's doing, nor are paddles held since
   * the setup.
   */
  private begin(pad: PadState, setup: WheelSetup): void {
    this.hasBegun = true;
    this.anchor = this.levels;
    for (const wish of WISHES) this.isPressed(pad, setup[wish]);
  }

  private pedal(inputs: readonly number[], source: PedalSource): number {
    const value = inputs[source.input];
    if (value === undefined) return 0;
    const level = travelled(value, source.rest, source.full);
    if (level < NEAR_REST) this.seenAtRest.add(source.input);
    return this.seenAtRest.has(source.input) ? level : 0;
  }
}
