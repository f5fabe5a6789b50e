// The own car in this frame: predicted where it can be, else as snapshots show it.
import { CarFlag, Pose, POSE_FIELDS, type CarShape, type Session } from '../race/race';
import type { Situation } from './helm';
import { ownCarDef } from './lap_book';
import { Grip, motionOf, rowOf, steeredCar } from './car_motion';

/** The car that is driven, at this frame: ahead of the server if it can be, else as it is shown. */
export class OwnCar {
  isPredicted = true;
  shape: CarShape | null = null;
  private row: Float64Array = new Float64Array(POSE_FIELDS);
  private at = 0;
  private found = false;
  private readonly grip = new Grip();

  reset(): void {
    this.found = false;
    this.isPredicted = true;
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
    const own = session.ownPose(nowMs);
    this.isPredicted = own !== null;
    if (own !== null) {
      this.row = own;
      this.at = 0;
      this.found = true;
      return;
    }
    const poses = session.poses(nowMs);
    const at = rowOf(poses, session.car());
    this.found = at >= 0;
    if (at < 0) return;
    this.row = poses.values;
    this.at = at;
  }

  /** A column of its pose; 0 before there is one. */
  get(column: keyof typeof Pose): number {
    return this.found ? this.row[this.at + Pose[column]]! : 0;
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
      motion: this.found ? motionOf(this.row, this.at) : none,
      car: steeredCar(this.shape, this.grip.gripMps2),
      held: this.has('held'),
    };
  }
}
