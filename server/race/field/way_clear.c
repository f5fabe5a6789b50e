// Whether cars would meet soon: by their speeds along the road or, where there is none, going on as
// they do.
#include "race/field/way_clear.h"

#include "base/trig.h"

#include <math.h>

static const double MEETS_S = 4.0; // a car that is there sooner than this would have to give way
static const double MEETS_M_MAX = 400.0; // as far as the fastest come in that time
static const double LENGTHS_M = 2.0;     // between two hulls that pass, beside their own reach

// Along the road at one's own place.
static double speed_along_mps(const race_field *field, uint32_t slot) {
    const double *v = race_field_pose(field, slot)->velocity_mps;
    double heading_rad = apex_track_frame_at(field->track, field->players[slot].s_m).heading_rad;
    double sine, cosine;
    apex_sincos(heading_rad, &sine, &cosine);
    return v[0] * cosine + v[1] * sine;
}

// @return whether the one behind runs up to the other soon.
static bool runs_up(const race_field *field, uint32_t behind, uint32_t ahead, double gap_m) {
    double closing_mps = speed_along_mps(field, behind) - speed_along_mps(field, ahead);
    double reach_m = field->car_reach_m[field->players[behind].car] +
                     field->car_reach_m[field->players[ahead].car] + LENGTHS_M;
    return gap_m < reach_m || (closing_mps > 0.0 && gap_m - reach_m < closing_mps * MEETS_S);
}

// The same without a road: how near they come, each going on as it does.
static bool meets(const race_field *field, uint32_t a, uint32_t b) {
    const apex_car_pose *one = race_field_pose(field, a);
    const apex_car_pose *two = race_field_pose(field, b);
    double x_m = two->position_m[0] - one->position_m[0];
    double y_m = two->position_m[1] - one->position_m[1];
    double vx_mps = two->velocity_mps[0] - one->velocity_mps[0];
    double vy_mps = two->velocity_mps[1] - one->velocity_mps[1];
    double square = vx_mps * vx_mps + vy_mps * vy_mps;
    double nearest_s = square > 1e-6 ? -(x_m * vx_mps + y_m * vy_mps) / square : 0.0;
    nearest_s = fmin(fmax(nearest_s, 0.0), MEETS_S);
    x_m += vx_mps * nearest_s;
    y_m += vy_mps * nearest_s;
    double reach_m = field->car_reach_m[field->players[a].car] +
                     field->car_reach_m[field->players[b].car] + LENGTHS_M;
    return x_m * x_m + y_m * y_m < reach_m * reach_m;
}

// @param direction 1: those ahead along the lap, -1: those behind
static bool is_clear_of(const race_field *field, uint32_t slot, int direction) {
    uint32_t count = field->along_count;
    uint32_t rank = field->rank_along[slot];
    for (uint32_t i = 1; i < count; i++) {
        uint32_t other =
            field->along[direction > 0 ? (rank + i) % count : (rank + count - i) % count];
        double gap_m = direction * apex_track_gap_m(field->track, field->players[slot].s_m,
                                                    field->players[other].s_m);
        if (gap_m < 0.0 || gap_m > MEETS_M_MAX) {
            return true;
        }
        if (field->players[other].ghost) {
            continue; // it touches nobody
        }
        bool near = field->open_session ? meets(field, slot, other)
                    : direction > 0     ? runs_up(field, slot, other, gap_m)
                                        : runs_up(field, other, slot, gap_m);
        if (near) {
            return false;
        }
    }
    return true;
}

bool race_way_is_clear(const race_field *field, uint32_t slot) {
    RACE_ASSERT_LIVE(field, slot);
    APEX_ASSERT(field->rank_along[slot] < field->along_count);
    return is_clear_of(field, slot, 1) && is_clear_of(field, slot, -1);
}
