/// The test driver: what his hands and feet remember.
#pragma once

#include "proving/rig/rig.h"

/// A foot that feels an axle get light.
typedef struct proving_balance {
    double limit;
    double share; ///< of the weight on the axle, smoothed
} proving_balance;

/// Hands and feet. Steers along a path and by what curvature came of it, so that it need not know
/// how the vehicle turns: by slip of its tyres, or by leaning.
typedef struct proving_driver {
    double lead_s;   ///< the path's bends are steered for this much ahead
    double return_s; ///< time in which an error of the path is taken back
    double turn_gain, turn_gain_per_s;
    double turn_scale; ///< of the wheel over what geometry asks
    double turn_memory;
    double speed_memory;
    double throttle_limit, brake_limit; ///< the most that the tyres take
    proving_balance wheelie, stoppie;   ///< to keep both axles on the ground
    int8_t gear;                        ///< kept, unless APEX_GEAR_AUTOMATIC
    double shifted_s;                   ///< since the last shift by hand
} proving_driver;
