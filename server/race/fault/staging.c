// From the history of two cars to the scene of their contact.
#include "race/fault/staging.h"

#include "base/assert.h"
#include "base/trig.h"

#include <math.h>

static const double LOOK_AHEAD_M = 60.0;
static const double AFTER_EXIT_M = 15.0; // a car that is let run out of a corner is still in it

typedef struct stage {
    const race_field *field;
    const apex_track *track;
    uint64_t tick;
    double s_m; // of the contact
} stage;

static race_scene_moment moment_of(const stage *it, uint32_t slot, const race_moment *from,
                                   double age_s) {
    const apex_driver_plan *plan = it->field->plans[it->field->players[slot].car];
    double s_m = from->s_cm * 0.01;
    apex_track_frame frame = apex_track_frame_at(it->track, s_m);
    return (race_scene_moment){
        .age_s = age_s,
        .along_m = apex_track_gap_m(it->track, it->s_m, s_m),
        .offset_m = from->offset_cm * 0.01,
        .heading_rad = apex_wrap_angle(from->yaw_mrad * 0.001 - frame.heading_rad),
        .speed_mps = from->speed_cmps * 0.01,
        .brake = from->brake / 255.0,
        .plan_offset_m = apex_driver_plan_offset_m(plan, s_m),
        .plan_mps = apex_driver_plan_speed_mps(plan, s_m),
        .left_m = frame.left_m,
        .right_m = frame.right_m,
        .locked = (from->flags & RACE_MOMENT_LOCKED) != 0,
        .sliding = (from->flags & RACE_MOMENT_SLIDING) != 0,
    };
}

static double ago_s(const stage *it, uint64_t tick) {
    return tick == 0 ? (double)INFINITY : (double)(it->tick - tick) / it->field->tick_hz;
}

static double free_ahead_m(const stage *it, uint32_t slot, uint32_t other) {
    const race_field *field = it->field;
    for (uint32_t i = 1; i < field->along_count; i++) {
        uint32_t next = field->along[(field->rank_along[slot] + i) % field->along_count];
        double gap_m =
            apex_track_gap_m(it->track, field->players[slot].s_m, field->players[next].s_m);
        if (gap_m < 0.0 || gap_m > LOOK_AHEAD_M) {
            break;
        }
        // A car beside him gives no cause to brake.
        double length_m = field->cars[field->players[slot].car].hull.length_m;
        if (next != other && gap_m > length_m && !field->players[next].ghost) {
            return gap_m;
        }
    }
    return (double)INFINITY;
}

static void place_car(const stage *it, const race_history *history, const race_touching *touching,
                      uint32_t whom, race_scene_car *out) {
    uint32_t slot = touching->slots[whom];
    const race_trail *trail = &history->trails[slot];
    const apex_car_def *def = &it->field->cars[it->field->players[slot].car];
    race_moment now = race_history_see(it->field, slot);
    out->moments[0] = moment_of(it, slot, &now, 0.0);
    out->count = 1;
    for (uint32_t i = 0; i < trail->count && out->count < RACE_SCENE_MOMENTS; i++) {
        uint64_t tick = trail->newest_tick - (uint64_t)i * history->every_ticks;
        if (tick < it->tick) { // one of this very tick is that of the contact
            out->moments[out->count++] =
                moment_of(it, slot, race_trail_moment(trail, i), ago_s(it, tick));
        }
    }
    out->front_axle_m = def->axles[0].x_m;
    out->rear_axle_m = -def->axles[def->axle_count - 1].x_m;
    out->length_m = def->hull.length_m;
    out->width_m = def->hull.width_m;
    out->back_s = fmin(ago_s(it, trail->put_back_tick), ago_s(it, trail->off_tick));
    out->free_ahead_m = free_ahead_m(it, slot, touching->slots[1 - whom]);
    out->blue = touching->blue[whom];
}

static void place_corner(const stage *it, const race_corners *corners, race_scene *out) {
    const race_corner *corner = race_corners_at(corners, it->track, it->s_m);
    if (corner == NULL) {
        corner = race_corners_at(corners, it->track, it->s_m - AFTER_EXIT_M);
    }
    out->has_corner = corner != NULL;
    if (corner != NULL) {
        out->is_left = corner->turned_rad > 0.0;
        out->turn_in_m = apex_track_gap_m(it->track, it->s_m, corner->turn_in_m);
        out->apex_m = apex_track_gap_m(it->track, it->s_m, corner->apex_m);
    }
}

void race_stage(const race_history *history, const race_corners *corners, const race_field *field,
                race_touching *touching, race_scene *out) {
    const apex_contact_event *contact = touching->contact;
    APEX_ASSERT(contact->kind == APEX_CONTACT_CAR && touching->slots[0] != touching->slots[1]);
    stage it = {.field = field, .track = field->track, .tick = apex_world_tick(field->world)};
    it.s_m = apex_track_project(it.track, contact->point_m[0], contact->point_m[1],
                                field->players[touching->slots[0]].s_m)
                 .s_m;
    touching->s_m = it.s_m;
    double sine = 0.0;
    double cosine = 1.0;
    apex_sincos(apex_track_frame_at(it.track, it.s_m).heading_rad, &sine, &cosine);
    out->normal_along = contact->normal[0] * cosine + contact->normal[1] * sine;
    out->closing_mps = contact->closing_mps;
    for (uint32_t i = 0; i < 2; i++) {
        place_car(&it, history, touching, i, &out->cars[i]);
    }
    place_corner(&it, corners, out);
}
