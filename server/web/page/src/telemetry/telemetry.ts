// The telemetry panel gathers samples of the chosen car and draws them.
import './telemetry.css';
import type { RaceEvent, Session, Telemetry } from '../race/race';
import { playerColour } from '../ui/livery';
import type { Drivers } from '../ui/drivers';
import { el, setText } from '../ui/dom';
import { lapTime } from '../ui/format';
import { Seen } from '../ui/seen';
import type { Selection } from '../ui/selection';
import { storedFlag, storeFlag } from '../ui/storage';
import type { View } from '../ui/view';
import { whoWords } from '../ui/who';
import { FrictionCircles } from './friction_circles';
import { Gauges } from './gauges';
import { GgPlot } from './gg_plot';
import { LapTrace } from './lap_trace';
import { Plot } from './plots';
import { Ring } from './ring';

const CHOOSE = 'Choose a driver to look inside the car.';
const DRAW_MS = 50;
const WINDOW_S = 30;
const SAMPLES = WINDOW_S * 30; // telemetry may come somewhat more often than it is asked for
const GAP_S = 1.5; // without figures: what was before is not of the same line
const TRACE_SLOTS = 600;
const DEGREES = 180 / Math.PI;

const COLUMN = { time: 0, speed: 1, throttle: 2, brake: 3, steer: 4, rpm: 5, gear: 6 } as const;

/** The chosen car from within: what it does, what it is asked to do, what its tyres make of it. */
export class TelemetryPanel implements View {
  readonly element: HTMLElement;
  private readonly swatch = el('span', { class: 'tower-swatch' });
  private readonly name = el('span', {});
  private readonly about = el('span', { class: 'telemetry-about' });
  private readonly hint = el('p', { class: 'telemetry-hint' }, CHOOSE);
  private readonly body = el('div', { class: 'telemetry-body' });
  private readonly gauges = new Gauges();
  private readonly circles = new FrictionCircles();
  private readonly gg = new GgPlot();
  private readonly seen = new Seen();
  private readonly speedPlot: Plot;
  private readonly pedalPlot: Plot;
  private readonly steerPlot: Plot;
  private readonly enginePlot: Plot;
  private readonly lapPlot: Plot;
  private readonly lapAbout = el('p', { class: 'telemetry-lap' });
  private readonly ring = new Ring(7, SAMPLES);
  private readonly trace = new LapTrace(TRACE_SLOTS);
  private readonly agoS = new Float64Array(SAMPLES);
  private readonly lapNow: (number | null)[] = [];
  private readonly lapBest: (number | null)[] = [];
  private lapX = new Float64Array(0);
  private lapLengthM = 0;
  private newest: Telemetry | null = null;
  private shownCar = 0;
  private drawnMs = -Infinity;

  constructor(
    private readonly selection: Selection,
    private readonly drivers: Drivers,
  ) {
    const ago = (s: number) => (s === 0 ? 'now' : `${s} s`);
    this.speedPlot = new Plot({
      title: 'Speed in the last 30 seconds',
      series: [{ label: 'Speed, km/h', colour: '--accent', fill: true }],
      heightPx: 110,
      range: (_, max) => [0, Math.max(100, Math.ceil((max || 0) / 50) * 50)],
      ticks: ago,
    });
    this.pedalPlot = new Plot({
      title: 'Throttle and brake in the last 30 seconds',
      series: [
        { label: 'Throttle, %', colour: '--throttle' },
        { label: 'Brake, %', colour: '--brake' },
      ],
      heightPx: 84,
      range: () => [-2, 104],
      ticks: ago,
    });
    this.steerPlot = new Plot({
      title: 'Steering in the last 30 seconds',
      series: [{ label: 'Steering, ° (left up)', colour: '--steer' }],
      heightPx: 84,
      range: (min, max) => symmetric(min, max, 6),
      ticks: ago,
    });
    this.enginePlot = new Plot({
      title: 'Engine speed and gear in the last 30 seconds',
      series: [
        { label: 'Engine, 1000 rpm', colour: '--brake' },
        { label: 'Gear', colour: '--accent' },
      ],
      heightPx: 84,
      range: (min, max) => [Math.min(0, Math.floor(min || 0)), Math.max(6, Math.ceil(max || 0))],
      ticks: ago,
    });
    this.lapPlot = new Plot({
      title: 'Speed along the lap',
      series: [
        { label: 'This lap, km/h', colour: '--accent' },
        { label: 'Best lap', colour: '--overall', dashed: true },
      ],
      heightPx: 120,
      range: (_, max) => [0, Math.max(100, Math.ceil((max || 0) / 50) * 50)],
      ticks: (m) => (m >= 1000 ? `${m / 1000} km` : `${m} m`),
    });
    const head = el('h2', {}, this.swatch, this.name);
    this.element = el(
      'section',
      { class: 'telemetry', 'aria-label': 'Telemetry' },
      el('div', { class: 'panel-head' }, head, this.about),
      this.hint,
      this.body,
    );
    this.build();
  }

  private build(): void {
    const { gauges, circles, gg, speedPlot, pedalPlot, steerPlot, enginePlot, lapPlot } = this;
    const inTime = [speedPlot, pedalPlot, steerPlot, enginePlot];
    this.body.append(gauges.element);
    this.body.append(
      folded('inputs', 'Last 30 seconds', ...inTime.map((plot) => plot.element)),
      folded('tyres', 'Tyres: use of grip, load, slip', circles.element),
      folded('lap', 'Speed along the lap', lapPlot.element, this.lapAbout),
      folded('g', 'Acceleration', gg.surface.canvas),
    );
    for (const plot of [...inTime, lapPlot]) this.seen.watch(plot.element);
    this.seen.watch(circles.element);
    this.seen.watch(gg.surface.canvas);
    this.selection.onChange(() => this.forget());
    this.forget();
  }

  /** Each frame, seen or not: nothing that came may be missing from a plot. */
  hear(session: Session): void {
    const telemetry = session.telemetry();
    if (telemetry === null || telemetry === this.newest) return;
    const wanted = this.wantedCar(session);
    if (telemetry.car !== wanted && wanted !== 0) return; // still of the one before
    if (telemetry.car !== this.shownCar) {
      this.forget();
      this.shownCar = telemetry.car;
    }
    this.newest = telemetry;
    const hz = session.welcome()?.tickHz || 60;
    const timeS = telemetry.tick / hz;
    const stepS = timeS - this.ring.last(0);
    if (stepS <= 0 || stepS > GAP_S) this.ring.clear(); // a recording was set elsewhere
    this.ring.push([
      timeS,
      telemetry.speedMps * 3.6,
      telemetry.throttle * 100,
      telemetry.brake * 100,
      telemetry.steerRad * DEGREES,
      telemetry.rpm / 1000,
      telemetry.gear,
    ]);
    this.ring.dropBefore(timeS - WINDOW_S - 1);
    this.circles.hear(telemetry);
    this.gg.hear(telemetry.accelerationXMps2, telemetry.accelerationYMps2);
    const lengthM = session.track()?.lengthM ?? 0;
    if (lengthM !== this.lapLengthM) this.measure(lengthM);
    this.trace.add(timeS, telemetry.lapM, telemetry.speedMps * 3.6, lengthM);
  }

  events(events: readonly RaceEvent[], session: Session): void {
    const hz = session.welcome()?.tickHz || 60;
    for (const { kind, player, tick, timeUs } of events) {
      const isShown = this.drivers.ofPlayer(player)?.car === this.shownCar;
      if (kind === 'lap' && isShown) this.trace.timed(timeUs, tick / hz);
    }
  }

  frame(session: Session, nowMs: number): void {
    if (nowMs - this.drawnMs < DRAW_MS) return;
    this.drawnMs = nowMs;
    const telemetry = this.newest;
    this.body.hidden = telemetry === null;
    this.hint.hidden = telemetry !== null;
    if (telemetry === null) return;
    const driver = this.drivers.ofCar(telemetry.car);
    const shape = session.carShape(driver?.carDef ?? '');
    this.gauges.show(telemetry, shape?.rpmMax ?? 7000, shape?.steerRadMax ?? 0.6);
    this.drawPlots();
    if (this.seen.has(this.circles.element)) this.circles.draw();
    if (this.seen.has(this.gg.surface.canvas)) this.gg.draw();
  }

  tick(session: Session): void {
    const car = this.newest?.car ?? this.wantedCar(session);
    const driver = this.drivers.ofCar(car);
    setText(this.name, driver?.name ?? 'Telemetry');
    const title = session.carShape(driver?.carDef ?? '')?.title ?? driver?.carDef ?? '';
    const about = [title, whoWords(driver, session.welcome())].filter((each) => each !== '');
    setText(this.about, about.join(' · '));
    this.swatch.hidden = driver === null;
    if (driver !== null) this.swatch.style.background = playerColour(driver.player);
    setText(this.hint, car === 0 ? CHOOSE : 'Waiting for its figures…');
    const bestUs = this.trace.bestLapUs();
    const time = bestUs > 0 ? `: ${lapTime(bestUs)}` : '';
    const none = 'A lap to compare with comes with the first one seen whole.';
    setText(this.lapAbout, this.trace.best() === null ? none : `Best lap seen here${time}`);
  }

  reset(): void {
    this.forget();
  }

  end(): void {
    for (const plot of [this.speedPlot, this.pedalPlot, this.steerPlot]) plot.end();
    for (const plot of [this.enginePlot, this.lapPlot]) plot.end();
    this.seen.end();
  }

  private wantedCar(session: Session): number {
    return session.car() !== 0 ? session.car() : this.selection.car;
  }

  private forget(): void {
    this.newest = null;
    this.shownCar = 0;
    this.ring.clear();
    this.trace.clear();
    this.gg.clear();
    this.circles.clear();
    this.gauges.clear();
  }

  private measure(lengthM: number): void {
    this.lapLengthM = lengthM;
    this.lapX = Float64Array.from({ length: TRACE_SLOTS }, (_, i) => (i / TRACE_SLOTS) * lengthM);
  }

  private drawPlots(): void {
    const { ring, seen } = this;
    const nowS = ring.last(COLUMN.time);
    const time = ago(ring.column(COLUMN.time), nowS, this.agoS);
    const show = (plot: Plot, ...columns: number[]): void => {
      if (!seen.has(plot.element)) return;
      plot.draw([time, ...columns.map((i) => ring.column(i))], -WINDOW_S, 0);
    };
    show(this.speedPlot, COLUMN.speed);
    show(this.pedalPlot, COLUMN.throttle, COLUMN.brake);
    show(this.steerPlot, COLUMN.steer);
    show(this.enginePlot, COLUMN.rpm, COLUMN.gear);
    if (!seen.has(this.lapPlot.element) || this.lapLengthM <= 0) return;
    const now = known(this.trace.current(), this.lapNow);
    const best = known(this.trace.best() ?? NOTHING, this.lapBest);
    this.lapPlot.draw([this.lapX, now, best], 0, this.lapLengthM);
  }
}

const NOTHING = new Float64Array(TRACE_SLOTS).fill(NaN);

/** Times before now, written to `out`. */
function ago(timesS: Float64Array, nowS: number, out: Float64Array): Float64Array {
  for (let i = 0; i < timesS.length; i++) out[i] = timesS[i]! - nowS;
  return out.subarray(0, timesS.length);
}

/** Plots know null as a gap, but not NaN. */
function known(values: Float64Array, out: (number | null)[]): (number | null)[] {
  out.length = values.length;
  values.forEach((value, i) => (out[i] = Number.isNaN(value) ? null : value));
  return out;
}

function symmetric(min: number, max: number, least: number): [number, number] {
  const most = Math.max(least, Math.abs(min || 0), Math.abs(max || 0));
  return [-most, most];
}

/** A part that can be folded away, and stays so. */
function folded(key: string, title: string, ...content: HTMLElement[]): HTMLDetailsElement {
  const element = el('details', { class: 'fold' }, el('summary', {}, title), ...content);
  element.open = storedFlag(`apex.fold.${key}`, true);
  element.addEventListener('toggle', () => storeFlag(`apex.fold.${key}`, element.open));
  return element;
}
