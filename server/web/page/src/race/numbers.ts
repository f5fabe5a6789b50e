// Numbers and names that the page shares with C, written by numbers.js from the headers that
// give them: change those, and run `node numbers.js`.

// client-lite/client.h

export type State =
  | 'idle'
  | 'connecting'
  | 'reconnecting'
  | 'greeted'
  | 'loading'
  | 'joining'
  | 'driving'
  | 'spectating'
  | 'closed';

export const STATES: readonly State[] = [
  'idle',
  'connecting',
  'reconnecting',
  'greeted',
  'loading',
  'joining',
  'driving',
  'spectating',
  'closed',
];

// client-lite/wasm/exports.h

export const Wish = {
  spectates: 1,
  resumes: 2,
} as const;

export const Subject = {
  status: 0,
  welcome: 1,
  roster: 2,
  raceState: 3,
  standings: 4,
  results: 5,
  telemetry: 6,
  playback: 7,
  events: 8,
  notices: 9,
  defs: 10,
  marks: 11,
  past: 12,
} as const;

export const SUBJECTS = 13;

export const Stat = {
  rttMs: 0,
  bytesIn: 1,
  bytesOut: 2,
  snapshots: 3,
  delayMs: 4,
  predictedTick: 5,
  predictionErrorM: 6,
  rivalsCompared: 7,
  rivalsLate: 8,
  rivalAlongP50M: 9,
  rivalAlongP95M: 10,
  rivalAcrossP50M: 11,
  rivalAcrossP95M: 12,
  rivalHorizonP50Ms: 13,
  rivalHorizonP99Ms: 14,
  rivalCorrectionP99Mps: 15,
  rivalCorrectionMaxMps: 16,
  touchesCame: 17,
  touchesPhantom: 18,
  touchesUnforeseen: 19,
} as const;

export const STATS = 20;

/** Columns of a row of Poses. */
export const Pose = {
  car: 0,
  x: 1,
  y: 2,
  z: 3,
  yaw: 4,
  pitch: 5,
  roll: 6,
  vx: 7,
  vy: 8,
  vz: 9,
  yawRate: 10,
  steer: 11,
  rpm: 12,
  gear: 13,
  throttle: 14,
  brake: 15,
  flags: 16,
  damage: 17,
  tick: 18,
  stale: 19,
} as const;

export const POSE_FIELDS = 20;

/** Columns of a row of touches. */
export const TouchField = {
  car: 0,
  tick: 1,
  impulseNs: 2,
  x: 3,
  y: 4,
} as const;

export const TOUCH_FIELDS = 5;

export const Control = {
  steer: 0,
  throttle: 1,
  brake: 2,
  clutch: 3,
  handbrake: 4,
  gear: 5,
  shiftUp: 6,
  shiftDown: 7,
  reset: 8,
  aidsOff: 9,
} as const;

export const CONTROLS = 10;

// The headers of proto

export type Phase =
  | 'lobby'
  | 'grid'
  | 'countdown'
  | 'race'
  | 'finish'
  | 'results'
  | 'over';

export type EventKind =
  | 'phase'
  | 'joined'
  | 'left'
  | 'lights'
  | 'sector'
  | 'lap'
  | 'best-lap'
  | 'finished'
  | 'dnf'
  | 'reset'
  | 'contact'
  | 'engine-blew'
  | 'off-track'
  | 'wrong-way'
  | 'idle'
  | 'session'
  | 'chequered'
  | 'lap-void'
  | 'offence'
  | 'penalty'
  | 'control'
  | 'yellow'
  | 'blue'
  | 'pit'
  | 'incident'
  | 'fault';

export type StandingState =
  | 'waiting'
  | 'running'
  | 'finished'
  | 'dnf';

export type Offence =
  | 'track-limits'
  | 'jump-start'
  | 'pit-speed'
  | 'unsafe-release'
  | 'pit-exit-line'
  | 'pit-reverse'
  | 'wrong-way'
  | 'blocking'
  | 'blue-flag'
  | 'yellow-pass'
  | 'full-course-speed'
  | 'full-course-pass'
  | 'red-flag'
  | 'formation'
  | 'contact'
  | 'incidents'
  | 'idle'
  | 'link'
  | 'not-served'
  | 'stops-missing'
  | 'stewards';

export const OFFENCES: readonly Offence[] = [
  'track-limits',
  'jump-start',
  'pit-speed',
  'unsafe-release',
  'pit-exit-line',
  'pit-reverse',
  'wrong-way',
  'blocking',
  'blue-flag',
  'yellow-pass',
  'full-course-speed',
  'full-course-pass',
  'red-flag',
  'formation',
  'contact',
  'incidents',
  'idle',
  'link',
  'not-served',
  'stops-missing',
  'stewards',
];

export type PenaltyKind =
  | 'warning'
  | 'time'
  | 'drive-through'
  | 'stop-and-hold'
  | 'grid-drop'
  | 'lap-deleted'
  | 'disqualified';

export const PENALTY_KINDS: readonly PenaltyKind[] = [
  'warning',
  'time',
  'drive-through',
  'stop-and-hold',
  'grid-drop',
  'lap-deleted',
  'disqualified',
];

export type PenaltyState =
  | 'open'
  | 'served'
  | 'converted'
  | 'cancelled';

export const PENALTY_STATES: readonly PenaltyState[] = [
  'open',
  'served',
  'converted',
  'cancelled',
];

export type Flag =
  | 'green'
  | 'full-course'
  | 'ending'
  | 'red';

export const FLAGS: readonly Flag[] = [
  'green',
  'full-course',
  'ending',
  'red',
];

export type SessionKind =
  | 'practice'
  | 'qualifying'
  | 'warm-up'
  | 'race';

export const SESSION_KINDS: readonly SessionKind[] = [
  'practice',
  'qualifying',
  'warm-up',
  'race',
];

export type PitPhase =
  | 'road'
  | 'lane'
  | 'stopped'
  | 'leaving';

export const PIT_PHASES: readonly PitPhase[] = [
  'road',
  'lane',
  'stopped',
  'leaving',
];

export type ResultStatus =
  | 'classified'
  | 'not-classified'
  | 'not-started'
  | 'disqualified';

export const RESULT_STATUSES: readonly ResultStatus[] = [
  'classified',
  'not-classified',
  'not-started',
  'disqualified',
];

/** Bits of the flags of a car. */
export const CarFlag = {
  airborne: 1,
  held: 2,
  ghost: 4,
  engineBlown: 8,
  offRoad: 16,
} as const;

export const Play = {
  keep: 0,
  on: 1,
  pause: 2,
} as const;

/** An impulse from which on a contact is called hard. */
export const CONTACT_HARD_NS = 8000;

/** Of a name on the wire, with the zero that ends it. */
export const NAME_BYTES = 32;

/** Of a key of a server or a driver, and of a challenge. */
export const KEY_BYTES = 32;

export const SIGNATURE_BYTES = 64;

/** Of the fingerprint of a driver. */
export const DRIVER_BYTES = 16;

/** Of a token of a lobby, at most. */
export const TOKEN_BYTES_MAX = 400;

// server/physics/physics.h

export const Gear = {
  reverse: -1,
  neutral: 0,
  automatic: 126,
  sequential: 127,
} as const;

/** Bits of Controls.aidsOff. */
export const Aid = {
  abs: 1,
  traction: 2,
  stability: 4,
  clutch: 8,
  steering: 16,
  launch: 32,
} as const;
