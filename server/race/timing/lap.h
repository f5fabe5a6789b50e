// Laps of a car: its way, the gates that it crosses, and the times that are taken there.
#pragma once

#include "race/field/event_log.h"
#include "race/field/field.h"
#include "race/timing/timing.h"

void race_lap_forget(race_lap *lap);               // a player's, before the next race
void race_lap_forget_records(race_timing *timing); // everybody's
// At the start, from where the car stands.
void race_lap_begin(const race_timing *timing, const race_field *field, race_player *player);
// The same, with the way to the line ahead.
void race_lap_begin_late(const race_timing *timing, const race_field *field, race_player *player);
// Back after he had left, from where the car stands.
void race_lap_resume(const race_timing *timing, const race_field *field, race_player *player);
// After the rules have moved the car.
void race_lap_place(const race_timing *timing, const race_field *field, race_player *player);

typedef struct race_advance {
    double step_m;      // moved along the lap
    bool is_home;       // the last lap is done; of a session, the flag says so
    double line_left_m; // of the lap under way; with cards only
} race_advance;

// For a player who races on a lap. That he has finished is not for timing to say.
race_advance race_lap_advance(race_timing *timing, const race_field *field, race_player *player,
                              race_log *log);
double race_lap_way_m(const race_timing *timing, const race_field *field,
                      const race_player *player);
// @return whether a player's counts agree with the gates.
bool race_lap_counts_ok(const race_timing *timing, const race_field *field,
                        const race_player *player);
