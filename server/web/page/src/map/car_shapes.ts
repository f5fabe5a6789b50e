// Bodies of cars by kind, as paths in metres.
import type { CarShape } from '../race/race';

/** A car from above, in metres: x forward, y left. */
export interface CarPaths {
  body: Path2D;
  glass: Path2D;
  spot: Path2D;
  brakes: Path2D;
  openWheels: boolean; // they stand beside the body
}

const WIDE_TYRE_M = 0.29;

function smoothBody(g: Path2D, nose: number, tail: number, half: number): void {
  const length = nose - tail;
  g.moveTo(nose, 0);
  g.bezierCurveTo(nose, half * 0.7, nose - 0.06 * length, half, nose - 0.22 * length, half);
  g.lineTo(tail + 0.1 * length, half * 0.98);
  g.quadraticCurveTo(tail, half * 0.96, tail, half * 0.6);
  g.lineTo(tail, -half * 0.6);
  g.quadraticCurveTo(tail, -half * 0.96, tail + 0.1 * length, -half * 0.98);
  g.lineTo(nose - 0.22 * length, -half);
  g.bezierCurveTo(nose - 0.06 * length, -half, nose, -half * 0.7, nose, 0);
  g.closePath();
}

/** A slim nose with wings, wheels in the open. */
function racingBody(g: Path2D, nose: number, tail: number, half: number): void {
  const length = nose - tail;
  g.rect(nose - 0.09 * length, -half * 0.92, 0.08 * length, half * 1.84);
  g.rect(tail, -half * 0.7, 0.07 * length, half * 1.4);
  g.moveTo(nose, half * 0.14);
  g.lineTo(nose - 0.42 * length, half * 0.3);
  g.quadraticCurveTo(nose - 0.5 * length, half * 0.62, nose - 0.62 * length, half * 0.6);
  g.lineTo(tail + 0.04 * length, half * 0.22);
  g.lineTo(tail + 0.04 * length, -half * 0.22);
  g.lineTo(nose - 0.62 * length, -half * 0.6);
  g.quadraticCurveTo(nose - 0.5 * length, -half * 0.62, nose - 0.42 * length, -half * 0.3);
  g.lineTo(nose, -half * 0.14);
  g.closePath();
}

/** Two wheels and somebody on them. */
function bikeBody(g: Path2D, nose: number, tail: number, half: number): void {
  const length = nose - tail;
  const middle = (nose + tail) / 2;
  g.ellipse(middle, 0, length * 0.42, half * 0.42, 0, 0, 2 * Math.PI);
  g.moveTo(middle + 0.05 * length, half);
  g.lineTo(middle + 0.13 * length, half);
  g.lineTo(middle + 0.13 * length, -half);
  g.lineTo(middle + 0.05 * length, -half);
  g.closePath();
}

/** A box with rounded corners: a lorry or a bus. */
function boxBody(g: Path2D, nose: number, tail: number, half: number): void {
  g.roundRect(tail, -half, nose - tail, 2 * half, 0.3);
}

function glassOf(shape: CarShape, nose: number, tail: number, half: number): Path2D {
  const g = new Path2D();
  const length = nose - tail;
  if (shape.lengthM > 5.2) {
    g.rect(nose - 0.75, -half * 0.88, 0.55, half * 1.76);
    return g;
  }
  g.moveTo(nose - 0.33 * length, half * 0.78);
  g.quadraticCurveTo(nose - 0.25 * length, 0, nose - 0.33 * length, -half * 0.78);
  g.lineTo(nose - 0.44 * length, -half * 0.66);
  g.quadraticCurveTo(nose - 0.39 * length, 0, nose - 0.44 * length, half * 0.66);
  g.closePath();
  g.moveTo(tail + 0.15 * length, half * 0.7);
  g.lineTo(tail + 0.23 * length, half * 0.6);
  g.lineTo(tail + 0.23 * length, -half * 0.6);
  g.lineTo(tail + 0.15 * length, -half * 0.7);
  g.closePath();
  return g;
}

export function pathsOf(shape: CarShape): CarPaths {
  const nose = shape.centreXM + shape.lengthM / 2;
  const tail = shape.centreXM - shape.lengthM / 2;
  const half = shape.widthM / 2;
  const bike = shape.wheels.length === 2;
  const widest = Math.max(0, ...shape.wheels.map((wheel) => wheel.widthM));
  const open = shape.wheels.length === 4 && widest >= WIDE_TYRE_M && shape.lengthM > 4.2;
  const body = new Path2D();
  if (bike) bikeBody(body, nose, tail, half);
  else if (shape.lengthM > 5.2) boxBody(body, nose, tail, half);
  else if (open) racingBody(body, nose, tail, half);
  else smoothBody(body, nose, tail, half);
  const spot = new Path2D();
  spot.arc(shape.centreXM - 0.08 * shape.lengthM, 0, half * 0.42, 0, 2 * Math.PI);
  const brakes = new Path2D();
  const lamp = bike ? 0.12 : half * 0.42;
  brakes.rect(tail - 0.02, half * 0.92 - lamp, 0.22, lamp);
  brakes.rect(tail - 0.02, -half * 0.92, 0.22, lamp);
  const glass = bike || open ? new Path2D() : glassOf(shape, nose, tail, half);
  return { body, glass, spot, brakes, openWheels: open || bike };
}
