// A driver's settings: read with care, since storage may hold anything, and kept.
import { Aid, NAME_BYTES } from '../race/race';
import type { DeviceKind } from './device';
import type { SpeedUnit } from './figures';
import { isRecord, numberIn, storedAs, type Store } from './settings_store';

/** A driver's settings; kept from visit to visit. */
export interface DriveSettings {
  name: string;
  car: string; // '': the server's default
  guest: boolean; // not known by a driver key
  device: DeviceKind | 'newest';
  help: boolean; // with steering
  manual: boolean; // gears
  unit: SpeedUnit;
  sound: boolean;
  tilt: boolean; // steer by tilting a phone
  wheelGain: number; // the share of the lock over that of the wheel
  aidsOff: number; // bits of the wire's Controls
}

/** Bits of Controls.aidsOff for the aids that a driver may want to do without. */
export const AIDS = [
  { bit: Aid.abs, text: 'Anti-lock brakes' },
  { bit: Aid.traction, text: 'Traction control' },
  { bit: Aid.stability, text: 'Stability control' },
] as const;

const KEY = 'apex.drive.settings';
export const NAME_BYTES_MAX = NAME_BYTES - 1;
const AIDS_MAX = Aid.abs | Aid.traction | Aid.stability;
const DEVICES: readonly string[] = ['newest', 'keys', 'pad', 'wheel', 'touch'];

/** A name for somebody who has none yet: others shall be able to tell two of them apart. */
export function guestName(chance: number): string {
  return `Guest ${100 + Math.floor(chance * 900)}`;
}

/** A name cut so that the wire takes it: no more than its bytes, no whole blanks. */
export function cleanName(name: string): string {
  const encoder = new TextEncoder();
  let clean = '';
  let bytes = 0;
  for (const letter of name.normalize('NFC').replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()) {
    bytes += encoder.encode(letter).length;
    if (bytes > NAME_BYTES_MAX) break;
    clean += letter;
  }
  return clean.trim();
}

/** Many a browser far from America speaks its English: the clock knows better where it stands. */
export function unitOfPlace(language: string, timeZone: string): SpeedUnit {
  const miles = /^en-US\b/.test(language) && /^(America|US)\//.test(timeZone);
  return miles || timeZone === 'Europe/London' ? 'mph' : 'km/h';
}

export function loadSettings(store: Store, chance: number, usual: SpeedUnit): DriveSettings {
  const kept = storedAs(store, KEY, (value) => (isRecord(value) ? value : null)) ?? {};
  const { name, car, device, unit } = kept;
  const clean = typeof name === 'string' ? cleanName(name) : '';
  return {
    name: clean !== '' ? clean : guestName(chance),
    car: typeof car === 'string' ? car : '',
    device: DEVICES.includes(device as string) ? (device as DeviceKind) : 'newest',
    guest: kept['guest'] === true,
    help: kept['help'] !== false,
    manual: kept['manual'] === true,
    unit: unit === 'mph' || unit === 'km/h' ? unit : usual,
    sound: kept['sound'] === true,
    tilt: kept['tilt'] === true,
    wheelGain: numberIn(kept['wheelGain'], 0.5, 4, 1),
    aidsOff: numberIn(kept['aidsOff'], 0, AIDS_MAX, 0) | 0,
  };
}

export function keepSettings(store: Store, settings: DriveSettings): void {
  store.set(KEY, JSON.stringify(settings));
}
