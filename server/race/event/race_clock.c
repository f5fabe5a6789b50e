// The times of an event: how long its phase is on, and what the race's clock shows.
#include "race/event/race_clock.h"

#include "base/assert.h"

uint64_t race_clock_ticks_in_phase(const race_event *event, const race_field *field) {
    APEX_ASSERT(event->phase_tick <= apex_world_tick(field->world));
    return apex_world_tick(field->world) - event->phase_tick;
}

static int64_t ticks_to_us(const race_field *field, uint64_t ticks) {
    return (int64_t)(ticks * 1000000u / field->tick_hz);
}

uint64_t race_clock_lobby_left_ticks(const race_event *event, const race_field *field) {
    uint64_t waited = apex_world_tick(field->world) - event->lobby_tick;
    uint64_t all = race_field_ticks(field, field->def->lobby_s);
    return waited < all ? all - waited : 0;
}

int64_t race_clock_lobby_left_us(const race_event *event, const race_field *field) {
    bool runs = event->phase == APEX_PHASE_LOBBY && field->pool.live_count > 0 &&
                field->def->start_players > 0;
    return runs ? ticks_to_us(field, race_clock_lobby_left_ticks(event, field)) : 0;
}

uint64_t race_clock_countdown_ticks(const race_field *field) {
    return race_field_against_clock(field) ? 0 : race_field_ticks(field, field->def->countdown_s);
}

int64_t race_clock_time_us(const race_event *event, const race_field *field,
                           const race_timing *timing) {
    uint64_t countdown = race_clock_countdown_ticks(field);
    switch (event->phase) {
    case APEX_PHASE_GRID:
        return -ticks_to_us(field, countdown);
    case APEX_PHASE_COUNTDOWN:
        return countdown > race_clock_ticks_in_phase(event, field)
                   ? -ticks_to_us(field, countdown - race_clock_ticks_in_phase(event, field))
                   : 0;
    case APEX_PHASE_RACE:
    case APEX_PHASE_FINISH:
    case APEX_PHASE_RESULTS:
        return ticks_to_us(field, apex_world_tick(field->world) - timing->records.go_tick);
    default:
        return 0;
    }
}
