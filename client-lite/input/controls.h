/// Controls on their way to the server: one sample for each server tick, sent in groups, each
/// packet repeating the last several, so that a lost packet costs nothing while the next one
/// arrives. Samples are kept until the server has said which of them it used.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/histogram.h"
#include "client-lite/input/trim.h"
#include "proto/proto.h"

enum { CLIENT_CONTROLS_RING = 256 }; ///< samples kept; four seconds at 60 Hz

typedef struct client_control_kept {
    uint32_t tick; ///< 0: none
    apex_control_sample sample;
    uint64_t sampled_us;
    double offset; ///< of the trim when it was sampled
} client_control_kept;

typedef struct client_controls {
    apex_control_sample now;
    uint32_t next_tick; ///< the first that has no sample yet
    uint32_t held;      ///< samples before next_tick in a row
    uint32_t unsent;
    uint32_t group; ///< ticks between packets
    uint32_t wanted_group, usual_group, fast_group;
    uint32_t repeat; ///< samples in a packet
    uint32_t tick_hz, real_tick_hz;
    uint32_t beyond_ticks; ///< 0: the server keeps time; see client_controls_begin
    double shift_ticks;    ///< added to what the trim says, which does not know of it
    bool started;
    uint32_t trimmed_from;  ///< samples for earlier ticks say nothing of the trim
    uint32_t reported_tick; ///< of the newest report
    uint32_t effective_tick;
    int32_t depth;
    client_trim trim;
    client_control_kept ring[CLIENT_CONTROLS_RING]; ///< by tick % CLIENT_CONTROLS_RING
    apex_histogram effect_us; ///< from sampling to the first snapshot that says it was used
} client_controls;

/// The part of a snapshot that tells of its viewer's controls.
typedef struct client_controls_report {
    uint32_t tick;
    uint32_t used_tick; ///< newest that had a sample of its own
    int32_t depth;      ///< ticks in hand, least since the report before
} client_controls_report;

/// @param tick_hz of the race.
/// @param real_tick_hz ticks in a second of the client's time: another number when the server runs
/// faster or slower than real time.
/// @param lead_ticks ticks by which controls are stamped ahead of their arrival at first.
/// @param beyond_ticks 0, or, of a server that waits for controls instead of keeping time, ticks by
/// which controls are stamped beyond the newest that it has told of: one more than lies between two
/// snapshots lets it go on to the next.
void client_controls_begin(client_controls *controls, uint32_t tick_hz, uint32_t real_tick_hz,
                           uint32_t lead_ticks, uint32_t beyond_ticks);
/// On a good line a packet goes out each tick, instead of one in a thirtieth of a second: controls
/// are there a tick earlier, for twice the packets. Only where the lead has made room for samples
/// that wait longer does a worse line come to have fewer again.
void client_controls_judge_line(client_controls *controls, bool is_good);
/// Samples every tick that has come due.
/// @return true with *out filled when a packet is due.
bool client_controls_advance(client_controls *controls, const client_trim_now *now, uint64_t now_us,
                             apex_controls_message *out);
/// The same for a server that waits: it has told of `heard_tick`, at `heard_us`. Repeats and goes
/// on a little where nothing more is heard, as something may have been lost (DECISIONS 43).
bool client_controls_follow(client_controls *controls, uint32_t heard_tick, uint64_t heard_us,
                            uint64_t now_us, apex_controls_message *out);
/// @return the time at which client_controls_follow has something to send if nothing more is heard.
uint64_t client_controls_follow_us(const client_controls *controls, uint32_t heard_tick,
                                   uint64_t heard_us);
/// The same with the stamp given: the server's tick when a packet sent now arrives, and more.
bool client_controls_sample_to(client_controls *controls, double stamp, uint64_t now_us,
                               apex_controls_message *out);
/// @param own_tick as in client_trim_now.
void client_controls_hear(client_controls *controls, const client_controls_report *report,
                          double own_tick, uint64_t now_us);
/// The sample for a tick; NULL if there was none, or it is long ago.
const client_control_kept *client_controls_find(const client_controls *controls, uint32_t tick);
