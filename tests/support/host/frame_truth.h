/// What a driver was shown, against what the server had at the moment of his own car: a frame is
/// kept until the server has made that moment.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "client-lite/client.h"
#include "race/race.h"

typedef struct frame_truth frame_truth;

frame_truth *frame_truth_create(void);
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
} frame_truth_errors;

frame_truth_errors frame_truth_errors_of(frame_truth *truth);
void frame_truth_forget(frame_truth *truth); // what was compared so far
