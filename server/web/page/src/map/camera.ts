/**
 * The camera of the map. A projection says how it looks: world metres (x east, y north) become
 * pixels of the canvas (right and down): turned by `turnRad`, anticlockwise, scaled, and put with
 * (x, y) in the middle.
 */
export interface Projection {
  xx: number; // right = xx x + xy y + right0
  xy: number;
  yx: number; // down = yx x + yy y + down0
  yy: number;
  right0: number;
  down0: number;
  pxPerM: number;
  turnRad: number;
}

export interface Bounds {
  west: number;
  south: number;
  east: number;
  north: number;
}

const SETTLE_MS = 110; // time constant of the glides
const TURN_SETTLE_MS = 260;
const ZOOM_OUT_MOST = 0.5; // of the scale at which all is seen
const PX_PER_M_MAX = 90;

export class Camera {
  x = 0;
  y = 0;
  pxPerM = 1;
  turnRad = 0;
  widthPx = 1;
  heightPx = 1;
  /** Pixels of the screen, not of the layout: limits and margins grow with it. */
  density = 1;
  /** The width that something covers at the map's right, which a fit leaves free. */
  coveredPx = 0;
  /** No glides. */
  calm = false;
  /** True if the last step moved anything. */
  moving = false;

  private wantX = 0;
  private wantY = 0;
  private wantPxPerM = 1;
  private wantTurnRad = 0;
  private heldX = 0; // a place in the world that stays at a place of the canvas while zooming
  private heldY = 0;
  private heldRightPx = NaN;
  private heldDownPx = NaN;
  private lagX = 0; // the rest of the way to what is followed
  private lagY = 0;
  private chased = false;
  private bounds: Bounds = { west: -1, south: -1, east: 1, north: 1 };

  look(bounds: Bounds): void {
    this.bounds = bounds;
  }

  /** The scale at which the bounds just fit, with a margin. */
  fitPxPerM(): number {
    const { west, south, east, north } = this.bounds;
    const marginPx = Math.min(28 * this.density, this.widthPx / 8, this.heightPx / 8);
    const acrossPx = Math.max(this.widthPx - 2 * marginPx - this.coveredPx, 1);
    const downPx = Math.max(this.heightPx - 2 * marginPx, 1);
    return Math.min(acrossPx / Math.max(east - west, 1), downPx / Math.max(north - south, 1));
  }

  fit(): void {
    const { west, south, east, north } = this.bounds;
    this.letGo();
    this.wantPxPerM = this.fitPxPerM();
    this.wantX = (west + east) / 2 + this.coveredPx / (2 * this.wantPxPerM);
    this.wantY = (south + north) / 2;
    this.wantTurnRad = 0;
  }

  /** Ends all glides where they would end. */
  arrive(): void {
    this.x = this.wantX;
    this.y = this.wantY;
    this.pxPerM = this.wantPxPerM;
    this.turnRad = this.wantTurnRad;
    this.lagX = 0;
    this.lagY = 0;
  }

  /** Multiplies the scale; what lies at a place of the canvas stays there. */
  zoomBy(factor: number, rightPx = this.widthPx / 2, downPx = this.heightPx / 2): void {
    const [x, y] = this.toWorld(rightPx, downPx);
    this.heldX = x;
    this.heldY = y;
    this.heldRightPx = rightPx;
    this.heldDownPx = downPx;
    this.zoomTo(this.wantPxPerM * factor);
  }

  zoomTo(pxPerM: number): void {
    const least = Math.min(this.fitPxPerM() * ZOOM_OUT_MOST, 1);
    this.wantPxPerM = Math.min(Math.max(pxPerM, least), PX_PER_M_MAX * this.density);
  }

  /** The scale that it glides to. */
  get wantedPxPerM(): number {
    return this.wantPxPerM;
  }

  /** Moves with a finger: at once. */
  panBy(rightPx: number, downPx: number): void {
    this.letGo();
    const [fromX, fromY] = this.toWorld(0, 0);
    const [toX, toY] = this.toWorld(rightPx, downPx);
    this.x = this.within(this.x + fromX - toX, 'west', 'east');
    this.y = this.within(this.y + fromY - toY, 'south', 'north');
    this.wantX = this.x;
    this.wantY = this.y;
  }

  /** Moves by keys: gliding. */
  glideBy(rightPx: number, downPx: number): void {
    this.letGo();
    const [fromX, fromY] = this.toWorld(0, 0);
    const [toX, toY] = this.toWorld(rightPx, downPx);
    this.wantX = this.within(this.wantX + toX - fromX, 'west', 'east');
    this.wantY = this.within(this.wantY + toY - fromY, 'south', 'north');
  }

  glideTo(x: number, y: number): void {
    this.letGo();
    this.wantX = this.within(x, 'west', 'east');
    this.wantY = this.within(y, 'south', 'north');
  }

  private within(value: number, low: 'west' | 'south', high: 'east' | 'north'): number {
    return Math.min(Math.max(value, this.bounds[low]), this.bounds[high]);
  }

  turnTo(turnRad: number): void {
    this.wantTurnRad = turnRad;
  }

  /** Keeps a place in the middle from now on; `fresh`: another one than before, to be glided to. */
  chase(x: number, y: number, fresh: boolean): void {
    if (fresh || !this.chased) {
      this.lagX = this.x - x;
      this.lagY = this.y - y;
    }
    this.chased = true;
    this.heldRightPx = NaN;
    this.wantX = x;
    this.wantY = y;
  }

  letGo(): void {
    if (this.chased) {
      this.wantX = this.x;
      this.wantY = this.y;
      this.wantPxPerM = this.pxPerM;
    }
    this.chased = false;
    this.heldRightPx = NaN;
    this.lagX = 0;
    this.lagY = 0;
  }

  step(elapsedMs: number): void {
    const { x, y, pxPerM, turnRad } = this;
    const part = this.calm ? 1 : 1 - Math.exp(-elapsedMs / SETTLE_MS);
    const turnPart = this.calm ? 1 : 1 - Math.exp(-elapsedMs / TURN_SETTLE_MS);
    const growth = Math.log(this.wantPxPerM / this.pxPerM);
    this.pxPerM = Math.abs(growth) < 2e-3 ? this.wantPxPerM : pxPerM * Math.exp(growth * part);
    const turn = Math.atan2(
      Math.sin(this.wantTurnRad - turnRad),
      Math.cos(this.wantTurnRad - turnRad),
    );
    this.turnRad = Math.abs(turn) < 1e-3 ? this.wantTurnRad : turnRad + turn * turnPart;
    if (this.chased) {
      this.lagX *= 1 - part;
      this.lagY *= 1 - part;
      this.x = this.wantX + this.lagX;
      this.y = this.wantY + this.lagY;
    } else if (!Number.isNaN(this.heldRightPx)) {
      this.holdPlace();
    } else {
      const nearM = 0.2 / this.pxPerM;
      this.x = near(this.x, this.wantX, part, nearM);
      this.y = near(this.y, this.wantY, part, nearM);
    }
    this.moving =
      x !== this.x || y !== this.y || pxPerM !== this.pxPerM || turnRad !== this.turnRad;
  }

  private holdPlace(): void {
    const [x, y] = this.toWorld(this.heldRightPx, this.heldDownPx);
    this.x += this.heldX - x;
    this.y += this.heldY - y;
    this.wantX = this.x;
    this.wantY = this.y;
  }

  toWorld(rightPx: number, downPx: number): [number, number] {
    const right = (rightPx - this.widthPx / 2) / this.pxPerM;
    const up = (this.heightPx / 2 - downPx) / this.pxPerM;
    const cos = Math.cos(this.turnRad);
    const sin = Math.sin(this.turnRad);
    return [this.x + cos * right + sin * up, this.y - sin * right + cos * up];
  }

  toScreen(x: number, y: number): [number, number] {
    const p = this.project();
    return [p.xx * x + p.xy * y + p.right0, p.yx * x + p.yy * y + p.down0];
  }

  /** The projection that a frame is drawn with. */
  project(out: Projection = emptyProjection()): Projection {
    const cos = Math.cos(this.turnRad) * this.pxPerM;
    const sin = Math.sin(this.turnRad) * this.pxPerM;
    out.xx = cos;
    out.xy = -sin;
    out.yx = -sin;
    out.yy = -cos;
    out.right0 = this.widthPx / 2 - (out.xx * this.x + out.xy * this.y);
    out.down0 = this.heightPx / 2 - (out.yx * this.x + out.yy * this.y);
    out.pxPerM = this.pxPerM;
    out.turnRad = this.turnRad;
    return out;
  }
}

function near(from: number, to: number, part: number, least: number): number {
  return Math.abs(to - from) < least ? to : from + (to - from) * part;
}

/** Upright and at rest, bitmaps stay sharp if they lie on whole pixels. */
export function sharpen(projection: Projection): void {
  if (projection.turnRad !== 0) return;
  projection.right0 = Math.round(projection.right0);
  projection.down0 = Math.round(projection.down0);
}

/** @return the place on the canvas of a place in the world. */
export function onCanvas(p: Projection): (x: number, y: number) => [right: number, down: number] {
  return (x, y) => [p.xx * x + p.xy * y + p.right0, p.yx * x + p.yy * y + p.down0];
}

export function emptyProjection(): Projection {
  return { xx: 1, xy: 0, yx: 0, yy: -1, right0: 0, down0: 0, pxPerM: 1, turnRad: 0 };
}
