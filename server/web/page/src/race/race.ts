/**
 * The interface to a race: all that the page knows of it and can ask of it. It is the one contract
 * between what talks with a server (session.ts: the client library as WebAssembly, over a
 * WebSocket) and what shows a race. Units are SI, angles radians, world axes x east, y north, z up;
 * yaw counts anticlockwise from x. Times of laps and sectors are microseconds, 0: none yet.
 */

import type { Control, EventKind, Phase, StandingState, Stat, State } from './numbers';

export { Aid, CarFlag, CONTACT_HARD_NS, Gear, NAME_BYTES, Pose, POSE_FIELDS } from './numbers';
export { DRIVER_BYTES, KEY_BYTES, TOKEN_BYTES_MAX } from './numbers';
export { FLAGS, OFFENCES } from './numbers';
export type { EventKind, Flag, Offence, Phase, StandingState, State } from './numbers';

export interface Welcome {
  server: string;
  race: string;
  track: string;
  cars: string[]; // to choose from, the default first
  laps: number; // 0: an open session without laps
  tickHz: number;
  snapshotHz: number;
  speedPermille: number;
  gravityMps2: number;
  playerCapacity: number;
  passwordNeeded: boolean;
  watchingOpen: boolean; // the password is for driving alone
  takesKeys: boolean; // a driver may prove who he is
  keyNeeded: boolean; // no guests drive
  tokenNeeded: boolean; // nobody drives without an invitation of a lobby
  resumeToken: string; // of this session alone, and secret: gives its player to anybody who has it
  resumeGraceS: number; // so long the server keeps a player's place whose link broke
}

export interface RaceState {
  phase: Phase;
  raceNumber: number;
  raceTimeUs: number; // negative in the countdown
  laps: number;
  players: number;
  running: number;
  startPlayers: number; // in the lobby: so many form the grid at once; 0: an operator does
  lobbyLeftUs: number; // in the lobby: until it forms with fewer; 0: not by itself
}

export interface RosterEntry {
  player: number;
  car: number; // id of its poses; 0: has left
  name: string;
  carDef: string;
  drivenByServer: boolean;
  driver: string; // fingerprint of his key, 32 digits; '': a guest, or a driver of the server
}

export interface Standing {
  position: number;
  player: number;
  name: string;
  carDef: string;
  state: StandingState;
  laps: number;
  lapM: number;
  lastLapUs: number;
  bestLapUs: number;
  totalUs: number;
  gapUs: number; // to the leader
  grid: number;
  kicked?: boolean; // an operator removed this driver
  sector: number; // the one under way, from 0
  sectorUs: number[]; // newest of each sector: those from `sector` on are of the lap before
  bestSectorUs: number[]; // own best of each
}

export interface Standings {
  tick: number;
  total: number; // players in the order; `lines` has at most the first 64 and one's own
  bestSectorUs: number[]; // anybody's best of each sector
  lines: Standing[];
}

export interface Results {
  raceNumber: number;
  track: string;
  laps: number;
  seed?: number; // of what chance decided in this race
  lines: Standing[]; // the classification
  apart?: Standing[]; // drivers who never took the start
}

export interface RaceEvent {
  kind: EventKind;
  tick: number;
  raceNumber: number;
  player: number; // 0: all
  other: number;
  value: number; // PROTOCOL.md says what, for each kind
  phase?: Phase; // of kind 'phase': which begins
  timeUs: number;
  name: string; // of player, who may not be in the roster, yet or any more; '' for all
  otherName: string;
  isFelt?: boolean; // a contact of the own car that touches() has told of before
}

/** A touch of the own car with another, as foretold. */
export interface Touch {
  car: number; // the other's
  tick: number; // at which it began
  impulseNs: number;
  x: number;
  y: number;
}

export interface WheelTelemetry {
  loadN: number;
  slipRatio: number;
  slipAngleRad: number;
  forceLongN: number;
  forceLatN: number;
  friction: number;
  spinRadps: number;
  temperatureC: number;
  surface: number;
  sliding: boolean;
}

export interface Telemetry {
  tick: number;
  car: number;
  speedMps: number;
  rpm: number;
  gear: number;
  throttle: number; // 0 to 1, like brake
  brake: number;
  steerRad: number;
  accelerationXMps2: number;
  accelerationYMps2: number;
  lapM: number;
  offsetM: number;
  fuelKg: number;
  wheels: WheelTelemetry[]; // front to rear, left before right
}

/** Of a recording that is being played. */
export interface Playback {
  tick: number;
  lastTick: number;
  playing: boolean;
  /** On its way to another moment; what is shown is that of before. */
  seeking?: boolean;
  speedPermille: number;
  /** Events and their ticks, for marks beside the slider. */
  marks: { tick: number; kind: EventKind; player: number }[];
}

/**
 * Cars: rows of POSE_FIELDS numbers, a driver's own first, the others sorted by id. The array
 * belongs to the session and is good until the next call; read it, don't keep it.
 */
export interface Poses {
  count: number;
  values: Float64Array;
}

/** A length and a width for drawing; of each car definition. */
export interface CarShape {
  name: string;
  title: string;
  lengthM: number;
  widthM: number;
  centreXM: number; // of the hull, ahead of the centre of mass
  wheels: { x: number; y: number; radiusM: number; widthM: number }[];
  rpmMax: number;
  steerRadMax: number; // of the wheels at full lock
}

/** The track from above, as lines: pairs x, y one after the other. */
export interface TrackOutline {
  name: string;
  title: string;
  closed: boolean;
  lengthM: number; // of a lap; 0 without one
  bounds: { west: number; south: number; east: number; north: number };
  left: Float64Array; // edges of the road along the lap, equally many points
  right: Float64Array;
  centre: Float64Array;
  lapM: Float64Array; // lap distance of each of these points
  heightM: Float64Array; // and its height
  sectorM: number[]; // the ends of sectors, in lap distance
  finishM: number; // of the line
  strips: { surface: string; points: Float64Array }[]; // closed polygons: kerbs, run-offs, verges
  walls: { material: string; points: Float64Array }[]; // lines
  pitLane: Float64Array; // a closed polygon; empty without one
  grid: { x: number; y: number; yaw: number }[]; // boxes
  terrain: {
    columns: number;
    rows: number;
    west: number;
    south: number;
    cellM: number;
    heights: Float32Array;
    surfaces: Uint8Array; // index into surfaceNames, by node
    surfaceNames: string[];
  } | null;
}

/** Levels from 0 to 1, steering from -1 (right) to 1 (left); counters count presses. */
export interface Controls extends Record<keyof typeof Control, number> {
  steer: number;
  throttle: number;
  brake: number;
  clutch: number;
  handbrake: number;
  gear: number; // 1..10, or one of Gear
  shiftUp: number;
  shiftDown: number;
  reset: number;
  aidsOff: number; // bits of Aid
}

export interface Reason {
  name: string; // "kicked"
  text: string; // for people
}

/** p50 is the median, p95 what 95 of 100 do not exceed. */
export interface SessionStats extends Record<keyof typeof Stat, number> {
  rttMs: number;
  bytesIn: number;
  bytesOut: number;
  snapshots: number;
  delayMs: number; // of what is shown as the server told it, behind what arrives
  predictedTick: number; // to which the own car is foretold; 0: it is not
  predictionErrorM: number; // median of the own car's corrections
  // Of rivals within 15 m: where they were shown, against what the server then said.
  rivalsCompared: number;
  rivalsLate: number; // rivals in frames, not foretold as far as the own car for want of news
  rivalAlongP50M: number; // where the rival's nose points
  rivalAlongP95M: number;
  rivalAcrossP50M: number;
  rivalAcrossP95M: number;
  rivalHorizonP50Ms: number; // from what was told to what was shown
  rivalHorizonP99Ms: number;
  rivalCorrectionP99Mps: number; // speed at which errors were taken back
  rivalCorrectionMaxMps: number;
  touchesCame: number; // foretold with rivals, and the server told of them
  touchesPhantom: number; // and it did not
  touchesUnforeseen: number; // told of by the server, and not foretold
}

/** The wish with which one comes to a race. */
export interface SessionWish {
  url: string; // of the WebSocket
  name: string;
  car: string; // '': the default
  password: string;
  spectate: boolean;
  resumeToken?: string; // of the player to take over; when he is gone, to watch
  isGuest?: boolean; // one does not want to be known; else by the browser's driver key
  token?: string; // of a lobby, in base64url
}

export interface Session {
  /** Reads what has come, says what is due. Once a frame, and ten times a second in hiding. */
  update(nowMs: number): void;
  state(): State;
  /** While it is reconnecting: when it tries next; 0 else. */
  nextTryMs(): number;
  /** Does not wait until then. */
  tryNow(): void;
  /** The page goes, and may come back: the link breaks, and the server keeps a driver's place. */
  breakOff(): void;
  /** The reason why it is closed. */
  closeReason(): Reason | null;
  /** The last refusal that did not close. */
  reject(): Reason | null;

  welcome(): Welcome | null;
  player(): number; // 0 for a spectator
  car(): number;
  /** Changes by identity when it changes by content, like those below. */
  roster(): readonly RosterEntry[];
  raceState(): RaceState | null;
  standings(): Standings | null;
  results(): Results | null;
  telemetry(): Telemetry | null;
  playback(): Playback | null;
  stats(): SessionStats;
  /** Events and notices since the last call. */
  takeEvents(): RaceEvent[];
  /** Likewise what happened before one came, oldest first: to be listed, not to act on. */
  takePastEvents(): RaceEvent[];
  takeNotices(): string[];

  /** Null until definitions are here. */
  track(): TrackOutline | null;
  carShape(carDef: string): CarShape | null;

  /**
   * Every car as it is to be seen. A driver's own is ahead of the server, where controls set now
   * will act, and so are those near it; all others are as they were a moment ago.
   */
  poses(nowMs: number): Poses;
  /**
   * Touches of the own car with others that began in the frame of poses(nowMs): to be seen and felt
   * with it. The server's word of them, an event, comes later.
   */
  touches(nowMs: number): readonly Touch[];
  /** Every car as the server told of it, a moment ago. */
  toldPoses(nowMs: number): Poses;

  /**
   * Somebody is about to drive here: what takes long is made ready beside the page, so that a join
   * waits for less. True once it is; may be asked each frame.
   */
  prepareToDrive(): boolean;
  setControls(controls: Controls): void;
  /** The car whose neighbours and telemetry come first for a spectator; 0: the server's choice. */
  focus(car: number): void;
  /** Of a recording: what is not given stays as it is. */
  play(wish: { playing?: boolean; speedPermille?: number; tick?: number }): void;
  leave(): void;
  /** Ends it at once and gives its memory back. */
  close(): void;
}

/** @return whether a driver's place is this session's, also while its link is broken. */
export function holdsWheel(session: Session): boolean {
  return session.player() !== 0 && session.state() !== 'closed' && session.playback() === null;
}
