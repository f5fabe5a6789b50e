// The dev page's telemetry is worked out from how a fake car moves.
import { Pose, type Telemetry } from '../race/race';

/** The telemetry that a car would measure, by where and how it goes. */
export function telemetryOf(row: Float64Array, lapM: number): Telemetry {
  const speedMps = Math.hypot(row[Pose.vx]!, row[Pose.vy]!);
  const sideways = speedMps * row[Pose.yawRate]!;
  const brake = row[Pose.brake]!;
  const throttle = row[Pose.throttle]!;
  const along = throttle * 7 - brake * 11;
  const course = Math.atan2(row[Pose.vy]!, row[Pose.vx]!);
  const slip = speedMps > 1 ? Math.sin(row[Pose.yaw]! - course) : 0;
  const wheels = [0, 1, 2, 3].map((i) => {
    const front = i < 2;
    const left = i % 2 === 0;
    const moved = (front ? -along : along) * 60 + (left ? -sideways : sideways) * 110;
    const loadN = Math.max(3400 + moved, 200);
    const share = loadN / 13600;
    const slipAngleRad = Math.asin(slip) + sideways * 0.004 + (front ? 0.01 : 0);
    return {
      loadN,
      slipRatio: front ? -0.06 * brake : 0.05 * throttle - 0.05 * brake,
      slipAngleRad,
      forceLongN: 1390 * along * share,
      forceLatN: 1390 * sideways * share,
      friction: 1.15,
      spinRadps: speedMps / 0.32,
      temperatureC: 82 + 6 * Math.abs(slipAngleRad) * 10 + i,
      surface: 0,
      sliding: Math.abs(slipAngleRad) > 0.14,
    };
  });
  return {
    tick: row[Pose.tick]!,
    car: row[Pose.car]!,
    speedMps,
    rpm: row[Pose.rpm]!,
    gear: row[Pose.gear]!,
    throttle,
    brake,
    steerRad: row[Pose.steer]!,
    accelerationXMps2: along,
    accelerationYMps2: sideways,
    lapM,
    offsetM: 0,
    fuelKg: 31.4,
    wheels,
  };
}
