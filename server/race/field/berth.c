// Places where the rules set a car down while others race: in the pits, or on the side of the road
// that the fast line leaves free. And when such a car, a ghost until then, may be touched again.
#include "race/race_private.h"

#include "base/trig.h"

#include <math.h>

static const double EDGE_M = 0.3;        // from the hull to the road's edge
static const double LINE_SPARE_M = 1.0;  // from the hull to that of whoever drives the line
static const double LINE_BEHIND_M = 6.0; // along the road, where the line must be away
static const double LINE_AHEAD_M = 12.0; // nobody crosses over right ahead of it either
static const double STEP_M = 4.0;        // from one place that is tried to the next, backwards
static const double UNDER_WAY_MPS = 5.0; // slower than this a car is still in the way
static const double MEETS_S = 4.0;       // who is there sooner than this would have to give way
static const double MEETS_M_MAX = 400.0; // as far as the fastest come in that time
static const double LENGTHS_M = 2.0;     // between two hulls that pass, beside their own reach

enum { TRIES = 25, LINE_LOOKS = 7 };

typedef struct side_place {
    race_berth berth;
    double spare_m; // from the fast line to the hull, beyond what is needed; negative: too near
} side_place;

static double widest_m(const apex_race *race) {
    double widest = 0.0;
    for (uint32_t i = 0; i < race->field.car_count; i++) {
        widest = fmax(widest, race->field.cars[i].hull.width_m);
    }
    return widest;
}

// Between which offsets the fast lines of all cars run near a place.
static void read_lines(const apex_race *race, double s_m, double *low_m, double *high_m) {
    *low_m = (double)INFINITY;
    *high_m = -(double)INFINITY;
    for (int i = 0; i < LINE_LOOKS; i++) {
        double share = (double)i / (LINE_LOOKS - 1);
        double at_m = s_m - LINE_BEHIND_M + share * (LINE_BEHIND_M + LINE_AHEAD_M);
        for (uint32_t car = 0; car < race->field.car_count; car++) {
            double offset_m = apex_driver_plan_offset_m(race->field.plans[car], at_m);
            *low_m = fmin(*low_m, offset_m);
            *high_m = fmax(*high_m, offset_m);
        }
    }
}

// Wholly on the road, at the edge that is further from the line.
static side_place place_beside(const apex_race *race, uint32_t slot, double s_m) {
    apex_track_frame frame = apex_track_frame_at(race->field.track, s_m);
    double half_m = 0.5 * race->field.cars[race->field.players[slot].car].hull.width_m;
    double left_m = frame.left_m - half_m - EDGE_M;
    double right_m = -frame.right_m + half_m + EDGE_M;
    if (left_m < right_m) { // a road hardly wider than the car
        left_m = right_m = 0.5 * (frame.left_m - frame.right_m);
    }
    double low_m, high_m;
    read_lines(race, s_m, &low_m, &high_m);
    double left_free_m = left_m - high_m;
    double right_free_m = low_m - right_m;
    bool is_left = left_free_m > right_free_m;
    double needed_m = half_m + 0.5 * widest_m(race) + LINE_SPARE_M;
    apex_placement at = apex_track_placement(race->field.track, s_m, is_left ? left_m : right_m);
    return (side_place){
        .berth = {at, apex_track_project(race->field.track, at.x_m, at.y_m, s_m).s_m},
        .spare_m = (is_left ? left_free_m : right_free_m) - needed_m,
    };
}

// The first free place at a lap distance or behind it that is out of the way; else the free one
// that is least in it.
race_berth race_berth_beside(const apex_race *race, uint32_t slot, double s_m) {
    side_place best = place_beside(race, slot, s_m);
    bool has_free = false;
    for (uint32_t i = 0; i < TRIES; i++) {
        side_place here = place_beside(race, slot, s_m - STEP_M * i);
        const double at_m[2] = {here.berth.at.x_m, here.berth.at.y_m};
        if (!race_grid_is_place_free(race, slot, here.berth.s_m, at_m)) {
            continue;
        }
        if (here.spare_m >= 0.0) {
            return here.berth;
        }
        if (!has_free || here.spare_m > best.spare_m) {
            best = here;
            has_free = true;
        }
    }
    return best.berth;
}

void race_berth_find_pits(apex_race *race) {
    apex_track_pits pits = apex_track_pits_of(race->field.track);
    for (uint32_t i = 0; pits.exists && i < pits.box_count; i++) {
        apex_placement at = apex_track_pit_box_placement(race->field.track, i);
        double s_m = apex_track_find(race->field.track, at.x_m, at.y_m, at.z_m).s_m;
        // Nobody can come back to the start of an open track.
        if (race->field.closed || s_m < 0.0) {
            race->field.pit_boxes[race->field.pit_box_count++] = (race_berth){at, s_m};
        }
    }
}

race_berth race_berth_late(const apex_race *race, uint32_t slot) {
    for (uint32_t i = 0; i < race->field.pit_box_count; i++) {
        const race_berth *box = &race->field.pit_boxes[i];
        const double at_m[2] = {box->at.x_m, box->at.y_m};
        if (race_grid_is_place_free(race, slot, box->s_m, at_m)) {
            return *box;
        }
    }
    return race_berth_beside(race, slot, race->field.players[slot].s_m);
}

// --- Solid again ------------------------------------------------------------------------------

// Along the road at one's own place.
static double speed_along_mps(const apex_race *race, uint32_t slot) {
    const double *v = race_player_pose(race, slot)->velocity_mps;
    double heading_rad =
        apex_track_frame_at(race->field.track, race->field.players[slot].s_m).heading_rad;
    double sine, cosine;
    apex_sincos(heading_rad, &sine, &cosine);
    return v[0] * cosine + v[1] * sine;
}

// Whether one of them runs up to the other soon.
static bool runs_up(const apex_race *race, uint32_t behind, uint32_t ahead, double gap_m) {
    double closing_mps = speed_along_mps(race, behind) - speed_along_mps(race, ahead);
    double reach_m = race->field.car_reach_m[race->field.players[behind].car] +
                     race->field.car_reach_m[race->field.players[ahead].car] + LENGTHS_M;
    return gap_m < reach_m || (closing_mps > 0.0 && gap_m - reach_m < closing_mps * MEETS_S);
}

// The same without a road: how near they come, each going on as it does.
static bool meets(const apex_race *race, uint32_t a, uint32_t b) {
    const apex_car_pose *one = race_player_pose(race, a);
    const apex_car_pose *two = race_player_pose(race, b);
    double x_m = two->position_m[0] - one->position_m[0];
    double y_m = two->position_m[1] - one->position_m[1];
    double vx_mps = two->velocity_mps[0] - one->velocity_mps[0];
    double vy_mps = two->velocity_mps[1] - one->velocity_mps[1];
    double square = vx_mps * vx_mps + vy_mps * vy_mps;
    double nearest_s = square > 1e-6 ? -(x_m * vx_mps + y_m * vy_mps) / square : 0.0;
    nearest_s = fmin(fmax(nearest_s, 0.0), MEETS_S);
    x_m += vx_mps * nearest_s;
    y_m += vy_mps * nearest_s;
    double reach_m = race->field.car_reach_m[race->field.players[a].car] +
                     race->field.car_reach_m[race->field.players[b].car] + LENGTHS_M;
    return x_m * x_m + y_m * y_m < reach_m * reach_m;
}

// @param direction 1: those ahead along the lap, -1: those behind
static bool is_clear_of(const apex_race *race, uint32_t slot, int direction) {
    uint32_t count = race->field.along_count;
    uint32_t rank = race->field.rank_along[slot];
    for (uint32_t i = 1; i < count; i++) {
        uint32_t other =
            race->field.along[direction > 0 ? (rank + i) % count : (rank + count - i) % count];
        double gap_m =
            direction * apex_track_gap_m(race->field.track, race->field.players[slot].s_m,
                                         race->field.players[other].s_m);
        if (gap_m < 0.0 || gap_m > MEETS_M_MAX) {
            return true;
        }
        if (race->field.players[other].ghost) {
            continue; // it touches nobody
        }
        bool near = race->field.open_session ? meets(race, slot, other)
                    : direction > 0          ? runs_up(race, slot, other, gap_m)
                                             : runs_up(race, other, slot, gap_m);
        if (near) {
            return false;
        }
    }
    return true;
}

bool race_berth_is_left(const apex_race *race, uint32_t slot) {
    const double *v = race_player_pose(race, slot)->velocity_mps;
    return v[0] * v[0] + v[1] * v[1] >= UNDER_WAY_MPS * UNDER_WAY_MPS &&
           is_clear_of(race, slot, 1) && is_clear_of(race, slot, -1);
}
