// The way out of the pits: until the lane meets the road, its middle takes the line's place. There
// may be a wall between the two.
#include "driver/drive/pit_exit.h"

#include <math.h>

#include "base/trig.h"

static const double LANE_HALF_M = 1.5; // a car further aside is not in the lane's way
static const double FOLLOW_M = 6.0;    // centre to centre, behind a car that stands
static const double BRAKE_MPS2 = 3.0;

// @return whether the lane runs beside the road there; then *offset_m is its middle.
static bool lane_at(const apex_track *track, double s_m, double *offset_m) {
    apex_track_frame frame = apex_track_frame_at(track, s_m);
    apex_track_place middle = {.s_m = s_m, .left_m = frame.left_m, .right_m = frame.right_m};
    apex_track_pit_place pit = apex_track_pit_place_of(track, &middle);
    *offset_m = -pit.offset_m;
    return pit.since_m >= 0.0;
}

bool driver_pits_follow(driver_now *now) {
    const apex_track *track = now->plan->track;
    if (now->place.on_road || !apex_track_pits_of(track).exists) {
        return false;
    }
    apex_track_pit_place pit = apex_track_pit_place_of(track, &now->place);
    if (!pit.in_lane && !pit.in_boxes) {
        return false;
    }
    double heading_rad = apex_track_pit_lane_placement(track, pit.since_m).yaw_rad;
    apex_sincos(heading_rad, &now->here.tangent_y, &now->here.tangent_x);
    now->here.offset_m = now->place.offset_m - pit.offset_m;
    now->preview.curvature_per_m = now->preview.middle_curvature_per_m;
    double lane_m;
    if (lane_at(track, now->place.s_m + now->look_m, &lane_m)) {
        now->ahead.offset_m = now->ahead.offset_m_min = now->ahead.offset_m_max = lane_m;
    }
    return true;
}

driver_room driver_pits_traffic(const driver_now *now, driver_room wish) {
    for (uint32_t i = 0; i < now->view->neighbour_count; i++) {
        const apex_driver_neighbour *other = &now->view->neighbours[i];
        if (other->ahead_m > 0.0 && fabs(other->left_m) < LANE_HALF_M) {
            double free_m = fmax(other->ahead_m - FOLLOW_M, 0.0);
            double ahead_mps = fmax(now->view->speed_mps - other->closing_mps, 0.0);
            double limit_mps = sqrt(ahead_mps * ahead_mps + 2.0 * BRAKE_MPS2 * free_m);
            wish.speed_mps = fmin(wish.speed_mps, limit_mps);
        }
    }
    return wish;
}
