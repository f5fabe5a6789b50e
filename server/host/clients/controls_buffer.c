// A player's controls wait for their tick; a tick that has none repeats the last ones. Of two
// samples for one tick the later to arrive counts, and what is reported is the worst tick
// (DECISIONS 47).

#include "host/clients/controls_buffer.h"

#include <string.h>

void host_controls_reset(host_controls_buffer *buffer) {
    memset(buffer, 0, sizeof *buffer);
    buffer->last.gear = APEX_GEAR_AUTOMATIC;
}

static apex_controls from_wire(const apex_control_sample *sample) {
    return (apex_controls){
        .steer = sample->steer,
        .throttle = sample->throttle,
        .brake = sample->brake,
        .clutch = sample->clutch,
        .handbrake = sample->handbrake,
        .gear = sample->gear,
        .shift_up_count = sample->shift_up,
        .shift_down_count = sample->shift_down,
        .reset_count = sample->reset,
        .aids_off = sample->aids_off,
    };
}

static bool is_after(uint32_t tick, uint32_t other) {
    return (int32_t)(tick - other) > 0;
}

// Keeps the newest tick near enough to `tick` for the two to be compared, however long nothing
// comes.
static void bound_age(host_controls_buffer *buffer, uint32_t tick) {
    uint32_t oldest = tick - (uint32_t)HOST_CONTROLS_BEHIND_MAX;
    if (buffer->newest != 0 && is_after(oldest, buffer->newest)) {
        buffer->newest = oldest != 0 ? oldest : UINT32_MAX;
    }
}

static bool is_ancient(uint32_t wanted, uint32_t tick) {
    return is_after(tick - (uint32_t)HOST_CONTROLS_BEHIND_MAX, wanted);
}

void host_controls_add(host_controls_buffer *buffer, const apex_controls_message *message,
                       uint32_t tick, apex_controls_counters *counters) {
    bound_age(buffer, tick);
    for (uint32_t i = 0; i < message->sample_count; i++) {
        uint32_t wanted = message->first_tick + i;
        uint32_t place = wanted % HOST_CONTROLS_AHEAD_MAX;
        bool is_news = buffer->newest == 0 || is_after(wanted, buffer->newest);
        if (wanted == 0 || !is_after(wanted, tick)) {
            bool is_lost = wanted == 0 || is_ancient(wanted, tick);
            counters->late += is_news || is_lost;
            if (is_lost) {
                continue; // so wrong a clock is not to be measured
            }
        } else if (wanted - tick >= HOST_CONTROLS_AHEAD_MAX) {
            counters->early++;
            continue;
        } else {
            buffer->ticks[place] = wanted;
            buffer->samples[place] = from_wire(&message->samples[i]);
        }
        if (is_news) {
            buffer->newest = wanted;
        }
    }
}

static void count_depth(apex_controls_counters *counters, int32_t depth) {
    uint32_t more = APEX_CONTROLS_DEPTHS - 1;
    counters->depths[depth < 0 ? 0 : (uint32_t)depth < more ? (uint32_t)depth : more]++;
}

static void count_gap(apex_controls_counters *counters, uint32_t ticks) {
    uint32_t gap = 0;
    while (gap < APEX_CONTROLS_GAPS - 1 && ticks > UINT32_C(1) << gap) {
        gap++;
    }
    counters->gaps[gap]++;
}

static void note_depth(host_controls_buffer *buffer, int32_t depth) {
    if (!buffer->has_least || depth < buffer->least_depth) {
        buffer->has_least = true;
        buffer->least_depth = depth;
    }
}

bool host_controls_has(const host_controls_buffer *buffer, uint32_t tick) {
    return tick != 0 && buffer->newest != 0 &&
           buffer->ticks[tick % HOST_CONTROLS_AHEAD_MAX] == tick;
}

apex_controls host_controls_take(host_controls_buffer *buffer, uint32_t tick,
                                 apex_controls_counters *counters) {
    bound_age(buffer, tick);
    if (buffer->newest == 0) {
        return buffer->last;
    }
    int32_t depth = host_controls_depth(buffer, tick);
    note_depth(buffer, depth);
    if (!host_controls_has(buffer, tick)) {
        counters->missed++;
        buffer->missed++;
        buffer->missed_in_row++;
        return buffer->last;
    }
    buffer->last = buffer->samples[tick % HOST_CONTROLS_AHEAD_MAX];
    buffer->used_tick = tick;
    counters->used_on_tick++;
    buffer->used++;
    count_depth(counters, depth);
    if (buffer->missed_in_row > 0) {
        count_gap(counters, buffer->missed_in_row);
        buffer->missed_in_row = 0;
    }
    return buffer->last;
}

int32_t host_controls_depth(const host_controls_buffer *buffer, uint32_t tick) {
    return buffer->newest == 0 ? 0 : (int32_t)(buffer->newest - tick);
}

int32_t host_controls_least(const host_controls_buffer *buffer) {
    return buffer->has_least ? buffer->least_depth : 0;
}

void host_controls_told(host_controls_buffer *buffer) {
    buffer->has_least = false;
}
