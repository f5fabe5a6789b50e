/// How far off rivals were shown: each frame is kept until the server tells of its moment.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/histogram.h"
#include "client-lite/client.h"
#include "proto/proto.h"

/// Rivals farther off do not count.
#define CLIENT_RIVAL_ERRORS_M 15.0

enum { CLIENT_SHOWN_FRAMES = 128 };

/// A rival as it was shown, frame by frame. All zero: not yet.
typedef struct client_shown_track {
    uint32_t count;
    struct {
        double own_tick; ///< the moment at which the own car was shown in that frame
        double position_m[2];
    } frames[CLIENT_SHOWN_FRAMES];
} client_shown_track;

typedef struct client_rival_errors {
    apex_histogram along_um, across_um, horizon_us, correction_mmps;
    uint64_t late; ///< frames in which a rival was not shown at the own car's moment, for want of
                   ///< news of it
    double correction_mps_max;
} client_rival_errors;

void client_shown_track_add(client_shown_track *track, double own_tick,
                            const apex_client_pose *pose);
/// What the server says of a tick, against what was shown of it.
/// @return false if nothing was, or the car was farther from the own one than counts.
bool client_rival_errors_compare(client_rival_errors *self, const client_shown_track *track,
                                 const apex_wire_car *told, uint32_t tick,
                                 const double own_position_m[3]);
void client_rival_errors_note(client_rival_errors *self, double horizon_s, double correction_mps,
                              bool is_late);
apex_client_rival_errors client_rival_errors_of(const client_rival_errors *self);
