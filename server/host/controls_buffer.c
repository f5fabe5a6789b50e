#include "host/controls_buffer.h"

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

void host_controls_add(host_controls_buffer *buffer, const apex_controls_message *message,
                       uint32_t tick, apex_controls_counters *counters) {
    for (uint32_t i = 0; i < message->sample_count; i++) {
        uint32_t wanted = message->first_tick + i;
        uint32_t place = wanted % HOST_CONTROLS_AHEAD_MAX;
        bool is_news = buffer->newest == 0 || is_after(wanted, buffer->newest);
        if (wanted == 0 || !is_after(wanted, tick)) {
            counters->late += is_news;
        } else if (wanted - tick >= HOST_CONTROLS_AHEAD_MAX) {
            counters->early++;
            continue;
        } else if (buffer->ticks[place] != wanted) {
            buffer->ticks[place] = wanted;
            buffer->samples[place] = from_wire(&message->samples[i]);
        }
        if (is_news) {
            buffer->newest = wanted;
        }
    }
}

apex_controls host_controls_take(host_controls_buffer *buffer, uint32_t tick,
                                 apex_controls_counters *counters) {
    uint32_t place = tick % HOST_CONTROLS_AHEAD_MAX;
    if (buffer->ticks[place] == tick) {
        buffer->last = buffer->samples[place];
        buffer->used_tick = tick;
        counters->used_on_tick++;
    } else if (buffer->newest != 0) {
        counters->missed++;
    }
    return buffer->last;
}

int32_t host_controls_depth(const host_controls_buffer *buffer, uint32_t tick) {
    return buffer->newest == 0 ? 0 : (int32_t)(buffer->newest - tick);
}
