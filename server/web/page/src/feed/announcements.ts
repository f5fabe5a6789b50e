// Events that readers of screens are told at once are picked here.
import type { Phase, RaceEvent, Standings } from '../race/race';
import { lapTime, ordinal } from '../ui/format';
import type { NameOf } from './feed_line';

const LEADS_MS = 2500; // a driver who is first for so long leads

/**
 * The events that are worth interrupting a reader of screens for: a new leader, lights, fastest
 * laps, the winner, and what becomes of one's own or the chosen car.
 */
export class Announcements {
  private leader = 0;
  private candidate = 0;
  private sinceMs = 0;

  events(events: readonly RaceEvent[], nameOf: NameOf, isOurs: NameTest): string[] {
    const said: string[] = [];
    for (const event of events) {
      const text = this.event(event, nameOf, isOurs);
      if (text !== null) said.push(text);
    }
    return said;
  }

  private event(event: RaceEvent, nameOf: NameOf, isOurs: NameTest): string | null {
    const who = event.name || nameOf(event.player);
    switch (event.kind) {
      case 'lights':
        if (event.value === 0) return 'Lights out, go';
        return event.value <= 5 ? `${event.value}` : null;
      case 'best-lap':
        return `Fastest lap, ${who}, ${lapTime(event.timeUs)}`;
      case 'finished':
        if (event.value !== 1 && !isOurs(event.player)) return null;
        return event.value === 1 ? `${who} wins` : `${who} finishes ${ordinal(event.value)}`;
      case 'idle':
        if (event.value === 0 || !isOurs(event.player)) return null;
        return `Nobody drives ${who}'s car: ${event.value} seconds left`;
      case 'dnf':
        return isOurs(event.player) ? `${who} is out of the race` : null;
      default:
        return null;
    }
  }

  /** Ten times a second. */
  order(standings: Standings | null, phase: Phase, nowMs: number, nameOf: NameOf): string | null {
    const first = standings?.lines[0];
    if (phase !== 'race' || first === undefined || first.state !== 'running') {
      if (phase !== 'race' && phase !== 'finish') this.leader = this.candidate = 0;
      return null;
    }
    if (first.player !== this.candidate) {
      this.candidate = first.player;
      this.sinceMs = nowMs;
    }
    if (this.candidate === this.leader || nowMs - this.sinceMs < LEADS_MS) return null;
    this.leader = this.candidate;
    return `${nameOf(first.player)} leads`;
  }

  forget(): void {
    this.leader = 0;
    this.candidate = 0;
  }
}

export type NameTest = (player: number) => boolean;
