/// Cars driven into one heap: they start evenly spread round the origin, all facing it, at speed,
/// on level sampled ground, and press on. For tests of contacts and the benchmarks.
#pragma once

#include "support/physics/scenes.h"

#include <stddef.h>

typedef struct jam_scene {
    apex_world *world;
    scene_ground *ground;
    apex_controls *controls; ///< [slot]
    uint32_t car_count;
} jam_scene;

/// No two starts are nearer than 6 m: no cars' hulls of up to 5.5 by 2.4 m overlap.
apex_placement jam_scene_start(uint32_t car, double speed_mps);

/// The default car without fuel, its hull centred at its mass and clear of the ground: hits in the
/// plane do not tilt it. The same without wheels: support/physics/jam_boxes.h.
apex_car_def jam_scene_box(void);

/// Cars of one kind, in gear and at full throttle, straight ahead. Aborts on errors.
jam_scene jam_scene_create(const apex_car_def *car, uint32_t car_count, double speed_mps);
void jam_scene_run(jam_scene *jam, uint32_t ticks);
void jam_scene_destroy(jam_scene *jam);

/// The number of pairs of cars that had a contact in the last tick.
size_t jam_scene_contacts(const jam_scene *jam);
