/// The controls of one player on their way to the tick they are for.
#pragma once

#include "host/host.h"

enum {
    HOST_CONTROLS_AHEAD_MAX = 64,    ///< ticks; about a second, and a power of two
    HOST_CONTROLS_BEHIND_MAX = 1024, ///< lateness is told from here on no more exactly
};

typedef struct host_controls_buffer {
    apex_controls samples[HOST_CONTROLS_AHEAD_MAX]; ///< tick t stands at t % AHEAD_MAX
    uint32_t ticks[HOST_CONTROLS_AHEAD_MAX];        ///< which tick a place holds; 0 none
    uint32_t newest;                                ///< newest tick that ever came
    apex_controls last;
    uint32_t used_tick;     ///< newest tick that had a sample of its own
    uint32_t missed_in_row; ///< ticks since then without one
    uint64_t used, missed;  ///< ticks with one of their own, and without
    bool has_least;
    int32_t least_depth; ///< since host_controls_told
} host_controls_buffer;

void host_controls_reset(host_controls_buffer *buffer);
/// Whether a sample for the tick is here.
bool host_controls_has(const host_controls_buffer *buffer, uint32_t tick);
/// Takes what a packet holds for ticks after `tick`; repeats of what is here already are normal.
void host_controls_add(host_controls_buffer *buffer, const apex_controls_message *message,
                       uint32_t tick, apex_controls_counters *counters);
/// Controls for a tick: the sample sent for it, else the last one again.
apex_controls host_controls_take(host_controls_buffer *buffer, uint32_t tick,
                                 apex_controls_counters *counters);
/// @return the ticks by which the newest sample is beyond `tick`; negative when it is older.
int32_t host_controls_depth(const host_controls_buffer *buffer, uint32_t tick);
/// The least depth of the ticks taken since host_controls_told: what the player had in hand when it
/// had least. 0 before its first sample.
int32_t host_controls_least(const host_controls_buffer *buffer);
/// The player has been told; the next tick taken begins anew.
void host_controls_told(host_controls_buffer *buffer);
