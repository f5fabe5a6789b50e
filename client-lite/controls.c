#include "client-lite/controls.h"

#include "base/assert.h"

_Static_assert((int)APEX_CONTROLS_REPEAT <= (int)CLIENT_CONTROLS_RING,
               "a packet repeats what the ring has");

enum { PACKETS_PER_RACE_S = 30, PACKETS_PER_S_MAX = 120 };
// Where ticks go by faster, each of many updates in a second may find that it comes too late.
enum { SENT_AFTER_STALL_TICK_HZ_MAX = 960 };

// How far ahead the server should hold the newest sample at the worst moment of a second: in time,
// and not more lag than that needs.
static const int32_t DEPTH_TICKS_MIN = 1;
static const int32_t DEPTH_TICKS_MAX = 2;
static const int32_t EXTRA_STEP_MAX = 4;

// A group is a thirtieth of a race second long; when the race outruns the clock that would be more
// packets than a server takes from one client, so groups grow.
static uint32_t group_of(uint32_t tick_hz, uint32_t real_tick_hz) {
    uint32_t group = tick_hz / PACKETS_PER_RACE_S;
    uint32_t group_min = (real_tick_hz + PACKETS_PER_S_MAX - 1) / PACKETS_PER_S_MAX;
    if (group < group_min) {
        group = group_min;
    }
    if (group > CLIENT_CONTROLS_RING / 2) {
        group = CLIENT_CONTROLS_RING / 2;
    }
    return group > 0 ? group : 1;
}

void client_controls_begin(client_controls *controls, uint32_t tick_hz, uint32_t real_tick_hz,
                           uint32_t lead_ticks) {
    APEX_ASSERT(tick_hz > 0 && real_tick_hz > 0);
    apex_control_sample kept = controls->now;
    *controls = (client_controls){.now = kept, .lead_ticks = lead_ticks};
    controls->group = group_of(tick_hz, real_tick_hz);
    // At high tick rates a group is long: still send every sample twice.
    controls->repeat =
        2 * controls->group > APEX_CONTROLS_REPEAT ? 2 * controls->group : APEX_CONTROLS_REPEAT;
    controls->trim_window_ticks = real_tick_hz;
}

uint32_t client_controls_lead(const client_controls *controls) {
    return controls->lead_ticks + controls->extra_ticks;
}

static void sample_tick(client_controls *controls) {
    controls->ring[controls->next_tick % CLIENT_CONTROLS_RING] = controls->now;
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
        out->samples[i] = controls->ring[(out->first_tick + i) % CLIENT_CONTROLS_RING];
    }
    controls->unsent = 0;
}

// After a stall, or when the clock jumped, ticks that nobody can use any more are not made up.
static void restart_at(client_controls *controls, uint32_t tick) {
    controls->next_tick = tick;
    controls->held = 0;
    controls->unsent = 0;
    controls->started = true;
}

bool client_controls_advance(client_controls *controls, double stamp, apex_controls_message *out) {
    if (stamp < 1.0 || stamp > (double)(UINT32_MAX - 1)) {
        return false;
    }
    uint32_t newest = (uint32_t)stamp;
    uint32_t ahead = newest + 1 > controls->next_tick ? newest + 1 - controls->next_tick : 0;
    uint32_t behind = controls->next_tick > newest + 1 ? controls->next_tick - newest - 1 : 0;
    bool stalled = controls->started && ahead > controls->repeat;
    if (!controls->started || stalled || behind > controls->trim_window_ticks) {
        restart_at(controls, newest);
    }
    while (controls->next_tick <= newest) {
        sample_tick(controls);
    }
    // A client that is updated so seldom that each time is a stall never has a group together. It
    // must not fall silent: its car would hold the throttle for ever.
    bool is_due_at_once =
        stalled && controls->trim_window_ticks <= (uint32_t)SENT_AFTER_STALL_TICK_HZ_MAX;
    if (controls->unsent < controls->group && !is_due_at_once) {
        return false;
    }
    pack(controls, out);
    return true;
}

void client_controls_report(client_controls *controls, int32_t depth, uint32_t tick) {
    controls->depth = depth;
    if (!controls->started) {
        controls->trim_since_tick = 0;
        return;
    }
    if (controls->trim_since_tick == 0 || tick < controls->trim_since_tick) {
        // What was late while the clock was settling says nothing about the lead.
        controls->trim_since_tick = tick;
        controls->depth_min = INT32_MAX;
    }
    if (tick - controls->trim_since_tick < controls->trim_window_ticks / 2) {
        return;
    }
    if (depth < controls->depth_min) {
        controls->depth_min = depth;
    }
    if (tick - controls->trim_since_tick < controls->trim_window_ticks) {
        return;
    }
    // Late controls are lost to the car, early ones only slow: up by what is missing, but not by
    // all of what one hiccup was; down by one a window.
    if (controls->depth_min < DEPTH_TICKS_MIN) {
        int32_t missing = controls->depth_min > DEPTH_TICKS_MIN - EXTRA_STEP_MAX
                              ? DEPTH_TICKS_MIN - controls->depth_min
                              : EXTRA_STEP_MAX;
        controls->extra_ticks += (uint32_t)missing;
        if (controls->extra_ticks > CLIENT_CONTROLS_EXTRA_TICKS_MAX) {
            controls->extra_ticks = CLIENT_CONTROLS_EXTRA_TICKS_MAX;
        }
    } else if (controls->depth_min > DEPTH_TICKS_MAX && controls->extra_ticks > 0) {
        controls->extra_ticks--;
    }
    controls->trim_since_tick = tick;
    controls->depth_min = INT32_MAX;
}
