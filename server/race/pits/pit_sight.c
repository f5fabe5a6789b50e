// What is seen of cars in the pits.
//
// A car stands in its box when its hull lies wholly within the box's length and depth, turned as it
// is. In a box that is hardly longer or deeper than the car its middle has to be within half a
// metre of the box's.
#include "race/pits/pit_sight.h"

#include "base/trig.h"

#include <math.h>
#include <string.h>

static const double SPARE_M_MIN = 0.5;
static const double BEFORE_M = 50.0; // a lane that begins so near ahead has a negative way
static const double STANDS_MPS = 0.5;
static const double BEHIND_M_MAX = 150.0;

enum { LOOK_CARS_MAX = 128 };

typedef struct car_outline {
    double x_m, y_m; // middle of the hull
    double cosine, sine;
    double half_length_m, half_width_m;
} car_outline;

static car_outline outline_of(const race_field *field, uint32_t slot) {
    const apex_car_pose *pose = race_field_pose(field, slot);
    const apex_hull_def *hull = &field->cars[field->players[slot].car].hull;
    car_outline car = {.half_length_m = 0.5 * hull->length_m, .half_width_m = 0.5 * hull->width_m};
    apex_sincos(pose->yaw_rad, &car.sine, &car.cosine);
    car.x_m = pose->position_m[0] + hull->centre_x_m * car.cosine - hull->centre_y_m * car.sine;
    car.y_m = pose->position_m[1] + hull->centre_x_m * car.sine + hull->centre_y_m * car.cosine;
    return car;
}

static double speed_mps(const apex_car_pose *pose) {
    const double *v = pose->velocity_mps;
    return sqrt(v[0] * v[0] + v[1] * v[1]);
}

double race_pit_since_m(const apex_track *track, const apex_track_pits *lane, double s_m) {
    double since_m = s_m - lane->entry_s_m;
    if (!apex_track_closed(track)) {
        return since_m;
    }
    double lap_m = apex_track_length_m(track);
    double before_m = fmin(BEFORE_M, 0.5 * (lap_m - lane->length_m));
    since_m = since_m < -before_m ? since_m + lap_m : since_m;
    return since_m >= lap_m - before_m ? since_m - lap_m : since_m;
}

static bool is_inside(const apex_track_pit_place *place) {
    return place->in_lane || place->in_boxes;
}

bool race_pit_holds(const apex_track *track, const apex_track_pits *lane,
                    const apex_track_place *at) {
    if (!lane->exists) {
        return false;
    }
    apex_track_pit_place place = apex_track_pit_place_of(track, at);
    double since_m = race_pit_since_m(track, lane, at->s_m);
    return is_inside(&place) && since_m >= lane->line_in_m && since_m < lane->line_out_m;
}

// The box's frame: along its heading from its middle, and across.
typedef struct box_view {
    double along_m, across_m;
    double cosine, sine; // of the car's heading in it
} box_view;

static box_view view_from_box(const race_field *field, uint32_t box, const car_outline *car) {
    apex_placement at = apex_track_pit_box_placement(field->track, box);
    double sine, cosine;
    apex_sincos(at.yaw_rad, &sine, &cosine);
    double x_m = car->x_m - at.x_m;
    double y_m = car->y_m - at.y_m;
    return (box_view){
        .along_m = x_m * cosine + y_m * sine,
        .across_m = y_m * cosine - x_m * sine,
        .cosine = fabs(car->cosine * cosine + car->sine * sine),
        .sine = fabs(car->sine * cosine - car->cosine * sine),
    };
}

static bool is_in_box(const apex_track_pits *lane, const car_outline *car, const box_view *view) {
    double long_m = view->cosine * car->half_length_m + view->sine * car->half_width_m;
    double wide_m = view->sine * car->half_length_m + view->cosine * car->half_width_m;
    return fabs(view->along_m) <= fmax(0.5 * lane->box_length_m - long_m, SPARE_M_MIN) &&
           fabs(view->across_m) <= fmax(0.5 * lane->box_depth_m - wide_m, SPARE_M_MIN);
}

static bool stands_in(const race_field *field, const apex_track_pits *lane, const race_card *cards,
                      uint32_t slot, uint32_t box1) {
    if (cards[slot].pit.phase == APEX_PIT_STOPPED && cards[slot].pit.box1 == box1) {
        return true;
    }
    if (field->players[slot].ghost || speed_mps(race_field_pose(field, slot)) >= STANDS_MPS) {
        return false;
    }
    car_outline car = outline_of(field, slot);
    box_view view = view_from_box(field, box1 - 1, &car);
    return fabs(view.along_m) < 0.5 * lane->box_length_m &&
           fabs(view.across_m) < 0.5 * lane->box_depth_m;
}

// Cars ahead or behind along the lap, as long as they may be at the box.
static bool is_taken(const race_field *field, const apex_track_pits *lane, const race_card *cards,
                     uint32_t slot, int direction) {
    uint32_t count = field->along_count;
    uint32_t rank = field->rank_along[slot];
    double limit_m = RACE_PIT_LOOK_M + lane->box_length_m;
    for (uint32_t i = 1; i < count && i <= LOOK_CARS_MAX; i++) {
        uint32_t other =
            field->along[direction > 0 ? (rank + i) % count : (rank + count - i) % count];
        double gap_m = direction * apex_track_gap_m(field->track, field->players[slot].s_m,
                                                    field->players[other].s_m);
        if (gap_m > limit_m || gap_m < -limit_m) {
            return false;
        }
        if (stands_in(field, lane, cards, other, cards[slot].pit.box1)) {
            return true;
        }
    }
    return false;
}

static void see_box(const race_field *field, const apex_track_pits *lane, const race_card *cards,
                    uint32_t slot, race_pit_sight *sight) {
    uint32_t box1 = cards[slot].pit.box1;
    if (box1 == 0 || box1 > lane->box_count) {
        return;
    }
    sight->past_box_m = sight->since_m - apex_track_pit_box_since_m(field->track, box1 - 1);
    car_outline car = outline_of(field, slot);
    double reach_m = 0.5 * lane->box_length_m + car.half_length_m;
    sight->near_box = sight->past_box_m < 0.0 && sight->past_box_m > -RACE_PIT_LOOK_M;
    sight->at_box = fabs(sight->past_box_m) < reach_m;
    if (sight->at_box) {
        box_view view = view_from_box(field, box1 - 1, &car);
        sight->in_box = is_in_box(lane, &car, &view);
    }
    if (sight->near_box || sight->at_box) {
        sight->box_taken =
            is_taken(field, lane, cards, slot, 1) || is_taken(field, lane, cards, slot, -1);
    }
}

// How far a side of the car is over the line that parts the lane from the road.
static double over_m(const race_field *field, const apex_track_pits *lane, uint32_t slot,
                     const apex_track_pit_place *place) {
    car_outline car = outline_of(field, slot);
    apex_placement at = apex_track_pit_lane_placement(field->track, place->since_m);
    double sine, cosine;
    apex_sincos(at.yaw_rad, &sine, &cosine);
    double wide_m = fabs(car.cosine * cosine + car.sine * sine) * car.half_width_m +
                    fabs(car.sine * cosine - car.cosine * sine) * car.half_length_m;
    double inwards_m = lane->side == APEX_SIDE_RIGHT ? place->offset_m : -place->offset_m;
    return inwards_m + wide_m - 0.5 * lane->width_m;
}

race_pit_sight race_pit_see(const race_field *field, const apex_track_pits *lane,
                            const race_card *cards, uint32_t slot, uint64_t now_us) {
    RACE_ASSERT_LIVE(field, slot);
    APEX_ASSERT(lane->exists);
    const race_player *player = &field->players[slot];
    const race_pit *pit = &cards[slot].pit;
    race_pit_sight sight = {
        .now_us = now_us,
        .tick_hz = field->tick_hz,
        .since_m = race_pit_since_m(field->track, lane, player->s_m),
        .on_road = true,
    };
    bool is_far = sight.since_m < 0.0 || sight.since_m > lane->length_m;
    if (is_far && !race_pit_is_inside(pit)) {
        return sight;
    }
    const apex_car_pose *pose = race_field_pose(field, slot);
    apex_track_place at =
        apex_track_project(field->track, pose->position_m[0], pose->position_m[1], player->s_m);
    apex_track_pit_place place = apex_track_pit_place_of(field->track, &at);
    sight.on_road = at.on_road;
    sight.in_pits = is_inside(&place);
    sight.speed_mps = speed_mps(pose);
    if (race_pit_is_on_exit_road(pit, lane) && place.since_m >= 0.0) {
        sight.over_m = over_m(field, lane, slot, &place);
    }
    if (race_pit_is_inside(pit)) {
        see_box(field, lane, cards, slot, &sight);
    }
    return sight;
}

race_pit_need race_pit_need_of(const race_field *field, uint32_t slot) {
    RACE_ASSERT_LIVE(field, slot);
    const apex_car_def *car = &field->cars[field->players[slot].car];
    apex_car_state state;
    race_pit_need need = {.fuel_kg_max = car->fuel_kg_max, .axles = car->axle_count};
    if (apex_world_get_car(field->world, field->players[slot].car_id, &state)) {
        need.fuel_kg = state.fuel_kg;
        need.engine_blown = state.engine_blown;
        memcpy(need.damage, state.damage, sizeof need.damage);
    }
    return need;
}

race_pit_follower race_pit_behind(const race_field *field, const race_card *cards, uint32_t slot) {
    RACE_ASSERT_LIVE(field, slot);
    uint32_t count = field->along_count;
    uint32_t rank = field->rank_along[slot];
    for (uint32_t i = 1; i < count && i <= LOOK_CARS_MAX; i++) {
        uint32_t other = field->along[(rank + count - i) % count];
        double behind_m =
            apex_track_gap_m(field->track, field->players[other].s_m, field->players[slot].s_m);
        if (behind_m < 0.0 || behind_m > BEHIND_M_MAX) {
            break;
        }
        double other_mps = speed_mps(race_field_pose(field, other));
        bool in_lane =
            race_pit_is_inside(&cards[other].pit) && cards[other].pit.phase != APEX_PIT_STOPPED;
        if (in_lane && !field->players[other].ghost && other_mps >= STANDS_MPS) {
            return (race_pit_follower){behind_m, other_mps};
        }
    }
    return (race_pit_follower){(double)INFINITY, 0.0};
}
