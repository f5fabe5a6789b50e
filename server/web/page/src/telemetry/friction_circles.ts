// The friction circles of all wheels are drawn with their forces.
import type { Telemetry, WheelTelemetry } from '../race/race';
import { el, setAttribute, setText } from '../ui/dom';
import { colour } from '../ui/theme';
import { gripOf, heatOf, wheelNames } from './grip';
import { Surface } from './surface';

const TRAIL = 14; // samples: what the tyre did in the last 0.7 s
const DEGREES = 180 / Math.PI;

/** Each wheel's friction circle with where its force is in it, its load, slip and temperature. */
export class FrictionCircles {
  readonly element = el('div', { class: 'wheels' });
  private wheels: WheelBox[] = [];

  hear(telemetry: Telemetry): void {
    if (this.wheels.length !== telemetry.wheels.length) this.build(telemetry.wheels.length);
    telemetry.wheels.forEach((wheel, i) => this.wheels[i]!.hear(wheel));
  }

  draw(): void {
    const mostN = Math.max(1000, ...this.wheels.map((wheel) => wheel.loadN));
    for (const wheel of this.wheels) wheel.draw(mostN);
  }

  clear(): void {
    this.build(0);
  }

  private build(count: number): void {
    this.wheels = wheelNames(count).map((name) => new WheelBox(name));
    this.element.replaceChildren(...this.wheels.map((wheel) => wheel.element));
    this.element.dataset['columns'] = count === 2 ? '1' : '2';
  }
}

class WheelBox {
  readonly element: HTMLElement;
  loadN = 0;
  private readonly surface: Surface;
  private readonly figures = el('p', { class: 'wheel-figures' });
  private readonly heat = el('span', { class: 'wheel-heat' });
  private readonly slip = el('span', {});
  private readonly lateral = new Float64Array(TRAIL);
  private readonly longitudinal = new Float64Array(TRAIL);
  private at = 0;
  private used = 0;
  private sliding = false;
  private heard = 0;

  constructor(private readonly name: string) {
    this.surface = new Surface('wheel-circle', name);
    this.figures.append(this.heat, this.slip);
    this.element = el(
      'figure',
      { class: 'wheel' },
      el('figcaption', {}, name),
      this.surface.canvas,
      this.figures,
    );
  }

  hear(wheel: WheelTelemetry): void {
    const grip = gripOf(wheel);
    this.at = (this.at + 1) % TRAIL;
    this.lateral[this.at] = grip.lateral;
    this.longitudinal[this.at] = grip.longitudinal;
    this.used = grip.used;
    this.loadN = wheel.loadN;
    this.sliding = wheel.sliding;
    if (this.heard++ % 4 !== 0) return; // figures that can be read: five times a second
    const ratio = Math.round(wheel.slipRatio * 100);
    const angle = (wheel.slipAngleRad * DEGREES).toFixed(1);
    setText(this.slip, `${ratio} % · ${angle}°`);
    setText(this.heat, `${Math.round(wheel.temperatureC)} °C`);
    setAttribute(this.heat, 'data-heat', heatOf(wheel.temperatureC));
    setAttribute(this.heat, 'title', `tyre is ${heatOf(wheel.temperatureC)}`);
    if (this.heard % 20 !== 1) return;
    const words = `${this.name}: ${Math.round(grip.used * 100)} % of its grip used`;
    setAttribute(this.surface.canvas, 'aria-label', words);
  }

  draw(mostN: number): void {
    if (!this.surface.clear()) return;
    const { paint, width, height } = this.surface;
    const radius = Math.min((width - 16) / 2, height / 2) - 4;
    const x = (width - 10) / 2;
    const y = height / 2;
    this.drawRings(paint, x, y, radius);
    const share = Math.max(0, Math.min(1, this.loadN / mostN));
    paint.fillStyle = colour('--line');
    paint.fillRect(width - 7, y - radius, 5, 2 * radius);
    paint.fillStyle = colour('--text-soft');
    paint.fillRect(width - 7, y + radius - 2 * radius * share, 5, 2 * radius * share);
    this.drawTrail(paint, x, y, radius * 0.8);
  }

  private drawRings(paint: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
    paint.lineWidth = 1;
    paint.strokeStyle = colour('--line');
    paint.beginPath();
    paint.arc(x, y, radius * 0.4, 0, 2 * Math.PI);
    paint.moveTo(x - radius, y);
    paint.lineTo(x + radius, y);
    paint.moveTo(x, y - radius);
    paint.lineTo(x, y + radius);
    paint.stroke();
    paint.lineWidth = 1.5;
    paint.strokeStyle = colour(this.sliding ? '--warn' : '--line-strong');
    paint.beginPath();
    paint.arc(x, y, radius * 0.8, 0, 2 * Math.PI);
    paint.stroke();
  }

  // Up is a push forwards, left a push to the left, as seen from the driver's seat.
  private drawTrail(paint: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
    const stroke = colour(this.used > 0.97 || this.sliding ? '--warn' : '--accent');
    paint.strokeStyle = stroke;
    paint.globalAlpha = 0.45;
    paint.beginPath();
    for (let i = 1; i <= TRAIL; i++) {
      const k = (this.at + i) % TRAIL;
      const [px, py] = place(this.lateral[k]!, this.longitudinal[k]!);
      if (i === 1) paint.moveTo(x + px * radius, y + py * radius);
      else paint.lineTo(x + px * radius, y + py * radius);
    }
    paint.stroke();
    paint.globalAlpha = 1;
    const [px, py] = place(this.lateral[this.at]!, this.longitudinal[this.at]!);
    paint.fillStyle = stroke;
    paint.beginPath();
    paint.arc(x + px * radius, y + py * radius, 4, 0, 2 * Math.PI);
    paint.fill();
  }
}

/** The place at which a force is drawn; none leaves the picture. */
function place(lateral: number, longitudinal: number): [number, number] {
  const used = Math.hypot(lateral, longitudinal);
  const scale = used > 1.25 ? 1.25 / used : 1;
  return [-lateral * scale, -longitudinal * scale];
}
