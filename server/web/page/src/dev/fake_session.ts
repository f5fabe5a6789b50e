// The dev page's session: it plays a whole race, lights to results, without a server.
import type * as race from '../race/race';
import { DRIVER_BYTES, Pose, POSE_FIELDS } from '../race/race';
import { FakeField } from './fake_field';
import { telemetryOf } from './fake_telemetry';
import { FakeTiming, type Told } from './fake_timing';
import { makeTrack, type FakeTrack, type FakeTrackName } from './fake_track';
import { chance } from './random';

export interface FakeWish {
  cars: number;
  track: FakeTrackName;
  seed: number;
  laps: number;
  drive: boolean; // the first car is one's own
  replay: boolean;
  skipS: number; // begin this far into the race; negative: before the lights go out
}

export const fakeDefaults: FakeWish = {
  cars: 24,
  track: 'circuit',
  seed: 1,
  laps: 5,
  drive: false,
  replay: false,
  skipS: -10,
};

const LIGHTS_S = 5;
const RESULTS_S = 20;
const CONTACT_M = 4.2;
const AHEAD_S = 0.1; // of what a driver sees, before what he was told
const HZ = 60;
const names = [
  'Ayla Brandt', 'Bruno Castell', 'Chiara Dahl', 'Dmitri Eklund', 'Esme Farrow', 'Felix Grau',
  'Greta Holm', 'Hugo Ibarra', 'Ines Jansen', 'Jonas Kerr', 'Keiko Lund', 'Liam Moretti',
  'Maja Novak', 'Nils Okafor', 'Olga Petit', 'Pablo Quist', 'Quinn Rossi', 'Rosa Silva',
  'Sven Toth', 'Tara Unger', 'Umut Vogel', 'Vera Wolff', 'Wim Xu', 'Yara Zeller',
];
const wheels = [-1, 1].flatMap((end) =>
  [-1, 1].map((side) => ({ x: -1.25 * end, y: -0.78 * side, radiusM: 0.32, widthM: 0.23 })),
);
const shape: race.CarShape = {
  name: 'boxster-s',
  title: 'Porsche Boxster S',
  lengthM: 4.32,
  widthM: 1.78,
  centreXM: 0.1,
  wheels,
  rpmMax: 7200,
  steerRadMax: 0.6,
};
const formula: race.CarShape = {
  ...shape,
  name: 'formula',
  title: 'Formula',
  lengthM: 4.8,
  widthM: 1.9,
  rpmMax: 11000,
};

/** A race that takes place in this page alone: the same each time, by its seed and the time. */
export class FakeSession implements race.Session {
  private readonly wish: FakeWish;
  private readonly laidTrack: FakeTrack;
  private readonly field: FakeField;
  private readonly entries: race.RosterEntry[];
  private readonly rows: Float64Array;
  private readonly ownRow = new Float64Array(POSE_FIELDS);
  private readonly moment: race.Poses;
  private timing: FakeTiming;
  private raceNumber = 1;
  private zeroMs = NaN; // when the lights go out
  private watchedMs = 0;
  private stoppedMs = 0; // a recording that stands: since when
  private rate = 1;
  private phase: race.Phase = 'grid';
  private lightsLeft = LIGHTS_S + 1;
  private endedMs = 0;
  private events: race.RaceEvent[] = [];
  private notices: string[] = ['Welcome to a race that nobody hosts.'];
  private table: race.Standings | null = null;
  private tableMs = -Infinity;
  private shownState: race.RaceState | null = null;
  private ended: race.Results | null = null;
  private looksAt = 0;
  private measured: race.Telemetry | null = null;
  private measuredMs = -Infinity;
  private sessionState: race.State = 'spectating';
  private nowMs = 0;

  constructor(wish: Partial<FakeWish> = {}) {
    this.wish = { ...fakeDefaults, ...wish };
    this.laidTrack = makeTrack(this.wish.track);
    this.field = new FakeField(this.laidTrack, this.wish.cars, this.wish.seed);
    this.entries = Array.from({ length: this.wish.cars }, (_, i) => this.entry(i));
    this.rows = new Float64Array(this.wish.cars * POSE_FIELDS);
    this.moment = { count: this.wish.cars, values: this.rows };
    this.timing = this.newTiming();
    if (this.wish.drive) this.sessionState = 'driving';
  }

  private entry(i: number): race.RosterEntry {
    const round = Math.floor(i / names.length);
    return {
      player: 1001 + i,
      car: i + 1,
      name: names[i % names.length]! + (round > 0 ? ` ${round + 1}` : ''),
      carDef: chance(this.wish.seed, i, 9) < 0.3 ? formula.name : shape.name,
      drivenByServer: chance(this.wish.seed, i, 10) < 0.1,
      driver: i % 5 === 3 ? '' : (i + 1).toString(16).padStart(2, '0').repeat(DRIVER_BYTES),
    };
  }

  private newTiming(): FakeTiming {
    return new FakeTiming(this.field, this.entries, this.wish.laps, (told) => this.tell(told));
  }

  private tell(told: Told): void {
    const tick = Math.round((this.nowMs / 1000) * HZ);
    const nameOf = (player: number) => this.roster().find((one) => one.player === player)?.name;
    const names = { name: nameOf(told.player) ?? '', otherName: nameOf(told.other) ?? '' };
    this.events.push({ ...told, ...names, tick, raceNumber: this.raceNumber });
    if (this.events.length > 1000) this.events.shift();
  }

  private raceS(nowMs: number): number {
    return ((this.stoppedMs || nowMs) - this.zeroMs) * 0.001 * this.rate;
  }

  update(nowMs: number): void {
    if (Number.isNaN(this.zeroMs)) this.zeroMs = nowMs - this.wish.skipS * 1000;
    this.nowMs = nowMs;
    const raceS = this.raceS(nowMs);
    this.enter(raceS, nowMs);
    if (nowMs - this.watchedMs < 100) return;
    this.watchedMs = nowMs;
    if (this.phase === 'race' || this.phase === 'finish') {
      this.timing.watch(raceS * 1e6);
      this.collide(raceS);
    }
    if (nowMs - this.tableMs > 250) {
      this.tableMs = nowMs;
      this.table = this.timing.tableOf(Math.round(raceS * HZ), false);
    }
    this.shownState = {
      phase: this.phase,
      raceNumber: this.raceNumber,
      raceTimeUs: Math.round(raceS * 1e6),
      laps: this.wish.laps,
      players: this.wish.cars,
      running: this.wish.cars,
      startPlayers: 0,
      lobbyLeftUs: 0,
    };
  }

  /** The phase that it is time for. */
  private enter(raceS: number, nowMs: number): void {
    const before = this.phase;
    if (this.phase === 'results') {
      if (nowMs - this.endedMs > RESULTS_S * 1000) this.restart(nowMs);
    } else if (raceS < -LIGHTS_S) {
      this.phase = 'grid';
    } else if (raceS < 0) {
      this.phase = 'countdown';
      const left = Math.ceil(-raceS);
      if (left < this.lightsLeft) this.light(left);
    } else {
      if (this.lightsLeft > 0) this.light(0);
      this.phase = this.timing.winnerHome ? 'finish' : 'race';
      this.endWhenLate(raceS, nowMs);
    }
    if (this.phase !== before) this.tellPhase();
  }

  private endWhenLate(raceS: number, nowMs: number): void {
    if (this.phase !== 'finish') return;
    const winnerUs = this.table?.lines[0]?.totalUs ?? 0;
    if (this.endedMs === 0) this.endedMs = nowMs;
    if (winnerUs === 0 || raceS * 1e6 < winnerUs + 45e6) return;
    this.phase = 'results';
    this.endedMs = nowMs;
    const { lines } = this.timing.tableOf(Math.round(raceS * HZ), true);
    const { raceNumber } = this;
    this.ended = { raceNumber, track: this.laidTrack.outline.name, laps: this.wish.laps, lines };
  }

  private restart(nowMs: number): void {
    this.raceNumber++;
    this.zeroMs = nowMs + (LIGHTS_S + 3) * 1000;
    this.lightsLeft = LIGHTS_S + 1;
    this.endedMs = 0;
    this.timing = this.newTiming();
    this.phase = 'grid';
  }

  private light(left: number): void {
    this.lightsLeft = left;
    this.tell({ kind: 'lights', player: 0, other: 0, value: left, timeUs: 0 });
  }

  private tellPhase(): void {
    const { phase } = this;
    this.tell({ kind: 'phase', player: 0, other: 0, value: 0, phase, timeUs: 0 });
  }

  /** Cars that come close sometimes touch; now and then one hits a wall. */
  private collide(raceS: number): void {
    const beat = Math.floor(raceS * 10);
    this.fill(raceS);
    for (let i = 0; i < Math.min(this.wish.cars, 200); i++) {
      const lot = chance(this.wish.seed, i, beat, 11);
      if (lot < 0.0006) {
        const value = Math.round(500 + 9000 * chance(this.wish.seed, i, beat, 12));
        this.tell({ kind: 'contact', player: 1001 + i, other: 0, value, timeUs: 0 });
      }
      const j = i + 1;
      if (lot < 0.5 || j >= this.wish.cars || lot > 0.52) continue;
      const dx = this.rows[i * POSE_FIELDS + Pose.x]! - this.rows[j * POSE_FIELDS + Pose.x]!;
      const dy = this.rows[i * POSE_FIELDS + Pose.y]! - this.rows[j * POSE_FIELDS + Pose.y]!;
      if (Math.hypot(dx, dy) > 2 * CONTACT_M) continue;
      const value = Math.round(100 + 4000 * chance(this.wish.seed, i, beat, 13));
      this.tell({ kind: 'contact', player: 1001 + i, other: 1001 + j, value, timeUs: 0 });
    }
  }

  private fill(raceS: number): void {
    for (let i = 0; i < this.wish.cars; i++) {
      this.field.write(i, raceS, this.rows, i * POSE_FIELDS);
    }
  }

  state(): race.State {
    return this.sessionState;
  }
  closeReason(): race.Reason | null {
    return this.sessionState === 'closed' ? { name: 'shutdown', text: 'The race is over.' } : null;
  }
  reject(): race.Reason | null {
    return null;
  }
  welcome(): race.Welcome {
    return welcomeOf(this.wish, this.laidTrack.outline.name);
  }
  player(): number {
    return this.wish.drive ? 1001 : 0;
  }
  car(): number {
    return this.wish.drive ? 1 : 0;
  }
  roster(): readonly race.RosterEntry[] {
    return this.entries;
  }
  raceState(): race.RaceState | null {
    return this.shownState;
  }
  standings(): race.Standings | null {
    return this.table;
  }
  results(): race.Results | null {
    return this.ended;
  }
  telemetry(): race.Telemetry | null {
    const car = this.looksAt || this.car();
    if (car === 0 || car > this.wish.cars || Number.isNaN(this.zeroMs)) return null;
    if (this.nowMs - this.measuredMs >= 50 || this.measured?.car !== car) {
      this.measuredMs = this.nowMs;
      const raceS = this.raceS(this.nowMs);
      this.field.write(car - 1, raceS, this.ownRow, 0);
      const lapM = this.field.wayM(car - 1, raceS) % this.laidTrack.outline.lengthM;
      this.measured = telemetryOf(this.ownRow, lapM);
    }
    return this.measured;
  }
  playback(): race.Playback | null {
    if (!this.wish.replay || Number.isNaN(this.zeroMs)) return null;
    return {
      tick: Math.max(0, Math.round((this.raceS(this.nowMs) + 10) * HZ)),
      lastTick: Math.round((this.field.lapS * (this.wish.laps + 1) + 10) * HZ),
      playing: this.stoppedMs === 0,
      speedPermille: Math.round(this.rate * 1000),
      marks: [
        { tick: 10 * HZ, kind: 'lights', player: 0 },
        { tick: 75 * HZ, kind: 'contact', player: 1003 },
        { tick: 130 * HZ, kind: 'best-lap', player: 1001 },
      ],
    };
  }
  stats(): race.SessionStats {
    const gone = Math.max(0, this.nowMs);
    return {
      rttMs: 24,
      bytesIn: Math.round(gone * 12),
      bytesOut: Math.round(gone),
      snapshots: Math.round(gone / 33),
      delayMs: 80,
      predictedTick: this.wish.drive ? Math.round(gone * 0.06) : 0,
      predictionErrorM: 0.02,
      rivalsCompared: this.wish.drive ? 1000 : 0,
      rivalsLate: 3,
      rivalAlongP50M: 0.004,
      rivalAlongP95M: 0.053,
      rivalAcrossP50M: 0.006,
      rivalAcrossP95M: 0.021,
      rivalHorizonP50Ms: 100,
      rivalHorizonP99Ms: 133,
      rivalCorrectionP99Mps: 0.31,
      rivalCorrectionMaxMps: 1.42,
      touchesCame: 7,
      touchesPhantom: 0,
      touchesUnforeseen: 1,
    };
  }
  takeEvents(): race.RaceEvent[] {
    return this.events.splice(0);
  }
  takePastEvents(): race.RaceEvent[] {
    return [];
  }
  takeNotices(): string[] {
    return this.notices.splice(0);
  }
  track(): race.TrackOutline {
    return this.laidTrack.outline;
  }
  carShape(carDef: string): race.CarShape | null {
    return carDef === formula.name ? formula : shape;
  }
  poses(nowMs: number): race.Poses {
    return this.posesAt(nowMs, this.wish.drive ? AHEAD_S : 0);
  }
  touches(): readonly race.Touch[] {
    return [];
  }
  toldPoses(nowMs: number): race.Poses {
    return this.posesAt(nowMs, 0);
  }
  private posesAt(nowMs: number, aheadS: number): race.Poses {
    if (Number.isNaN(this.zeroMs)) this.update(nowMs);
    this.fill(this.raceS(nowMs) + aheadS);
    return this.moment;
  }
  nextTryMs(): number {
    return 0;
  }

  tryNow(): void {}

  breakOff(): void {}

  prepareToDrive(): boolean {
    return true;
  }

  setControls(): void {}
  focus(car: number): void {
    this.looksAt = car;
  }
  play(wish: { playing?: boolean; speedPermille?: number; tick?: number }): void {
    const raceS = wish.tick !== undefined ? wish.tick / HZ - 10 : this.raceS(this.nowMs);
    if (wish.speedPermille !== undefined) this.rate = wish.speedPermille / 1000;
    const stands = wish.playing !== undefined ? !wish.playing : this.stoppedMs !== 0;
    this.zeroMs = this.nowMs - (raceS * 1000) / this.rate;
    this.stoppedMs = stands ? this.nowMs : 0;
    this.timing = this.newTiming();
  }
  leave(): void {
    this.sessionState = 'spectating';
  }
  close(): void {
    this.sessionState = 'closed';
  }
}

function welcomeOf(wish: FakeWish, track: string): race.Welcome {
  return {
    server: 'apex fake',
    race: 'A race of its own',
    track,
    cars: [shape.name, formula.name],
    laps: wish.laps,
    tickHz: HZ,
    snapshotHz: 30,
    speedPermille: 1000,
    gravityMps2: 9.81,
    playerCapacity: wish.cars + 8,
    passwordNeeded: false,
    watchingOpen: false,
    takesKeys: true,
    keyNeeded: false,
    tokenNeeded: false,
    resumeToken: '',
    resumeGraceS: 30,
  };
}
