// How a jam is measured, ours and the peer's alike: cars at 40 m/s towards one place, from half a
// second after the first of them hit until all have stood in one heap for a while.

#ifndef APEX_TESTS_JAM_WINDOWS_H
#define APEX_TESTS_JAM_WINDOWS_H

#include "windows.h"
#include "base/assert.h"
#include "support/physics/jam_boxes.h"

// A thousand have come together at about tick 110, four thousand at 260.
enum { JAM_FIRST_TICK = 33, JAM_TICKS = 270 };
static const double JAM_SPEED_MPS = 40.0;

typedef struct measured_jam {
    jam_scene scene;
    uint8_t *start; // saved at JAM_FIRST_TICK
} measured_jam;

static inline void jam_save_start(measured_jam *jam) {
    jam_scene_run(&jam->scene, JAM_FIRST_TICK);
    jam->start = malloc(apex_world_save_bytes(jam->scene.world));
    APEX_ASSERT(jam->start != NULL);
    apex_world_save(jam->scene.world, jam->start);
}

static inline measured_jam jam_of_cars(uint32_t car_count) {
    apex_car_def car = apex_default_car_def();
    measured_jam jam = {.scene = jam_scene_create(&car, car_count, JAM_SPEED_MPS)};
    jam_save_start(&jam);
    return jam;
}

static inline measured_jam jam_of_boxes(uint32_t car_count) {
    apex_car_def car = jam_scene_box();
    measured_jam jam = {.scene = jam_scene_create(&car, car_count, JAM_SPEED_MPS)};
    jam_boxes_take_forces(jam.scene.world);
    jam_save_start(&jam);
    return jam;
}

// @return the mean tick of one window, which is the same heap each time. It has to be one: whoever
// misses contacts would be fast. Boxes without tyres spring apart again: in Box2D, too, nine in ten
// have a pair.
static inline double jam_window_ms(measured_jam *jam) {
    apex_world *world = jam->scene.world;
    APEX_ASSERT(apex_world_restore(world, jam->start, apex_world_save_bytes(world)) == APEX_OK);
    double begin_ms = windows_thread_ms();
    jam_scene_run(&jam->scene, JAM_TICKS);
    double spent_ms = windows_thread_ms() - begin_ms;
    APEX_ASSERT(4 * jam_scene_contacts(&jam->scene) >= 3 * jam->scene.car_count);
    return spent_ms / JAM_TICKS;
}

static inline void jam_destroy(measured_jam *jam) {
    jam_scene_destroy(&jam->scene);
    free(jam->start);
}

#endif
