// Touch as a device: steering under one thumb, pedals under the other.
import { button, el, setClass } from '../ui/dom';
import { AT_REST, type Device, type DeviceInput, type Wish } from './device';
import { thumbPedal, thumbSteer, tiltDeg, tiltSteer } from './touch_levels';

const REACH_PX = 90;

type PedalName = 'throttle' | 'brake';

interface Held {
  pedal: PedalName;
  level: number;
}

/** Steering under the left thumb, pedals under the right one. A thumb may slide between pedals. */
export class Touch implements Device {
  readonly kind = 'touch';
  readonly element: HTMLElement;
  private readonly knob = el('div', { class: 'drive-thumb-knob' });
  private readonly pad = el('div', { class: 'drive-thumb', 'aria-hidden': 'true' }, this.knob);
  private readonly pedals: Record<PedalName, HTMLElement> = {
    brake: el('div', { class: 'drive-foot drive-foot-brake' }, 'Brake'),
    throttle: el('div', { class: 'drive-foot drive-foot-throttle' }, 'Throttle'),
  };
  private readonly feet = el('div', { class: 'drive-feet', 'aria-hidden': 'true' });
  private readonly shifters: HTMLElement;
  private readonly held = new Map<number, Held>();
  private steerer = -1; // pointer
  private fromPx = 0;
  private tilts = false;
  private tilt = 0;
  private hand = false;
  private lastMs = -Infinity;
  private readonly levels: DeviceInput = { ...AT_REST };

  constructor(onWish: (wish: Wish) => void) {
    this.feet.append(this.pedals.brake, this.pedals.throttle);
    this.shifters = el(
      'div',
      { class: 'drive-shifters' },
      button('−', () => onWish('shiftDown'), { 'aria-label': 'Gear down' }),
      button('+', () => onWish('shiftUp'), { 'aria-label': 'Gear up' }),
    );
    const extras = el(
      'div',
      { class: 'drive-extras' },
      button('Reset', () => onWish('reset'), { 'aria-label': 'Back onto the track' }),
      this.handbrake(),
      this.shifters,
    );
    this.element = el('div', { class: 'drive-touch' }, this.pad, extras, this.feet);
    this.hearSteering();
    this.hearPedals();
  }

  private handbrake(): HTMLElement {
    const hand = button('Hand', () => {}, { 'aria-label': 'Handbrake', class: 'drive-hand' });
    const set = (on: boolean, event: Event): void => {
      this.hand = on;
      if (on) this.lastMs = event.timeStamp;
    };
    hand.addEventListener('pointerdown', (event) => set(true, event));
    for (const up of ['pointerup', 'pointercancel', 'pointerleave']) {
      hand.addEventListener(up, (event) => set(false, event));
    }
    return hand;
  }

  private hearSteering(): void {
    this.pad.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      this.pad.setPointerCapture(event.pointerId);
      this.steerer = event.pointerId;
      this.fromPx = event.clientX;
      this.steerTo(event);
    });
    this.pad.addEventListener('pointermove', (event) => {
      if (event.pointerId === this.steerer) this.steerTo(event);
    });
    for (const up of ['pointerup', 'pointercancel'] as const) {
      this.pad.addEventListener(up, (event) => {
        if (event.pointerId === this.steerer) this.steerer = -1;
        this.showSteer(this.steerer < 0 ? 0 : this.levels.steer);
      });
    }
  }

  private steerTo(event: PointerEvent): void {
    this.lastMs = event.timeStamp;
    this.showSteer(thumbSteer(this.fromPx, event.clientX, REACH_PX));
  }

  private showSteer(steer: number): void {
    this.levels.steer = steer;
    this.knob.style.transform = `translateX(${(-steer * REACH_PX) / 2}px)`;
  }

  private hearPedals(): void {
    const press = (event: PointerEvent): void => {
      const box = this.feet.getBoundingClientRect();
      const right = event.clientX > box.left + box.width / 2;
      const level = thumbPedal(box.top, box.height, event.clientY);
      this.held.set(event.pointerId, { pedal: right ? 'throttle' : 'brake', level });
      this.lastMs = event.timeStamp;
      this.showPedals();
    };
    this.feet.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      this.feet.setPointerCapture(event.pointerId);
      press(event);
    });
    this.feet.addEventListener('pointermove', (event) => {
      if (this.held.has(event.pointerId)) press(event);
    });
    for (const up of ['pointerup', 'pointercancel'] as const) {
      this.feet.addEventListener(up, (event) => {
        this.held.delete(event.pointerId);
        this.showPedals();
      });
    }
  }

  private showPedals(): void {
    for (const name of ['throttle', 'brake'] as const) {
      let level = 0;
      for (const held of this.held.values()) {
        if (held.pedal === name) level = Math.max(level, held.level);
      }
      this.levels[name] = level;
      setClass(this.pedals[name], 'is-down', level > 0);
      this.pedals[name].style.setProperty('--level', String(level));
    }
  }

  /** Steers by how the phone is held, from here on. iOS asks its owner, and only after a touch. */
  async steerByTilt(on: boolean): Promise<boolean> {
    if (on && !this.tilts && !(await mayFeelTilt())) return false;
    if (on !== this.tilts) {
      if (on) window.addEventListener('deviceorientation', this.onTilt);
      else window.removeEventListener('deviceorientation', this.onTilt);
    }
    this.tilts = on;
    this.tilt = 0;
    setClass(this.element, 'is-tilted', on);
    return true;
  }

  private readonly onTilt = (event: DeviceOrientationEvent): void => {
    if (event.beta === null || event.gamma === null) return;
    const deg = tiltDeg(event.beta, event.gamma, screen.orientation?.angle ?? 0);
    if (deg !== null) this.tilt = tiltSteer(deg);
  };

  showShifters(on: boolean): void {
    setClass(this.shifters, 'is-on', on);
  }

  read(): Readonly<DeviceInput> {
    this.levels.handbrake = this.hand ? 1 : 0;
    if (this.tilts && this.steerer < 0) this.levels.steer = this.tilt;
    return this.levels;
  }

  usedMs(): number {
    return this.lastMs;
  }

  release(): void {
    this.held.clear();
    this.steerer = -1;
    this.hand = false;
    this.showPedals();
    this.showSteer(0);
  }
}

interface AsksFirst {
  requestPermission?: () => Promise<string>;
}

async function mayFeelTilt(): Promise<boolean> {
  if (typeof DeviceOrientationEvent === 'undefined') return false;
  const asks = DeviceOrientationEvent as unknown as AsksFirst;
  if (asks.requestPermission === undefined) return true;
  try {
    return (await asks.requestPermission()) === 'granted';
  } catch {
    return false;
  }
}
