/**
 * The display that a driver sees over the map. Two speeds: `frame` has what moves (dial, bars),
 * `tick` what is read (times, gaps, warnings). Nothing here asks the session: it shows what it is
 * given.
 */
import { el, setAttribute, setClass, setText } from '../ui/dom';
import { clockTenths, lapTime, microseconds } from '../ui/format';
import { SECTOR_SHAPE, SECTOR_WORDS, type SectorColour } from '../tower/sectors';
import { Bar, Lights } from './bars';
import { Dial, type DialState } from './dial';
import { deltaShare, deltaText, shiftLights } from './figures';

export interface HudFrame extends DialState {
  throttle: number;
  brake: number;
  steer: number; // share of the lock
  clutchOrHandbrake: number;
}

export interface HudTick {
  lapText: string; // "Lap 3 of 5"
  lapS: number;
  lastLapUs: number;
  bestLapUs: number;
  deltaS: number | null;
  place: string; // "P3 of 24"; '' before there is an order
  ahead: string; // "+1.234 Nils Okafor"
  behind: string;
  warning: string;
  isGrave: boolean; // of the warning
  damage: number;
  rttMs: number;
  isPredicted: boolean;
  gearbox: string; // "Automatic"
}

const FLASH_MS = 5000;

function row(name: string, value: HTMLElement): HTMLElement {
  return el('div', { class: 'drive-row' }, el('span', { class: 'drive-label' }, name), value);
}

function figure(extra = ''): HTMLElement {
  return el('span', { class: `drive-figure ${extra}` });
}

export class Hud {
  readonly element: HTMLElement;
  readonly dial = new Dial();
  private readonly lights = new Lights(12);
  private readonly throttle = new Bar('throttle', 'Throttle', 'up');
  private readonly brake = new Bar('brake', 'Brake', 'up');
  private readonly clutch = new Bar('clutch', 'Clutch, handbrake', 'up');
  private readonly steer = new Bar('steer', 'Steering', 'both-ways');
  private readonly place = el('div', { class: 'drive-place' });
  private readonly ahead = figure('drive-gap');
  private readonly behind = figure('drive-gap');
  private readonly lap = el('div', { class: 'drive-label' });
  private readonly running = el('div', { class: 'drive-running' });
  private readonly last = figure();
  private readonly best = figure();
  private readonly delta = el('div', { class: 'drive-delta-figure' });
  private readonly deltaFill = el('div', { class: 'drive-delta-fill' });
  private readonly deltaBox: HTMLElement;
  private readonly flashes = el('div', { class: 'drive-flashes', role: 'status' });
  private readonly warning = el('div', { class: 'drive-warning', role: 'status' });
  private readonly damage = el('div', { class: 'drive-damage' });
  private readonly damageFill = el('i');
  private readonly link = el('div', { class: 'drive-link' });
  private readonly gearbox = el('div', { class: 'drive-label' });
  private readonly chips: { element: HTMLElement; untilMs: number }[] = [];
  private deltaShown = NaN;
  private damageShown = NaN;

  constructor(tools: HTMLElement) {
    this.deltaBox = el(
      'div',
      { class: 'drive-delta', title: 'Against your best lap, at this place' },
      el('div', { class: 'drive-delta-track' }, this.deltaFill),
      this.delta,
    );
    this.damage.append('Damage', el('span', { class: 'drive-damage-track' }, this.damageFill));
    const pedals = el('div', { class: 'drive-pedals' });
    pedals.append(this.clutch.element, this.brake.element, this.throttle.element);
    const order = el(
      'section',
      { class: 'drive-box drive-order', 'aria-label': 'Position' },
      this.place,
      row('Ahead', this.ahead),
      row('Behind', this.behind),
    );
    const times = el(
      'section',
      { class: 'drive-box drive-times', 'aria-label': 'Lap times' },
      this.lap,
      this.running,
      row('Last', this.last),
      row('Best', this.best),
    );
    const centre = el(
      'section',
      { class: 'drive-box drive-cluster', 'aria-label': 'Instruments' },
      this.lights.element,
      el('div', { class: 'drive-dials' }, pedals, this.dial.element, this.side()),
      this.steer.element,
    );
    this.element = el(
      'div',
      { class: 'drive-hud' },
      el('div', { class: 'drive-top' }, this.deltaBox),
      el('div', { class: 'drive-words' }, this.warning, this.flashes),
      el('div', { class: 'drive-bottom' }, order, centre, times),
      tools,
    );
  }

  private side(): HTMLElement {
    return el('div', { class: 'drive-side' }, this.gearbox, this.damage, this.link);
  }

  frame(now: HudFrame): void {
    this.dial.draw(now);
    this.lights.set(shiftLights(now.rpm, now.rpmMax, this.lights.count));
    this.throttle.set(now.throttle);
    this.brake.set(now.brake);
    this.clutch.set(now.clutchOrHandbrake);
    this.steer.set(now.steer);
  }

  tick(now: HudTick, nowMs: number): void {
    setText(this.lap, now.lapText);
    setText(this.running, clockTenths(microseconds(now.lapS)));
    setText(this.last, lapTime(now.lastLapUs));
    setText(this.best, lapTime(now.bestLapUs));
    setText(this.place, now.place);
    setText(this.ahead, now.ahead);
    setText(this.behind, now.behind);
    setText(this.gearbox, now.gearbox);
    this.tickDelta(now.deltaS);
    this.tickState(now);
    while (this.chips.length > 0 && this.chips[0]!.untilMs <= nowMs) {
      this.chips.shift()!.element.remove();
    }
  }

  private tickDelta(deltaS: number | null): void {
    const text = deltaText(deltaS);
    setText(this.delta, text);
    setClass(this.deltaBox, 'is-ahead', text.startsWith('−'));
    setClass(this.deltaBox, 'is-behind', text.startsWith('+'));
    setClass(this.deltaBox, 'is-none', deltaS === null);
    const share = Math.round(deltaShare(deltaS) * 100) / 200;
    if (share === this.deltaShown) return;
    this.deltaShown = share;
    this.deltaFill.style.transform = `scaleX(${-share})`; // time won grows to the right
  }

  private tickState(now: HudTick): void {
    setText(this.warning, now.warning);
    setClass(this.warning, 'is-on', now.warning !== '');
    setClass(this.warning, 'is-grave', now.isGrave);
    const damage = Math.round(now.damage * 100);
    if (damage !== this.damageShown) {
      this.damageShown = damage;
      setClass(this.damage, 'is-on', damage > 0);
      setAttribute(this.damage, 'title', `Damage ${damage} %`);
      this.damageFill.style.transform = `scaleX(${damage / 100})`;
    }
    const ping = now.rttMs > 0 ? `${Math.round(now.rttMs)} ms` : '';
    setText(this.link, now.isPredicted ? ping : `${ping} not predicted`.trim());
    setClass(this.link, 'is-bad', !now.isPredicted || now.rttMs > 150);
  }

  /** A sector or a lap that was just timed. */
  flash(name: string, timeUs: number, colour: SectorColour, nowMs: number): void {
    const text = `${SECTOR_SHAPE[colour]} ${name} ${lapTime(timeUs)}`;
    const chip = el('span', { class: `drive-flash drive-flash-${colour}` }, text);
    chip.setAttribute('aria-label', `${name} ${lapTime(timeUs)}, ${SECTOR_WORDS[colour]}`);
    this.flashes.append(chip);
    this.chips.push({ element: chip, untilMs: nowMs + FLASH_MS });
    while (this.chips.length > 6) this.chips.shift()!.element.remove();
  }

  /** A word about something the driver has just switched. */
  say(text: string, nowMs: number): void {
    const chip = el('span', { class: 'drive-flash' }, text);
    this.flashes.append(chip);
    this.chips.push({ element: chip, untilMs: nowMs + FLASH_MS / 2 });
    this.chips.sort((a, b) => a.untilMs - b.untilMs);
  }

  /** Colours are the page's; canvas has to be told them. */
  theme(): void {
    const style = getComputedStyle(this.element);
    const colour = (name: string): string => style.getPropertyValue(name).trim() || '#888';
    this.dial.setColours({
      text: colour('--drive-text'),
      dim: colour('--drive-dim'),
      line: colour('--drive-line'),
      accent: colour('--drive-accent'),
      warn: colour('--drive-red'),
    });
    this.dial.fit();
  }

  reset(): void {
    for (const chip of this.chips) chip.element.remove();
    this.chips.length = 0;
  }
}
