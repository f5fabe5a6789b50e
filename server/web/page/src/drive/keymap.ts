// The key map says which keys do what; the browser keeps changes.
import { isRecord, storedAs, type Store } from './settings_store';

/** The actions of keys and buttons. */
export const ACTIONS = [
  'throttle',
  'brake',
  'left',
  'right',
  'handbrake',
  'clutch',
  'shiftUp',
  'shiftDown',
  'gearbox',
  'reset',
] as const;

export type Action = (typeof ACTIONS)[number];

export const ACTION_TEXT: Record<Action, string> = {
  throttle: 'Throttle',
  brake: 'Brake, reverse',
  left: 'Steer left',
  right: 'Steer right',
  handbrake: 'Handbrake',
  clutch: 'Clutch',
  shiftUp: 'Gear up',
  shiftDown: 'Gear down',
  gearbox: 'Automatic or manual',
  reset: 'Back onto the track',
};

const KEY = 'apex.drive.keys';
const CODES_MAX = 3;

/** Two keys for most things: arrows or letters. Control is none: with W it closes the page. */
const DEFAULTS: Record<Action, readonly string[]> = {
  throttle: ['ArrowUp', 'KeyW'],
  brake: ['ArrowDown', 'KeyS'],
  left: ['ArrowLeft', 'KeyA'],
  right: ['ArrowRight', 'KeyD'],
  handbrake: ['Space'],
  clutch: ['KeyC'],
  shiftUp: ['KeyE', 'ShiftRight'],
  shiftDown: ['KeyQ', 'Slash'],
  gearbox: ['KeyG'],
  reset: ['KeyR'],
};

/** Keys that belong to the browser or to moving about the page. */
const TAKEN = /^(Control|Alt|Meta|OS|Escape|Tab|F\d+|ContextMenu|PrintScreen|Unidentified|$)/;

export function mayBeMapped(code: string): boolean {
  return !TAKEN.test(code) && code.length <= 32;
}

/** By the place of keys (KeyboardEvent.code): WASD lies alike on every layout. */
export class KeyMap {
  private codes: Record<Action, string[]>;
  private byCode = new Map<string, Action>();

  constructor(private readonly store: Store) {
    this.codes = copyOf(DEFAULTS);
    const kept = storedAs(store, KEY, readCodes);
    if (kept !== null) this.codes = kept;
    this.index();
  }

  action(code: string): Action | null {
    return this.byCode.get(code) ?? null;
  }

  codesOf(action: Action): readonly string[] {
    return this.codes[action];
  }

  /** Gives a key to an action, instead of all it had. False: a key that may not be mapped. */
  map(action: Action, code: string): boolean {
    if (!mayBeMapped(code)) return false;
    for (const other of ACTIONS) this.codes[other] = this.codes[other].filter((c) => c !== code);
    this.codes[action] = [code];
    this.keep();
    return true;
  }

  toDefaults(): void {
    this.codes = copyOf(DEFAULTS);
    this.keep();
  }

  private keep(): void {
    this.store.set(KEY, JSON.stringify(this.codes));
    this.index();
  }

  private index(): void {
    this.byCode = new Map();
    for (const action of ACTIONS) {
      for (const code of this.codes[action]) this.byCode.set(code, action);
    }
  }
}

function copyOf(codes: Record<Action, readonly string[]>): Record<Action, string[]> {
  const copy = {} as Record<Action, string[]>;
  for (const action of ACTIONS) copy[action] = [...codes[action]];
  return copy;
}

/** An action that what was kept does not know has its default keys, as far as they are free. */
function readCodes(value: unknown): Record<Action, string[]> | null {
  if (!isRecord(value)) return null;
  const read = {} as Record<Action, string[]>;
  const used = new Set<string>();
  for (const action of ACTIONS) {
    const kept = value[action];
    read[action] = [];
    if (!Array.isArray(kept)) continue;
    for (const code of kept.slice(0, CODES_MAX)) {
      if (typeof code !== 'string' || !mayBeMapped(code) || used.has(code)) continue;
      used.add(code);
      read[action].push(code);
    }
  }
  for (const action of ACTIONS) {
    if (!Array.isArray(value[action])) {
      read[action] = DEFAULTS[action].filter((code) => !used.has(code));
    }
  }
  return read;
}

const KEY_NAMES: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Space: 'Space',
  ShiftLeft: 'Left Shift',
  ShiftRight: 'Right Shift',
  Slash: '/',
  Backslash: '\\',
  Comma: ',',
  Period: '.',
  Semicolon: ';',
  Quote: "'",
  BracketLeft: '[',
  BracketRight: ']',
  Minus: '-',
  Equal: '=',
  Backquote: '`',
};

/** "KeyW" is written W, "Numpad4" Numpad 4. */
export function keyText(code: string): string {
  const known = KEY_NAMES[code];
  if (known !== undefined) return known;
  const plain = /^(?:Key|Digit)(.)$/.exec(code);
  if (plain !== null) return plain[1]!;
  return code.replace(/([a-z])([A-Z0-9])/g, '$1 $2');
}
