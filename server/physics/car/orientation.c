// Attitudes: quaternions, axes, and a car that faces somewhere on a slope.

#include "physics/car/orientation.h"

#include <math.h>

void physics_quaternion_axes(const double q[4], double x[3], double y[3], double z[3]) {
    double w = q[0], i = q[1], j = q[2], k = q[3];
    x[0] = 1.0 - 2.0 * (j * j + k * k);
    x[1] = 2.0 * (i * j + w * k);
    x[2] = 2.0 * (i * k - w * j);
    y[0] = 2.0 * (i * j - w * k);
    y[1] = 1.0 - 2.0 * (i * i + k * k);
    y[2] = 2.0 * (j * k + w * i);
    z[0] = 2.0 * (i * k + w * j);
    z[1] = 2.0 * (j * k - w * i);
    z[2] = 1.0 - 2.0 * (i * i + j * j);
}

// Shepperd's method: divides by the largest of the four components, so never by nearly nothing.
static void quaternion_from_axes(const double x[3], const double y[3], const double z[3],
                                 double q[4]) {
    double trace = x[0] + y[1] + z[2];
    if (trace > 0.0) {
        double s = 2.0 * sqrt(trace + 1.0);
        q[0] = 0.25 * s;
        q[1] = (y[2] - z[1]) / s;
        q[2] = (z[0] - x[2]) / s;
        q[3] = (x[1] - y[0]) / s;
    } else if (x[0] > y[1] && x[0] > z[2]) {
        double s = 2.0 * sqrt(1.0 + x[0] - y[1] - z[2]);
        q[0] = (y[2] - z[1]) / s;
        q[1] = 0.25 * s;
        q[2] = (y[0] + x[1]) / s;
        q[3] = (z[0] + x[2]) / s;
    } else if (y[1] > z[2]) {
        double s = 2.0 * sqrt(1.0 + y[1] - x[0] - z[2]);
        q[0] = (z[0] - x[2]) / s;
        q[1] = (y[0] + x[1]) / s;
        q[2] = 0.25 * s;
        q[3] = (z[1] + y[2]) / s;
    } else {
        double s = 2.0 * sqrt(1.0 + z[2] - x[0] - y[1]);
        q[0] = (x[1] - y[0]) / s;
        q[1] = (z[0] + x[2]) / s;
        q[2] = (z[1] + y[2]) / s;
        q[3] = 0.25 * s;
    }
    if (q[0] < 0.0) {
        for (int32_t i = 0; i < 4; i++) {
            q[i] = -q[i];
        }
    }
}

void physics_car_orient(physics_car *car, const double heading[2], const double up[3]) {
    double rise = -(up[0] * heading[0] + up[1] * heading[1]) / up[2];
    double length = sqrt(heading[0] * heading[0] + heading[1] * heading[1] + rise * rise);
    double x[3] = {heading[0] / length, heading[1] / length, rise / length};
    double y[3] = {up[1] * x[2] - up[2] * x[1], up[2] * x[0] - up[0] * x[2],
                   up[0] * x[1] - up[1] * x[0]};
    quaternion_from_axes(x, y, up, car->orientation);
}
