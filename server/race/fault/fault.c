// The steward. Hazards come first; then it is asked how the cars met: one behind the other, beside
// each other in a corner, or beside each other elsewhere; and last what each did to his own car.
#include "race/fault/fault.h"

#include "race/fault/hazard.h"
#include "race/fault/pass.h"
#include "race/fault/reasons.h"

#include "base/assert.h"

#include <math.h>

static const double BEHIND_NORMAL = 0.7; // of the contact's normal along the road, 45 degrees
static const double BEHIND_SHARE = 0.6;  // of a length apart: nearer, they were beside each other
static const double LANE_SHARE = 0.9; // of a width apart: further, they were in lanes of their own
static const double ACROSS_M = 0.6;
enum { ACROSS_TENTHS = 20 }; // of a second, within which a lane was left
static const double REACTION_S = 0.5;
static const double BRAKING_MPS2 = 8.0;

static const double TEST_S = 1.0;
static const double TEST_LOST_MPS = 4.0;
static const double TEST_BRAKE = 0.3;
static const double TEST_PLAN_SHARE = 0.95; // of the speed before: where the plan allows less, he
                                            // brakes for the corner
static const double TEST_FREE_M = 40.0;     // nor for a car ahead of him

static const double WATCH_S = 0.7;
static const double EDGE_M = 0.5;
static const double SQUEEZE_M = 0.3;
static const double MOVED_M = 0.5; // more than the other
static const double DEFENCE_M = 0.8;
static const double DEFENCE_BRAKE = 0.2;
static const double BLUE_M = 0.4;
static const double SLIP_S = 1.0;
static const double FAST_SHARE = 1.1; // of the plan's speed

// @return the age at which the two were last in lanes of their own, below 0: not within two seconds
static double in_lanes_s(const race_scene *scene) {
    double lane_m = LANE_SHARE * 0.5 * (scene->cars[0].width_m + scene->cars[1].width_m);
    double oldest_s = race_scene_oldest_s(scene);
    for (uint32_t i = 1; i <= ACROSS_TENTHS && i * 0.1 <= oldest_s; i++) {
        double apart_m = race_scene_at(&scene->cars[0], i * 0.1).offset_m -
                         race_scene_at(&scene->cars[1], i * 0.1).offset_m;
        if (fabs(apart_m) >= lane_m) {
            return i * 0.1;
        }
    }
    return -1.0;
}

// How a car ahead left its lane for that of a follower, if it did.
static void judge_move_across(const race_scene *scene, uint32_t ahead, apex_fault *out) {
    const race_scene_car *own = &scene->cars[ahead];
    const race_scene_car *other = &scene->cars[1 - ahead];
    double age_s = in_lanes_s(scene);
    if (age_s < 0.0) {
        return;
    }
    race_scene_moment other_then = race_scene_at(other, age_s);
    double moved_m = race_scene_moved_m(scene, ahead, age_s);
    double gap_m = race_scene_at(own, age_s).along_m - other_then.along_m -
                   0.5 * (own->length_m + other->length_m);
    double closing_mps = other_then.speed_mps - race_scene_before(own)->speed_mps;
    double need_m = closing_mps * REACTION_S + closing_mps * closing_mps / (2 * BRAKING_MPS2);
    if (moved_m > ACROSS_M && moved_m > race_scene_moved_m(scene, 1 - ahead, age_s) &&
        closing_mps > 0.0 && gap_m < need_m) {
        race_reason_add(out, APEX_FAULT_MOVED_ACROSS, ahead,
                        (double[]){moved_m, gap_m > 0.0 ? gap_m : 0.0});
    }
}

static void judge_brake_test(const race_scene *scene, uint32_t ahead, apex_fault *out) {
    const race_scene_car *car = &scene->cars[ahead];
    const race_scene_moment *before = race_scene_before(car);
    double then_mps = race_scene_at(car, before->age_s + TEST_S).speed_mps;
    double lost_mps = then_mps - before->speed_mps;
    bool braked = false;
    for (uint32_t i = 1; i < car->count && car->moments[i].age_s <= TEST_S; i++) {
        braked = braked || car->moments[i].brake >= TEST_BRAKE;
    }
    if (braked && lost_mps >= TEST_LOST_MPS && before->plan_mps >= TEST_PLAN_SHARE * then_mps &&
        car->free_ahead_m > TEST_FREE_M) {
        race_reason_add(out, APEX_FAULT_BRAKE_TESTED, ahead,
                        (double[]){lost_mps, before->plan_mps});
    }
}

// Who defends by changing his line while he brakes.
static void judge_defence(const race_scene *scene, uint32_t whom, apex_fault *out) {
    const race_scene_car *car = &scene->cars[whom];
    double moved_m = race_scene_moved_m(scene, whom, WATCH_S);
    if (moved_m > DEFENCE_M && race_scene_at(car, 0.5 * WATCH_S).brake > DEFENCE_BRAKE &&
        race_scene_past_m(scene, 1 - whom, RACE_LINE_REAR_AXLE, 1.0) < 0.0) {
        race_reason_add(out, APEX_FAULT_MOVED_UNDER_BRAKING, whom, (double[]){moved_m, 0.0});
    }
}

static void judge_behind(const race_scene *scene, uint32_t ahead, apex_fault *out) {
    race_reason_add(out, APEX_FAULT_RAN_INTO_BACK, 1 - ahead, (double[]){scene->closing_mps, 0.0});
    judge_move_across(scene, ahead, out);
    judge_brake_test(scene, ahead, out);
    judge_defence(scene, ahead, out);
}

static void judge_beside(const race_scene *scene, apex_fault *out) {
    double moved_m[2] = {race_scene_moved_m(scene, 0, WATCH_S),
                         race_scene_moved_m(scene, 1, WATCH_S)};
    uint32_t mover = moved_m[0] > moved_m[1] ? 0 : 1;
    double spare_m = race_scene_spare_m(scene, 1 - mover);
    if (moved_m[mover] > SQUEEZE_M && spare_m < EDGE_M) {
        race_reason_add(out, APEX_FAULT_SQUEEZED, mover, (double[]){moved_m[mover], spare_m});
    } else if (moved_m[mover] - moved_m[1 - mover] > MOVED_M) {
        race_reason_add(out, APEX_FAULT_MOVED_OVER, mover, (double[]){moved_m[mover], 0.0});
    } else {
        race_reason_add(out, APEX_FAULT_SIDE_BY_SIDE, 0, (double[]){0.0, 0.0});
    }
    judge_defence(scene, 0, out);
    judge_defence(scene, 1, out);
}

// What he did to his own car, and flags.
static void judge_own(const race_scene *scene, uint32_t whom, apex_fault *out) {
    const race_scene_car *car = &scene->cars[whom];
    const race_scene_moment *before = race_scene_before(car);
    double slip_s = 0.0;
    uint32_t slips = 0;
    for (uint32_t i = 1; i < car->count && car->moments[i].age_s <= SLIP_S; i++) {
        if (car->moments[i].locked || car->moments[i].sliding) {
            slip_s = car->moments[i].age_s;
            slips++;
        }
    }
    if (slips >= 2) {
        race_reason_add(out, APEX_FAULT_BEYOND_TYRES, whom, (double[]){slip_s, 0.0});
    }
    if (scene->has_corner && before->speed_mps > FAST_SHARE * before->plan_mps) {
        race_reason_add(out, APEX_FAULT_TOO_FAST, whom,
                        (double[]){before->speed_mps, before->plan_mps});
    }
    double moved_m = race_scene_moved_m(scene, whom, WATCH_S);
    if (car->blue && moved_m > BLUE_M) {
        race_reason_add(out, APEX_FAULT_BLUE_IGNORED, whom, (double[]){moved_m, 0.0});
    }
}

void race_fault_judge(const race_scene *scene, apex_fault *out) {
    APEX_ASSERT(scene->cars[0].count > 0 && scene->cars[1].count > 0);
    const race_scene_car *cars = scene->cars;
    out->reason_count = 0;
    double apart_m = cars[0].moments[0].along_m - cars[1].moments[0].along_m;
    bool is_behind = fabs(scene->normal_along) > BEHIND_NORMAL &&
                     fabs(apart_m) > BEHIND_SHARE * 0.5 * (cars[0].length_m + cars[1].length_m);
    if (!race_hazards_judge(scene, out)) {
        if (is_behind) {
            judge_behind(scene, apart_m > 0.0 ? 0 : 1, out);
        } else if (scene->has_corner) {
            race_pass_judge(scene, out);
        } else {
            judge_beside(scene, out);
        }
        judge_own(scene, 0, out);
        judge_own(scene, 1, out);
    }
    race_reasons_sort(out);
    race_reasons_share(out);
}
