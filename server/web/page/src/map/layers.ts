import { Pose, POSE_FIELDS } from '../race/race';
import { isUnder } from './bridges';
import type { CarPainter, CarScene } from './car_painter';
import { paintBridges } from './track_painter';
import type { TrackPlan } from './track_plan';

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
  const { g, p, theme, density } = scene;
  g.setTransform(p.xx, p.yx, p.xy, p.yy, p.right0, p.down0);
  const box = plan.outline.bounds;
  paintBridges({ g, theme, box, pxPerM: p.pxPerM, density, terrain: null }, plan);
  g.setTransform(1, 0, 0, 1, 0, 0);
  cars.draw(scene, (row) => !under(row));
}

export function drawNothing(g: CanvasRenderingContext2D, colour: string): void {
  g.setTransform(1, 0, 0, 1, 0, 0);
  g.clearRect(0, 0, g.canvas.width, g.canvas.height);
  g.fillStyle = colour;
  g.fillRect(0, 0, g.canvas.width, g.canvas.height);
}
