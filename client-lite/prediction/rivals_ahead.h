/// Rivals near the own car: put into its world as they are told of, driven on by guessed controls,
/// and shown at the moment of the own car. A car that comes near or falls back glides from one
/// moment to the other: what is shown of it goes by a tenth faster or slower meanwhile.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "client-lite/prediction/joint.h"
#include "client-lite/prediction/near_set.h"
#include "client-lite/prediction/rival_controls.h"
#include "client-lite/prediction/rival_errors.h"
#include "client-lite/prediction/touches.h"
#include "client-lite/view/correction.h"
#include "client-lite/view/footprint.h"
#include "client-lite/view/interpolate.h"
#include "client-lite/view/presentation_clock.h"
#include "client-lite/view/snapshots.h"

/// Farther ahead than this nobody is foretold: the own car goes on alone.
#define CLIENT_RIVAL_HORIZON_S 0.25

typedef struct client_rival {
    uint32_t car;       ///< 0: the place is free
    uint32_t told_tick; ///< of what was told last
    apex_car_state told;
    client_rival_controls driver;
    apex_controls controls; ///< since told_tick
    client_moment moment;   ///< that is shown
    client_correction correction;
    uint64_t passed_us; ///< until when the correction has gone by
    bool was_known;     ///< before_pose is of the moment shown, before the news
    apex_client_pose before_pose;
    client_shown_track shown;
} client_rival;

typedef struct client_rivals {
    uint32_t tick_hz, horizon_ticks;
    client_near_set near;
    double
        behind_ticks; ///< by which cars are shown behind the own one's moment, in the newest frame
    client_rival list[CLIENT_NEAR_MAX]; ///< the rival of joint's index i + 1
    const client_interpolation *seen;   ///< borrowed: all cars as they were a while ago
    client_rival_errors errors;
    client_touches touches;
    uint32_t felt_tick;               ///< up to which touches have been felt
    bool is_drawn[CLIENT_JOINT_CARS]; ///< in this frame, by joint's index
    client_footprint drawn[CLIENT_JOINT_CARS];
} client_rivals;

/// The part of a snapshot that is about rivals.
typedef struct client_rivals_news {
    uint32_t tick;
    const apex_wire_car *cars;
    uint32_t count;
    uint32_t own;                  ///< car; 0: none, and nobody is near it
    const client_snapshots *known; ///< the newest of every car
    const apex_car_def *(*def_of)(void *context, uint32_t car); ///< NULL: not known
    void *context;
} client_rivals_news;

void client_rivals_begin(client_rivals *self, uint32_t tick_hz, const client_interpolation *seen);

/// What is told of rivals is noted; it acts when the world passes its tick: client_rivals_put.
/// @return whether the world has to go back for it.
bool client_rivals_hear(client_rivals *self, client_joint *joint, const client_rivals_news *news);
/// After each step of the world, and after it went back: who was told of this tick is as told.
void client_rivals_put(client_rivals *self, client_joint *joint);
/// The controls of rivals for the next step. @param controls [CLIENT_JOINT_CARS]
void client_rivals_drive(const client_rivals *self, apex_controls controls[]);

/// Around what may move the cars of the world: what is shown goes on from where it was.
void client_rivals_note_poses(client_rivals *self, const client_joint *joint);
void client_rivals_hide_jumps(client_rivals *self, const client_joint *joint, uint64_t now_us);

/// A frame begins with the own car, as it is shown at its moment: touches that began up to then are
/// felt in it.
void client_rivals_begin_frame(client_rivals *self, const client_joint *joint, double own_tick,
                               const apex_client_pose *own);

typedef struct client_rivals_frame {
    double own_tick; ///< the moment of the own car; 0: it is not predicted
    double ticks_per_s;
    uint64_t now_us;
} client_rivals_frame;

/// @param pose as the car was a while ago; the rival that it is shows itself at its moment.
/// @return whether it is a rival.
bool client_rivals_show(client_rivals *self, client_joint *joint, const client_rivals_frame *frame,
                        apex_client_pose *pose);
