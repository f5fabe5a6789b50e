/// The own car ahead of the server: a world of one car that goes on from the server's exact states
/// by the controls sent for the ticks after them; the lights are known beforehand. Where nothing
/// else acts on the car it is where the server will have it, to the bit. A cause that this world
/// does not know shows as an error when the server's word comes: other cars and their slipstream,
/// the rules' hand (resets), controls that came too late, and, after a crash, what the solver
/// remembers of a wall.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "client-lite/client.h"
#include "client-lite/input/controls.h"
#include "client-lite/prediction/rivals_ahead.h"
#include "physics/physics.h"

typedef struct client_predict client_predict;

typedef struct client_predict_def {
    const apex_ground *ground; ///< borrowed, like the next
    const apex_walls *walls;
    const apex_car_def *car;          ///< borrowed, like the next
    const client_interpolation *seen; ///< all cars as shown a while ago; NULL: no rivals
    uint32_t tick_hz;
    apex_world_rules rules;
} client_predict_def;

/// Ticks that can be gone ahead of the newest state: two seconds of a usual server.
enum { CLIENT_PREDICT_TICKS_MAX = 128 };

/// NULL if there is no such world (odd rates, impossible rules), or out of memory.
client_predict *client_predict_create(const client_predict_def *def);
void client_predict_destroy(client_predict *predict); ///< NULL is fine

/// A part of a snapshot.
typedef struct client_predict_news {
    uint32_t tick;
    uint32_t go_tick;                 ///< after which cars on the grid go; 0: there is none
    const apex_own_car *own;          ///< the car after that tick; NULL: not told
    const client_rivals_news *rivals; ///< of the same tick; NULL: nothing is told of them
} client_predict_news;

/// Before a part is taken by what is shown: cars are where they would have been without it.
void client_predict_look(client_predict *predict);
/// States older than the newest are passed over, of each car apart.
void client_predict_take(client_predict *predict, const client_predict_news *news, uint64_t now_us);
/// Notes the samples taken since the last call and steps the world up to the newest.
void client_predict_advance(client_predict *predict, const client_controls *controls);

/// The tick the world is at; 0 while there is no state to go by.
uint32_t client_predict_tick(const client_predict *predict);
/// The world's car, for tests. @return false while there is no state to go by.
bool client_predict_state(const client_predict *predict, apex_car_state *out);
/// The pose to show, by the clock that stamps controls and its pace. Stamps may jump where controls
/// came too late; the pose goes on evenly.
bool client_predict_show(client_predict *predict, double controls_tick, double ticks_per_s,
                         uint64_t now_us, apex_client_pose *pose);
/// After the own car in each frame. @param pose of another car as it was a while ago; if it is
/// near, it becomes that of the moment at which the own car is shown, or of one on the way there.
/// @return whether it is near.
bool client_predict_show_rival(client_predict *predict, double ticks_per_s, uint64_t now_us,
                               apex_client_pose *pose);
/// A frame with rivals begins, with the own car as it is shown: touches up to its moment are felt.
void client_predict_begin_frame(client_predict *predict, const apex_client_pose *own);
const apex_client_touch *client_predict_touches(const client_predict *predict, size_t *count);
/// The server tells of a touch of the own car.
void client_predict_tell_touch(client_predict *predict, const apex_client_touch *touch);
apex_client_prediction client_predict_stats(const client_predict *predict);
