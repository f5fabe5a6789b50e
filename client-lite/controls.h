/// Controls on their way to the server: one sample for each server tick, sent in groups, each
/// packet repeating the last several, so that a lost packet costs nothing while the next one
/// arrives.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "proto/proto.h"

enum {
    CLIENT_CONTROLS_RING = APEX_CONTROLS_SAMPLES_MAX,
    CLIENT_CONTROLS_EXTRA_TICKS_MAX = 30, ///< lead added at most when controls arrive late
};

typedef struct client_controls {
    apex_control_sample now;
    apex_control_sample ring[CLIENT_CONTROLS_RING]; ///< by tick % CLIENT_CONTROLS_RING
    uint32_t next_tick;                             ///< the first that has no sample yet
    uint32_t held;                                  ///< samples before next_tick that exist
    uint32_t unsent;
    uint32_t group;  ///< ticks between packets
    uint32_t repeat; ///< samples in a packet
    bool started;
    uint32_t lead_ticks, extra_ticks;
    uint32_t trim_window_ticks;
    uint32_t trim_since_tick;
    int32_t depth, depth_min;
} client_controls;

/// @param tick_hz of the race. @param real_tick_hz ticks in a second of the client's time: another
/// number when the server runs faster or slower than real time. @param lead_ticks how far ahead of
/// their arrival controls are stamped.
void client_controls_begin(client_controls *controls, uint32_t tick_hz, uint32_t real_tick_hz,
                           uint32_t lead_ticks);
/// Samples every tick up to `stamp`: the server's tick when a packet sent now arrives, plus the
/// lead.
/// @return true with *out filled when a packet is due.
bool client_controls_advance(client_controls *controls, double stamp, apex_controls_message *out);
/// The server's word on how far ahead it holds controls; trims the lead. @param tick of the report.
void client_controls_report(client_controls *controls, int32_t depth, uint32_t tick);
uint32_t client_controls_lead(const client_controls *controls); ///< ticks, trim included
