/** Numbers as people read them. */

export const NONE = '–';

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}

// Times are whole microseconds until here, and every digit is cut off and none rounded, as
// timekeepers do (DECISIONS 39): server/base/time_text.h has the same rules, tests/time_text.cases
// the cases.

/** Whole microseconds of what came in seconds, as the API's JSON has them. */
export function microseconds(seconds: number): number {
  return Math.round(seconds * 1e6);
}

/** Minutes, and hours, only where there are any. @param units of 10^-decimals seconds */
function timeText(units: number, decimals: number): string {
  const perSecond = 10 ** decimals;
  const all = Math.floor(units / perSecond);
  const hours = Math.floor(all / 3600);
  const minutes = Math.floor(all / 60) % 60;
  const seconds = `${all % 60}.${padded(units % perSecond, decimals)}`;
  if (all < 60) return seconds;
  const rest = seconds.padStart(3 + decimals, '0');
  return hours > 0 ? `${hours}:${padded(minutes, 2)}:${rest}` : `${minutes}:${rest}`;
}

/** Of a lap, a sector or a race: "59.012", "1:23.456", "2:05:00.000"; a dash for none. */
export function lapTime(us: number): string {
  return us > 0 ? timeText(Math.floor(us / 1000), 3) : NONE;
}

/** To another car, cut toward zero: "+1.234", "−0.050", "+1:02.345". */
export function gapTime(us: number): string {
  return `${us <= -1000 ? '−' : '+'}${timeText(Math.floor(Math.abs(us) / 1000), 3)}`;
}

/** A clock to the tenth: "59.9", "1:02.4", and "-3.0" before the start; a dash for none. */
export function clockTenths(us: number): string {
  const tenths = Math.floor(us / 1e5);
  if (Number.isNaN(tenths)) return NONE;
  return `${tenths < 0 ? '-' : ''}${timeText(Math.abs(tenths), 1)}`;
}

/** The time of a race, "12:34" or "1:02:03"; before the start "-0:05". */
export function raceTime(us: number): string {
  const all = Math.floor(us / 1e6); // the second that has begun: "-0:01" until the lights are out
  const size = Math.abs(all);
  const hours = Math.floor(size / 3600);
  const minutes = Math.floor(size / 60) % 60;
  const seconds = padded(size % 60, 2);
  const text = hours > 0 ? `${hours}:${padded(minutes, 2)}:${seconds}` : `${minutes}:${seconds}`;
  return all < 0 ? `-${text}` : text;
}

export function lapsText(laps: number): string {
  return laps === 1 ? '1 lap' : `${laps} laps`;
}

export function bytesText(bytes: number): string {
  if (!(bytes >= 1000)) return `${Math.max(0, Math.round(bytes)) || 0} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export function kmh(speedMps: number): string {
  return String(Math.round(Math.abs(speedMps) * 3.6));
}

/** As dashboards have it: R, N, 1, 2... */
export function gearText(gear: number): string {
  return gear < 0 ? 'R' : gear === 0 ? 'N' : String(gear);
}

export function ordinal(n: number): string {
  const tens = n % 100;
  const ones = tens > 10 && tens < 14 ? 0 : n % 10;
  return `${n}${ones === 1 ? 'st' : ones === 2 ? 'nd' : ones === 3 ? 'rd' : 'th'}`;
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
}

/** A short way as people say it: "0.4 cm", "12 cm", "1.25 m". */
export function shortLength(m: number): string {
  if (!(m < 1)) return `${m.toFixed(2)} m`;
  return `${(100 * m).toFixed(m < 0.1 ? 1 : 0)} cm`;
}
