// The ring of samples, the packets that repeat them, and what the server says of their use.
#include "client-lite/input/controls.h"

#include "base/assert.h"

_Static_assert((int)APEX_CONTROLS_REPEAT <= (int)APEX_CONTROLS_SAMPLES_MAX,
               "what is repeated fits a packet");
_Static_assert((int)APEX_CONTROLS_SAMPLES_MAX <= (int)CLIENT_CONTROLS_RING,
               "a packet repeats what the ring has");

enum { PACKETS_PER_RACE_S = 30, FAST_PACKETS_PER_RACE_S = 60, PACKETS_PER_S_MAX = 1000 };
// Where ticks go by faster, each of many updates in a second may find that it comes too late.
enum { SENT_AFTER_STALL_TICK_HZ_MAX = 960 };
// A stamp that falls back less than this waits until ticks without a sample come.
enum { BEHIND_TICKS_MAX = 48 };
enum { SERVER_AHEAD_TICKS = 64 }; // that it keeps samples for
// A server that waits and is silent for so long may wait for what was lost.
enum { FOLLOW_AGAIN_US = 20000, BEYOND_TICKS_MAX = SERVER_AHEAD_TICKS - 2 };
// The last tick that controls can be stamped with: the wire has no later packet. A server that
// names one beyond it gets none.
static const uint32_t STAMP_MAX = UINT32_MAX - APEX_CONTROLS_SAMPLES_MAX;
// A fifth of a second without a sample in time is more than losses explain.
enum { STARVED_PER_S = 5 };

// Without groups of two nothing waits for its packet, and what is late by a little is late.
static const double FAST_SPARE_TICKS = 0.1;

// A group is a thirtieth of a race second long, on a good line a sixtieth. Servers take as much of
// a client in a second of a race that outruns the clock; but a packet for each millisecond is as
// much as a system likes.
static uint32_t group_of(uint32_t tick_hz, uint32_t real_tick_hz, uint32_t packets_per_race_s) {
    uint32_t group = tick_hz / packets_per_race_s;
    uint32_t group_min = (real_tick_hz + PACKETS_PER_S_MAX - 1) / PACKETS_PER_S_MAX;
    if (group < group_min) {
        group = group_min;
    }
    if (group > APEX_CONTROLS_SAMPLES_MAX / 2) {
        group = APEX_CONTROLS_SAMPLES_MAX / 2;
    }
    return group > 0 ? group : 1;
}

void client_controls_begin(client_controls *controls, uint32_t tick_hz, uint32_t real_tick_hz,
                           uint32_t lead_ticks, uint32_t beyond_ticks) {
    APEX_ASSERT(tick_hz > 0 && real_tick_hz > 0);
    apex_control_sample kept = controls->now;
    *controls = (client_controls){.now = kept, .tick_hz = tick_hz, .real_tick_hz = real_tick_hz};
    controls->group = group_of(tick_hz, real_tick_hz, PACKETS_PER_RACE_S);
    controls->wanted_group = controls->usual_group = controls->group;
    controls->fast_group = group_of(tick_hz, real_tick_hz, FAST_PACKETS_PER_RACE_S);
    // At high tick rates a group is long: still send every sample twice.
    controls->repeat =
        2 * controls->group > APEX_CONTROLS_REPEAT ? 2 * controls->group : APEX_CONTROLS_REPEAT;
    // The lead is meant for groups of two; the first sample of a longer one waits longer.
    uint32_t waits_ticks = controls->group > 2 ? controls->group - 2 : 0;
    client_trim_begin(&controls->trim, real_tick_hz, lead_ticks + waits_ticks);
    // Where ticks are shorter than a system's own pauses more of them are missed, and nobody feels
    // the lag of one more.
    controls->trim.spare_ticks = real_tick_hz > 2 * tick_hz ? 1.0 : 0.0;
    if (beyond_ticks > 0) {
        controls->beyond_ticks = beyond_ticks < BEYOND_TICKS_MAX ? beyond_ticks : BEYOND_TICKS_MAX;
        controls->group = controls->wanted_group = 1;
        controls->usual_group = controls->fast_group = 1;
        controls->repeat = APEX_CONTROLS_SAMPLES_MAX;
    }
}

void client_controls_judge_line(client_controls *controls, bool is_good) {
    uint32_t group = is_good ? controls->fast_group : controls->usual_group;
    double waits_ticks = (double)group - (double)controls->wanted_group;
    if (group != controls->wanted_group) {
        controls->wanted_group = group;
        client_trim_expect(&controls->trim, waits_ticks);
        controls->trim.spare_ticks += is_good ? FAST_SPARE_TICKS : -FAST_SPARE_TICKS;
    }
    if (group < controls->group || client_trim_is_settled(&controls->trim)) {
        controls->group = group;
    }
}

const client_control_kept *client_controls_find(const client_controls *controls, uint32_t tick) {
    const client_control_kept *kept = &controls->ring[tick % CLIENT_CONTROLS_RING];
    return kept->tick == tick && tick != 0 && tick < controls->next_tick ? kept : NULL;
}

static void sample_tick(client_controls *controls, uint64_t now_us) {
    controls->ring[controls->next_tick % CLIENT_CONTROLS_RING] =
        (client_control_kept){.tick = controls->next_tick,
                              .sample = controls->now,
                              .sampled_us = now_us,
                              .offset = controls->trim.offset + controls->shift_ticks};
    controls->next_tick++;
    controls->unsent++;
    if (controls->held < CLIENT_CONTROLS_RING) {
        controls->held++;
    }
}

static void pack(client_controls *controls, apex_controls_message *out) {
    uint32_t count = controls->held < controls->repeat ? controls->held : controls->repeat;
    *out = (apex_controls_message){.first_tick = controls->next_tick - count};
    out->sample_count = count;
    for (uint32_t i = 0; i < count; i++) {
        out->samples[i] = controls->ring[(out->first_tick + i) % CLIENT_CONTROLS_RING].sample;
    }
    controls->unsent = 0;
}

// After a stall, or when the clock jumped, ticks that nobody can use any more are not made up.
static void restart_at(client_controls *controls, uint32_t tick) {
    controls->trimmed_from = tick;
    if (tick < controls->next_tick) {
        // Of ticks that are sampled twice nobody knows which sample the server speaks of. It has
        // refused samples that were too far ahead.
        uint32_t twice = controls->next_tick - tick;
        controls->trimmed_from += twice < SERVER_AHEAD_TICKS ? twice : SERVER_AHEAD_TICKS;
        controls->effective_tick = controls->trimmed_from - 1;
    }
    controls->next_tick = tick;
    controls->held = 0;
    controls->unsent = 0;
    controls->started = true;
}

bool client_controls_sample_to(client_controls *controls, double stamp, uint64_t now_us,
                               apex_controls_message *out) {
    if (!(stamp >= 1.0 && stamp <= (double)STAMP_MAX)) { // not-a-number is refused as well
        return false;
    }
    uint32_t newest = (uint32_t)stamp;
    uint32_t ahead = newest + 1 > controls->next_tick ? newest + 1 - controls->next_tick : 0;
    uint32_t behind = controls->next_tick > newest + 1 ? controls->next_tick - newest - 1 : 0;
    bool stalled = controls->started && ahead > controls->repeat;
    if (!controls->started || stalled || behind > BEHIND_TICKS_MAX) {
        restart_at(controls, newest);
    }
    while (controls->next_tick <= newest) {
        sample_tick(controls, now_us);
    }
    // A client that is updated so seldom that each time is a stall never has a group together. It
    // must not fall silent: its car would hold the throttle for ever.
    bool is_due_at_once =
        stalled && controls->real_tick_hz <= (uint32_t)SENT_AFTER_STALL_TICK_HZ_MAX;
    if (controls->unsent < controls->group && !is_due_at_once) {
        return false;
    }
    pack(controls, out);
    return true;
}

bool client_controls_advance(client_controls *controls, const client_trim_now *now, uint64_t now_us,
                             apex_controls_message *out) {
    bool jumped = client_trim_advance(&controls->trim, now);
    double stamp = client_trim_stamp(&controls->trim, now->own_tick) + controls->shift_ticks;
    if (jumped) {
        controls->trimmed_from = controls->next_tick;
    }
    // Ticks that were sampled too early are sampled again: the server takes the last word on each.
    if (jumped && stamp >= 1.0 && stamp < (double)controls->next_tick) {
        restart_at(controls, (uint32_t)stamp);
    }
    return client_controls_sample_to(controls, stamp, now_us, out);
}

static bool can_follow(uint32_t heard_tick) {
    return heard_tick > 0 && heard_tick <= STAMP_MAX - SERVER_AHEAD_TICKS;
}

static uint32_t follow_stamp(const client_controls *controls, uint32_t heard_tick,
                             uint64_t silent_us) {
    uint64_t beyond = controls->beyond_ticks * (1 + silent_us / FOLLOW_AGAIN_US);
    return heard_tick + (uint32_t)(beyond < BEYOND_TICKS_MAX ? beyond : BEYOND_TICKS_MAX);
}

bool client_controls_follow(client_controls *controls, uint32_t heard_tick, uint64_t heard_us,
                            uint64_t now_us, apex_controls_message *out) {
    if (!can_follow(heard_tick)) {
        return false;
    }
    if (!controls->started || controls->next_tick <= heard_tick) {
        restart_at(controls, heard_tick + 1);
    }
    uint32_t stamp = follow_stamp(controls, heard_tick, now_us > heard_us ? now_us - heard_us : 0);
    while (controls->next_tick <= stamp && controls->unsent < controls->repeat) {
        sample_tick(controls, now_us);
    }
    if (controls->unsent == 0) {
        return false;
    }
    pack(controls, out);
    return true;
}

uint64_t client_controls_follow_us(const client_controls *controls, uint32_t heard_tick,
                                   uint64_t heard_us) {
    if (!can_follow(heard_tick)) {
        return UINT64_MAX;
    }
    uint64_t silent_us = 0;
    for (; controls->next_tick > follow_stamp(controls, heard_tick, silent_us);
         silent_us += FOLLOW_AGAIN_US) {
        if (follow_stamp(controls, heard_tick, silent_us) == heard_tick + BEYOND_TICKS_MAX) {
            return UINT64_MAX;
        }
    }
    return heard_us + silent_us;
}

static void note_effect(client_controls *controls, uint32_t used_tick, uint64_t now_us) {
    if (used_tick <= controls->effective_tick || used_tick >= controls->next_tick) {
        return;
    }
    uint32_t first = controls->effective_tick + 1;
    if (used_tick - first >= CLIENT_CONTROLS_RING) {
        first = used_tick - (CLIENT_CONTROLS_RING - 1);
    }
    for (uint32_t tick = first; tick <= used_tick; tick++) {
        const client_control_kept *kept = client_controls_find(controls, tick);
        if (kept != NULL && now_us >= kept->sampled_us) {
            apex_histogram_add(&controls->effect_us, now_us - kept->sampled_us);
        }
    }
    controls->effective_tick = used_tick;
}

void client_controls_hear(client_controls *controls, const client_controls_report *report,
                          double own_tick, uint64_t now_us) {
    if (!controls->started || report->tick <= controls->reported_tick) {
        return;
    }
    controls->reported_tick = report->tick;
    controls->depth = report->depth;
    note_effect(controls, report->used_tick, now_us);
    if (controls->beyond_ticks > 0) {
        return;
    }
    client_trim_heard(&controls->trim, report->tick, own_tick);
    if (client_trim_is_asleep(&controls->trim, own_tick)) {
        return; // it tells of ticks for which nothing was sampled
    }
    bool nothing_came = report->used_tick == 0 && report->depth == 0;
    uint32_t newest = report->tick + (uint32_t)report->depth;
    const client_control_kept *kept = client_controls_find(controls, newest);
    if (nothing_came || kept == NULL || newest < controls->trimmed_from ||
        report->depth >= SERVER_AHEAD_TICKS) {
        return;
    }
    uint32_t starved_ticks = controls->real_tick_hz / STARVED_PER_S;
    bool starved = report->tick > report->used_tick &&
                   report->tick - report->used_tick > (starved_ticks > 4 ? starved_ticks : 4);
    client_trim_need(&controls->trim, kept->offset - (double)report->depth, starved);
}
