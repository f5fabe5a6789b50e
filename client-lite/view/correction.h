/// What hides a correction: an offset by which a car is shown away from where it is, and which ends
/// on a quintic. Value, speed and acceleration go on where another correction comes on top, so no
/// step is seen in either.
#pragma once

#include <stdbool.h>

#include "client-lite/view/pose.h"

/// All zero: there is nothing to hide.
typedef struct client_correction {
    client_offset from;          ///< when it began
    client_offset per_s, per_s2; ///< its rate then, and the rate of that
    double span_s;               ///< in which it ends
    double since_s;              ///< gone by of it
} client_correction;

/// Limits of one correction.
typedef struct client_correction_limits {
    double s_per_m; ///< that a metre takes: 1.2 is 1.6 m/s at most
    double span_s_min, span_s_max;
    double speed_mps_max; ///< a longer span than that if it takes one
} client_correction_limits;

/// Where another car is near enough for a wrong picture of it to matter, and where none is.
client_correction_limits client_correction_near(void);
client_correction_limits client_correction_alone(void);

/// The car was shown there, and now belongs elsewhere: `jump` is what that makes in the offset.
void client_correction_add(client_correction *self, const client_offset *jump,
                           const client_correction_limits *limits);
void client_correction_pass(client_correction *self, double elapsed_s);
client_offset client_correction_offset(const client_correction *self);
double client_correction_mps(const client_correction *self); ///< of the offset's place
