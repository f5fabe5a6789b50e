// The pad map says which buttons do what; the browser keeps changes.
import type { Action } from './keymap';
import { isRecord, storedAs, type Store } from './settings_store';

/** The actions of a pad's buttons; it is steered by the stick and the cross. */
export const PAD_ACTIONS = [
  'throttle',
  'brake',
  'handbrake',
  'clutch',
  'shiftUp',
  'shiftDown',
  'gearbox',
  'reset',
] as const satisfies readonly Action[];

export type PadAction = (typeof PAD_ACTIONS)[number];

const KEY = 'apex.drive.pad';

/** Of the standard layout (W3C Gamepad), in its order: as the two usual makers print them. */
const NAMES = [
  'A ✕',
  'B ○',
  'X □',
  'Y △',
  'LB L1',
  'RB R1',
  'LT L2',
  'RT R2',
  'Back',
  'Start',
  'Left stick',
  'Right stick',
  '↑',
  '↓',
  '←',
  '→',
  'Home',
];
const CROSS_LEFT = 14;
const CROSS_RIGHT = 15;

const DEFAULTS: Readonly<Record<PadAction, number>> = {
  throttle: 7,
  brake: 6,
  handbrake: 0,
  clutch: -1,
  shiftUp: 5,
  shiftDown: 4,
  gearbox: 8,
  reset: 3,
};

export function padButtonText(index: number): string {
  return index < 0 ? 'none' : (NAMES[index] ?? `Button ${index + 1}`);
}

/** Those of the cross steer. */
export function mayBePadMapped(index: number): boolean {
  return index >= 0 && index < 32 && index !== CROSS_LEFT && index !== CROSS_RIGHT;
}

/** The map from a pad's buttons to actions, kept from visit to visit. */
export class PadMap {
  private buttons: Record<PadAction, number>;

  constructor(private readonly store: Store) {
    this.buttons = storedAs(store, KEY, readButtons) ?? { ...DEFAULTS };
  }

  /** -1: none. */
  buttonOf(action: PadAction): number {
    return this.buttons[action];
  }

  /** Takes the button from whatever it did before. False: one that steers. */
  map(action: PadAction, index: number): boolean {
    if (!mayBePadMapped(index)) return false;
    for (const other of PAD_ACTIONS) if (this.buttons[other] === index) this.buttons[other] = -1;
    this.buttons[action] = index;
    this.store.set(KEY, JSON.stringify(this.buttons));
    return true;
  }

  toDefaults(): void {
    this.buttons = { ...DEFAULTS };
    this.store.set(KEY, JSON.stringify(this.buttons));
  }
}

function readButtons(value: unknown): Record<PadAction, number> | null {
  if (!isRecord(value)) return null;
  const read = { ...DEFAULTS };
  for (const action of PAD_ACTIONS) {
    const index = value[action];
    const isNone = index === -1;
    if (!Number.isInteger(index) || !(isNone || mayBePadMapped(index as number))) return null;
    read[action] = index as number;
  }
  return read;
}
