/// Vectors in space and axes of attitudes, eight at a time.
#pragma once

#include "physics/lanes/lanes.h"

LANES_INLINE lanes dot3(const lanes a[3], const lanes b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// a x b
LANES_INLINE void cross3(const lanes a[3], const lanes b[3], lanes out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/// Body x, y and z in world axes.
LANES_INLINE void lanes_axes(const lanes_wide orientation[4], lanes axis[3][3]) {
    lanes w = lanes_narrow(orientation[0]), i = lanes_narrow(orientation[1]);
    lanes j = lanes_narrow(orientation[2]), k = lanes_narrow(orientation[3]);
    axis[0][0] = R(1.0) - R(2.0) * (j * j + k * k);
    axis[0][1] = R(2.0) * (i * j + w * k);
    axis[0][2] = R(2.0) * (i * k - w * j);
    axis[1][0] = R(2.0) * (i * j - w * k);
    axis[1][1] = R(1.0) - R(2.0) * (i * i + k * k);
    axis[1][2] = R(2.0) * (j * k + w * i);
    axis[2][0] = R(2.0) * (i * k + w * j);
    axis[2][1] = R(2.0) * (j * k - w * i);
    axis[2][2] = R(1.0) - R(2.0) * (i * i + j * j);
}
