// Cars that are where nobody expects them.
#include "race/fault/hazard.h"

#include "race/fault/reasons.h"

#include <math.h>

static const double LOST_RAD =
    0.785; // 45 degrees off the road's direction: who is there has lost it
static const double ASTRAY_RAD = 0.349; // 20 degrees: there it began
static const double AGAINST_RAD = 2.094;
static const double AGAINST_S = 2.0; // a car that spins is turned round for less
static const double AGAINST_MPS = 3.0;

static const double BACK_S = 5.0;           // off the road, or put back on it, within this
static const double BACK_SPEED_SHARE = 0.8; // of the plan's: faster, it is up to speed again
static const double BACK_MOVED_M = 1.0;     // in a second, towards the other

// What a driver needs who sees it: a moment to think, and brakes that all cars have.
static const double THINKING_S = 0.8;
static const double BRAKING_MPS2 = 8.0;

typedef struct hazard {
    bool is_one;
    apex_fault_reason_kind kind;
    double since_s; // before the contact, as far back as moments go
    double value;
} hazard;

// @return since when the car has pointed further off the road's direction than that
static double astray_s(const race_scene_car *car, double heading_rad) {
    double since_s = 0.0;
    for (uint32_t i = 0; i < car->count; i++) {
        if (fabs(car->moments[i].heading_rad) > heading_rad) {
            since_s = car->moments[i].age_s;
        } else if (i > 0) { // the contact itself may have turned it straight
            break;
        }
    }
    return since_s;
}

static bool is_coming_back(const race_scene *scene, uint32_t whom) {
    const race_scene_car *car = &scene->cars[whom];
    const race_scene_moment *before = race_scene_before(car);
    return car->back_s < BACK_S && (before->speed_mps < BACK_SPEED_SHARE * before->plan_mps ||
                                    race_scene_closed_m(scene, whom, 1.0) > BACK_MOVED_M);
}

static hazard hazard_of(const race_scene *scene, uint32_t whom) {
    const race_scene_car *car = &scene->cars[whom];
    const race_scene_moment *before = race_scene_before(car);
    double against_s = astray_s(car, AGAINST_RAD);
    if (against_s >= AGAINST_S && before->speed_mps > AGAINST_MPS) {
        return (hazard){true, APEX_FAULT_WRONG_WAY, against_s, before->speed_mps};
    }
    if (is_coming_back(scene, whom)) {
        return (hazard){true, APEX_FAULT_REJOINED, car->back_s, car->back_s};
    }
    if (fabs(before->heading_rad) > LOST_RAD) {
        double since_s = astray_s(car, ASTRAY_RAD);
        return (hazard){true, APEX_FAULT_LOST_CONTROL, since_s, since_s};
    }
    return (hazard){.is_one = false};
}

// Whether `whom`, who came from behind, could have kept clear of the other when it became a hazard.
static void judge_avoiding(const race_scene *scene, uint32_t whom, const hazard *it,
                           apex_fault *out) {
    const race_scene_car *own = &scene->cars[whom];
    const race_scene_car *other = &scene->cars[1 - whom];
    race_scene_moment own_then = race_scene_at(own, it->since_s);
    double away_m = race_scene_at(other, it->since_s).along_m - own_then.along_m -
                    0.5 * (own->length_m + other->length_m);
    double fast = own_then.speed_mps * own_then.speed_mps;
    double slow_mps = race_scene_before(other)->speed_mps;
    double slow = slow_mps * slow_mps;
    double braking_m = fast > slow ? (fast - slow) / (2.0 * BRAKING_MPS2) : 0.0;
    double need_m = THINKING_S * own_then.speed_mps + braking_m;
    if (away_m > need_m) {
        race_reason_add(out, APEX_FAULT_COULD_AVOID, whom, (double[]){away_m, need_m});
    }
}

bool race_hazards_judge(const race_scene *scene, apex_fault *out) {
    bool is_there = false;
    for (uint32_t whom = 0; whom < 2; whom++) {
        hazard it = hazard_of(scene, whom);
        if (it.is_one) {
            is_there = true;
            race_reason_add(out, it.kind, whom, (double[]){it.value, 0.0});
            if (it.kind != APEX_FAULT_WRONG_WAY) { // nobody can stop for who comes against him
                judge_avoiding(scene, 1 - whom, &it, out);
            }
        }
    }
    return is_there;
}
