// The racing line: of all lines inside the road one whose curvature, squared and summed, is small.
// Every station may slide along the normal of the centre line; the sum of squared second
// differences of their places is a quadratic in the offsets, and Gauss-Seidel walks down it, each
// station held inside the road. Long waves settle slowly, so it starts with every 16th station and
// halves the stride.
#include "driver_private.h"

enum { STRIDE_FIRST = 16, SWEEPS = 120 };

uint32_t driver_line_index(const apex_driver_plan *plan, uint32_t from, int64_t by) {
    int64_t count = plan->count;
    int64_t at = (int64_t)from + by;
    if (plan->closed) {
        return (uint32_t)(((at % count) + count) % count);
    }
    return (uint32_t)(at < 0 ? 0 : at >= count ? count - 1 : at);
}

static void place(driver_station *station) {
    station->x_m = station->centre_x_m + station->offset_m * station->normal_x;
    station->y_m = station->centre_y_m + station->offset_m * station->normal_y;
}

static double clamped(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

// Gradient of the sum at one station is its normal times p[-2] - 4 p[-1] + 6 p - 4 p[+1] + p[+2].
static void slide(apex_driver_plan *plan, uint32_t index, int64_t stride) {
    static const double weights[5] = {1.0, -4.0, 6.0, -4.0, 1.0};
    double x_m = 0.0;
    double y_m = 0.0;
    for (int64_t k = 0; k < 5; k++) {
        const driver_station *near =
            &plan->stations[driver_line_index(plan, index, (k - 2) * stride)];
        x_m += weights[k] * near->x_m;
        y_m += weights[k] * near->y_m;
    }
    driver_station *station = &plan->stations[index];
    double slope_m = x_m * station->normal_x + y_m * station->normal_y;
    station->offset_m =
        clamped(station->offset_m - slope_m / 6.0, station->offset_m_min, station->offset_m_max);
    place(station);
}

// Stations between those of the last stride start half-way between them.
static void fill_between(apex_driver_plan *plan, uint32_t stride) {
    for (uint32_t i = 0; i < plan->count; i += 2 * stride) {
        uint32_t middle = driver_line_index(plan, i, stride);
        uint32_t next = driver_line_index(plan, i, 2 * (int64_t)stride);
        driver_station *station = &plan->stations[middle];
        station->offset_m =
            clamped(0.5 * (plan->stations[i].offset_m + plan->stations[next].offset_m),
                    station->offset_m_min, station->offset_m_max);
        place(station);
    }
}

void driver_line_place(apex_driver_plan *plan) {
    for (uint32_t i = 0; i < plan->count; i++) {
        place(&plan->stations[i]);
    }
}

void driver_line_relax(apex_driver_plan *plan) {
    if (!plan->closed) {
        return; // side by side down a strip: nobody gains by crossing over
    }
    for (uint32_t stride = STRIDE_FIRST; stride > 0; stride /= 2) {
        if (stride < STRIDE_FIRST) {
            fill_between(plan, stride);
        }
        for (uint32_t sweep = 0; sweep < SWEEPS; sweep++) {
            for (uint32_t i = 0; i < plan->count; i += stride) {
                slide(plan, i, stride);
            }
        }
    }
}
