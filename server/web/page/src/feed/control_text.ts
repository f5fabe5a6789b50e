// What race control says becomes lines of the feed.
import { FLAGS, OFFENCES, type Flag, type Offence, type RaceEvent } from '../race/race';
import { about, type FeedLine, type NameOf } from './feed_line';

const FLAG_LINES: Record<Flag, string> = {
  green: 'Green flag',
  'full-course': 'Full-course yellow: slow down, and no passing',
  ending: 'The full-course yellow ends soon',
  red: 'Red flag: the session is stopped',
};

const OFFENCE_WORDS: Record<Offence, string> = {
  'track-limits': 'track limits',
  'jump-start': 'a jump start',
  'pit-speed': 'speed in the pit lane',
  'unsafe-release': 'an unsafe release',
  'pit-exit-line': 'the line at the pit exit',
  'pit-reverse': 'reversing in the pit lane',
  'wrong-way': 'driving the wrong way',
  blocking: 'standing where others race',
  'blue-flag': 'ignoring blue flags',
  'yellow-pass': 'passing under yellow',
  'full-course-speed': 'speed under the full-course yellow',
  'full-course-pass': 'passing under the full-course yellow',
  'red-flag': 'racing on under red',
  formation: 'the formation lap',
  contact: 'a contact',
  incidents: 'too many incidents',
  idle: 'not driving',
  link: 'a poor connection',
  'not-served': 'a penalty that was not served',
  'stops-missing': 'missing pit stops',
  stewards: "the stewards' reasons",
};

function flagLine(value: number): FeedLine | null {
  const flag = FLAGS[value];
  return flag === undefined ? null : about('race', 0, FLAG_LINES[flag], true);
}

function offenceLine(event: RaceEvent, who: string): FeedLine | null {
  const offence = OFFENCES[event.value];
  if (offence === undefined) return null;
  return about('control', event.player, `${who} is noted for ${OFFENCE_WORDS[offence]}`);
}

/** A line for an event of race control, or null where none is worth it. */
export function controlLine(event: RaceEvent, who: string, nameOf: NameOf): FeedLine | null {
  switch (event.kind) {
    case 'chequered':
      return about('race', 0, 'The chequered flag is out', true);
    case 'control':
      return flagLine(event.value);
    case 'offence':
      return offenceLine(event, who);
    case 'yellow':
      if (event.timeUs === 0) return null;
      return about('control', 0, event.timeUs > 1 ? 'Double yellow flags' : 'Yellow flags', true);
    case 'fault': {
      const other = event.otherName || nameOf(event.other);
      const text = `${who} has ${event.value} % of the fault with ${other}`;
      return about('control', event.player, text);
    }
    default:
      return null; // the tower and the driver's own dash tell those
  }
}
