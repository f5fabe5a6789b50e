// The map: camera, track, cars and pointer put together, drawn once a frame.
import './map.css';
import { Pose, POSE_FIELDS } from '../race/race';
import type { RaceEvent, Session, TrackOutline } from '../race/race';
import type { Selection } from '../ui/selection';
import { onTheme } from '../ui/theme';
import type { View } from '../ui/view';
import { Camera, emptyProjection, onCanvas, sharpen } from './camera';
import { CarPainter, type CarScene } from './car_painter';
import { readTheme, type Theme } from './colours';
import { Covers } from './covers';
import { Field, pickCar } from './field';
import { FrameTimes, Haste, type FrameStats } from './frames';
import { Furniture } from './furniture';
import { Gestures } from './gestures';
import { listenToKeys, type KeyTarget } from './map_keys';
import { drawCars, drawNothing, laidOver, nameSectors } from './layers';
import { Overview } from './overview';
import { leastRoadPx } from './road_width';
import { paintTerrain } from './terrain';
import { Tiles } from './tiles';
import { rateOf, Traces } from './traces';
import { planTrack, type TrackPlan } from './track_plan';
import { Truth } from './truth';

export type MapMode = 'fit' | 'free' | 'follow';

export interface MapOptions {
  buttons?: boolean; // on the map; otherwise the page has its own
  fps?: boolean; // shows how fast it draws
  overview?: boolean;
  /** The other things that may lie over the map. */
  over?: () => Iterable<Element>;
}

const FOLLOW_PX_PER_M = 7.5; // of the layout
const TAP_REACH_PX = 18;
const TOUCH_REACH_PX = 30;
const KEY_PAN_PX = 120;
const OVERVIEW_FROM = 1.35; // times the scale at which all is seen
const DENSITY_MAX = 3;

/** The track from above with every car on it. */
export class TrackMap implements View {
  readonly element = document.createElement('div');
  private readonly canvas = document.createElement('canvas');
  private readonly g: CanvasRenderingContext2D;
  private readonly furniture: Furniture;
  private readonly camera = new Camera();
  private readonly projection = emptyProjection();
  private readonly field = new Field();
  private readonly traces = new Traces();
  private readonly tiles = new Tiles(this.traces.skids);
  private readonly cars = new CarPainter();
  private readonly truth = new Truth();
  private readonly overview = new Overview();
  private readonly times = new FrameTimes();
  private readonly covers = new Covers();
  private readonly haste = new Haste();
  private readonly still = matchMedia('(prefers-reduced-motion: reduce)');
  private theme: Theme | null = null;
  private plan: TrackPlan | null = null;
  private outline: TrackOutline | null = null;
  private shownMode: MapMode = 'fit';
  private turns = false; // heading-up, when a car is followed
  private followed = 0;
  private lastMs = NaN;
  private sized = false;
  private newSize: DOMRectReadOnly | null = null;
  private readonly sizes = new ResizeObserver(
    (entries) => (this.newSize = entries[0]!.contentRect),
  );
  private readonly unwatchTheme: () => void;
  private driving = false;
  private overviewShown = false;
  private pointed = 0; // car under the pointer

  constructor(
    private readonly selection: Selection,
    private readonly options: MapOptions = {},
  ) {
    this.element.className = 'map';
    this.canvas.className = 'map-canvas';
    this.g = this.canvas.getContext('2d', { alpha: laidOver() })!;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute(
      'aria-label',
      'Track map. Arrow keys move it, plus and minus zoom, F follows a car, 0 shows all.',
    );
    const actions: KeyTarget = {
      pan: (right, down) => this.panByKey(right, down),
      zoomBy: (factor) => this.zoomBy(factor),
      fit: () => this.fit(),
      toggleFollow: () => this.follow(this.shownMode !== 'follow'),
      toggleHeadingUp: () => this.headingUp(!(this.turns && this.shownMode === 'follow')),
      chooseBeside: (step) => this.chooseBeside(step),
      chooseNone: () => this.selection.choose(0),
    };
    this.element.append(this.canvas, this.truth.legend);
    this.furniture = new Furniture(this.element, actions, options);
    listenToKeys(this.canvas, actions);
    this.sizes.observe(this.canvas);
    this.unwatchTheme = onTheme(() => (this.theme = null));
    this.listenToHands();
  }

  private listenToHands(): void {
    new Gestures(this.canvas, {
      pan: (right, down) => this.pan(right, down),
      zoom: (factor, right, down) => this.zoomAt(factor, right, down),
      tap: (right, down, touch) => this.tap(right, down, touch),
      doubleTap: (right, down, touch) => this.doubleTap(right, down, touch),
      hover: (right, down) => {
        this.pointed = this.pick(right, down, TAP_REACH_PX);
        this.canvas.classList.toggle('over-car', this.pointed !== 0);
      },
      leave: () => (this.pointed = 0),
    });
  }

  get mode(): MapMode {
    return this.shownMode;
  }

  get isHeadingUp(): boolean {
    return this.turns;
  }

  /** Keeps the chosen car in the middle, or one's own, or the leader. */
  follow(on: boolean): void {
    if (on === (this.shownMode === 'follow')) return;
    if (!on) {
      this.fit();
      return;
    }
    const least = FOLLOW_PX_PER_M * this.camera.density;
    if (this.camera.wantedPxPerM < 0.6 * least) this.camera.zoomTo(least);
    this.followed = 0;
    this.setMode('follow');
  }

  headingUp(on: boolean): void {
    this.turns = on;
    if (on) this.follow(true);
    else this.camera.turnTo(0);
    this.furniture.show(this.shownMode, this.turns);
  }

  fit(): void {
    this.camera.fit();
    this.setMode('fit');
  }

  zoomBy(factor: number): void {
    this.zoomAt(factor, this.canvas.clientWidth / 2, this.canvas.clientHeight / 2);
  }

  toggleTruth(): void {
    this.truth.toggle();
  }

  stats(): FrameStats {
    return this.times.stats();
  }

  names(): DOMRect[] {
    return this.cars.names(this.canvas.getBoundingClientRect(), this.camera.density);
  }

  reset(): void {
    this.field.forget();
    this.traces.clear();
    this.cars.clear();
    this.truth.forget();
    this.followed = 0; // the track stays: a spectator who takes the wheel drives on it
    this.pointed = 0;
    this.lastMs = NaN;
    this.times.forget();
    this.setMode('fit');
  }

  end(): void {
    this.unwatchTheme();
    this.sizes.disconnect();
    this.tiles.drop();
  }

  events(events: readonly RaceEvent[], _session: Session, nowMs: number): void {
    this.traces.hear(events, this.field, nowMs);
  }

  frame(session: Session, nowMs: number): void {
    const startMs = performance.now();
    this.times.begin(nowMs);
    const elapsedMs = Number.isNaN(this.lastMs) ? 16 : Math.max(0, nowMs - this.lastMs);
    this.lastMs = nowMs;
    this.driving = session.state() === 'driving';
    this.camera.calm = this.still.matches;
    this.traces.effects.calm = this.still.matches;
    if (this.newSize) this.resize(this.newSize);
    this.newSize = null;
    this.readTrack(session);
    this.field.look(session, nowMs);
    this.traces.feel(session.touches(nowMs), nowMs);
    this.truth.look(session, this.field, nowMs);
    this.times.cars = this.field.count;
    if (this.theme === null) this.readColours();
    if (this.theme === null || !this.sized) return;
    if (this.plan === null) {
      drawNothing(this.g, this.theme.land);
      return;
    }
    this.traces.watch(this.field, this.plan.bridges, nowMs, rateOf(session));
    this.aim(session, elapsedMs);
    this.draw(this.plan, this.theme, session, nowMs, elapsedMs);
    this.times.worked(performance.now() - startMs);
    this.furniture.fps.show(this.times);
  }

  private readTrack(session: Session): void {
    const outline = session.track();
    if (outline === this.outline || outline === null) return;
    this.outline = outline;
    this.plan = planTrack(outline);
    this.traces.clear();
    this.camera.look(outline.bounds);
    this.theme = null;
    if (this.shownMode === 'free') this.setMode('fit');
    this.startView();
  }

  /** Without a glide: there was nothing to be seen before. */
  private startView(): void {
    this.camera.fit();
    if (this.shownMode === 'follow') {
      this.camera.zoomTo(FOLLOW_PX_PER_M * this.camera.density);
      this.followed = 0;
    }
    this.camera.arrive();
  }

  private readColours(): void {
    if (!this.element.isConnected) return;
    this.theme = readTheme(this.element);
    const terrain = this.plan?.outline.terrain;
    this.tiles.use(this.plan, this.theme, terrain ? paintTerrain(terrain, this.theme) : null);
  }

  private target(session: Session): number {
    return this.field.firstOf([this.selection.car, session.car(), this.followed]);
  }

  private aim(session: Session, elapsedMs: number): void {
    const { camera, field } = this;
    if (this.shownMode === 'follow') {
      const car = this.target(session);
      const row = field.indexOf(car);
      if (row >= 0) {
        const at = row * POSE_FIELDS;
        const yaw = field.rows[at + Pose.yaw]!;
        camera.turnTo(this.turns ? Math.PI / 2 - yaw : 0);
        // With the heading up, more is seen of what lies ahead.
        const aheadM = this.turns ? (0.2 * camera.heightPx) / camera.pxPerM : 0;
        const x = field.rows[at + Pose.x]! + aheadM * Math.sin(camera.turnRad);
        const y = field.rows[at + Pose.y]! + aheadM * Math.cos(camera.turnRad);
        camera.chase(x, y, car !== this.followed);
        this.followed = car;
      }
    }
    camera.step(Math.min(elapsedMs, 100));
  }

  private draw(
    plan: TrackPlan,
    theme: Theme,
    session: Session,
    nowMs: number,
    elapsedMs: number,
  ): void {
    const { g, camera, field } = this;
    const p = camera.project(this.projection);
    if (!camera.moving) sharpen(p);
    const density = (this.tiles.density = camera.density);
    this.haste.hear(elapsedMs, p.turnRad !== 0);
    this.tiles.isRough = this.haste.isRough;
    this.tiles.draw(g, p, nowMs);
    this.covers.measure(this.canvas, this.furniture.over(), density, nowMs);
    const { roadPxMin } = this.tiles;
    const scene: CarScene = {
      g, p, field, theme, density, elapsedMs, roadPxMin,
      covered: this.covers.rects,
      chosen: this.selection.car,
      own: session.car(),
      pointed: this.pointed,
    };
    nameSectors(scene, plan);
    this.cars.begin(scene);
    this.cars.drawRings(scene);
    drawCars(this.cars, scene, plan);
    this.truth.draw(scene);
    this.traces.effects.draw(g, p, theme, density, nowMs);
    this.cars.drawLabels(scene);
    this.overviewShown =
      this.options.overview !== false && p.pxPerM > OVERVIEW_FROM * camera.fitPxPerM();
    if (!this.overviewShown) return;
    const cars = { field, chosen: scene.chosen, own: scene.own };
    this.overview.draw(g, p, plan, theme, density, cars, nowMs);
  }

  private setMode(mode: MapMode): void {
    if (mode !== 'follow') this.camera.turnTo(0);
    this.shownMode = mode;
    this.furniture.show(this.shownMode, this.turns);
  }

  /** With the next frame: a canvas that changes its size is empty. */
  private resize({ width, height }: DOMRectReadOnly): void {
    const density = Math.min(Math.max(devicePixelRatio, 1), DENSITY_MAX);
    const first = !this.sized;
    this.sized = width > 0 && height > 0;
    if (!this.sized) return;
    const { camera } = this;
    this.canvas.width = Math.round(width * density);
    this.canvas.height = Math.round(height * density);
    const roadPxMin = density * leastRoadPx(width, height);
    if (density !== camera.density || roadPxMin !== this.tiles.roadPxMin) this.theme = null;
    this.tiles.roadPxMin = roadPxMin;
    camera.density = density;
    camera.widthPx = this.canvas.width;
    camera.heightPx = this.canvas.height;
    this.furniture.cover(camera, width);
    if (first || this.shownMode === 'fit') this.startView();
  }

  private pan(right: number, down: number): void {
    if (this.shownMode !== 'free') this.setMode('free');
    this.camera.panBy(right * this.camera.density, down * this.camera.density);
  }

  private panByKey(right: number, down: number): boolean {
    if (this.driving) return false; // the same keys steer
    const stepPx = KEY_PAN_PX * this.camera.density;
    this.setMode('free');
    this.camera.glideBy(right * stepPx, down * stepPx);
    return true;
  }

  private zoomAt(factor: number, right: number, down: number): void {
    const { camera } = this;
    if (this.shownMode === 'follow') {
      camera.zoomTo(camera.wantedPxPerM * factor);
      return;
    }
    camera.zoomBy(factor, right * camera.density, down * camera.density);
    this.setMode('free');
  }

  private pick(right: number, down: number, reachPx: number): number {
    const { field, camera, projection } = this;
    const { density } = camera;
    const reach = Math.max(reachPx * density, 2.2 * projection.pxPerM);
    const at = [right * density, down * density] as const;
    return pickCar(field.rows, field.count, onCanvas(projection), at, reach);
  }

  private tap(right: number, down: number, touch: boolean): void {
    const { density } = this.camera;
    const place = this.overviewShown
      ? this.overview.worldAt(right * density, down * density)
      : null;
    if (place) {
      this.setMode('free');
      this.camera.glideTo(place[0], place[1]);
      return;
    }
    const car = this.pick(right, down, touch ? TOUCH_REACH_PX : TAP_REACH_PX);
    this.pointed = car;
    if (car !== 0) this.selection.choose(car);
  }

  private doubleTap(right: number, down: number, touch: boolean): void {
    const car = this.pick(right, down, touch ? TOUCH_REACH_PX : TAP_REACH_PX);
    if (car === 0) {
      this.fit();
      return;
    }
    this.selection.choose(car);
    this.follow(true);
  }

  /** The car ahead in the order, or behind. */
  private chooseBeside(step: number): void {
    const { order } = this.field;
    if (order.length === 0) return;
    const at = order.findIndex((info) => info.car === this.selection.car);
    const next = at < 0 ? 0 : Math.min(Math.max(at + step, 0), order.length - 1);
    this.selection.choose(order[next]!.car);
  }
}
