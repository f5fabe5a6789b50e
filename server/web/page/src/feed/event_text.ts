// Events become lines of the feed: sentences with names.
import { CONTACT_HARD_NS, type Phase, type RaceEvent } from '../race/race';
import { lapTime, ordinal } from '../ui/format';
import { controlLine } from './control_text';
import { about, type FeedLine, type NameOf } from './feed_line';

export const PHASE_WORDS: Record<Phase, string> = {
  lobby: 'Lobby',
  grid: 'Grid',
  countdown: 'Countdown',
  race: 'Race',
  finish: 'Finish',
  results: 'Results',
  over: 'Over',
};

const PHASE_LINES: Record<Phase, string> = {
  lobby: 'The lobby is open',
  grid: 'Cars form up on the grid',
  countdown: 'The start is counted down',
  race: 'The race is on',
  finish: 'The winner is home',
  results: 'The results are out',
  over: 'The event is over',
};

export interface Taste {
  /** Lighter contacts are not told. */
  contactNs: number;
}

/** A line for an event, or null where none is worth it. */
export function eventLine(event: RaceEvent, nameOf: NameOf, taste: Taste): FeedLine | null {
  const who = event.name || nameOf(event.player); // older servers do not say it
  switch (event.kind) {
    case 'phase': // newer servers may know more of them
      return event.phase === undefined ? null : about('race', 0, PHASE_LINES[event.phase], true);
    case 'lights':
      return event.value === 0 ? about('race', 0, 'Lights out, and go', true) : null;
    case 'joined':
      return about('people', event.player, `${who} has joined`);
    case 'left':
      return about(
        'people',
        event.player,
        event.value === 1 ? `${who} gave up and left` : `${who} has left`,
      );
    case 'sector':
      return null; // the tower's colours say it
    case 'lap':
      return about('laps', event.player, `${who}: lap ${event.value} in ${lapTime(event.timeUs)}`);
    case 'best-lap':
      return about(
        'race',
        event.player,
        `${who} sets the fastest lap, ${lapTime(event.timeUs)}`,
        true,
      );
    case 'finished':
      return about(
        'race',
        event.player,
        `${who} ${finishWords(event.value)} in ${lapTime(event.timeUs)}`,
        event.value <= 3,
      );
    case 'dnf':
      return about('race', event.player, `${who} is out of the race`);
    case 'reset':
      return about('contacts', event.player, `${who} was put back onto the track`);
    case 'contact':
      return contactLine(event, who, nameOf, taste);
    case 'engine-blew':
      return about('contacts', event.player, `${who}'s engine has blown`, true);
    case 'off-track':
      return about('contacts', event.player, `${who} is off the track`);
    case 'wrong-way':
      return about('contacts', event.player, `${who} is going the wrong way`);
    case 'idle': // a warning is its driver's alone
      return event.value > 0
        ? null
        : about('people', event.player, `${who} was not driving, and watches now`);
    default:
      return controlLine(event, who, nameOf);
  }
}

function contactLine(event: RaceEvent, who: string, nameOf: NameOf, taste: Taste): FeedLine | null {
  if (event.value < taste.contactNs) return null;
  const hard = event.value >= CONTACT_HARD_NS ? ' hard' : '';
  const text =
    event.other === 0
      ? `${who} hits a wall${hard}`
      : `${who} and ${event.otherName || nameOf(event.other)} touch${hard}`;
  return about('contacts', event.player, text, hard !== '');
}

function finishWords(position: number): string {
  return position === 1 ? 'wins' : `finishes ${ordinal(position)}`;
}
