// Sprites are car pictures drawn once and shared by all cars that look alike.
import type { CarInfo } from './field';
import { pathsOf, type CarPaths } from './car_shapes';
import type { CarShape } from '../race/race';
import type { Theme } from './colours';

/** A picture of a car, nose to the right, its centre of mass in the middle. */
export interface Sprite {
  canvas: HTMLCanvasElement;
  halfPx: number;
}

export const DOT_PX = 5.2; // radius
const SCALE_KEPT = 1.04; // sprites serve until the scale has changed by this much

/** Pictures that many cars share: by colour, kind and look. */
export class Sprites {
  private readonly dots = new Map<number, Sprite>();
  private readonly cars = new Map<number, Sprite>();
  private readonly paths = new Map<CarShape, CarPaths>();
  private pxPerM = 0;
  private theme: Theme | null = null;
  private density = 1;

  /** Sets the theme and the scale of all that is asked for from now on. */
  use(theme: Theme, density: number, pxPerM: number): void {
    if (theme !== this.theme || density !== this.density) {
      this.dots.clear();
      this.cars.clear();
      this.theme = theme;
      this.density = density;
    }
    const ratio = this.pxPerM / pxPerM;
    if (ratio > SCALE_KEPT || ratio < 1 / SCALE_KEPT) {
      this.cars.clear();
      this.pxPerM = pxPerM;
    }
  }

  /** Pixels a metre of the pictures of cars. */
  get scale(): number {
    return this.pxPerM;
  }

  pathsOf(shape: CarShape): CarPaths {
    let paths = this.paths.get(shape);
    if (paths === undefined) {
      paths = pathsOf(shape);
      this.paths.set(shape, paths);
    }
    return paths;
  }

  private sheet(halfPx: number): [Sprite, CanvasRenderingContext2D] {
    const canvas = document.createElement('canvas');
    const half = Math.ceil(halfPx);
    canvas.width = 2 * half;
    canvas.height = 2 * half;
    const g = canvas.getContext('2d')!;
    g.translate(half, half);
    return [{ canvas, halfPx: half }, g];
  }

  dot(info: CarInfo, dead: boolean, radius = DOT_PX): Sprite {
    const size = Math.round(radius * 4);
    const key = ((size * 2 + (dead ? 1 : 0)) * 2 + (info.livery.spot ? 1 : 0)) * 64;
    const found = this.dots.get(key + info.livery.index);
    if (found) return found;
    const theme = this.theme!;
    const radiusPx = radius * this.density;
    const [sprite, g] = this.sheet(radiusPx + 2 * this.density);
    g.beginPath();
    g.arc(0, 0, radiusPx + 0.9 * this.density, 0, 2 * Math.PI);
    g.fillStyle = theme.shade;
    g.globalAlpha = 0.45;
    g.fill();
    g.globalAlpha = 1;
    g.beginPath();
    g.arc(0, 0, radiusPx, 0, 2 * Math.PI);
    g.fillStyle = theme.outline;
    g.fill();
    g.beginPath();
    g.arc(0, 0, radiusPx * 0.78, 0, 2 * Math.PI);
    g.fillStyle = dead ? theme.dnf : info.livery.colour;
    g.fill();
    if (info.livery.spot) {
      g.beginPath();
      g.arc(0, 0, radiusPx * 0.32, 0, 2 * Math.PI);
      g.fillStyle = theme.outline;
      g.fill();
    }
    this.dots.set(key + info.livery.index, sprite);
    return sprite;
  }

  /** A whole car with wheels ahead. */
  car(info: CarInfo, dead: boolean, growth: number): Sprite {
    const look = (dead ? 2 : 0) + (info.livery.spot ? 1 : 0);
    const key = (info.shapeIndex * 64 + info.livery.index) * 4 + look;
    const found = this.cars.get(key);
    if (found) return found;
    const { shape } = info;
    const scale = this.pxPerM * growth;
    const reachM = shape.lengthM / 2 + Math.abs(shape.centreXM) + 0.3;
    const [sprite, g] = this.sheet(reachM * scale + 3 * this.density);
    g.scale(scale, -scale);
    this.paint(g, info, dead, scale, 0);
    this.cars.set(key, sprite);
    return sprite;
  }

  /** Paints a car on a canvas whose unit is a metre, x forward, y left. */
  paint(
    g: CanvasRenderingContext2D,
    info: CarInfo,
    dead: boolean,
    pxPerM: number,
    steerRad: number,
  ): void {
    const theme = this.theme!;
    const paths = this.pathsOf(info.shape);
    g.fillStyle = theme.tyre;
    for (const wheel of info.shape.wheels) {
      const long = wheel.radiusM * 2;
      const cos = wheel.x > 0 ? Math.cos(steerRad) : 1;
      const sin = wheel.x > 0 ? Math.sin(steerRad) : 0;
      const x = wheel.x;
      const y = wheel.y * (paths.openWheels ? 1 : 1.04);
      g.beginPath();
      for (let k = 0; k < 4; k++) {
        const u = (k === 0 || k === 3 ? 0.5 : -0.5) * long;
        const v = (k < 2 ? 0.5 : -0.5) * wheel.widthM;
        const px = x + cos * u - sin * v;
        const py = y + sin * u + cos * v;
        if (k === 0) g.moveTo(px, py);
        else g.lineTo(px, py);
      }
      g.fill();
    }
    g.lineJoin = 'round';
    const line = Math.max(0.08, (1.5 * this.density) / pxPerM);
    g.strokeStyle = theme.shade;
    g.lineWidth = 2 * line;
    const alpha = g.globalAlpha;
    g.globalAlpha = 0.4 * alpha;
    g.stroke(paths.body);
    g.globalAlpha = alpha;
    g.strokeStyle = theme.outline;
    g.lineWidth = line;
    g.stroke(paths.body);
    g.fillStyle = dead ? theme.dnf : info.livery.colour;
    g.fill(paths.body);
    g.fillStyle = theme.glass;
    g.fill(paths.glass);
    if (!info.livery.spot) return;
    g.fillStyle = theme.outline;
    g.fill(paths.spot);
  }
}
