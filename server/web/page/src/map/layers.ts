// The map's layers over the track: cars below and above bridges, names of sectors.
import { Pose, POSE_FIELDS } from '../race/race';
import { isUnder } from './bridges';
import type { CarPainter, CarScene } from './car_painter';
import { roadPx } from './road_width';
import { paintBridges } from './track_painter';
import type { TrackPlan } from './track_plan';

const SECTOR_NAMES_FROM = 0.3; // pixels of the layout to a metre

/** Cars below bridges, those bridges once more, and the other cars. */
export function drawCars(cars: CarPainter, scene: CarScene, plan: TrackPlan): void {
  const { rows, count } = scene.field;
  const { bridges } = plan;
  const under = (row: number): boolean => {
    const at = row * POSE_FIELDS;
    return isUnder(bridges, rows[at + Pose.x]!, rows[at + Pose.y]!, rows[at + Pose.z]!);
  };
  let any = false;
  for (let i = 0; i < count && bridges.length > 0 && !any; i++) any = under(i);
  if (!any) {
    cars.draw(scene, () => true);
    return;
  }
  cars.draw(scene, under);
  const { g, p, theme, density, roadPxMin } = scene;
  g.setTransform(p.xx, p.yx, p.xy, p.yy, p.right0, p.down0);
  const box = plan.outline.bounds;
  paintBridges({ g, theme, box, pxPerM: p.pxPerM, density, terrain: null, roadPxMin }, plan);
  g.setTransform(1, 0, 0, 1, 0, 0);
  cars.draw(scene, (row) => !under(row));
}

/** Names of the sectors that begin at marks, beside the road and always upright. */
export function nameSectors(scene: CarScene, plan: TrackPlan): void {
  const { g, p, theme, density } = scene;
  if (p.pxPerM < SECTOR_NAMES_FROM * density) return;
  g.font = `600 ${10 * density}px system-ui, sans-serif`;
  g.textAlign = 'center';
  g.textBaseline = 'middle';
  g.fillStyle = theme.ink;
  g.strokeStyle = theme.paper;
  g.lineWidth = 2.5 * density;
  g.lineJoin = 'round';
  const awayPx = roadPx(plan.widthM * p.pxPerM, scene.roadPxMin) / 2 + 15 * density;
  plan.sectors.forEach((mark, i) => {
    const sin = Math.sin(mark.yaw);
    const cos = Math.cos(mark.yaw);
    const right = p.xx * mark.x + p.xy * mark.y + p.right0;
    const down = p.yx * mark.x + p.yy * mark.y + p.down0;
    const outRight = (p.xy * cos - p.xx * sin) / p.pxPerM;
    const outDown = (p.yy * cos - p.yx * sin) / p.pxPerM;
    const name = `S${i + 2}`;
    g.globalAlpha = 0.8;
    g.strokeText(name, right + outRight * awayPx, down + outDown * awayPx);
    g.globalAlpha = 1;
    g.fillText(name, right + outRight * awayPx, down + outDown * awayPx);
  });
}

export function drawNothing(g: CanvasRenderingContext2D, colour: string): void {
  g.setTransform(1, 0, 0, 1, 0, 0);
  g.clearRect(0, 0, g.canvas.width, g.canvas.height);
  g.fillStyle = colour;
  g.fillRect(0, 0, g.canvas.width, g.canvas.height);
}

/** @return whether something else is to be seen through the page. */
export function laidOver(): boolean {
  return document.documentElement.classList.contains('is-transparent');
}
