/// What a driver was shown, against what the server had at the moment of his own car: a frame is
/// kept until the server has made that moment.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client-lite/client.h"
#include "physics/physics.h"
#include "race/race.h"

typedef struct frame_truth frame_truth;

/// @param hull of all cars
frame_truth *frame_truth_create(const apex_hull_def *hull);
void frame_truth_destroy(frame_truth *truth);

/// After each tick of the race, or oftener.
void frame_truth_keep(frame_truth *truth, const apex_race *race);
/// A frame: the own car's moment, and all cars as they are shown in it.
void frame_truth_show(frame_truth *truth, uint32_t own_car, double moment,
                      const apex_client_pose poses[], size_t count);

typedef struct frame_truth_errors {
    size_t compared;                              // rivals within 15 m, in each frame
    double along_m_p50, along_m_p95, along_m_p99; // where the rival's nose points
    double across_m_p50, across_m_p95, across_m_p99;
    double offset_m_p50, offset_m_p90; // both together
    size_t overlaps;                   // of the own car, by over 5 cm, where the server had none
} frame_truth_errors;

/// Where a car was at a moment. @return false if the server has not made it, or not lately.
bool frame_truth_place(const frame_truth *truth, uint32_t car, double moment, double place_m[2],
                       double *yaw_rad);

/// How deep two footprints are in each other; 0: they are apart.
double frame_truth_overlap_m(const apex_hull_def *hull, const double a_m[2], double a_yaw_rad,
                             const double b_m[2], double b_yaw_rad);

frame_truth_errors frame_truth_errors_of(frame_truth *truth);
/// Adds what another driver was shown.
void frame_truth_add(frame_truth *truth, const frame_truth *more);
void frame_truth_forget(frame_truth *truth); // what was compared so far
