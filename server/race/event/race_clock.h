// The times of an event: how long its phase is on, and what the race's clock shows.
#pragma once

#include "race/event/event.h"
#include "race/field/field.h"
#include "race/timing/timing.h"

uint64_t race_clock_ticks_in_phase(const race_event *event, const race_field *field);
// Until the grid forms with those who are there.
uint64_t race_clock_lobby_left_ticks(const race_event *event, const race_field *field);
// The same, and 0 when it does not form by itself.
int64_t race_clock_lobby_left_us(const race_event *event, const race_field *field);
// With lights; a session against the clock has none.
uint64_t race_clock_countdown_ticks(const race_field *field);
// Since the lights went out; negative before.
int64_t race_clock_time_us(const race_event *event, const race_field *field,
                           const race_timing *timing);
