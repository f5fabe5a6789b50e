// The scene of a contact as a steward sees it: where the two were in the seconds before, on a road
// laid straight, and the corner that it happened in. All of it are values; there is no track and no
// world behind it. "Along" is metres on the road's middle from the place of the contact, ahead
// positive; offsets are to the left of the middle.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { RACE_SCENE_MOMENTS = 41 }; // those of the history, and that of the contact

typedef struct race_scene_moment {
    double age_s; // before the contact
    double along_m, offset_m;
    double heading_rad; // off the road's direction, to the left
    double speed_mps;
    double brake;                   // 0..1
    double plan_offset_m, plan_mps; // of the built-in driver in such a car, there
    double left_m, right_m;         // from the road's middle to its edges
    bool locked, sliding;           // wheels
} race_scene_moment;

typedef struct race_scene_car {
    uint32_t count; // of moments; [0] is that of the contact, then ever older
    race_scene_moment moments[RACE_SCENE_MOMENTS];
    // From the centre of mass: the axles, the ends and the sides of the hull.
    double front_axle_m, rear_axle_m; // ahead, behind
    double length_m, width_m;
    double back_s;       // since it was off the road, or was put back on it; infinite: neither
    double free_ahead_m; // to the next car on the road before it, but the other; infinite: none
    bool blue;           // is shown the blue flag for the other
} race_scene_car;

typedef struct race_scene {
    race_scene_car cars[2];
    double closing_mps;
    double normal_along; // of the contact's unit normal, that part which lies along the road
    bool has_corner;
    bool is_left; // the corner's inside
    double turn_in_m, apex_m;
} race_scene;

// The car so many seconds before the contact, between two moments; its oldest at most.
race_scene_moment race_scene_at(const race_scene_car *car, double age_s);
// The newest moment that the contact has no part in.
const race_scene_moment *race_scene_before(const race_scene_car *car);
double race_scene_oldest_s(const race_scene *scene); // that both have
// The age at which the car's front axle came to a place; below 0: it has not yet. The oldest if it
// was past it already.
double race_scene_reached_s(const race_scene_car *car, double along_m);

// How far the front axle of `whom` is ahead of a line across the other car: its rear axle, its
// mirror, its front axle.
typedef enum race_scene_line {
    RACE_LINE_REAR_AXLE,
    RACE_LINE_MIRROR,
    RACE_LINE_FRONT_AXLE,
} race_scene_line;

double race_scene_past_m(const race_scene *scene, uint32_t whom, race_scene_line line,
                         double age_s);

// 1 if the other is to the left of `whom` at the contact, -1 if to the right. Of two who are one
// behind the other there, where he was when they last were not, or at first; 0: they were so all
// the way.
int race_scene_side(const race_scene *scene, uint32_t whom);
// So far `whom` went towards the other since `age_s`, and so far of it his line does not ask. To
// stay where he is, whichever way his line leads, is no move.
double race_scene_closed_m(const race_scene *scene, uint32_t whom, double age_s);
double race_scene_moved_m(const race_scene *scene, uint32_t whom, double age_s);
// Between `whom` and the road's edge on the side away from the other, at the contact.
double race_scene_spare_m(const race_scene *scene, uint32_t whom);
