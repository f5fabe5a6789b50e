/// Tests on a straight: sprint, top speed, stopping.
#pragma once

#include "proving/rig/rig.h"

/// Standing start, full throttle; NaN for what is not reached.
typedef struct proving_sprint {
    double to_60mph_s, to_100kmh_s, to_160kmh_s, to_200kmh_s;
    double quarter_mile_s, quarter_mile_mps;
    double end_mps;
    double ax_mps2_max; ///< mean over a tenth of a second
} proving_sprint;

proving_sprint proving_sprint_run(proving_rig *rig);

typedef struct proving_top_speed {
    double speed_mps, rpm;
    int32_t gear;
} proving_top_speed;

/// In the best gear. @param from_mps where to begin; the nearer the sooner it is done.
proving_top_speed proving_top_speed_run(proving_rig *rig, double from_mps);

typedef struct proving_stop {
    double distance_m; ///< from exactly `speed_mps`: scaled by the square of the true one
    double time_s;
    double drift_m;           ///< sideways
    double deceleration_mps2; ///< mean over the distance
} proving_stop;

proving_stop proving_stop_run(proving_rig *rig, double speed_mps);
