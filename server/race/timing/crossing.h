// The moment of a crossing between two ticks.
#pragma once

// A way as it was followed in three ticks, in metres along the lap.
typedef struct race_way {
    double before_m, after_m; // to the gate: > 0 at the tick before, <= 0 now
    double step_m;            // that was made in the tick before these; 0: not known
} race_way;

// @return the share of the tick, 0..1, after which the gate was crossed: exact for a steady
// acceleration, or for a steady speed if the step before is not known or is not like this one.
double race_crossing_share(const race_way *way);
