/// Gates between cones.
#pragma once

#include "proving/rig/rig.h"

enum { PROVING_GATES_MAX = 16 };

/// A lane that no part of the car may leave while it is between two places along x. A cone is a
/// lane without length, open to one side.
typedef struct proving_gate {
    double from_x_m, to_x_m;
    double right_y_m, left_y_m; ///< may be infinite
} proving_gate;

typedef struct proving_course {
    uint32_t gate_count;
    proving_gate gates[PROVING_GATES_MAX];
    double end_x_m;
    bool coasts; ///< the throttle is released at the first gate
} proving_course;

/// Laid out for a car's width, and mirrored if it begins to the right.
proving_course proving_course_for(const apex_manoeuvre_def *def, const apex_hull_def *hull);
/// Measures the distance that the car stands out of the gate beyond its right and its left edge; 0
/// inside or elsewhere.
void proving_gate_miss_m(const proving_gate *gate, const apex_car_pose *pose,
                         const apex_hull_def *hull, double beyond_m[2]);

/// The greatest distance of a car beyond each gate's right and left edge.
typedef struct proving_misses {
    double beyond_m[PROVING_GATES_MAX][2];
} proving_misses;
