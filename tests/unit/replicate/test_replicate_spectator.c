// links: replicate content client
// A spectator of a thousand cars, and of four thousand: how many are known, how smoothly those go
// that are told of only in turn, and how far they are from where they were.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client-lite/view/deltas.h"
#include "client-lite/view/interpolate.h"
#include "content/content.h"
#include "replicate/viewer.h"
#include "support/base/check_main.h"

enum { TICK_HZ = 60, PERIOD_TICKS = 3, CARS_MAX = 4000, RING = 256, DELAY_TICKS = 3, FLIGHTS = 8 };

/// The speed that each metre of the road allows: bends at 11 m/s^2, brakes at 9, accelerates at 5.
typedef struct road_speeds {
    uint32_t length_m;
    double *mps;
    apex_track_frame *frames;
} road_speeds;

static void slow_down(road_speeds *speeds, int from, int to, int step, double most_mps2) {
    int count = (int)speeds->length_m;
    for (int i = from; i != to; i += step) {
        double *here = &speeds->mps[(i % count + count) % count];
        double before = speeds->mps[((i - step) % count + count) % count];
        *here = fmin(*here, sqrt(before * before + 2.0 * most_mps2));
    }
}

static road_speeds speeds_of(const apex_track *track) {
    road_speeds speeds = {.length_m = (uint32_t)apex_track_length_m(track)};
    int count = (int)speeds.length_m;
    speeds.mps = calloc(speeds.length_m, sizeof *speeds.mps);
    speeds.frames = calloc(speeds.length_m + 1, sizeof *speeds.frames);
    ck_assert(speeds.mps != NULL && speeds.frames != NULL);
    for (int i = 0; i < count; i++) {
        speeds.frames[i] = apex_track_frame_at(track, i);
        double bend = fabs(speeds.frames[i].curvature_per_m);
        speeds.mps[i] = fmin(70.0, sqrt(11.0 / fmax(bend, 1e-4)));
    }
    speeds.frames[count] = speeds.frames[0];
    slow_down(&speeds, 0, 2 * count, 1, 5.0);
    slow_down(&speeds, 2 * count, 0, -1, 9.0);
    return speeds;
}

/// A car that drives the road as fast as it is able to, from side to side of it.
typedef struct driven {
    double s_m, skill, phase;
} driven;

typedef struct test_field {
    apex_track *track;
    road_speeds speeds;
    uint32_t count, tick;
    driven cars[CARS_MAX];
    apex_car_pose poses[CARS_MAX];
    float places_m[RING][CARS_MAX][2]; ///< [tick % RING]
} test_field;

// Between two metres of it.
static apex_track_frame frame_at(const road_speeds *speeds, double s_m) {
    uint32_t at = (uint32_t)s_m % speeds->length_m;
    const apex_track_frame *from = &speeds->frames[at], *to = from + 1;
    double share = s_m - floor(s_m);
    double turn = remainder(to->heading_rad - from->heading_rad, 2.0 * M_PI);
    return (apex_track_frame){
        .x_m = from->x_m + share * (to->x_m - from->x_m),
        .y_m = from->y_m + share * (to->y_m - from->y_m),
        .z_m = from->z_m + share * (to->z_m - from->z_m),
        .heading_rad = from->heading_rad + share * turn,
        .curvature_per_m =
            from->curvature_per_m + share * (to->curvature_per_m - from->curvature_per_m),
    };
}

static double offset_at(const driven *car, double s_m) {
    return 3.0 * sin(s_m / 60.0 + car->phase);
}

static double speed_of(const test_field *field, const driven *car) {
    double mood = 1.0 + 0.05 * sin(0.7 * field->tick / TICK_HZ + 3.0 * car->phase);
    uint32_t at = (uint32_t)fmod(car->s_m, field->speeds.length_m);
    return car->skill * mood * field->speeds.mps[at];
}

static void pose_car(test_field *field, uint32_t i) {
    const driven *car = &field->cars[i];
    apex_track_frame frame = frame_at(&field->speeds, car->s_m);
    double offset_m = offset_at(car, car->s_m), speed = speed_of(field, car);
    double askew = (offset_at(car, car->s_m + 0.5) - offset_at(car, car->s_m - 0.5)) /
                   (1.0 - offset_m * frame.curvature_per_m);
    double yaw = frame.heading_rad + atan(askew);
    apex_car_pose *pose = &field->poses[i];
    pose->id = (apex_car_id){.index1 = (uint16_t)(i + 1), .generation = 1};
    pose->position_m[0] = frame.x_m - offset_m * sin(frame.heading_rad);
    pose->position_m[1] = frame.y_m + offset_m * cos(frame.heading_rad);
    pose->position_m[2] = frame.z_m + 0.4;
    pose->yaw_rad = remainder(yaw, 2.0 * M_PI);
    pose->velocity_mps[0] = speed * cos(yaw);
    pose->velocity_mps[1] = speed * sin(yaw);
    pose->angular_radps[2] = speed * frame.curvature_per_m;
    field->places_m[field->tick % RING][i][0] = (float)pose->position_m[0];
    field->places_m[field->tick % RING][i][1] = (float)pose->position_m[1];
}

static void drive_on(test_field *field) {
    field->tick++;
    for (uint32_t i = 0; i < field->count; i++) {
        driven *car = &field->cars[i];
        apex_track_frame frame = frame_at(&field->speeds, car->s_m);
        double ratio = 1.0 - offset_at(car, car->s_m) * frame.curvature_per_m;
        double along = (offset_at(car, car->s_m + 0.5) - offset_at(car, car->s_m - 0.5)) / ratio;
        double way_m = speed_of(field, car) / TICK_HZ / sqrt(1.0 + along * along);
        car->s_m = fmod(car->s_m + way_m / ratio, field->speeds.length_m);
        pose_car(field, i);
    }
}

static test_field *field_create(uint32_t count) {
    test_field *field = calloc(1, sizeof *field);
    apex_track_def *def = calloc(1, sizeof *def);
    apex_content_problem problem;
    ck_assert(field != NULL && def != NULL);
    ck_assert_int_eq(apex_content_load_track("ridgeway", NULL, def, &problem), APEX_OK);
    ck_assert_int_eq(apex_track_sketch(def, &field->track, NULL), APEX_OK);
    apex_track_def_free(def);
    free(def);
    field->speeds = speeds_of(field->track);
    field->count = count;
    for (uint32_t i = 0; i < count; i++) {
        double share = (double)i / count;
        field->cars[i] = (driven){.s_m = share * field->speeds.length_m,
                                  .skill = 0.8 + 0.2 * fmod(7.13 * i, 1.0),
                                  .phase = fmod(1.7 * i, 6.28)};
    }
    return field;
}

static void field_destroy(test_field *field) {
    free(field->speeds.frames);
    free(field->speeds.mps);
    apex_track_destroy(field->track);
    free(field);
}

typedef struct flight {
    uint32_t due_tick;
    size_t length;
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
} flight;

typedef struct spectator {
    test_field *field;
    apex_replica *replica;
    apex_replica_codes *codes;
    apex_viewer_memory *memory;
    client_deltas deltas;
    client_snapshots snapshots;
    client_interpolation shown;
    client_road *road;
    flight flights[FLIGHTS];
    uint32_t flight_count;
    uint64_t listed, packets;
    uint32_t seen_tick[CARS_MAX + 1]; ///< [slot]
    uint32_t longest_ticks;           ///< between two words of a car
    // Cars as they were shown:
    bool is_judged;
    apex_client_pose poses[CARS_MAX], before[CARS_MAX];
    size_t pose_count, before_count;
    apex_histogram off_um, jump_um;
    uint64_t stale, far;
    clock_t clocks;
    uint64_t frames;
} spectator;

static void serve(spectator *self) {
    apex_viewer viewer = {.period_ticks = PERIOD_TICKS};
    apex_view_limits limits = apex_view_limits_spectator(self->replica);
    apex_delta_view view = {.viewer = &viewer, .limits = &limits};
    if (self->field->tick % PERIOD_TICKS != 0) {
        return;
    }
    ck_assert_uint_lt(self->flight_count, FLIGHTS);
    flight *out = &self->flights[self->flight_count++];
    out->due_tick = self->field->tick + DELAY_TICKS;
    apex_viewer_settle(self->memory);
    out->length = apex_replica_encode(self->replica, &view, self->codes, self->memory, out->bytes);
    ck_assert_uint_le(out->length, APEX_DELTA_BYTES_MAX);
}

static void note_heard(spectator *self, const apex_snapshot_message *whole) {
    for (uint32_t i = 0; i < whole->car_count; i++) {
        uint32_t *seen = &self->seen_tick[apex_delta_slot(whole->cars[i].id)];
        uint32_t ticks = whole->tick - *seen;
        self->longest_ticks =
            *seen != 0 && ticks > self->longest_ticks ? ticks : self->longest_ticks;
        *seen = whole->tick;
    }
}

static void receive(spectator *self, uint64_t now_us) {
    if (self->flight_count == 0 || self->flights[0].due_tick > self->field->tick) {
        return;
    }
    flight *in = &self->flights[0];
    apex_snapshot_message message = {.delta = in->bytes, .delta_length = in->length}, whole;
    ck_assert(client_deltas_take(&self->deltas, &message, self->field->tick, &whole));
    self->packets++;
    self->listed += whole.car_count - self->memory->car_count;
    note_heard(self, &whole);
    client_snapshots_take(&self->snapshots, &whole, now_us);
    client_interpolation_take(&self->shown, &whole, TICK_HZ, now_us);
    apex_snapshot_ack ack = client_deltas_ack(&self->deltas);
    apex_viewer_acknowledge(self->memory, &ack);
    memmove(in, in + 1, --self->flight_count * sizeof *in);
}

// Both rise. @param next place among those who compete
static bool is_listed(const spectator *self, uint32_t *next, uint32_t slot) {
    const apex_viewer_memory *memory = self->memory;
    while (*next < memory->car_count && memory->cars[*next].slot < slot) {
        (*next)++;
    }
    return *next == memory->car_count || memory->cars[*next].slot != slot;
}

static double off_truth_m(const spectator *self, const apex_client_pose *pose) {
    uint32_t tick = (uint32_t)pose->tick, i = apex_delta_slot(pose->car) - 1;
    const float *from_m = self->field->places_m[tick % RING][i];
    const float *to_m = self->field->places_m[(tick + 1) % RING][i];
    double share = pose->tick - tick;
    double x_m = (double)from_m[0] + share * (double)(to_m[0] - from_m[0]);
    double y_m = (double)from_m[1] + share * (double)(to_m[1] - from_m[1]);
    return hypot(pose->position_m[0] - x_m, pose->position_m[1] - y_m);
}

static double speed_mps(const apex_client_pose *pose) {
    return hypot(pose->velocity_mps[0], pose->velocity_mps[1]);
}

// A frame may take it as far as its speed, and a tenth more where the moment shown catches up.
static double jump_m(const apex_client_pose *from, const apex_client_pose *to) {
    double step_m =
        hypot(to->position_m[0] - from->position_m[0], to->position_m[1] - from->position_m[1]);
    return step_m - 1.1 * fmax(speed_mps(from), speed_mps(to)) / TICK_HZ;
}

static void judge(spectator *self) {
    size_t before = 0;
    uint32_t competes = 0;
    for (size_t i = 0; i < self->pose_count; i++) {
        const apex_client_pose *pose = &self->poses[i];
        while (before < self->before_count && self->before[before].car < pose->car) {
            before++;
        }
        if (!is_listed(self, &competes, apex_delta_slot(pose->car))) {
            continue;
        }
        self->far++;
        self->stale += pose->stale;
        apex_histogram_add(&self->off_um, (uint64_t)(1e6 * off_truth_m(self, pose)));
        if (before < self->before_count && self->before[before].car == pose->car) {
            double jumped_m = fmax(jump_m(&self->before[before], pose), 0.0);
            apex_histogram_add(&self->jump_um, (uint64_t)(1e6 * jumped_m));
        }
    }
}

static void look(spectator *self, uint64_t now_us) {
    client_frame frame = {
        .server_tick = self->field->tick, .out = self->poses, .capacity = CARS_MAX};
    memcpy(self->before, self->poses, self->pose_count * sizeof *self->poses);
    self->before_count = self->pose_count;
    clock_t begin = clock();
    self->pose_count = client_interpolation_show(&self->shown, &self->snapshots, now_us, &frame);
    self->clocks += clock() - begin;
    self->frames++;
    if (self->is_judged) {
        judge(self);
    }
}

static void run(spectator *self, double seconds) {
    for (uint32_t i = 0; i < (uint32_t)(seconds * TICK_HZ); i++) {
        drive_on(self->field);
        uint64_t now_us = (uint64_t)self->field->tick * 1000000 / TICK_HZ;
        replica_capture(self->replica, self->field->tick, self->field->poses, self->field->count);
        serve(self);
        receive(self, now_us);
        look(self, now_us);
    }
}

static spectator *spectator_create(uint32_t cars, bool has_road) {
    spectator *self = calloc(1, sizeof *self);
    ck_assert_ptr_nonnull(self);
    self->field = field_create(cars);
    self->replica = apex_replica_create(cars, TICK_HZ);
    self->codes = apex_replica_codes_create(cars);
    self->memory = apex_viewer_memory_create();
    ck_assert(self->replica != NULL && self->codes != NULL && self->memory != NULL);
    client_deltas_begin(&self->deltas, TICK_HZ);
    client_snapshots_begin(&self->snapshots, TICK_HZ);
    client_interpolation_begin(&self->shown, TICK_HZ);
    self->road = has_road ? client_road_create(self->field->track) : NULL;
    client_interpolation_ride(&self->shown, self->road);
    return self;
}

static void spectator_destroy(spectator *self) {
    client_interpolation_free(&self->shown);
    client_snapshots_free(&self->snapshots);
    client_deltas_free(&self->deltas);
    client_road_destroy(self->road);
    apex_viewer_memory_destroy(self->memory);
    apex_replica_codes_destroy(self->codes);
    apex_replica_destroy(self->replica);
    field_destroy(self->field);
    free(self);
}

typedef struct crowd {
    uint32_t cars;
    bool has_road;
    double all_known_s, settles_s, seconds;
    uint32_t longest_ticks;          ///< at most, as all that follows
    double off_m_p50, off_m_p99;     ///< from where they were at the moment that is shown
    double jump_m_p9999, jump_m_max; ///< in a frame, beyond what the speed explains
} crowd;

// A round of the list takes 0.65 s and 2.8 s. Cars go at up to 70 m/s and brake at 9 m/s^2.
static const crowd CROWDS[] = {
    {1000, true, 0.95, 5.0, 5.0, 48, 0.2, 1.0, 0.005, 0.05},
    {4000, true, 3.0, 6.0, 4.0, 200, 2.5, 12.0, 0.5, 0.7},
    {4000, false, 3.0, 4.0, 2.0, 200, 8.0, 40.0, 0.8, 1.0},
};

TEST_OVER(far_cars_go_smoothly, 0, (int)(sizeof CROWDS / sizeof *CROWDS)) {
    const crowd *is = &CROWDS[_i];
    const uint32_t cars = (uint32_t)check_cases((int)is->cars / 1000) * 1000;
    spectator *self = spectator_create(cars, is->has_road);
    run(self, is->all_known_s);
    size_t known = self->pose_count;
    run(self, is->settles_s);
    self->is_judged = true;
    run(self, is->seconds);
    double off_p50 = (double)apex_histogram_quantile(&self->off_um, 0.5) / 1e6;
    double off_p99 = (double)apex_histogram_quantile(&self->off_um, 0.99) / 1e6;
    double jump_p9999 = (double)apex_histogram_quantile(&self->jump_um, 0.9999) / 1e6;
    printf("%u cars%s: %zu known after %.2f s; %.0f of the list a packet, unheard for %.2f s at "
           "most; off %.2f m p50, %.2f p99, %.1f max; jumps %.3f m p99.99, %.3f max; %.0f us a "
           "frame\n",
           cars, is->has_road ? "" : " without a road", known, is->all_known_s,
           (double)self->listed / (double)self->packets, (double)self->longest_ticks / TICK_HZ,
           off_p50, off_p99, (double)self->off_um.max / 1e6, jump_p9999,
           (double)self->jump_um.max / 1e6,
           1e6 * (double)self->clocks / CLOCKS_PER_SEC / (double)self->frames);
    fflush(stdout); // also if what follows fails
    ck_assert_uint_eq(known, cars);
    ck_assert_uint_eq(self->pose_count, cars);
    ck_assert_uint_le(self->longest_ticks, is->longest_ticks);
    ck_assert_uint_eq(self->stale, 0);
    ck_assert_double_le(off_p50, is->off_m_p50);
    ck_assert_double_le(off_p99, is->off_m_p99);
    ck_assert_double_le(jump_p9999, is->jump_m_p9999);
    ck_assert_double_le((double)self->jump_um.max / 1e6, is->jump_m_max);
    spectator_destroy(self);
}
