// The car painter draws all cars of a frame: dots, sprites, labels, the chosen one on top.
import { CarFlag, Pose, POSE_FIELDS } from '../race/race';
import type { Projection } from './camera';
import type { Theme } from './colours';
import type { CarInfo, Field } from './field';
import {
  chooseLabels,
  labelsMost,
  LabelPlacer,
  type LabelChoice,
  type LabelWish,
  type Rect,
} from './labels';
import { DOT_PX, Sprites } from './sprites';

const DOT_BELOW_PX = 8; // of length: a dot then
const CAR_PX_MIN = 17;
const DETAIL_PX = 36;
const FONT = '600 11px system-ui, sans-serif';
const LABEL_FADE_MS = 140;
const CHOICES_MAX = 400;
const CROWD = 300;

export interface CarScene {
  g: CanvasRenderingContext2D;
  p: Projection;
  field: Field;
  theme: Theme;
  density: number;
  roadPxMin: number;
  covered: readonly Rect[]; // by buttons and the like
  chosen: number;
  own: number;
  pointed: number; // at by a hand: it says its whole name
  elapsedMs: number;
}

interface Label {
  canvas: HTMLCanvasElement;
  look: string;
  alpha: number;
}

/** Draws cars as dots, as pictures or in detail, by how near they are; and their names. */
export class CarPainter {
  private readonly sprites = new Sprites();
  private readonly placer = new LabelPlacer();
  private readonly labels = new Map<number, Label>();
  private readonly seen: LabelChoice[] = [];
  private readonly wishes: LabelWish[] = [];
  private labelTheme: Theme | null = null;
  private unitLengthPx = 0; // of a usual car
  private dotPx = DOT_PX;
  private alpha = 1; // that is set
  private crowd = false;
  /** Cars that were within the canvas in the last frame. */
  shown = 0;

  begin(scene: CarScene): void {
    const { p, theme, density, field } = scene;
    this.sprites.use(theme, density, p.pxPerM);
    this.unitLengthPx = (4.4 * p.pxPerM) / density;
    this.crowd = field.count > CROWD;
    this.dotPx = field.count > 1500 ? 3 : this.crowd ? 3.6 : DOT_PX;
    this.seen.length = 0;
    this.shown = 0;
    if (this.labelTheme === theme) return;
    this.labels.clear();
    this.labelTheme = theme;
  }

  /** Half of what a car takes on the canvas. */
  private reachPx(info: CarInfo, scene: CarScene): number {
    const { density, p } = scene;
    if (this.unitLengthPx < DOT_BELOW_PX) return this.dotPx * density;
    return Math.max(info.shape.lengthM * p.pxPerM, CAR_PX_MIN * density) / 2;
  }

  /** Draws those that `wanted` lets through; the chosen one and one's own come last. */
  draw(scene: CarScene, wanted: (row: number) => boolean): void {
    const { field, chosen, own } = scene;
    const last: number[] = [];
    // Costs as much as a picture: dots do without.
    scene.g.setTransform(1, 0, 0, 1, 0, 0);
    this.alpha = scene.g.globalAlpha = 1;
    for (let i = 0; i < field.count; i++) {
      const car = field.rows[i * POSE_FIELDS + Pose.car]!;
      if (car === chosen || car === own) last.push(i);
      else if (wanted(i)) this.drawCar(scene, i);
    }
    for (const i of last) if (wanted(i)) this.drawCar(scene, i);
    scene.g.setTransform(1, 0, 0, 1, 0, 0);
    scene.g.globalAlpha = 1;
  }

  private drawCar(scene: CarScene, i: number): void {
    const { g, p, field, density } = scene;
    const { rows } = field;
    const at = i * POSE_FIELDS;
    const x = rows[at + Pose.x]!;
    const y = rows[at + Pose.y]!;
    const right = p.xx * x + p.xy * y + p.right0;
    const down = p.yx * x + p.yy * y + p.down0;
    const marginPx = Math.max(16 * density, 8 * p.pxPerM);
    if (right < -marginPx || right > g.canvas.width + marginPx) return;
    if (down < -marginPx || down > g.canvas.height + marginPx) return;
    this.shown++;
    const car = rows[at + Pose.car]!;
    const info = field.infoOf(car);
    if (info === undefined) return this.drawStranger(scene, right, down);
    const flags = rows[at + Pose.flags]!;
    const dead = info.dnf || (flags & CarFlag.engineBlown) !== 0;
    let alpha = flags & CarFlag.ghost ? 0.42 : rows[at + Pose.stale] === 1 ? 0.5 : dead ? 0.7 : 1;
    const looked = isLooked(car, scene);
    if (flags & CarFlag.offRoad && !looked) alpha *= 0.72;
    if (alpha !== this.alpha) g.globalAlpha = this.alpha = alpha;
    if (this.seen.length < CHOICES_MAX || looked) this.seen.push(info);
    if (this.unitLengthPx < DOT_BELOW_PX) {
      this.drawDot(scene, info, dead, right, down);
      return;
    }
    const yaw = rows[at + Pose.yaw]!;
    const cos = (p.xx * Math.cos(yaw) + p.xy * Math.sin(yaw)) / p.pxPerM;
    const sin = (p.yx * Math.cos(yaw) + p.yy * Math.sin(yaw)) / p.pxPerM;
    if (this.unitLengthPx >= DETAIL_PX) {
      this.drawDetail(scene, info, at, [cos, sin, right, down], dead);
      return;
    }
    const growth = Math.max(1, (CAR_PX_MIN * density) / (info.shape.lengthM * p.pxPerM));
    const sprite = this.sprites.car(info, dead, growth);
    const k = p.pxPerM / this.sprites.scale;
    g.setTransform(cos * k, sin * k, -sin * k, cos * k, right, down);
    g.drawImage(sprite.canvas, -sprite.halfPx, -sprite.halfPx);
  }

  private drawDot(
    scene: CarScene,
    info: CarInfo,
    dead: boolean,
    right: number,
    down: number,
  ): void {
    const big = info.car === scene.chosen || info.car === scene.own;
    if (this.crowd && !big) {
      this.drawSpeck(scene, dead ? scene.theme.dnf : info.livery.colour, right, down);
      return;
    }
    const sprite = this.sprites.dot(info, dead, big ? DOT_PX * 1.25 : this.dotPx);
    scene.g.drawImage(sprite.canvas, right - sprite.halfPx, down - sprite.halfPx);
  }

  /** Of thousands: rectangles on whole pixels cost least by far. */
  private drawSpeck(scene: CarScene, colour: string, right: number, down: number): void {
    const { g, density } = scene;
    const long = Math.round(2 * this.dotPx * density);
    const short = long - 2 * Math.max(1, Math.round(long / 6));
    const inset = (long - short) / 2;
    const x = Math.round(right - long / 2);
    const y = Math.round(down - long / 2);
    g.fillStyle = colour;
    g.fillRect(x + inset, y, short, long);
    g.fillRect(x, y + inset, long, short);
  }

  /** A car that the roster doesn't have yet. */
  private drawStranger(scene: CarScene, right: number, down: number): void {
    const { g, theme, density } = scene;
    if (this.unitLengthPx >= DOT_BELOW_PX) g.setTransform(1, 0, 0, 1, 0, 0);
    g.globalAlpha = this.alpha = 0.8;
    g.fillStyle = theme.dnf;
    g.beginPath();
    g.arc(right, down, this.dotPx * density * 0.8, 0, 2 * Math.PI);
    g.fill();
  }

  private drawDetail(
    scene: CarScene,
    info: CarInfo,
    at: number,
    [cos, sin, right, down]: readonly [number, number, number, number],
    dead: boolean,
  ): void {
    const { g, p, field, theme } = scene;
    const s = p.pxPerM;
    const alpha = g.globalAlpha;
    g.setTransform(cos * s, sin * s, sin * s, -cos * s, right + 0.12 * s, down + 0.16 * s);
    g.globalAlpha = 0.28 * alpha;
    g.fillStyle = theme.shade;
    g.fill(this.sprites.pathsOf(info.shape).body);
    g.globalAlpha = alpha;
    g.setTransform(cos * s, sin * s, sin * s, -cos * s, right, down);
    this.sprites.paint(g, info, dead, s, field.rows[at + Pose.steer]!);
    const brake = field.rows[at + Pose.brake]!;
    if (brake < 0.04) return;
    const { brakes } = this.sprites.pathsOf(info.shape);
    g.fillStyle = theme.brake;
    g.fill(brakes);
    g.globalAlpha = 0.35 * alpha * Math.min(0.4 + brake, 1);
    g.strokeStyle = theme.brake;
    g.lineWidth = 0.35;
    g.stroke(brakes);
    g.globalAlpha = alpha;
  }

  /** Below all cars: what they are looked at by must not hide their neighbours. */
  drawRings(scene: CarScene): void {
    const { field, p } = scene;
    for (const car of [scene.chosen, scene.own]) {
      const i = car === 0 ? -1 : field.indexOf(car);
      const info = field.infoOf(car);
      if (i < 0 || info === undefined) continue;
      const x = field.rows[i * POSE_FIELDS + Pose.x]!;
      const y = field.rows[i * POSE_FIELDS + Pose.y]!;
      const right = p.xx * x + p.xy * y + p.right0;
      this.drawRing(scene, info, right, p.yx * x + p.yy * y + p.down0);
    }
  }

  private drawRing(scene: CarScene, info: CarInfo, right: number, down: number): void {
    const { g, theme, density } = scene;
    const radius = this.reachPx(info, scene) * 1.15 + 5 * density;
    const colour = info.car === scene.own ? theme.own : theme.accent;
    g.globalAlpha = 0.22;
    g.fillStyle = colour;
    g.beginPath();
    g.arc(right, down, radius, 0, 2 * Math.PI);
    g.fill();
    g.globalAlpha = 1;
    g.strokeStyle = colour;
    g.lineWidth = 2.2 * density;
    g.stroke();
  }

  drawLabels(scene: CarScene): void {
    const { g, p, field, density } = scene;
    const most = Math.max(labelsMost(field.count), this.shown <= 40 ? 40 : 0);
    const cars = chooseLabels(this.seen, [scene.pointed, scene.own, scene.chosen], most);
    this.wishes.length = 0;
    for (const car of cars) {
      const info = field.infoOf(car)!;
      const at = field.indexOf(car) * POSE_FIELDS;
      const x = field.rows[at + Pose.x]!;
      const y = field.rows[at + Pose.y]!;
      const label = this.labelOf(info, scene);
      this.wishes.push({
        car,
        right: p.xx * x + p.xy * y + p.right0,
        down: p.yx * x + p.yy * y + p.down0,
        gapPx: this.reachPx(info, scene) + 5 * density,
        widthPx: label.canvas.width,
        heightPx: label.canvas.height,
        must: isLooked(car, scene),
      });
    }
    this.placer.stayWithin(g.canvas.width, g.canvas.height);
    this.placer.keepClear(scene.covered);
    const placed = this.placer.place(this.wishes, density);
    const step = scene.elapsedMs / LABEL_FADE_MS;
    for (let i = this.wishes.length - 1; i >= 0; i--) {
      const label = this.labels.get(this.wishes[i]!.car)!;
      const there = placed[i]!.slot >= 0;
      label.alpha = Math.max(0, Math.min(1, label.alpha + (there ? step : -3 * step)));
      if (!there || label.alpha === 0) continue;
      g.globalAlpha = label.alpha;
      g.drawImage(label.canvas, Math.round(placed[i]!.right), Math.round(placed[i]!.down));
    }
    g.globalAlpha = 1;
    if (this.labels.size > 4 * this.wishes.length + 64) this.labels.clear();
  }

  /** The places of names in the last frame, of a canvas that lies there. */
  names({ left, top }: DOMRect, density: number): DOMRect[] {
    return this.wishes.flatMap(({ car, widthPx, heightPx }, i) => {
      const { right, down, slot } = this.placer.placed[i]!;
      if (slot < 0 || (this.labels.get(car)?.alpha ?? 0) === 0) return [];
      const [x, y] = [left + right / density, top + down / density];
      return [new DOMRect(x, y, widthPx / density, heightPx / density)];
    });
  }

  private labelOf(info: CarInfo, scene: CarScene): Label {
    const kind = info.car === scene.own ? 'own' : info.car === scene.chosen ? 'chosen' : '';
    const text = info.car === scene.pointed ? titleOf(info) : info.code;
    const look = `${text}/${kind}/${info.livery.index}/${scene.density}`;
    let label = this.labels.get(info.car);
    if (label?.look === look) return label;
    const canvas = writeLabel(text, info.livery.colour, kind, scene);
    label = { canvas, look, alpha: label?.alpha ?? 0 };
    this.labels.set(info.car, label);
    return label;
  }

  clear(): void {
    this.labels.clear();
    this.placer.clear();
  }
}

function isLooked(car: number, scene: CarScene): boolean {
  return car === scene.chosen || car === scene.own || car === scene.pointed;
}

/** "3. Ada Lovelace". */
function titleOf(info: CarInfo): string {
  return Number.isFinite(info.position) ? `${info.position}. ${info.name}` : info.name;
}

function writeLabel(
  text: string,
  colour: string,
  kind: string,
  { theme, density }: CarScene,
): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  const g = canvas.getContext('2d')!;
  g.font = FONT;
  const textPx = Math.ceil(g.measureText(text).width);
  const [width, height] = [textPx + 14, 17];
  canvas.width = Math.ceil(width * density);
  canvas.height = Math.ceil(height * density);
  g.scale(density, density);
  g.font = FONT;
  g.textBaseline = 'middle';
  const strong = kind === 'own' ? theme.own : kind === 'chosen' ? theme.accent : '';
  g.fillStyle = strong || theme.paper;
  g.beginPath();
  g.roundRect(0.5, 0.5, width - 1, height - 1, 4);
  g.fill();
  if (!strong) {
    g.strokeStyle = theme.rim;
    g.lineWidth = 1;
    g.stroke();
  }
  g.fillStyle = colour;
  g.beginPath();
  g.roundRect(3, 3, 3.5, height - 6, 1.5);
  g.fill();
  g.fillStyle = strong ? theme.paper : theme.ink;
  g.fillText(text, 9.5, height / 2 + 0.5);
  return canvas;
}
