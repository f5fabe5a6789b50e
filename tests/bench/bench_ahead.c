// links: client-lite replicate
// What it costs a driver's client to show rivals where they are: twelve of them close by, a new
// snapshot with all of them, and ten ticks to go ahead of it.
#include <stdio.h>
#include <string.h>

#include "bench/windows.h"
#include "client-lite/input/controls.h"
#include "client-lite/prediction/predict.h"
#include "client-lite/prediction/world_def.h"
#include "replicate/replicate.h"
#include "support/physics/scenes.h"

enum { CARS = 1 + CLIENT_NEAR_MAX, TICK_HZ = 60, AHEAD = 10, INTERVAL = 3, SNAPSHOTS = 400 };

typedef struct pack {
    apex_world *world;
    apex_car_id ids[CARS];
    apex_car_def def;
    uint32_t tick;
} pack;

static apex_world_rules rules_of(const apex_world_def *world) {
    return (apex_world_rules){.physics_version = APEX_PHYSICS_VERSION,
                              .substep_hz = world->substep_hz,
                              .gravity_mps2 = world->gravity_mps2,
                              .air_density_kg_per_m3 = world->air_density_kg_per_m3};
}

static void begin(pack *self) {
    apex_world_def def = apex_default_world_def();
    apex_car_type type;
    def.car_capacity = CARS;
    def.tick_hz = TICK_HZ;
    self->def = scene_corvette();
    apex_world_create(&def, scene_flat(), NULL, &self->world);
    apex_world_add_type(self->world, &self->def, &type);
    for (int i = 0; i < CARS; i++) {
        apex_placement at = {.x_m = 6.0 * (i / 3), .y_m = 3.0 * (i % 3), .speed_mps = 30.0};
        apex_world_add_car(self->world, type, &at, &self->ids[i]);
    }
}

static apex_controls driven(int car, uint32_t tick) {
    return (apex_controls){.steer = (int16_t)((car + (int)tick / 20) % 3 * 300 - 300),
                           .throttle = (uint8_t)(120 + 10 * car),
                           .gear = APEX_GEAR_AUTOMATIC};
}

static void step(pack *self) {
    apex_controls controls[CARS];
    self->tick++;
    for (int i = 0; i < CARS; i++) {
        controls[i] = driven(i, self->tick);
    }
    apex_world_step(self->world, controls, NULL);
}

static const apex_car_def *def_of(void *context, uint32_t car) {
    (void)car;
    return &((pack *)context)->def;
}

static double snapshot_us(pack *self, client_predict *predict, client_snapshots *known) {
    apex_wire_car cars[CARS];
    apex_own_car own;
    for (int i = 0; i < CARS; i++) {
        apex_car_pose pose;
        apex_world_pose(self->world, self->ids[i], &pose);
        cars[i] = apex_replicate_quantise(&pose);
    }
    apex_snapshot_message part = {.tick = self->tick, .parts = 1, .car_count = CARS, .cars = cars};
    client_snapshots_take(known, &part, 0);
    apex_viewer viewer = {.own_car = cars[0].id, .wants_own_car = true};
    apex_replicate_own_car(self->world, &viewer, &own);
    own.fuel_kg += 1e-3f * (float)(self->tick % 7); // never as foretold: all of it is done anew
    client_rivals_news rivals = {.tick = self->tick,
                                 .cars = cars,
                                 .count = CARS,
                                 .own = cars[0].id,
                                 .known = known,
                                 .def_of = def_of,
                                 .context = self};
    client_predict_news news = {.tick = self->tick, .own = &own, .rivals = &rivals};
    double before_ms = windows_thread_ms();
    client_predict_take(predict, &news, 0);
    return 1e3 * (windows_thread_ms() - before_ms);
}

int main(void) {
    static pack self;
    static client_interpolation seen;
    static client_controls controls;
    static client_snapshots known;
    static double took_us[SNAPSHOTS];
    begin(&self);
    apex_world_def world = apex_default_world_def();
    client_interpolation_begin(&seen, TICK_HZ);
    client_snapshots_begin(&known, TICK_HZ);
    client_predict_def def = {.ground = scene_flat(),
                              .car = &self.def,
                              .seen = &seen,
                              .tick_hz = TICK_HZ,
                              .rules = rules_of(&world)};
    client_predict *predict = client_predict_create(&def);
    client_controls_begin(&controls, TICK_HZ, TICK_HZ, 3, 0);
    for (uint32_t i = 0; i < SNAPSHOTS; i++) {
        for (int t = 0; t < INTERVAL; t++) {
            step(&self);
        }
        apex_controls_message message;
        apex_controls own = driven(0, self.tick);
        controls.now =
            (apex_control_sample){.steer = own.steer, .throttle = own.throttle, .gear = own.gear};
        client_controls_sample_to(&controls, (double)(self.tick + AHEAD), 0, &message);
        client_predict_advance(predict, &controls);
        took_us[i] = snapshot_us(&self, predict, &known);
    }
    apex_client_prediction done = client_predict_stats(predict);
    printf("ahead.snapshot_us %.1f us\n", windows_median(took_us + 20, SNAPSHOTS - 20));
    printf("ahead.steps_per_snapshot %.1f steps\n", (double)done.steps / SNAPSHOTS);
    client_predict_destroy(predict);
    client_snapshots_free(&known);
    apex_world_destroy(self.world);
    return 0;
}
