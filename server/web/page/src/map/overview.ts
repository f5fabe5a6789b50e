// The overview shows the whole track in a corner of a map that is zoomed in.
import { Pose, POSE_FIELDS } from '../race/race';
import type { Projection } from './camera';
import type { Theme } from './colours';
import type { Field } from './field';
import type { TrackPlan } from './track_plan';

const SIDE_PX_MAX = 190;
const SIDE_PX_MIN = 96;
const PADDING_PX = 10;
const EDGE_PX = 12; // from the map's corner
const AGAIN_MS = 66;

/** The whole track in a corner, for when the map shows a part of it. */
export class Overview {
  private readonly canvas = document.createElement('canvas');
  private readonly g = this.canvas.getContext('2d')!;
  private readonly track = document.createElement('canvas');
  private plan: TrackPlan | null = null;
  private theme: Theme | null = null;
  private shape = '';
  private pxPerM = 1;
  private west = 0;
  private north = 0;
  private drawnMs = -Infinity;
  private placed = { right: 0, down: 0, width: 0, height: 0 };

  draw(
    g: CanvasRenderingContext2D,
    p: Projection,
    plan: TrackPlan,
    theme: Theme,
    density: number,
    cars: { field: Field; chosen: number; own: number },
    nowMs: number,
  ): void {
    this.prepare(g.canvas, plan, theme, density);
    if (nowMs - this.drawnMs >= AGAIN_MS || nowMs < this.drawnMs) {
      this.drawnMs = nowMs;
      this.drawInside(p, g.canvas, theme, density, cars);
    }
    const edge = EDGE_PX * density;
    this.placed.right = g.canvas.width - this.canvas.width - edge;
    this.placed.down = edge;
    g.drawImage(this.canvas, this.placed.right, this.placed.down);
  }

  /** Place in the world of a place of the map's canvas; null outside the overview. */
  worldAt(right: number, down: number): [number, number] | null {
    const { placed } = this;
    const u = right - placed.right;
    const v = down - placed.down;
    if (u < 0 || v < 0 || u >= this.canvas.width || v >= this.canvas.height) return null;
    return [this.west + u / this.pxPerM, this.north - v / this.pxPerM];
  }

  private prepare(
    map: HTMLCanvasElement,
    plan: TrackPlan,
    theme: Theme,
    density: number,
  ): void {
    const shape = `${map.width}x${map.height}@${density}`;
    if (plan === this.plan && theme === this.theme && shape === this.shape) return;
    this.plan = plan;
    this.theme = theme;
    this.shape = shape;
    this.drawnMs = -Infinity;
    const { west, south, east, north } = plan.outline.bounds;
    const room = 0.26 * Math.min(map.width, map.height);
    const side = Math.max(SIDE_PX_MIN * density, Math.min(SIDE_PX_MAX * density, room));
    const padding = PADDING_PX * density;
    const longM = Math.max(east - west, north - south, 1);
    this.pxPerM = (side - 2 * padding) / longM;
    this.west = west - padding / this.pxPerM;
    this.north = north + padding / this.pxPerM;
    for (const canvas of [this.canvas, this.track]) {
      canvas.width = Math.ceil((east - west) * this.pxPerM + 2 * padding);
      canvas.height = Math.ceil((north - south) * this.pxPerM + 2 * padding);
    }
    this.paintTrack(plan, theme, density);
  }

  private paintTrack(plan: TrackPlan, theme: Theme, density: number): void {
    const g = this.track.getContext('2d')!;
    const k = this.pxPerM;
    g.fillStyle = theme.paper;
    g.beginPath();
    const half = density / 2;
    const { width, height } = this.track;
    g.roundRect(half, half, width - density, height - density, 10 * density);
    g.fill();
    g.strokeStyle = theme.rim;
    g.lineWidth = density;
    g.stroke();
    g.setTransform(k, 0, 0, -k, -this.west * k, this.north * k);
    g.lineJoin = 'round';
    g.strokeStyle = theme.ink;
    g.globalAlpha = 0.75;
    g.lineWidth = (3 * density) / k;
    g.stroke(plan.middle);
    g.globalAlpha = 1;
    if (plan.finish === null) return;
    g.translate(plan.finish.x, plan.finish.y);
    g.rotate(plan.finish.yaw);
    g.fillStyle = theme.accent;
    g.fillRect(-density / k, (-5 * density) / k, (2 * density) / k, (10 * density) / k);
  }

  private drawInside(
    p: Projection,
    map: HTMLCanvasElement,
    theme: Theme,
    density: number,
    { field, chosen, own }: { field: Field; chosen: number; own: number },
  ): void {
    const { g, canvas, pxPerM: k } = this;
    g.clearRect(0, 0, canvas.width, canvas.height);
    g.drawImage(this.track, 0, 0);
    this.drawView(p, map, theme, density);
    const side = (field.count > 300 ? 2 : 4) * density;
    for (let i = 0; i < field.count; i++) {
      const at = i * POSE_FIELDS;
      const info = field.infoOf(field.rows[at + Pose.car]!);
      const right = (field.rows[at + Pose.x]! - this.west) * k;
      const down = (this.north - field.rows[at + Pose.y]!) * k;
      g.fillStyle = info && !info.dnf ? info.livery.colour : theme.dnf;
      g.fillRect(right - side / 2, down - side / 2, side, side);
    }
    for (const [car, colour] of [[chosen, theme.accent], [own, theme.own]] as const) {
      const i = field.indexOf(car);
      if (i < 0) continue;
      const at = i * POSE_FIELDS;
      g.beginPath();
      const right = (field.rows[at + Pose.x]! - this.west) * k;
      const down = (this.north - field.rows[at + Pose.y]!) * k;
      g.arc(right, down, 4.5 * density, 0, 2 * Math.PI);
      g.fillStyle = field.infoOf(car)?.livery.colour ?? colour;
      g.fill();
      g.strokeStyle = colour;
      g.lineWidth = 2 * density;
      g.stroke();
    }
  }

  /** Draws the part that the map shows, as a frame. */
  private drawView(p: Projection, map: HTMLCanvasElement, theme: Theme, density: number): void {
    const { g, pxPerM: k } = this;
    const scale2 = p.pxPerM * p.pxPerM;
    g.beginPath();
    for (const [u, v] of [[0, 0], [map.width, 0], [map.width, map.height], [0, map.height]]) {
      const right = u! - p.right0;
      const down = v! - p.down0;
      const x = (p.xx * right + p.yx * down) / scale2;
      const y = (p.xy * right + p.yy * down) / scale2;
      g.lineTo((x - this.west) * k, (this.north - y) * k);
    }
    g.closePath();
    g.strokeStyle = theme.accent;
    g.lineWidth = 1.2 * density;
    g.stroke();
    g.globalAlpha = 0.12;
    g.fillStyle = theme.accent;
    g.fill();
    g.globalAlpha = 1;
  }
}
