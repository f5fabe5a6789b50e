// Measures of a scene.
#include "race/fault/scene.h"

#include "base/assert.h"

#include <math.h>

// A mirror hangs where the windscreen ends.
static const double MIRROR_SHARE = 0.4; // of the wheelbase, behind the front axle

// Of a width apart: with less one is behind the other, not beside him.
static const double ABREAST_SHARE = 0.5;
static const double IN_LINE_M = 0.25; // and with this all the way he follows him

static double mix(double newer, double older, double share) {
    return newer + share * (older - newer);
}

race_scene_moment race_scene_at(const race_scene_car *car, double age_s) {
    APEX_ASSERT(car->count > 0 && car->count <= RACE_SCENE_MOMENTS);
    uint32_t older = 0;
    while (older + 1 < car->count && car->moments[older].age_s < age_s) {
        older++;
    }
    race_scene_moment at = car->moments[older];
    if (older == 0 || at.age_s <= age_s) {
        return at;
    }
    const race_scene_moment *newer = &car->moments[older - 1];
    double share = (age_s - newer->age_s) / (at.age_s - newer->age_s);
    at.age_s = age_s;
    at.along_m = mix(newer->along_m, at.along_m, share);
    at.offset_m = mix(newer->offset_m, at.offset_m, share);
    at.heading_rad = mix(newer->heading_rad, at.heading_rad, share);
    at.speed_mps = mix(newer->speed_mps, at.speed_mps, share);
    at.brake = mix(newer->brake, at.brake, share);
    at.plan_offset_m = mix(newer->plan_offset_m, at.plan_offset_m, share);
    at.plan_mps = mix(newer->plan_mps, at.plan_mps, share);
    at.left_m = mix(newer->left_m, at.left_m, share);
    at.right_m = mix(newer->right_m, at.right_m, share);
    return at;
}

const race_scene_moment *race_scene_before(const race_scene_car *car) {
    return &car->moments[car->count > 1 ? 1 : 0];
}

double race_scene_oldest_s(const race_scene *scene) {
    double a_s = scene->cars[0].moments[scene->cars[0].count - 1].age_s;
    double b_s = scene->cars[1].moments[scene->cars[1].count - 1].age_s;
    return a_s < b_s ? a_s : b_s;
}

double race_scene_reached_s(const race_scene_car *car, double along_m) {
    double place_m = along_m - car->front_axle_m;
    if (car->moments[0].along_m < place_m) {
        return -1.0;
    }
    for (uint32_t i = 1; i < car->count; i++) {
        const race_scene_moment *newer = &car->moments[i - 1];
        const race_scene_moment *older = &car->moments[i];
        if (older->along_m < place_m) {
            double share = (newer->along_m - place_m) / (newer->along_m - older->along_m);
            return mix(newer->age_s, older->age_s, share);
        }
    }
    return car->moments[car->count - 1].age_s;
}

double race_scene_past_m(const race_scene *scene, uint32_t whom, race_scene_line line,
                         double age_s) {
    const race_scene_car *car = &scene->cars[whom];
    const race_scene_car *other = &scene->cars[1 - whom];
    double lines_m[] = {
        [RACE_LINE_REAR_AXLE] = -other->rear_axle_m,
        [RACE_LINE_MIRROR] =
            other->front_axle_m - MIRROR_SHARE * (other->front_axle_m + other->rear_axle_m),
        [RACE_LINE_FRONT_AXLE] = other->front_axle_m,
    };
    return race_scene_at(car, age_s).along_m + car->front_axle_m -
           race_scene_at(other, age_s).along_m - lines_m[line];
}

static double left_m(const race_scene *scene, uint32_t whom, double age_s) {
    return race_scene_at(&scene->cars[1 - whom], age_s).offset_m -
           race_scene_at(&scene->cars[whom], age_s).offset_m;
}

int race_scene_side(const race_scene *scene, uint32_t whom) {
    double apart_m = ABREAST_SHARE * 0.5 * (scene->cars[0].width_m + scene->cars[1].width_m);
    double oldest_s = race_scene_oldest_s(scene);
    double side_m = 0.0;
    for (uint32_t i = 0; i * 0.1 <= oldest_s && fabs(side_m) < apart_m; i++) {
        side_m = left_m(scene, whom, i * 0.1);
    }
    return side_m > IN_LINE_M ? 1 : side_m < -IN_LINE_M ? -1 : 0;
}

double race_scene_closed_m(const race_scene *scene, uint32_t whom, double age_s) {
    const race_scene_car *car = &scene->cars[whom];
    double then_m = race_scene_at(car, age_s).offset_m;
    return race_scene_side(scene, whom) * (car->moments[0].offset_m - then_m);
}

double race_scene_moved_m(const race_scene *scene, uint32_t whom, double age_s) {
    const race_scene_car *car = &scene->cars[whom];
    double closed_m = race_scene_closed_m(scene, whom, age_s);
    double asked_m = race_scene_side(scene, whom) *
                     (car->moments[0].plan_offset_m - race_scene_at(car, age_s).plan_offset_m);
    if (closed_m <= 0.0 || asked_m <= 0.0) {
        return closed_m;
    }
    return closed_m > asked_m ? closed_m - asked_m : 0.0;
}

double race_scene_spare_m(const race_scene *scene, uint32_t whom) {
    const race_scene_car *car = &scene->cars[whom];
    const race_scene_moment *now = &car->moments[0];
    double edge_m = race_scene_side(scene, whom) > 0 ? now->right_m + now->offset_m
                                                     : now->left_m - now->offset_m;
    return edge_m - 0.5 * car->width_m;
}
