// The status of a race and its server, as an operator's page reads and words it.

import { shortFingerprint } from '../ui/who';

/** The answer of /api/races/ID/status, as far as this page knows it. */
export interface RaceStatus {
  phase?: string;
  race_number?: number;
  race_time_s?: number;
  uptime_s?: number;
  lockdown?: boolean; // nobody new gets in
  players?: number;
  clients?: number;
  ticks?: Times;
  ticks_last_s?: Times;
  ticks_last_min?: Times;
  ticks_dropped?: number;
  stages_s?: Record<string, number>;
  cpu_s?: number;
  strain?: number;
  strain_text?: string;
  controls?: Record<string, unknown>;
  refusals?: Record<string, number>;
  sessions?: Record<string, number>;
  transport?: Record<string, number> | null;
  store?: Record<string, unknown>;
  order?: StatusPlayer[];
}

export interface Times {
  count?: number;
  p50_us?: number;
  p99_us?: number;
  max_us?: number;
  late_p99_us?: number;
  late_max_us?: number;
}

export interface StatusPlayer {
  position: number;
  player: number;
  name: string;
  car: string;
  laps: number;
  best_lap_s: number | null;
  present: boolean;
  driven_by_server: boolean;
  connected: boolean;
  lost: boolean;
  address: string | null;
  driver?: string | null; // fingerprint of his key
  guest?: boolean; // has none, where others may
}

export interface Figure {
  name: string;
  value: string;
  isBad: boolean;
}

/** "0.42 ms", "812 µs", "1.2 s". */
export function timeText(us: number | undefined): string {
  if (us === undefined || !Number.isFinite(us)) return '–';
  if (us < 1000) return `${Math.round(us)} µs`;
  if (us < 1e6) return `${(us / 1000).toFixed(us < 1e5 ? 2 : 0)} ms`;
  return `${(us / 1e6).toFixed(1)} s`;
}

function count(value: number | undefined): string {
  return value === undefined ? '–' : value.toLocaleString('en');
}

/** "3:04:05", "2 days 03:04". */
export function uptimeText(seconds: number | undefined): string {
  if (seconds === undefined) return '–';
  const days = Math.floor(seconds / 86400);
  const hours = Math.floor(seconds / 3600) % 24;
  const minutes = String(Math.floor(seconds / 60) % 60).padStart(2, '0');
  const rest = String(Math.floor(seconds) % 60).padStart(2, '0');
  if (days > 0) return `${days} d ${String(hours).padStart(2, '0')}:${minutes}`;
  return hours > 0 ? `${hours}:${minutes}:${rest}` : `${minutes}:${rest}`;
}

function presentCount(players: readonly StatusPlayer[]): number {
  return players.filter((player) => player.present).length;
}

/** "Drivers (15), 2 have left": those who have stay in the list while their race goes on. */
export function driversTitle(players: readonly StatusPlayer[]): string {
  const present = presentCount(players);
  const gone = players.length - present;
  const left = gone === 0 ? '' : gone === 1 ? ', 1 has left' : `, ${gone} have left`;
  return `Drivers (${present})${left}`;
}

/** The health of the server at a glance. @param tickUs the time that a tick may take */
export function healthFigures(status: RaceStatus, tickUs: number): Figure[] {
  const { ticks, ticks_last_s: last, ticks_last_min: minute, controls } = status;
  const figure = (name: string, value: string, isBad = false): Figure => ({ name, value, isBad });
  const tooLong = (us: number | undefined): boolean => us !== undefined && us > tickUs;
  const used = Number(controls?.['on_tick'] ?? 0);
  const repeated = Number(controls?.['repeated'] ?? 0);
  const share = used + repeated > 0 ? `${((100 * used) / (used + repeated)).toFixed(1)} %` : '–';
  return [
    figure('Up for', uptimeText(status.uptime_s)),
    figure('Drivers', count(status.order ? presentCount(status.order) : status.players)),
    figure('Clients', count(status.clients)),
    figure('Tick, last second p99', timeText(last?.p99_us), tooLong(last?.p99_us)),
    figure('Tick p50', timeText(ticks?.p50_us)),
    figure('Tick p99', timeText(ticks?.p99_us), tooLong(ticks?.p99_us)),
    figure('Worst tick, last minute', timeText(minute?.max_us), tooLong(minute?.max_us)),
    figure('Late p99', timeText(ticks?.late_p99_us), tooLong(ticks?.late_p99_us)),
    figure('Ticks dropped', count(status.ticks_dropped), (status.ticks_dropped ?? 0) > 0),
    figure('Load', status.strain_text || String(status.strain ?? '–'), (status.strain ?? 0) > 0),
    figure('Controls on their tick', share),
    figure('Processor time', uptimeText(status.cpu_s)),
  ];
}

/** The shares of 1 that stages have in a tick's time, the largest first. */
export function stageShares(stages: Record<string, number> | undefined): [string, number][] {
  const entries = Object.entries(stages ?? {}).filter(([, s]) => Number.isFinite(s) && s > 0);
  const sum = entries.reduce((all, [, s]) => all + s, 0);
  return entries.map(([name, s]): [string, number] => [name, s / sum]).sort((a, b) => b[1] - a[1]);
}

/** Counters that are not 0, the largest first, named as people read them. */
export function counterRows(
  counters: Record<string, unknown> | null | undefined,
): [string, number][] {
  return Object.entries(counters ?? {})
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0)
    .map(([name, value]): [string, number] => [name.replaceAll('_', ' '), value])
    .sort((a, b) => b[1] - a[1]);
}

/** By what a driver is known: the first digits of his fingerprint, or that he is a guest. */
export function knownAs(player: StatusPlayer): string {
  if (player.driver) return shortFingerprint(player.driver);
  return player.guest === true ? 'guest' : '';
}

/** The place of a player, in a word or two. */
export function whereabouts(player: StatusPlayer): string {
  if (player.lost) return 'lost; the server drives';
  if (player.address) return player.address;
  if (player.driven_by_server) return 'server';
  return player.present ? 'here' : 'gone';
}
