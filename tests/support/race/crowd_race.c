// A crowd in moving traffic: the road, the grid, and how everybody keeps his lane.
#include "support/race/crowd_race.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/trig.h"
#include "support/track/track_scenes.h"

static const double SPEED_MPS = 25.0, ROAD_M_PER_CAR = 6.6, ROAD_M_MIN = 2000.0;
enum { WARM_TICKS = 600 };

struct crowd_race {
    uint32_t cars;
    double radius_m;
    apex_track *track;
    apex_race *race;
    apex_controls *controls;
    apex_car_pose *poses;
    double *lanes_m; ///< from the centre line to the left, by pose
};

static apex_track *lay_road(double radius_m) {
    apex_track_def def = track_scene_circle(radius_m, 256, 0.0);
    apex_def_problem problem = {{0}, {0}};
    apex_track *track = NULL;
    for (uint32_t i = 0; i < def.point_count; i++) {
        def.points[i].left_m = def.points[i].right_m = 18.0;
    }
    def.grid = (apex_track_grid){.first_m = 1.0,
                                 .spacing_m = 3.2,
                                 .columns = 8,
                                 .column_gap_m = 4.0,
                                 .pole_side = APEX_SIDE_LEFT};
    APEX_ASSERT(apex_track_create(&def, &track, &problem) == APEX_OK);
    apex_track_def_free(&def);
    return track;
}

static void fill(crowd_race *crowd) {
    for (uint32_t i = 0; i < crowd->cars; i++) {
        apex_race_command join = {.kind = APEX_RACE_JOIN};
        snprintf(join.name, sizeof join.name, "%u", i);
        APEX_ASSERT(apex_race_reserve(crowd->race, &join.player));
        APEX_ASSERT(apex_race_apply(crowd->race, &join) == APEX_OK);
    }
    while (apex_race_status_of(crowd->race).phase != APEX_PHASE_RACE) {
        apex_race_tick(crowd->race, crowd->controls, NULL);
    }
    size_t count = apex_world_poses(apex_race_world(crowd->race), crowd->poses, crowd->cars);
    APEX_ASSERT(count == crowd->cars);
    for (uint32_t i = 0; i < crowd->cars; i++) {
        const double *at = crowd->poses[i].position_m;
        crowd->lanes_m[i] = crowd->radius_m - hypot(at[0], at[1]);
    }
}

crowd_race *crowd_race_create(uint32_t cars) {
    crowd_race *crowd = calloc(1, sizeof *crowd);
    apex_car_def car = apex_default_car_def();
    apex_race_def def = apex_default_race_def();
    double length_m = cars * ROAD_M_PER_CAR;
    APEX_ASSERT(crowd != NULL);
    crowd->cars = cars;
    crowd->radius_m = fmax(length_m, ROAD_M_MIN) / (2.0 * APEX_PI);
    crowd->track = lay_road(crowd->radius_m);
    def.laps = 999;
    def.player_capacity = def.start_players = cars;
    def.lobby_s = def.countdown_s = def.stuck_s = def.idle_s = 0.0;
    APEX_ASSERT(apex_race_create(&def, crowd->track, &car, 1, &crowd->race) == APEX_OK);
    crowd->controls = calloc(cars, sizeof *crowd->controls);
    crowd->poses = calloc(cars, sizeof *crowd->poses);
    crowd->lanes_m = calloc(cars, sizeof *crowd->lanes_m);
    APEX_ASSERT(crowd->controls != NULL && crowd->poses != NULL && crowd->lanes_m != NULL);
    fill(crowd);
    for (uint32_t tick = 0; tick < WARM_TICKS; tick++) {
        crowd_race_tick(crowd);
    }
    return crowd;
}

void crowd_race_destroy(crowd_race *crowd) {
    free(crowd->lanes_m);
    free(crowd->poses);
    free(crowd->controls);
    apex_race_destroy(crowd->race);
    apex_track_destroy(crowd->track);
    free(crowd);
}

// Keeps its lane at the common speed. The road bends left about the origin.
static apex_controls drive(const crowd_race *crowd, uint32_t i) {
    const apex_car_pose *pose = &crowd->poses[i];
    double x_m = pose->position_m[0], y_m = pose->position_m[1];
    double heading_rad = atan2(y_m, x_m) + APEX_PI / 2.0;
    double wrong_rad = remainder(heading_rad - pose->yaw_rad, 2.0 * APEX_PI);
    double right_m = crowd->lanes_m[i] - (crowd->radius_m - hypot(x_m, y_m));
    double steer = 0.8 * wrong_rad + 0.02 * right_m + 4.0 / crowd->radius_m;
    double missing_mps = SPEED_MPS - hypot(pose->velocity_mps[0], pose->velocity_mps[1]);
    return (apex_controls){
        .steer = (int16_t)(32767.0 * fmax(-1.0, fmin(1.0, steer))),
        .throttle = (uint8_t)(255.0 * fmax(0.0, fmin(1.0, 0.2 + 0.2 * missing_mps))),
        .gear = APEX_GEAR_AUTOMATIC,
    };
}

void crowd_race_tick(crowd_race *crowd) {
    (void)apex_world_poses(apex_race_world(crowd->race), crowd->poses, crowd->cars);
    for (uint32_t i = 0; i < crowd->cars; i++) {
        crowd->controls[i] = drive(crowd, i);
    }
    apex_race_tick(crowd->race, crowd->controls, NULL);
}

const apex_race *crowd_race_of(const crowd_race *crowd) {
    return crowd->race;
}
