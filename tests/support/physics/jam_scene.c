// Cars start as the seeds of a sunflower lie: evenly, each turned towards the middle.
#include "support/physics/jam_scene.h"

#include "base/assert.h"
#include "base/trig.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Sunflower seeds: even, no two cars meet alike. The factor makes each car's share of the ground a
// square of 7 m; its nearest neighbour is then at least 6 m off.
static double start_radius_m(uint32_t car) {
    const double SPACING_M = 7.0;
    return SPACING_M * sqrt((car + 0.5) / APEX_PI);
}

apex_placement jam_scene_start(uint32_t car, double speed_mps) {
    const double GOLDEN_ANGLE = 2.39996322972865332;
    double turns = car * GOLDEN_ANGLE / (2.0 * APEX_PI);
    double angle = (turns - floor(turns)) * 2.0 * APEX_PI, radius_m = start_radius_m(car);
    return (apex_placement){.x_m = radius_m * apex_cos(angle),
                            .y_m = radius_m * apex_sin(angle),
                            .yaw_rad = angle + APEX_PI,
                            .speed_mps = speed_mps};
}

apex_car_def jam_scene_box(void) {
    apex_car_def def = apex_default_car_def();
    strcpy(def.name, "box");
    def.fuel_kg_max = 0.0;
    def.hull.height_m = 0.7;
    def.hull.centre_z_m = 0.0;
    return def;
}

static double level(double x_m, double y_m) {
    (void)x_m;
    (void)y_m;
    return 0.0;
}

jam_scene jam_scene_create(const apex_car_def *car, uint32_t car_count, double speed_mps) {
    jam_scene jam = {.car_count = car_count,
                     .ground = scene_ground_create(start_radius_m(car_count) + 64.0, level),
                     .controls = calloc(car_count, sizeof *jam.controls)};
    apex_world_def def = scene_world_def(car_count);
    apex_car_type type;
    APEX_ASSERT(jam.controls != NULL);
    APEX_ASSERT(apex_world_create(&def, scene_ground_of(jam.ground), NULL, &jam.world) == APEX_OK);
    APEX_ASSERT(apex_world_add_type(jam.world, car, &type) == APEX_OK);
    for (uint32_t i = 0; i < car_count; i++) {
        apex_placement at = jam_scene_start(i, speed_mps);
        apex_car_id id;
        APEX_ASSERT(apex_world_add_car(jam.world, type, &at, &id) == APEX_OK);
        jam.controls[i] = (apex_controls){.throttle = 255, .gear = APEX_GEAR_AUTOMATIC};
    }
    return jam;
}

void jam_scene_run(jam_scene *jam, uint32_t ticks) {
    for (uint32_t tick = 0; tick < ticks; tick++) {
        apex_world_step(jam->world, jam->controls, NULL);
    }
}

void jam_scene_destroy(jam_scene *jam) {
    apex_world_destroy(jam->world);
    scene_ground_destroy(jam->ground);
    free(jam->controls);
    *jam = (jam_scene){0};
}

size_t jam_scene_contacts(const jam_scene *jam) {
    size_t count, touching = 0;
    const apex_contact_event *events = apex_world_contacts(jam->world, &count);
    for (size_t i = 0; i < count; i++) {
        touching += events[i].kind == APEX_CONTACT_CAR;
    }
    return touching;
}
