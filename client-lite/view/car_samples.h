/// The samples of one car: the last that came of it, and the pose that they give at a moment.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "client-lite/client.h"
#include "client-lite/view/road.h"

/// Half a second at sixty samples in one fits.
enum { CLIENT_SAMPLES_KEPT = 32 };
/// Between samples so far apart a car keeps to the road.
#define CLIENT_ROAD_GAP_S 0.4

typedef struct client_sample {
    uint32_t tick;
    apex_wire_car car;
} client_sample;

/// The last two samples along the road, if they are far apart.
typedef struct client_road_way {
    bool is_known, was_put;
    uint32_t from_tick, to_tick;
    client_road_place from, to;
    double way_m;
} client_road_way;

/// The ride of a car along the road since a sample.
typedef struct client_road_ride {
    bool is_known;
    uint32_t of_tick;
    double ahead_s; ///< after what was told was believed
    client_road_place place;
} client_road_ride;

typedef struct client_car_samples {
    uint32_t count;
    client_sample list[CLIENT_SAMPLES_KEPT]; ///< by tick, oldest first
    client_road_way way;
    client_road_ride ride;
    double interval_ticks; ///< mean of the ways from one sample to the next
    uint32_t interval_count;
} client_car_samples;

/// The scene that all cars of a race share.
typedef struct client_samples_scene {
    uint32_t tick_hz;
    uint32_t newest_tick; ///< of the snapshots, of whatever car
    client_road *road;    ///< NULL: cars go straight on
} client_samples_scene;

static inline double client_samples_seconds(const client_samples_scene *scene, uint32_t from,
                                            double to) {
    return (to - (double)from) / scene->tick_hz;
}

/// To be called before the sample of `tick` is inserted.
void client_samples_count_interval(client_car_samples *heard, uint32_t tick);
/// @return false if it is here already, or older than all that are kept.
bool client_samples_insert(client_car_samples *heard, const apex_wire_car *car, uint32_t tick);
/// After a newest sample far from the one before: which way the car has gone between them.
void client_samples_note_way(const client_samples_scene *scene, client_car_samples *heard);
/// The pose of the car at `tick`: between samples, or carried on after the last. At least one is
/// here.
apex_client_pose client_samples_pose(const client_samples_scene *scene, client_car_samples *heard,
                                     double tick);
