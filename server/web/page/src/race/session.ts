// A session is one link to a race through the library: it reads news and rows of poses.
import { giveControls } from './controls';
import type { Status } from './exports';
import { Instance, loadLibrary } from './instance';
import { SocketLink } from './link';
import { KeptRows, NO_POSES } from './kept_rows';
import { KeptTouches } from './kept_touches';
import { fromBrowser, type SessionMeans } from './means';
import { Play, Stat, STATES, STATS, Subject, SUBJECTS, Wish } from './numbers';
import { outlineOf } from './outline';
import { Preparation } from './preparation';
import type {
  CarShape,
  Controls,
  Playback,
  Poses,
  RaceEvent,
  RaceState,
  Reason,
  Results,
  RosterEntry,
  Session,
  SessionStats,
  SessionWish,
  Standings,
  State,
  Telemetry,
  Touch,
  TrackOutline,
  Welcome,
} from './race';

/** A page that nobody looks at is not asked for frames; the link lives on what comes. */
const UPDATE_MS_MAX = 100;
const DEAF_US = 30_000;
/** Of what nobody takes; the newest stay. */
const KEPT = 10_000;
const STAT_NAMES = Object.keys(Stat) as (keyof typeof Stat)[];
const NO_STATS = Object.fromEntries(
  STAT_NAMES.map((name) => [name, 0]),
) as unknown as SessionStats;
const NO_MARKS: Playback['marks'] = [];
const NO_ROSTER: readonly RosterEntry[] = [];

/** The value that was read of a subject, and the number it had then. */
interface Known {
  news: number;
  value: unknown;
}

/** Marks come rarely, the rest several times a second. */
interface PlaybackKnown {
  state: Omit<Playback, 'marks'> | null;
  marks: Playback['marks'];
  whole: Playback | null;
}

/** Comes to a race. Rejected when the library cannot be had. */
export async function openSession(wish: SessionWish, means = fromBrowser): Promise<Session> {
  return RaceSession.open(await loadLibrary(), wish, means);
}

export class RaceSession implements Session {
  readonly #wish: SessionWish;
  readonly #means: SessionMeans;
  readonly #link: SocketLink;
  readonly #preparation: Preparation;
  #instance: Instance | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;
  #updatedMs = 0;
  #fault: Reason | null = null;
  #known = new Map<number, Known>();
  #past: RaceEvent[] = [];
  #events: RaceEvent[] = [];
  #notices: string[] = [];
  #outline: Known = { news: -1, value: null };
  #playback: PlaybackKnown = { state: null, marks: NO_MARKS, whole: null };
  #shapes = new Map<string, CarShape>();
  readonly #shown = new KeptRows('poses');
  readonly #told = new KeptRows('told_poses');
  readonly #touches = new KeptTouches();
  #stats = NO_STATS;

  private constructor(wish: SessionWish, means: SessionMeans) {
    this.#wish = wish;
    this.#means = means;
    this.#link = new SocketLink(() => means.socket(wish.url), {
      opened: () => this.#call((instance) => instance.calls.link_opened(this.#nowUs())),
      received: (bytes) => this.#receive(bytes),
      closed: () => this.#call((instance) => instance.calls.link_closed(this.#nowUs())),
    });
    this.#preparation = new Preparation({
      call: (act) => this.#call(act),
      lay: (def) => means.tracks.ground(def, means.ground),
      nowUs: () => this.#nowUs(),
    });
  }

  static async open(
    module: WebAssembly.Module,
    wish: SessionWish,
    means: SessionMeans = fromBrowser,
  ): Promise<RaceSession> {
    const session = new RaceSession(wish, means);
    session.#instance = await Instance.create(module, session.#link, means.identity(wish));
    session.#begin();
    return session;
  }

  #begin(): void {
    const { url, name, car, password, spectate, resumeToken } = this.#wish;
    const server = new URL(url);
    const port = Number(server.port) || (server.protocol === 'wss:' ? 443 : 80);
    this.#call((instance) => {
      const length = instance.giveTexts([name, car, password, server.hostname, resumeToken ?? '']);
      const wishes = spectate ? Wish.spectates : resumeToken ? Wish.resumes : 0;
      const error = instance.calls.begin(length, port, wishes);
      if (error !== 0) this.#fail('bad-name', 'A name, a car or a password is too long.');
      else instance.calls.update(this.#nowUs());
    });
    if (this.#fault !== null) return;
    this.#link.open();
    this.#link.act();
    this.#timer = setInterval(() => this.#keepUp(), UPDATE_MS_MAX);
  }

  #receive(bytes: Uint8Array): void {
    this.#shown.forget();
    this.#told.forget();
    this.#call((instance) => {
      const length = instance.give(bytes);
      const beganUs = this.#nowUs();
      instance.calls.link_received(length, beganUs);
      this.#gather(instance);
      this.#preparation.look(instance);
      // Messages that have come in a call that took long look late.
      const endedUs = this.#nowUs();
      if (endedUs - beganUs > DEAF_US) instance.calls.was_deaf(endedUs);
    });
    this.#keepUp();
  }

  // Events and notices are those of the newest message only.
  #gather(instance: Instance): void {
    const news = instance.words(instance.calls.news(), SUBJECTS);
    this.#keep(instance, news, Subject.past, this.#past);
    this.#keep(instance, news, Subject.events, this.#events);
    this.#keep(instance, news, Subject.notices, this.#notices);
  }

  #keep(instance: Instance, news: Uint32Array, subject: number, kept: unknown[]): void {
    if ((news[subject] ?? 0) === 0) return;
    kept.push(...(this.#text(instance, subject) as unknown[]));
    if (kept.length > KEPT) kept.splice(0, kept.length - KEPT);
  }

  #nowUs(): number {
    return this.#means.clock() * 1000;
  }

  /** A call, and what came of it. A library that fails ends the session and not the page. */
  #call<T>(act: (instance: Instance) => T): T | undefined {
    if (this.#instance === null) return undefined;
    let result: T | undefined;
    try {
      result = act(this.#instance);
    } catch (error) {
      this.#fail('failed', `The client library failed: ${String(error)}`);
      return undefined;
    }
    this.#link.act();
    return result;
  }

  #fail(name: string, text: string): void {
    this.#fault = { name, text };
    this.#end();
  }

  #keepUp(): void {
    if (this.#means.clock() - this.#updatedMs >= UPDATE_MS_MAX) this.update(this.#means.clock());
  }

  update(nowMs: number): void {
    this.#updatedMs = Math.max(this.#updatedMs, nowMs);
    this.#call((instance) => instance.calls.update(nowMs * 1000));
  }

  leave(): void {
    this.#call((instance) => instance.calls.leave(this.#nowUs()));
  }

  close(): void {
    this.leave();
    this.#end();
  }

  // All that was learnt can still be read; the memory goes.
  #end(): void {
    if (this.#timer !== undefined) clearInterval(this.#timer);
    this.#timer = undefined;
    this.#link.drop();
    if (this.#instance !== null && this.#fault === null) this.#status();
    this.#instance = null;
  }

  #text(instance: Instance, subject: number): unknown {
    const length = instance.calls.text(subject);
    return length > 0 ? JSON.parse(instance.text(instance.calls.text_bytes(), length)) : null;
  }

  /** The newest of a subject: the same object until there is something new. */
  #newest(subject: number): unknown {
    const before = this.#known.get(subject);
    const value = this.#call((instance) => {
      const news = instance.words(instance.calls.news(), SUBJECTS)[subject] ?? 0;
      if (before !== undefined && before.news === news) return before.value;
      const read = news > 0 ? this.#text(instance, subject) : null;
      this.#known.set(subject, { news, value: read });
      return read;
    });
    return value === undefined ? (before?.value ?? null) : value;
  }

  #status(): Status | null {
    return this.#newest(Subject.status) as Status | null;
  }

  state(): State {
    if (this.#instance === null) return 'closed';
    return STATES[this.#instance.calls.state()] ?? 'closed';
  }

  nextTryMs(): number {
    return (this.#call((instance) => instance.calls.next_try()) ?? 0) / 1000;
  }

  tryNow(): void {
    this.#call((instance) => instance.calls.try_now(this.#nowUs()));
  }

  breakOff(): void {
    this.#link.breakOff();
  }

  closeReason(): Reason | null {
    return this.#fault ?? this.#status()?.closeReason ?? null;
  }

  reject(): Reason | null {
    return this.#status()?.reject ?? null;
  }

  welcome(): Welcome | null {
    return this.#newest(Subject.welcome) as Welcome | null;
  }

  player(): number {
    return this.#status()?.player ?? 0;
  }

  car(): number {
    return this.#status()?.car ?? 0;
  }

  roster(): readonly RosterEntry[] {
    return (this.#newest(Subject.roster) as RosterEntry[] | null) ?? NO_ROSTER;
  }

  raceState(): RaceState | null {
    return this.#newest(Subject.raceState) as RaceState | null;
  }

  standings(): Standings | null {
    return this.#newest(Subject.standings) as Standings | null;
  }

  results(): Results | null {
    return this.#newest(Subject.results) as Results | null;
  }

  telemetry(): Telemetry | null {
    return this.#newest(Subject.telemetry) as Telemetry | null;
  }

  playback(): Playback | null {
    const state = this.#newest(Subject.playback) as Omit<Playback, 'marks'> | null;
    const marks = (this.#newest(Subject.marks) as Playback['marks'] | null) ?? NO_MARKS;
    const { state: stateBefore, marks: marksBefore } = this.#playback;
    if (state !== stateBefore || marks !== marksBefore) {
      this.#playback = { state, marks, whole: state && { ...state, marks } };
    }
    return this.#playback.whole;
  }

  stats(): SessionStats {
    this.#call((instance) => {
      const values = instance.numbers(instance.calls.stats(), STATS);
      const stats = { ...this.#stats };
      for (const name of STAT_NAMES) stats[name] = values[Stat[name]]!;
      this.#stats = stats;
    });
    return this.#stats;
  }

  takeEvents(): RaceEvent[] {
    const events = this.#events.splice(0);
    this.#touches.hear(events, this.player(), this.roster(), this.#tickHz());
    return events;
  }

  takePastEvents(): RaceEvent[] {
    return this.#past.splice(0);
  }

  takeNotices(): string[] {
    return this.#notices.splice(0);
  }

  track(): TrackOutline | null {
    const before = this.#outline;
    if (before.value !== null) return before.value as TrackOutline;
    this.#call((instance) => {
      const news = instance.words(instance.calls.news(), SUBJECTS)[Subject.defs] ?? 0;
      if (news === before.news) return;
      const capacity = this.welcome()?.playerCapacity ?? 0;
      this.#outline = { news, value: outlineOf(instance, capacity, this.#means.tracks) };
    });
    return this.#outline.value as TrackOutline | null;
  }

  carShape(carDef: string): CarShape | null {
    const known = this.#shapes.get(carDef);
    if (known !== undefined) return known;
    const shape = this.#call((instance) => {
      const length = instance.calls.car_shape(instance.giveTexts([carDef]));
      if (length === 0) return null;
      return JSON.parse(instance.text(instance.calls.text_bytes(), length)) as CarShape;
    });
    if (shape) this.#shapes.set(carDef, shape);
    return shape ?? null;
  }

  poses(nowMs: number): Poses {
    return this.#rowsOf(this.#shown, nowMs);
  }

  touches(nowMs: number): readonly Touch[] {
    this.poses(nowMs);
    return this.#touches.of(nowMs);
  }

  toldPoses(nowMs: number): Poses {
    return this.#rowsOf(this.#told, nowMs);
  }

  // Several views ask for the same frame.
  #rowsOf(rows: KeptRows, nowMs: number): Poses {
    if (!rows.has(nowMs)) {
      this.#call((instance) => {
        rows.read(instance, nowMs);
        if (rows === this.#shown) this.#touches.read(instance, nowMs, this.#tickHz());
      });
    }
    return rows.has(nowMs) ? rows.poses : NO_POSES;
  }

  #tickHz(): number {
    return this.welcome()?.tickHz ?? 0;
  }

  setControls(controls: Controls): void {
    this.#call((instance) => giveControls(instance, controls));
  }

  prepareToDrive(): boolean {
    return this.#preparation.begin();
  }

  focus(car: number): void {
    this.#call((instance) => instance.calls.focus(car));
  }

  play(wish: { playing?: boolean; speedPermille?: number; tick?: number }): void {
    const play = wish.playing === undefined ? Play.keep : wish.playing ? Play.on : Play.pause;
    const seek = wish.tick === undefined ? 0 : 1 + Math.max(0, Math.round(wish.tick));
    this.#call((instance) => instance.calls.play(play, wish.speedPermille ?? 0, seek));
  }
}
