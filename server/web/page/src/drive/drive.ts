/**
 * Driving: a button that asks for a wheel, and while one drives, devices read each frame and what a
 * driver needs to see. The shell opens and closes sessions: it is told what is wished for.
 *
 * `element` lies over the map, as large as it; `button` stands where the shell puts it, or else in
 * the corner of `element`.
 */
import './drive.css';
import { holdsWheel, type RaceEvent, type Reason, type Session } from '../race/race';
import { button, el, iconButton, setAttribute, setClass, setText } from '../ui/dom';
import type { View } from '../ui/view';
import { inCharge, type Device, type DeviceKind, type Wish } from './device';
import { DriveDialog, type JoinWish } from './join_dialog';
import { Feedback } from './feedback';
import { Helm } from './helm';
import { Hud } from './hud';
import { IdleWarning } from './idle';
import { Keyboard } from './keyboard';
import { ACTION_TEXT, KeyMap, keyText, type Action } from './keymap';
import { LapBook } from './lap_book';
import { lapWorth, sectorWorth } from './own_order';
import { Outlook } from './outlook';
import { OwnCar } from './own_car';
import { PadMap } from './pad_map';
import { Pads } from './pads';
import { mayFillScreen, Presence, toggleFullScreen } from './presence';
import { figuresOf } from './readout';
import { keepSettings, loadSettings, unitOfPlace, type DriveSettings } from './settings';
import { Sound } from './sound';
import { BrowserStore, type Store } from './settings_store';
import { Touch } from './touch';

export type { JoinWish } from './join_dialog';

export interface DriveOptions {
  /** Open a session that drives, in place of this one. Called again after a refusal. */
  onJoin(wish: JoinWish): void;
  /** The button is pressed. @returns true where nothing need be asked */
  onPressed?(): boolean;
  /** Has driven enough, or does not want to after all: back to watching. */
  onLeave(): void;
  /** The map follows the car: more or less of the road ahead is to be seen. */
  zoomMap?(factor: number): void;
  store?: Store;
}

const SPEAKER = 'M4 9v6h4l5 4V5L8 9zM16 8a5 5 0 0 1 0 8M18.5 5.5a9 9 0 0 1 0 13';
const CORNERS = 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5';
const CROSS = 'M6 6l12 12M18 6L6 18';
const GEARS = 'M4 7h9M17 7h3M13 4v6h4V4zM4 17h3M11 17h9M7 14v6h4v-6z';
const AHEAD_SHARE = 0.7; // of the map's height, with the car's nose up
const MAP_PX_PER_M = 7.5; // at which it begins to follow
const MAP_PX_PER_M_MIN = 1.8; // cars are still cars
const HINTED = 'apex.drive.hinted';
const HINT_MS = 6000; // longer than other words
const SETTLED_MS = 400; // until the map follows
const STEP_S_MAX = 0.1; // a tab that was away does not turn the wheel by all that time

export class Drive implements View {
  readonly element: HTMLElement;
  readonly button: HTMLButtonElement;
  private readonly store: Store;
  private readonly settings: DriveSettings;
  private readonly keys: KeyMap;
  private readonly keyboard: Keyboard;
  private readonly pads: Pads;
  private readonly touch: Touch;
  private readonly helm = new Helm();
  private readonly hud: Hud;
  private readonly dialog: DriveDialog;
  private readonly laps: LapBook;
  private readonly car = new OwnCar();
  private readonly sound = new Sound();
  private readonly feedback = new Feedback(this.sound);
  private readonly speaker: HTMLButtonElement;
  private readonly word = el('span');
  private readonly object = el('span', { class: 'drive-button-object' }); // where there is room
  private readonly idle = new IdleWarning();
  private readonly outlook = new Outlook();
  private outlookM = NaN; // shown at present
  private sinceMs = 0; // one drives
  private readonly listens = new AbortController();
  private readonly presence = new Presence(this.listens.signal, () => this.letGo());
  private readonly devices: Device[] = [];
  private device: Device | null = null;
  private session: Session | null = null;
  private isDriving = false;
  private frameMs = NaN; // of the last frame at the wheel
  private nowMs = 0;
  private askedOf: Session | null = null; // the one there when the wish was sent off
  private refusalThen: Reason | null = null;
  private isTouched = false; // there is glass to put thumbs on
  private ticks = 0;

  constructor(private readonly options: DriveOptions) {
    this.store = options.store ?? new BrowserStore();
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const usual = unitOfPlace(navigator.language, timeZone);
    this.settings = loadSettings(this.store, Math.random(), usual);
    this.helm.gearbox.manual = this.settings.manual;
    const wish = (what: Wish): void => this.wish(what);
    this.keys = new KeyMap(this.store);
    this.keyboard = new Keyboard(this.keys, wish);
    const padMap = new PadMap(this.store);
    this.pads = new Pads(wish, this.store, padMap);
    this.touch = new Touch(wish);
    this.laps = new LapBook(this.store);
    this.speaker = iconButton('Sound', SPEAKER, () => this.turnSound(!this.sound.isOn));
    const set = iconButton('How you drive', GEARS, () => this.dialog.open(this.session, false));
    const fill = iconButton('Full screen', CORNERS, toggleFullScreen, { class: 'drive-fill' });
    fill.hidden = !mayFillScreen();
    const stop = iconButton('Stop driving', CROSS, () => this.pressed(), { class: 'drive-stop' });
    this.hud = new Hud(el('div', { class: 'drive-tools' }, this.speaker, set, fill, stop));
    this.dialog = new DriveDialog({
      settings: this.settings,
      store: this.store,
      keys: this.keys,
      padMap,
      pads: this.pads,
      onJoin: (join) => this.ask(join),
      onCancel: () => this.closed(),
      onSettings: () => this.apply(),
    });
    this.button = button('', () => this.pressed(), { class: 'drive-button', hidden: '' });
    this.button.append(this.word, this.object);
    const parts = [this.hud.element, this.touch.element, this.button, this.dialog.element];
    this.element = el('div', { class: 'drive', tabindex: '-1' }, ...parts);
    this.hearThePage();
    this.apply();
  }

  private hearThePage(): void {
    const { signal } = this.listens;
    this.keyboard.attach(window, signal);
    const touched = (): void => {
      this.isTouched = true;
      this.showTouch();
    };
    window.addEventListener('touchstart', touched, { passive: true, once: true, signal });
    if (window.matchMedia('(pointer: coarse)').matches) touched();
  }

  /** The page is not looked at: no pedal stays down, and the server hears of it now. */
  private letGo(): void {
    this.keyboard.release();
    this.pads.release();
    this.touch.release();
    this.helm.letGo();
    if (this.isDriving) this.session?.setControls(this.helm.controls);
    this.sound.hush();
    this.frameMs = NaN;
  }

  private wish(what: Wish): void {
    if (!this.isDriving) return;
    const wasManual = this.helm.gearbox.manual;
    this.helm.wish(what);
    const { manual } = this.helm.gearbox;
    if (manual === wasManual) return;
    this.hud.say(manual ? 'Manual gears' : 'Automatic gears', this.nowMs);
    this.settings.manual = manual;
    keepSettings(this.store, this.settings);
    this.touch.showShifters(manual);
  }

  private turnSound(on: boolean): void {
    this.settings.sound = this.sound.turn(on) && on;
    keepSettings(this.store, this.settings);
    this.showSound();
  }

  private showSound(): void {
    setAttribute(this.speaker, 'aria-pressed', String(this.settings.sound));
  }

  private apply(): void {
    this.helm.gearbox.manual = this.settings.manual;
    this.touch.showShifters(this.settings.manual);
    void this.touch.steerByTilt(this.settings.tilt);
    this.showTouch();
    this.showSound();
  }

  private showTouch(): void {
    const { device } = this.settings;
    const on = device === 'touch' || (device === 'newest' && this.isTouched);
    setClass(this.element, 'uses-touch', on);
  }

  private pressed(): void {
    if (this.isDriving) this.options.onLeave();
    else if (this.options.onPressed?.() !== true) this.dialog.open(this.session, true);
  }

  /** There is no wheel, which is told where it can be put right; null: it was not asked for. */
  refused(reason: Reason | null): void {
    if (!this.dialog.isAsking) return;
    this.askedOf = null;
    this.dialog.refused(reason);
  }

  private ask(wish: JoinWish): void {
    this.askedOf = this.session;
    this.refusalThen = this.session?.reject() ?? null;
    if (this.settings.sound) this.sound.turn(true); // this click lets it
    this.options.onJoin(wish);
  }

  private closed(): void {
    const gaveUp = this.askedOf !== null && !this.isDriving;
    this.dialog.fail('');
    this.askedOf = null;
    if (gaveUp) this.options.onLeave();
  }

  frame(session: Session, nowMs: number): void {
    this.session = session;
    const dtS = Math.min(STEP_S_MAX, Math.max(0, (nowMs - this.frameMs) / 1000)) || 0;
    this.frameMs = nowMs;
    this.nowMs = nowMs;
    const drives = holdsWheel(session);
    if (drives !== this.isDriving) this.change(drives);
    if (!drives) return;
    this.laps.look(session);
    this.car.look(session, nowMs);
    this.steer(session, nowMs, dtS);
    if (this.car.isThere) this.show(session, nowMs);
  }

  private change(drives: boolean): void {
    this.isDriving = drives;
    this.keyboard.isOn = drives;
    setClass(this.element, 'is-driving', drives);
    this.letGo();
    this.presence.keepAwake(drives);
    this.idle.reset();
    if (!drives) return;
    this.helm.reset();
    this.car.reset();
    this.outlook.reset();
    this.outlookM = NaN;
    this.sinceMs = this.nowMs;
    this.laps.reset();
    this.hud.reset();
    this.sound.wake();
    this.askedOf = null;
    if (this.dialog.isOpen) this.dialog.close();
    this.element.focus({ preventScroll: true });
    this.hud.theme();
    this.hint();
  }

  /** Says the first time what one has to know. */
  private hint(): void {
    const isKeyboard = this.settings.device === 'keys' || !this.isTouched;
    if (!isKeyboard || this.store.get(HINTED) !== null) return;
    this.store.set(HINTED, '1');
    const named = (action: Action): string => {
      const keys = this.keys.codesOf(action).map(keyText).join(' or ');
      return `${keys}: ${ACTION_TEXT[action].toLowerCase()}`.replaceAll(' ', '\u00a0');
    };
    const actions = ['throttle', 'brake', 'left', 'right', 'reset'] as const;
    this.hud.say(actions.map(named).join('   '), this.nowMs + HINT_MS);
  }

  private steer(session: Session, nowMs: number, dtS: number): void {
    this.devices.length = 0;
    this.devices.push(this.keyboard, this.touch);
    this.pads.look(nowMs, this.devices);
    this.device = inCharge(this.devices, this.device, this.settings.device);
    const hand = this.presence.isAway ? null : this.device;
    this.helm.step(hand, this.car.situation(), this.settings, dtS);
    session.setControls(this.helm.controls);
  }

  private show(session: Session, nowMs: number): void {
    const { car } = this;
    const { controls } = this.helm;
    const lockRad = car.shape?.steerRadMax ?? 0;
    this.hud.frame({
      rpm: car.get('rpm'),
      rpmMax: car.shape?.rpmMax ?? 0,
      speedMps: car.speedMps,
      gear: car.get('gear'),
      unit: this.settings.unit,
      throttle: controls.throttle,
      brake: controls.brake,
      steer: lockRad > 0 ? car.get('steer') / lockRad : controls.steer,
      clutchOrHandbrake: Math.max(controls.clutch, controls.handbrake),
    });
    this.feedback.frame(session, car, controls.throttle, this.shaker(), nowMs);
  }

  private shaker(): Gamepad | null {
    return this.device?.kind === 'pad' ? this.pads.shaker() : null;
  }

  tick(session: Session, nowMs: number): void {
    this.session = session;
    const may = session.playback() === null && session.welcome() !== null;
    this.button.hidden = !may && !this.isDriving;
    setText(this.word, this.isDriving ? 'Stop' : 'Drive');
    setText(this.object, this.isDriving ? ' driving' : '');
    if (this.dialog.isOpen) {
      this.dialog.offer(session);
      this.hearAnswer(session);
    }
    if (!this.isDriving || !this.car.isThere) return;
    if (this.ticks++ % 5 === 0) this.hud.theme();
    if (nowMs > this.sinceMs + SETTLED_MS) this.lookAhead();
    const figures = figuresOf(session, this.car, this.laps);
    if (this.presence.isAway) figures.warning = 'Click here to drive on';
    const idle = this.idle.text(this.helm.controls, nowMs);
    if (idle !== '') Object.assign(figures, { warning: idle, isGrave: true });
    const state = session.state();
    if (state !== 'driving') {
      const what = state === 'reconnecting' ? 'Connection lost' : 'Coming back';
      figures.warning = `${what}: the server drives`;
      figures.isGrave = true;
    }
    const gears = this.helm.gearbox.manual ? 'Manual' : 'Automatic';
    const gearbox = `${gears}\n${DEVICE_TEXT[this.device?.kind ?? 'keys']}`;
    this.hud.tick({ ...figures, gearbox }, nowMs);
  }

  /** A map that begins to follow shows what it always does; from there on by factors. */
  private lookAhead(): void {
    if (!this.outlook.look(this.car.speedMps)) return;
    const aheadPx = AHEAD_SHARE * this.element.clientHeight;
    const aheadM = Math.min(this.outlook.aheadM, aheadPx / MAP_PX_PER_M_MIN);
    const fromM = Number.isNaN(this.outlookM) ? aheadPx / MAP_PX_PER_M : this.outlookM;
    this.outlookM = aheadM;
    this.options.zoomMap?.(fromM / aheadM);
  }

  /** The server may say no for now, and the session tries again by itself. */
  private hearAnswer(session: Session): void {
    if (!this.dialog.isAsking || session.state() === 'closed') return;
    const refusal = session.reject();
    if (refusal === null || (session === this.askedOf && refusal === this.refusalThen)) return;
    this.refusalThen = refusal;
    this.dialog.refused(refusal);
  }

  events(events: readonly RaceEvent[], session: Session, nowMs: number): void {
    if (!this.isDriving) return;
    const player = session.player();
    for (const event of events) {
      const isOurs = event.player === player || event.other === player;
      if (event.kind === 'phase' && event.value <= 2) this.laps.restart();
      if (isOurs) this.feedback.hear(event, this.shaker(), nowMs);
      if (event.player === player) this.hearOwn(event, session, nowMs);
    }
  }

  private hearOwn(event: RaceEvent, session: Session, nowMs: number): void {
    const { kind, value, timeUs } = event;
    if (kind === 'idle') {
      this.idle.warned(value, nowMs);
    } else if (kind === 'sector') {
      this.hud.flash(`S${value + 1}`, timeUs, sectorWorth(session, value, timeUs), nowMs);
    } else if (kind === 'lap') {
      this.laps.hear(event);
      this.hud.flash(`Lap ${value}`, timeUs, lapWorth(session, timeUs), nowMs);
    } else if (kind === 'finished' || kind === 'dnf') {
      this.laps.finish();
    }
  }

  end(): void {
    this.listens.abort();
    void this.touch.steerByTilt(false);
    this.dialog.close();
    this.sound.end();
    this.presence.keepAwake(false);
    this.reset();
  }

  reset(): void {
    this.session = null;
    this.car.reset();
    if (this.isDriving) {
      this.isDriving = false;
      this.keyboard.isOn = false;
      setClass(this.element, 'is-driving', false);
      this.sound.hush();
    }
    this.helm.reset();
    this.laps.reset();
    this.hud.reset();
  }
}

const DEVICE_TEXT: Record<DeviceKind, string> = {
  keys: 'Keyboard',
  pad: 'Gamepad',
  wheel: 'Wheel',
  touch: 'Touch',
};
