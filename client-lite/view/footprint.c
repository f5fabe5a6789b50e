// Separating axes of two boxes.
#include "client-lite/view/footprint.h"

#include <math.h>

#include "base/trig.h"

client_footprint client_footprint_of(const apex_hull_def *hull, const apex_client_pose *pose) {
    client_footprint self = {.half_length_m = 0.5 * hull->length_m,
                             .half_width_m = 0.5 * hull->width_m};
    apex_sincos(pose->yaw_rad, &self.along[1], &self.along[0]);
    for (int i = 0; i < 2; i++) {
        self.centre_m[i] = pose->position_m[i] + hull->centre_x_m * self.along[i];
    }
    return self;
}

static double reach(const client_footprint *of, const double axis[2]) {
    double along = of->along[0] * axis[0] + of->along[1] * axis[1];
    double aside = of->along[0] * axis[1] - of->along[1] * axis[0];
    return of->half_length_m * fabs(along) + of->half_width_m * fabs(aside);
}

// @return by how much they overlap along an axis; the axis is turned to point to the other.
static double along_axis(const client_footprint *one, const client_footprint *other,
                         double axis[2]) {
    double apart = (other->centre_m[0] - one->centre_m[0]) * axis[0] +
                   (other->centre_m[1] - one->centre_m[1]) * axis[1];
    if (apart < 0.0) {
        axis[0] = -axis[0];
        axis[1] = -axis[1];
    }
    return reach(one, axis) + reach(other, axis) - fabs(apart);
}

double client_footprint_overlap_m(const client_footprint *one, const client_footprint *other,
                                  double normal[2]) {
    double least_m = (double)INFINITY;
    for (int i = 0; i < 4; i++) {
        const double *along = i < 2 ? one->along : other->along;
        double axis[2] = {i % 2 ? -along[1] : along[0], i % 2 ? along[0] : along[1]};
        double overlap_m = along_axis(one, other, axis);
        if (overlap_m <= 0.0) {
            return 0.0;
        }
        if (overlap_m < least_m) {
            least_m = overlap_m;
            normal[0] = axis[0];
            normal[1] = axis[1];
        }
    }
    return least_m;
}
