// A frame begins with what holds for the whole tick, and is measured stage by stage.

#include "host/tick_frame.h"

#include "base/assert.h"

static uint64_t measure(const host_frame *frame) {
    return frame->clock_us != NULL ? frame->clock_us() : 0;
}

void host_begin_frame(host_frame *frame, const host_clock *clock, const host_setup *setup,
                      const host_names *names, apex_arena *arena) {
    APEX_ASSERT(clock->now_us >= clock->start_us);
    uint64_t uptime_us = clock->now_us - clock->start_us;
    apex_arena_reset(arena);
    *frame = (host_frame){
        .now_us = clock->now_us,
        .unix_us = clock->now_us + clock->unix_ahead_us,
        .uptime_us = uptime_us,
        .clock_us = clock->clock_us,
        .round = clock->rounds,
        .shown_tick = frame->shown_tick,
        .arena = arena,
        .setup = setup,
        .names = names,
        .tick_hz = setup->file.race.world.tick_hz,
    };
    frame->stage_began_us = measure(frame);
}

void host_stage_done(host_frame *frame, host_metrics *metrics, host_stage stage) {
    APEX_ASSERT((uint32_t)stage < HOST_STAGES);
    uint64_t now_us = measure(frame);
    metrics->stage_us[stage] += now_us - frame->stage_began_us;
    frame->stage_began_us = now_us;
}
