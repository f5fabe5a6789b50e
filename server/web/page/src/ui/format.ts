/** Numbers as people read them. */

export const NONE = '–';

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, '0');
}

/** "1:23.456", "59.012"; a dash for none. */
export function lapTime(us: number): string {
  if (!(us > 0)) return NONE;
  const ms = Math.floor(us / 1000); // as timekeepers do: not rounded
  const minutes = Math.floor(ms / 60000);
  const rest = padded(ms % 1000, 3);
  const seconds = Math.floor(ms / 1000) % 60;
  return minutes > 0 ? `${minutes}:${padded(seconds, 2)}.${rest}` : `${seconds}.${rest}`;
}

/** The time of a race, "12:34" or "1:02:03"; before the start "-0:05". */
export function raceTime(us: number): string {
  const before = us < 0;
  const all = before ? Math.ceil(-us / 1e6) : Math.floor(us / 1e6);
  const hours = Math.floor(all / 3600);
  const minutes = Math.floor(all / 60) % 60;
  const seconds = padded(all % 60, 2);
  const text = hours > 0 ? `${hours}:${padded(minutes, 2)}:${seconds}` : `${minutes}:${seconds}`;
  return before ? `-${text}` : text;
}

/** "+1.234" or "+1:02.345". */
export function gapTime(us: number): string {
  const text = lapTime(Math.max(us, 1000));
  return us <= 0 ? '+0.000' : `+${text}`;
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
