// The end of a session: when the flag is out, and whose race a crossing of the line ends. It asks
// for the most laps that anybody has, never for who leads, so that it is the same whether the
// leader pits, retires or is passed. Times are microseconds of the session's clock, as taken
// between ticks; crossings come in the order of their times.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct race_ending {
    bool is_race;         // else all drive against the clock
    uint32_t laps;        // nobody drives more
    uint64_t duration_us; // 0: by laps alone
    uint64_t overtime_us; // not of a race
    bool extra_lap;       // of a race by time
} race_ending;

typedef struct race_chequered {
    uint32_t lead_laps; // the most that anybody has complete
    uint64_t lead_us;   // when that was reached
    uint32_t target;    // laps, with the extra one; 0: time has not run out
    bool out;
    uint64_t out_us;
} race_chequered;

// The time has come to `now_us`, and what was crossed before has been told.
void race_chequered_clock(race_chequered *flag, const race_ending *ending, uint64_t now_us);
// Somebody crosses the line and has so many laps then. @return whether he has ended with it.
bool race_chequered_cross(race_chequered *flag, const race_ending *ending, uint32_t laps,
                          uint64_t time_us);
// By order: a race was over when somebody last took the lead in laps. Then whoever has crossed the
// line at out_us or after it ended with his last crossing.
void race_chequered_call(race_chequered *flag, const race_ending *ending, uint64_t now_us);

// Whether a lap of a session against the clock counts by its times.
// @param ended_us its end, or now while it is under way
bool race_chequered_in_time(const race_ending *ending, const race_chequered *flag,
                            uint64_t begun_us, uint64_t ended_us);
