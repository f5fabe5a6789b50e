// The gauges of the chosen car: speed, gear, revolutions, pedals, wheel.
import type { Telemetry } from '../race/race';
import { el, setAttribute, setClass, setText } from '../ui/dom';
import { gearText, kmh } from '../ui/format';
import { SHIFT_LIGHTS, shiftLights } from './grip';

/** The instruments of a dashboard: speed, gear, revolutions, pedals, wheel. */
export class Gauges {
  readonly element: HTMLElement;
  private readonly speed = el('span', { class: 'gauge-speed' });
  private readonly gear = el('span', { class: 'gauge-gear' });
  private readonly rpm = el('span', { class: 'gauge-rpm' });
  private readonly lamps: HTMLElement[] = [];
  private readonly throttle = bar('Throttle', 'throttle');
  private readonly brake = bar('Brake', 'brake');
  private readonly steer = bar('Steering', 'steer');

  constructor() {
    const lights = el('div', { class: 'gauge-lights', 'aria-hidden': 'true' });
    for (let i = 0; i < SHIFT_LIGHTS; i++) {
      const lamp = el('span', {});
      this.lamps.push(lamp);
      lights.append(lamp);
    }
    this.element = el(
      'div',
      { class: 'gauges' },
      el('div', { class: 'gauge-number' }, this.speed, el('small', {}, 'km/h')),
      el('div', { class: 'gauge-number' }, this.gear, el('small', {}, 'gear')),
      el('div', { class: 'gauge-number' }, this.rpm, el('small', {}, 'rpm')),
      lights,
      el('div', { class: 'gauge-bars' }, this.throttle.box, this.brake.box, this.steer.box),
    );
  }

  show(telemetry: Telemetry, rpmMax: number, steerRadMax: number): void {
    setText(this.speed, kmh(telemetry.speedMps));
    setText(this.gear, gearText(telemetry.gear));
    setText(this.rpm, String(Math.round(telemetry.rpm / 10) * 10));
    const lit = shiftLights(telemetry.rpm, rpmMax);
    this.lamps.forEach((lamp, i) => setClass(lamp, 'is-lit', i < lit));
    setClass(this.element, 'is-limit', lit === SHIFT_LIGHTS);
    fill(this.throttle, telemetry.throttle, 0);
    fill(this.brake, telemetry.brake, 0);
    const turned = telemetry.steerRad / Math.max(steerRadMax, 0.05);
    fill(this.steer, Math.min(1, Math.abs(turned)) / 2, turned > 0 ? -1 : 1);
  }

  clear(): void {
    for (const text of [this.speed, this.gear, this.rpm]) setText(text, '–');
  }
}

interface Bar {
  box: HTMLElement;
  meter: HTMLElement;
  inner: HTMLElement;
}

function bar(label: string, kind: string): Bar {
  const inner = el('span', { class: 'bar-fill' });
  const meter = el('span', { class: 'bar', role: 'meter', 'aria-label': label }, inner);
  meter.setAttribute('aria-valuemin', kind === 'steer' ? '-100' : '0');
  meter.setAttribute('aria-valuemax', '100');
  const title = el('span', { class: 'bar-title', 'aria-hidden': 'true' }, label);
  return { box: el('div', { class: `bar-row bar-${kind}` }, title, meter), meter, inner };
}

/** @param side -1 and 1: from the middle to the left or right; 0: from the left end */
function fill(target: Bar, share: number, side: -1 | 0 | 1): void {
  const clean = Number.isFinite(share) ? Math.max(0, Math.min(1, share)) : 0;
  const from = side === 0 ? 0 : side > 0 ? 0.5 : 0.5 - clean;
  target.inner.style.transform = `translateX(${from * 100}%) scaleX(${clean})`;
  const value = Math.round(clean * (side === 0 ? 100 : 200 * side));
  setAttribute(target.meter, 'aria-valuenow', String(value));
}
