/// Two drivers side by side, each over a line of his own, each keeping a gap to the rival that he
/// sees: people, as far as a script can be one. They look twenty times a second and act on what
/// they saw 150 ms before. In virtual time.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client-lite/netsim/netsim_model.h"
#include "support/host/duel_film.h"
#include "support/host/frame_truth.h"

typedef struct duel_def {
    const char *track;
    netsim_def line; // each way, of both
    uint64_t seed;
    bool sees_ahead;   // one moment; else rivals as a while ago
    double side_gap_m; // between the sides of the cars
    double skill;
    double swing_m;  // they are ahead by so much in turn
    double seconds;  // at most, after they have met
    double laps;     // of the first driver, after they have met
    bool is_rough;   // they hit each other now and then: seeded
    duel_film *film; // to be filled; NULL: none
} duel_def;

typedef struct duel_result {
    double laps;
    size_t contacts; // begun, of at least 100 N s
    size_t frames;   // of both drivers
    size_t agreed;   // of them, those in which who is ahead is as on the server
    double gap_m_p5, gap_m_p50, gap_m_p95; // between the sides of the cars, on the server
    double abreast_share;                  // of ticks, at most 4 m apart along the road
    frame_truth_errors errors;             // of both drivers
    apex_client_prediction of[2];
} duel_result;

duel_result duel_run(const duel_def *def);
