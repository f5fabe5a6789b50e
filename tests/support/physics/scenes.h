// Scenes that tests of physics, the golden hash and the benchmark share: ground without files, cars
// of every kind, drivers that are nothing but a seeded generator.

#ifndef APEX_TESTS_SCENES_H
#define APEX_TESTS_SCENES_H

#include "physics/physics.h"

#include <stdint.h>

// SplitMix64 (Steele, Lea and Flood 2014).
uint64_t scene_random(uint64_t *state);
double scene_random_between(uint64_t *state, double low, double high);

enum { SCENE_ASPHALT, SCENE_GRASS, SCENE_ICE, SCENE_GRAVEL, SCENE_ROUGH, SCENE_SURFACES };

// Level asphalt without end. Static: for every test.
const apex_ground *scene_flat(void);

// Heights over a square round the origin.
typedef double scene_height(double x_m, double y_m);

typedef struct scene_ground scene_ground;

// Tiles for |x|, |y| < half_m; asphalt within 200 m of the origin in y, grass beyond.
scene_ground *scene_ground_create(double half_m, scene_height *height);
// Hills that repeat: 24 by 24 tiles of memory, about what a circuit of 4 km needs, without end.
scene_ground *scene_ground_create_hills(double half_m);
const apex_ground *scene_ground_of(const scene_ground *ground);
void scene_ground_destroy(scene_ground *ground);

// A Corvette C5 with Monster's figures and isotropic tyres of B 10, C 2, D 1, E 1 and no load
// sensitivity: what the worked numbers suppose.
apex_car_def scene_corvette(void);
// The same with 50 : 50 axles, no aids, no slack: round numbers for closed forms.
apex_car_def scene_plain_car(void);
apex_car_def scene_motorcycle(void);
// 8 definitions: rear, front and all-wheel drive, each tyre model, each differential, three axles,
// kinematic, motorcycle.
enum { SCENE_KINDS = 8 };
apex_car_def scene_car_kind(uint32_t kind);

// Fills the world def's fields that tests change least: 60 Hz, `cars` slots.
apex_world_def scene_world_def(uint32_t cars);

// A world with one car of `def` at the origin, facing x. Aborts on errors.
typedef struct scene_solo {
    apex_world *world;
    apex_car_id car;
    apex_controls controls;
} scene_solo;

scene_solo scene_solo_create(const apex_car_def *def, const apex_ground *ground);
// The same in a world of other rates.
scene_solo scene_solo_create_in(const apex_world_def *world, const apex_car_def *def,
                                const apex_ground *ground);
// Steps with the same controls.
void scene_solo_run(scene_solo *solo, uint32_t ticks);
apex_car_state scene_solo_state(const scene_solo *solo);
apex_car_work scene_solo_work(const scene_solo *solo);
apex_car_pose scene_solo_pose(const scene_solo *solo);
double scene_solo_speed(const scene_solo *solo);
void scene_solo_destroy(scene_solo *solo);

// Many cars of all kinds inside a ring of walls, on hills, driven by a generator.
typedef struct scene_crowd {
    apex_world *world;
    scene_ground *ground;
    apex_controls *controls;
    apex_car_id *cars;
    uint32_t car_count;
    apex_walls *walls;
    uint64_t random_state;
    uint32_t tick_hz;
    uint32_t half_ticks; // of 120 Hz, counted so that controls do not depend on the tick rate
} scene_crowd;

typedef struct scene_crowd_def {
    uint32_t car_count;
    uint32_t tick_hz; // a divisor of 120
    double ring_m;    // radius of the walls; cars start inside
    double speed_mps; // at the start, towards the middle
    uint64_t seed;
    bool all_options; // fuel, wear, temperatures, damage
} scene_crowd_def;

scene_crowd scene_crowd_create(const scene_crowd_def *def);
// New controls every half second, then one step.
void scene_crowd_step(scene_crowd *crowd, apex_jobs *jobs);
void scene_crowd_destroy(scene_crowd *crowd);

#endif
