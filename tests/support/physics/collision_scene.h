// Cars thrown at each other, at walls and into heaps, and how far their hulls lie in each other:
// worked out here from poses and definitions alone, by other formulas than the solver's.

#ifndef APEX_TESTS_COLLISION_SCENE_H
#define APEX_TESTS_COLLISION_SCENE_H

#include "physics/physics.h"

#include <stdbool.h>
#include <stdint.h>

enum { COLLISION_KINDS = 8 };
#define COLLISION_PI 3.14159265358979323846

// A world of up to eight kinds of car, on level asphalt or a kilometre above it.
typedef struct collision_yard {
    apex_world *world;
    apex_controls *controls; // neutral at first, [slot]
    apex_car_def defs[COLLISION_KINDS];
    apex_car_type types[COLLISION_KINDS];
    uint32_t kinds, cars;
    bool is_high;
} collision_yard;

typedef struct collision_yard_def {
    uint32_t cars;
    bool is_high;
    const apex_walls *walls;
} collision_yard_def;

collision_yard collision_yard_open(const collision_yard_def *def);
uint32_t collision_yard_add(collision_yard *yard, const apex_car_def *def);
void collision_yard_run(collision_yard *yard, uint32_t ticks);
void collision_yard_close(collision_yard *yard);

// A throw of a car. Heights are of the centre of mass: above its height at rest, or, high up, of
// nothing at all.
typedef struct collision_throw {
    uint32_t kind;
    double place_m[3];
    double yaw_rad, pitch_rad, roll_rad; // turned about z, then y, then x
    double velocity_mps[3], angular_radps[3];
} collision_throw;

apex_car_id collision_throw_car(collision_yard *yard, const collision_throw *how);
// The same in the mirror of the plane y = 0.
collision_throw collision_mirrored(const collision_throw *how);
apex_car_state collision_state(const collision_yard *yard, apex_car_id car);
apex_car_pose collision_pose(const collision_yard *yard, apex_car_id car);

// A disc of so many cars, noses to the middle, so fast; a little askew by `seed`.
typedef struct collision_jam {
    uint32_t cars, kinds; // kinds in turn
    double speed_mps;
    uint64_t seed;
    bool is_mirrored;
} collision_jam;

void collision_jam_place(collision_yard *yard, const collision_jam *jam);
// Cars that were stopped in the last tick, as if their numbers were no good.
size_t collision_count_stopped(const apex_world *world);
// The same pedals in every car.
void collision_yard_pedals(collision_yard *yard, uint8_t throttle, uint8_t brake);

// A turned box with its edges rounded in the plan.
typedef struct collision_box {
    double centre_m[3], axis[3][3], half_m[3];
    double rounding_m;
} collision_box;

// The hull, its sizes times `share`.
collision_box collision_box_of(const apex_car_def *def, const apex_car_pose *pose, double share);
// As far as the boxes have to go to be apart, sharp edges and all; below 0 when they are, and
// endlessly when they are far from each other.
double collision_overlap_m(const collision_box *a, const collision_box *b);
// Of cars that stand: their rounded rectangles in the plan, or their heights if that is less.
double collision_plan_overlap_m(const collision_box *a, const collision_box *b);
// A car's way from one tick to the next.
typedef struct collision_track {
    const apex_car_def *def;
    apex_car_pose before, now;
} collision_track;

// @return whether, at any time on the way, the middle of one hull lay in the inner half of the
// other: one goes through the other then. Dents and corners do not get there.
bool collision_is_through(const collision_track *a, const collision_track *b);
// @return the deepest penetration of the hull, its sizes times `share`, into something that does
// not move.
double collision_deepest_in(const collision_track *a, const collision_box *fixed, double share);
void collision_box_corner(const collision_box *box, uint32_t corner, double out[3]);

#endif
