// Cards are races and recordings in words, for the picker.
import type { RaceInfo, ReplayInfo } from '../ui/api';
import { bytesText, lapsText, microseconds, plural, raceTime } from '../ui/format';

/** The texts of a card. */
export interface Card {
  href: string;
  title: string;
  place: string;
  facts: string[];
  file: string; // its name, of a recording
  badge: string;
  isLive: boolean;
  error: string;
}

const PHASES: Record<string, string> = {
  lobby: 'lobby',
  grid: 'on the grid',
  countdown: 'about to start',
  race: 'racing',
  finish: 'finishing',
  results: 'results',
  over: 'over',
};

export function raceCard(race: RaceInfo): Card {
  const players = race.players ?? 0;
  const watching = Math.max(0, (race.clients ?? 0) - players);
  const phase = race.phase ?? '';
  const facts = [plural(players, 'driver')];
  if (watching > 0) facts.push(`${watching} watching`);
  facts.push(race.laps ? lapsText(race.laps) : 'open session');
  if (isTimed(phase) && race.race_time_s !== undefined)
    facts.push(raceTime(microseconds(race.race_time_s)));
  if (race.password_needed === true) {
    facts.push(race.watching_open === true ? 'drivers need a password' : 'with a password');
  }
  return {
    href: `/race/${race.id}`,
    title: race.name || `Race ${race.id}`,
    place: race.track ?? '',
    facts,
    file: '',
    badge: PHASES[phase] ?? phase,
    isLive: phase !== 'over',
    error: '',
  };
}

function isTimed(phase: string): boolean {
  return phase === 'race' || phase === 'finish';
}

/** @param nowS since 1970, for how long ago it was */
export function replayCard(replay: ReplayInfo, nowS: number): Card {
  const facts: string[] = [];
  if (replay.modified_s !== undefined) facts.push(agoText(nowS - replay.modified_s));
  if (replay.ticks && replay.tick_hz) facts.push(raceTime((replay.ticks * 1e6) / replay.tick_hz));
  if (replay.bytes !== undefined) facts.push(bytesText(replay.bytes));
  return {
    href: `/replay/${encodeURIComponent(replay.name)}`,
    title: replay.race || 'Recording',
    place: replay.track ?? '',
    facts,
    file: replay.name,
    badge: replay.modified_s === undefined ? '' : dateText(replay.modified_s),
    isLive: false,
    error: replay.error ?? '',
  };
}

/** "22 Nov 2026, 14:54", by the reader's clock. */
function dateText(s: number): string {
  const date = new Date(s * 1000);
  const day = date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
  return `${day}, ${date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}`;
}

/** "5 minutes ago"; a date says less of what was just recorded. */
export function agoText(seconds: number): string {
  if (seconds < 60) return 'just now';
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${plural(minutes, 'minute')} ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${plural(hours, 'hour')} ago`;
  return `${plural(Math.floor(hours / 24), 'day')} ago`;
}
