// links: base physics
// A benchmark of a car in one tick of 60 Hz, four substeps, on one thread: cars on hills that drive
// circles of their own, with nobody in the way, their wheels never quite still. Processor time of
// the thread, median of windows; each window is the same second and a half of the same drive.

#include "windows.h"
#include "base/assert.h"
#include "support/physics/scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WINDOWS = 9, WARM_TICKS = 120, TICKS = 90, CAR_TICKS_MIN = 200000 };

static double thread_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static int compare(const void *a, const void *b) {
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

typedef struct car_field {
    apex_world *world;
    scene_ground *ground;
    apex_controls *controls;
    uint32_t cars;
} car_field;

static car_field create_field(uint32_t cars) {
    const double SPACING_M = 40.0;
    uint32_t side = 1;
    while (side * side < cars) {
        side++;
    }
    car_field field = {.cars = cars, .controls = calloc(cars, sizeof *field.controls)};
    APEX_ASSERT(field.controls != NULL);
    field.ground = scene_ground_create_hills(0.5 * side * SPACING_M + 64.0);
    apex_world_def def = scene_world_def(cars);
    apex_car_def car = apex_default_car_def();
    apex_car_type type;
    APEX_ASSERT(apex_world_create(&def, scene_ground_of(field.ground), NULL, &field.world) ==
                APEX_OK);
    APEX_ASSERT(apex_world_add_type(field.world, &car, &type) == APEX_OK);
    for (uint32_t i = 0; i < cars; i++) {
        apex_placement at = {.x_m = (i % side - 0.5 * side) * SPACING_M,
                             .y_m = (i / side - 0.5 * side) * SPACING_M,
                             .yaw_rad = 0.37 * i,
                             .speed_mps = 8.0};
        apex_car_id id;
        APEX_ASSERT(apex_world_add_car(field.world, type, &at, &id) == APEX_OK);
        field.controls[i].gear = APEX_GEAR_AUTOMATIC;
        field.controls[i].throttle = (uint8_t)(60 + i % 40);
    }
    return field;
}

static void steer(const car_field *field, uint32_t tick) {
    for (uint32_t i = 0; i < field->cars; i++) {
        int32_t size = 20000 + (int32_t)(37 * (tick + i) % 101);
        field->controls[i].steer = (int16_t)(i % 2 ? size : -size);
    }
}

static void drive(const car_field *field, uint32_t ticks) {
    for (uint32_t tick = 0; tick < ticks; tick++) {
        steer(field, tick);
        apex_world_step(field->world, field->controls, NULL);
    }
}

static double window_us(const car_field *field, const uint8_t *start) {
    uint32_t rounds = (CAR_TICKS_MIN + TICKS * field->cars - 1) / (TICKS * field->cars);
    double spent_us = 0.0;
    for (uint32_t round = 0; round < rounds; round++) {
        apex_err err = apex_world_restore(field->world, start, apex_world_save_bytes(field->world));
        APEX_ASSERT(err == APEX_OK);
        double begin = thread_us();
        drive(field, TICKS);
        spent_us += thread_us() - begin;
    }
    return spent_us / ((double)rounds * TICKS * field->cars);
}

static void measure(uint32_t cars) {
    car_field field = create_field(cars);
    uint8_t *start = malloc(apex_world_save_bytes(field.world));
    double windows[WINDOWS];
    APEX_ASSERT(start != NULL);
    drive(&field, WARM_TICKS);
    apex_world_save(field.world, start);
    for (uint32_t w = 0; w < WINDOWS; w++) {
        windows[w] = window_us(&field, start);
    }
    qsort(windows, WINDOWS, sizeof *windows, compare);
    printf("physics.car_step_us.%u %.4f us\n", cars, windows[WINDOWS / 2]);
    apex_world_destroy(field.world);
    scene_ground_destroy(field.ground);
    free(field.controls);
    free(start);
}

int main(int argc, char **argv) {
    static const uint32_t COUNTS[] = {64, 1024, 4096};
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++) {
        char figure[64];
        snprintf(figure, sizeof figure, "physics.car_step_us.%u", COUNTS[i]);
        if (windows_is_wanted(argc, argv, figure)) {
            measure(COUNTS[i]);
        }
    }
    return 0;
}
