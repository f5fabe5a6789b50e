// A stage for contacts: three cars of one kind race on a shipped track, and are set where a script
// says that they were in the four seconds before.
#pragma once

#include "test_race_scene.h"
#include "content/content.h"
#include "race/fault/faults.h"
#include "race/fault/reasons.h"
#include "race/race_private.h"

enum { STAGE_CARS = 3, STAGE_KEYS_MAX = 8 };

// Where a car was; between two keys it went evenly. Along the road from the place of the contact.
typedef struct stage_key {
    double age_s, along_m, offset_m, heading_deg, brake;
    unsigned flags; // of race_moment_flag, from this key on to the next
} stage_key;

typedef struct stage_script {
    stage_key keys[STAGE_KEYS_MAX]; // the oldest first, the last at age 0
    double put_back_s;              // so long ago it was put back on the track; 0: was not
    bool blue;                      // is shown the blue flag for the car before it in the script
} stage_script;

static apex_track *stage_track;
static apex_race *stage_race;
static race_faults stage_faults;
static race_trail stage_trails[STAGE_CARS];
static race_chain stage_chains[STAGE_CARS];
static uint32_t stage_blue1[STAGE_CARS];
static apex_fault_rule stage_rule = {.on = true, .closing_mps = 0.0, .share = 70};

static inline race_field *stage_field(void) {
    return &stage_race->field;
}

static inline uint64_t stage_tick(void) {
    return apex_world_tick(stage_field()->world);
}

static inline void stage_set_up(const char *name) {
    apex_track_def def;
    apex_content_problem problem;
    apex_car_def car;
    ck_assert_int_eq(apex_content_load_track(name, NULL, &def, &problem), APEX_OK);
    ck_assert_int_eq(apex_content_load_car("corvette-c5", NULL, &car, &problem), APEX_OK);
    stage_track = scene_lay(&def);
    apex_race_def race_def = scene_race_def(STAGE_CARS);
    race_def.countdown_s = 0.0;
    race_def.stuck_s = 0.0;
    ck_assert_int_eq(apex_race_create(&race_def, stage_track, &car, 1, &stage_race), APEX_OK);
    for (int i = 0; i < STAGE_CARS; i++) {
        scene_join(stage_race, (const char *const[]){"ada", "bob", "cid"}[i]);
    }
    ck_assert_int_eq(scene_command(stage_race, APEX_RACE_START, (apex_player_id){0, 0}), APEX_OK);
    scene_until(stage_race, APEX_PHASE_RACE, 600);
    for (int i = 0; i < 400; i++) { // so that there is time before the contact
        scene_tick(stage_race, NULL);
    }
    memset(stage_trails, 0, sizeof stage_trails);
    memset(stage_chains, 0, sizeof stage_chains);
    memset(stage_blue1, 0, sizeof stage_blue1);
    race_faults_make(&stage_faults, stage_field(), stage_trails, stage_chains);
}

static inline void stage_tear_down(void) {
    apex_race_destroy(stage_race);
    apex_track_destroy(stage_track);
}

static inline stage_key stage_at(const stage_script *script, double age_s) {
    const stage_key *keys = script->keys;
    uint32_t i = 0;
    while (keys[i].age_s > 0.0 && keys[i + 1].age_s >= age_s) {
        i++;
    }
    if (keys[i].age_s <= 0.0 || keys[i].age_s <= age_s) {
        return keys[i];
    }
    double share = (keys[i].age_s - age_s) / (keys[i].age_s - keys[i + 1].age_s);
    stage_key at = keys[i];
    at.along_m += share * (keys[i + 1].along_m - at.along_m);
    at.offset_m += share * (keys[i + 1].offset_m - at.offset_m);
    at.heading_deg += share * (keys[i + 1].heading_deg - at.heading_deg);
    at.brake += share * (keys[i + 1].brake - at.brake);
    return at;
}

static inline double stage_speed_mps(const stage_script *script, double age_s) {
    double older_m = stage_at(script, age_s + 0.05).along_m;
    return fabs(stage_at(script, age_s).along_m - older_m) / 0.05;
}

static inline race_moment stage_moment(const stage_script *script, double s_m, double age_s) {
    stage_key at = stage_at(script, age_s);
    double length_m = apex_track_length_m(stage_track);
    double here_m = s_m + at.along_m;
    here_m -= length_m * floor(here_m / length_m);
    double yaw_rad = apex_wrap_angle(apex_track_frame_at(stage_track, here_m).heading_rad +
                                     at.heading_deg * APEX_PI / 180.0);
    return (race_moment){
        .s_cm = (int32_t)lround(here_m * 100.0),
        .offset_cm = (int16_t)lround(at.offset_m * 100.0),
        .yaw_mrad = (int16_t)lround(yaw_rad * 1000.0),
        .speed_cmps = (uint16_t)lround(stage_speed_mps(script, age_s) * 100.0),
        .brake = (uint8_t)lround(at.brake * 255.0),
        .flags = (uint8_t)at.flags,
    };
}

// The trail of a car up to now, and the car set at its end.
static inline void stage_car(const stage_script *script, uint32_t slot, double s_m) {
    race_field *field = stage_field();
    race_trail *trail = &stage_trails[slot];
    uint32_t every = stage_faults.history.every_ticks;
    race_trail_forget(trail);
    for (uint32_t k = RACE_HISTORY_MOMENTS; k > 0; k--) {
        uint32_t ago = (k - 1) * every + slot + 1; // each car has its own ticks
        double age_s = (double)ago / field->tick_hz;
        if (script->put_back_s > 0.0 && age_s > script->put_back_s) {
            continue;
        }
        race_moment moment = stage_moment(script, s_m, age_s);
        race_trail_add(trail, &moment, stage_tick() - ago);
    }
    if (script->put_back_s > 0.0) {
        trail->put_back_tick = stage_tick() - (uint64_t)(script->put_back_s * field->tick_hz);
    }
    stage_key at = stage_at(script, 0.0);
    double here_m = stage_moment(script, s_m, 0.0).s_cm * 0.01;
    apex_placement place = apex_track_placement(stage_track, here_m, at.offset_m);
    place.yaw_rad += at.heading_deg * APEX_PI / 180.0;
    place.speed_mps = stage_speed_mps(script, 0.0);
    apex_world_place_car(field->world, field->players[slot].car_id, &place);
    field->players[slot].s_m = here_m;
    apex_world_poses_by_slot(field->world, field->poses);
}

// The contact of two cars as the world would tell of it. @param is_nose one has hit the other's end
static inline apex_contact_event stage_contact(uint32_t a, uint32_t b, bool is_nose,
                                               double closing_mps) {
    const race_field *field = stage_field();
    const apex_car_pose *first = race_field_pose(field, a);
    const apex_car_pose *second = race_field_pose(field, b);
    apex_track_frame frame = apex_track_frame_at(stage_track, field->players[a].s_m);
    double x_m = second->position_m[0] - first->position_m[0];
    double y_m = second->position_m[1] - first->position_m[1];
    double ahead[2] = {apex_cos(frame.heading_rad), apex_sin(frame.heading_rad)};
    double along_m = x_m * ahead[0] + y_m * ahead[1];
    double left_m = y_m * ahead[0] - x_m * ahead[1];
    double along = is_nose ? (along_m > 0.0 ? 1.0 : -1.0) : 0.0;
    double left = is_nose ? 0.0 : left_m > 0.0 ? 1.0 : -1.0;
    apex_contact_event contact = {
        .car = first->id,
        .other = second->id,
        .kind = APEX_CONTACT_CAR,
        .normal = {along * ahead[0] - left * ahead[1], along * ahead[1] + left * ahead[0], 0.0},
        .impulse_ns = 2000.0,
        .closing_mps = closing_mps,
        .began = true,
    };
    for (int i = 0; i < 3; i++) {
        contact.point_m[i] = 0.5 * (first->position_m[i] + second->position_m[i]);
    }
    return contact;
}

static inline void stage_judge(const apex_contact_event contacts[], size_t count) {
    race_stewarding with = {.field = stage_field(),
                            .rule = &stage_rule,
                            .contacts = contacts,
                            .contact_count = count,
                            .race_number = 1,
                            .blue_for1 = stage_blue1};
    race_faults_judge(&stage_faults, &with);
}
