// Poses of the last ticks, and frames that wait for theirs.
#include "support/host/frame_truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

enum { TICKS = 256, CARS = 64, FRAMES = 512, VALUES = 1 << 20 };

static const double NEAR_M = 15.0;

typedef struct true_tick {
    uint32_t tick;
    size_t count;
    apex_car_pose cars[CARS];
} true_tick;

typedef struct kept_frame {
    double moment;
    uint32_t own_car;
    size_t count;
    apex_client_pose cars[CARS];
} kept_frame;

struct frame_truth {
    true_tick ticks[TICKS];
    kept_frame frames[FRAMES];
    size_t first, end;
    apex_hull_def hull;
    size_t compared, overlaps;
    double along_m[VALUES], across_m[VALUES], offset_m[VALUES];
};

frame_truth *frame_truth_create(const apex_hull_def *hull) {
    frame_truth *truth = calloc(1, sizeof *truth);
    APEX_ASSERT(truth != NULL);
    truth->hull = *hull;
    return truth;
}

void frame_truth_destroy(frame_truth *truth) {
    free(truth);
}

static uint32_t wire_id(apex_car_id id) {
    return (uint32_t)id.generation << 16 | id.index1;
}

static const apex_car_pose *find(const true_tick *at, uint32_t car) {
    for (size_t i = 0; i < at->count; i++) {
        if (wire_id(at->cars[i].id) == car) {
            return &at->cars[i];
        }
    }
    return NULL;
}

static double mix(double a, double b, double share) {
    return a + (b - a) * share;
}

bool frame_truth_place(const frame_truth *truth, uint32_t car, double moment, double out_m[2],
                       double *yaw_rad) {
    uint32_t tick = (uint32_t)moment;
    const true_tick *before = &truth->ticks[tick % TICKS];
    const true_tick *after = &truth->ticks[(tick + 1) % TICKS];
    if (before->tick != tick || after->tick != tick + 1) {
        return false;
    }
    const apex_car_pose *from = find(before, car), *to = find(after, car);
    if (from == NULL || to == NULL) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        out_m[i] = mix(from->position_m[i], to->position_m[i], moment - tick);
    }
    *yaw_rad = from->yaw_rad;
    return true;
}

typedef struct box {
    double centre_m[2], axes[2][2], half_m[2];
} box;

static box footprint(const apex_hull_def *hull, const double at_m[2], double yaw_rad) {
    double c = cos(yaw_rad), s = sin(yaw_rad);
    return (box){.centre_m = {at_m[0] + hull->centre_x_m * c, at_m[1] + hull->centre_x_m * s},
                 .axes = {{c, s}, {-s, c}},
                 .half_m = {0.5 * hull->length_m, 0.5 * hull->width_m}};
}

static double reach(const box *of, const double axis[2]) {
    return of->half_m[0] * fabs(of->axes[0][0] * axis[0] + of->axes[0][1] * axis[1]) +
           of->half_m[1] * fabs(of->axes[1][0] * axis[0] + of->axes[1][1] * axis[1]);
}

double frame_truth_overlap_m(const apex_hull_def *hull, const double a_m[2], double a_yaw_rad,
                             const double b_m[2], double b_yaw_rad) {
    box boxes[2] = {footprint(hull, a_m, a_yaw_rad), footprint(hull, b_m, b_yaw_rad)};
    double least_m = (double)INFINITY;
    for (int i = 0; i < 4; i++) {
        const double *axis = boxes[i / 2].axes[i % 2];
        double apart = (boxes[1].centre_m[0] - boxes[0].centre_m[0]) * axis[0] +
                       (boxes[1].centre_m[1] - boxes[0].centre_m[1]) * axis[1];
        least_m = fmin(least_m, reach(&boxes[0], axis) + reach(&boxes[1], axis) - fabs(apart));
    }
    return fmax(least_m, 0.0);
}

static const apex_client_pose *shown_in(const kept_frame *frame, uint32_t car) {
    for (size_t i = 0; i < frame->count; i++) {
        if (frame->cars[i].car == car) {
            return &frame->cars[i];
        }
    }
    return NULL;
}

static void look_for_overlap(frame_truth *truth, const kept_frame *frame,
                             const apex_client_pose *rival) {
    const double OVERLAP_M = 0.05;
    const apex_client_pose *own = shown_in(frame, frame->own_car);
    double own_m[2], rival_m[2], own_yaw, rival_yaw;
    if (own == NULL ||
        frame_truth_overlap_m(&truth->hull, own->position_m, own->yaw_rad, rival->position_m,
                              rival->yaw_rad) <= OVERLAP_M ||
        !frame_truth_place(truth, frame->own_car, frame->moment, own_m, &own_yaw) ||
        !frame_truth_place(truth, rival->car, frame->moment, rival_m, &rival_yaw)) {
        return;
    }
    truth->overlaps +=
        frame_truth_overlap_m(&truth->hull, own_m, own_yaw, rival_m, rival_yaw) <= OVERLAP_M;
}

static void compare(frame_truth *truth, const kept_frame *frame) {
    double own_m[2], true_m[2], yaw_rad;
    if (!frame_truth_place(truth, frame->own_car, frame->moment, own_m, &yaw_rad)) {
        return;
    }
    for (size_t i = 0; i < frame->count; i++) {
        const apex_client_pose *shown = &frame->cars[i];
        if (shown->car == frame->own_car ||
            !frame_truth_place(truth, shown->car, frame->moment, true_m, &yaw_rad) ||
            hypot(true_m[0] - own_m[0], true_m[1] - own_m[1]) > NEAR_M ||
            truth->compared == VALUES) {
            continue;
        }
        look_for_overlap(truth, frame, shown);
        double x = shown->position_m[0] - true_m[0], y = shown->position_m[1] - true_m[1];
        truth->along_m[truth->compared] = fabs(x * cos(yaw_rad) + y * sin(yaw_rad));
        truth->across_m[truth->compared] = fabs(y * cos(yaw_rad) - x * sin(yaw_rad));
        truth->offset_m[truth->compared] = hypot(x, y);
        truth->compared++;
    }
}

void frame_truth_keep(frame_truth *truth, const apex_race *race) {
    const apex_world *world = apex_race_world(race);
    uint32_t tick = (uint32_t)apex_world_tick(world);
    true_tick *at = &truth->ticks[tick % TICKS];
    if (at->tick != tick) {
        at->tick = tick;
        at->count = apex_world_poses(world, at->cars, CARS);
    }
    while (truth->first < truth->end && truth->frames[truth->first % FRAMES].moment + 1.0 < tick) {
        compare(truth, &truth->frames[truth->first++ % FRAMES]);
    }
}

void frame_truth_show(frame_truth *truth, uint32_t own_car, double moment,
                      const apex_client_pose poses[], size_t count) {
    APEX_ASSERT(truth->end - truth->first < FRAMES && count <= CARS);
    kept_frame *frame = &truth->frames[truth->end++ % FRAMES];
    frame->moment = moment;
    frame->own_car = own_car;
    frame->count = count;
    memcpy(frame->cars, poses, count * sizeof *poses);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double share_of(const double sorted[], size_t count, double share) {
    return count > 0 ? sorted[(size_t)(share * (double)(count - 1) + 0.5)] : 0.0;
}

frame_truth_errors frame_truth_errors_of(frame_truth *truth) {
    size_t n = truth->compared;
    qsort(truth->along_m, n, sizeof(double), by_size);
    qsort(truth->across_m, n, sizeof(double), by_size);
    qsort(truth->offset_m, n, sizeof(double), by_size);
    return (frame_truth_errors){.compared = n,
                                .along_m_p50 = share_of(truth->along_m, n, 0.5),
                                .along_m_p95 = share_of(truth->along_m, n, 0.95),
                                .along_m_p99 = share_of(truth->along_m, n, 0.99),
                                .across_m_p50 = share_of(truth->across_m, n, 0.5),
                                .across_m_p95 = share_of(truth->across_m, n, 0.95),
                                .across_m_p99 = share_of(truth->across_m, n, 0.99),
                                .overlaps = truth->overlaps,
                                .offset_m_p50 = share_of(truth->offset_m, n, 0.5),
                                .offset_m_p90 = share_of(truth->offset_m, n, 0.9)};
}

void frame_truth_add(frame_truth *truth, const frame_truth *more) {
    APEX_ASSERT(truth->compared + more->compared <= VALUES);
    size_t bytes = more->compared * sizeof(double);
    memcpy(truth->along_m + truth->compared, more->along_m, bytes);
    memcpy(truth->across_m + truth->compared, more->across_m, bytes);
    memcpy(truth->offset_m + truth->compared, more->offset_m, bytes);
    truth->compared += more->compared;
    truth->overlaps += more->overlaps;
}

void frame_truth_forget(frame_truth *truth) {
    truth->compared = truth->overlaps = 0;
}
