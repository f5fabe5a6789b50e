// The own car in this frame, as it is shown among the others.
import { CarFlag, Pose, POSE_FIELDS, type CarShape, type Session } from '../race/race';
import type { Situation } from './helm';
import { ownCarDef } from './lap_book';
import { Grip, motionOf, steeredCar } from './car_motion';

/** The car that is driven, at this frame. */
export class OwnCar {
  shape: CarShape | null = null;
  private row: Float64Array = new Float64Array(POSE_FIELDS);
  private found = false;
  private readonly grip = new Grip();

  reset(): void {
    this.found = false;
    this.grip.reset();
  }

  /** Somewhere on the track. */
  get isThere(): boolean {
    return this.found;
  }

  look(session: Session, nowMs: number): void {
    const telemetry = session.telemetry();
    const gravityMps2 = session.welcome()?.gravityMps2;
    if (gravityMps2 !== undefined && telemetry?.car === session.car()) {
      this.grip.look(telemetry, gravityMps2);
    }
    this.shape = session.carShape(ownCarDef(session));
    const poses = session.poses(nowMs);
    this.found = poses.count > 0 && poses.values[Pose.car] === session.car();
    if (this.found) this.row = poses.values;
  }

  /** A column of its pose; 0 before there is one. */
  get(column: keyof typeof Pose): number {
    return this.found ? this.row[Pose[column]]! : 0;
  }

  has(flag: keyof typeof CarFlag): boolean {
    return (this.get('flags') & CarFlag[flag]) !== 0;
  }

  get speedMps(): number {
    return Math.hypot(this.get('vx'), this.get('vy'));
  }

  situation(): Situation {
    const none = { forwardMps: 0, leftMps: 0, yawRateRadps: 0 };
    return {
      motion: this.found ? motionOf(this.row) : none,
      car: steeredCar(this.shape, this.grip.gripMps2),
      held: this.has('held'),
    };
  }
}
