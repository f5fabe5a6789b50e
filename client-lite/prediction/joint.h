/// The world of a client: its own car and rivals near it, stepped together, so that contacts and
/// slipstreams come out by themselves. What was after each tick is kept for a while: when something
/// else is told of a tick, the world goes back there and steps anew (DECISIONS 64).
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "client-lite/client.h"
#include "client-lite/prediction/near_set.h"
#include "physics/physics.h"

enum {
    CLIENT_JOINT_OWN = 0, ///< index of the own car; rivals are 1 to CLIENT_NEAR_MAX
    CLIENT_JOINT_CARS = 1 + CLIENT_NEAR_MAX,
    CLIENT_JOINT_TICKS = 128, ///< kept: two seconds of a usual server
};

/// A car after one tick.
typedef struct client_joint_moment {
    uint32_t tick; ///< 0: none
    apex_car_state state;
    apex_client_pose pose;
} client_joint_moment;

typedef struct client_joint_car {
    bool is_in;
    bool is_parked; ///< nothing is known of it at this tick: it stands aside, and nobody feels it
    apex_car_id id;
    apex_car_type type;
    const apex_car_def *def;
    apex_car_state fresh;      ///< of a new one
    client_joint_moment *past; ///< [CLIENT_JOINT_TICKS], by tick
} client_joint_car;

/// A touch of the own car that began in the step to a tick.
typedef struct client_joint_touch {
    uint32_t rival; ///< its index
    double impulse_ns, closing_mps, point_m[3];
} client_joint_touch;

enum { CLIENT_JOINT_TOUCHES = 4 };

typedef struct client_joint_touches {
    uint32_t tick, count;
    client_joint_touch list[CLIENT_JOINT_TOUCHES];
} client_joint_touches;

typedef struct client_joint {
    apex_world *world;
    uint32_t at_tick; ///< 0: there is no state of the own car to go by
    uint64_t steps;   ///< made, repeated ones included
    client_joint_car cars[CLIENT_JOINT_CARS];
    const apex_car_def *types[APEX_WIRE_DEFS_MAX]; ///< known to the world, in its order
    uint32_t type_count;
    client_joint_touches touches[CLIENT_JOINT_TICKS]; ///< by tick
} client_joint;

typedef struct client_joint_def {
    const apex_ground *ground; ///< borrowed, like the next
    const apex_walls *walls;
    const apex_car_def *own; ///< borrowed, like all definitions
    uint32_t tick_hz;
    apex_world_rules rules;
    bool has_rivals; ///< else there is room for the own car only
} client_joint_def;

/// @return false if there is no such world (odd rates, impossible rules), or out of memory.
bool client_joint_create(const client_joint_def *def, client_joint *out);
void client_joint_destroy(client_joint *joint);

/// Room for a rival of this kind; it is parked until it is put. @param def lives as long as the
/// joint. @return false if there is no memory, or no room for one more kind.
bool client_joint_enter(client_joint *joint, uint32_t index, const apex_car_def *def);
void client_joint_leave(client_joint *joint, uint32_t index);

/// A car as it is after at_tick. @return false if physics takes no such state; nothing is changed.
bool client_joint_put(client_joint *joint, uint32_t index, const apex_car_state *state);
/// The own car begins anew at a tick; its past and what contacts are remembered of it are gone.
bool client_joint_begin(client_joint *joint, uint32_t tick, const apex_car_state *own);
/// Cars that are held go from now on: the lights are out.
void client_joint_release(client_joint *joint);
/// A rival that nobody has heard of for long: others drive through it from now on.
void client_joint_fade(client_joint *joint, uint32_t index);

/// @param controls [CLIENT_JOINT_CARS] by index
void client_joint_step(client_joint *joint, const apex_controls controls[]);
/// All cars as they were after an earlier tick; rivals of which nothing is known then are parked.
/// @return false, and nothing is changed, if the own car's past has no such tick.
bool client_joint_go_back(client_joint *joint, uint32_t tick);

/// NULL if it is not kept.
const client_joint_moment *client_joint_past(const client_joint *joint, uint32_t index,
                                             uint32_t tick);
/// NULL if none is kept of that tick.
const client_joint_touches *client_joint_touches_at(const client_joint *joint, uint32_t tick);
/// The pose between two ticks; beyond at_tick for a moment only. @return false if it is not kept.
bool client_joint_pose(const client_joint *joint, uint32_t index, double tick,
                       apex_client_pose *out);
