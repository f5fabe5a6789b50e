// The cars that a server had at each of its last ticks, to the last unit of the encoding, and the
// verdict whether a client shows one of them as it was.

#ifndef APEX_TESTS_RACE_HISTORY_H
#define APEX_TESTS_RACE_HISTORY_H

#include "proto/proto.h"
#include "race/race.h"

typedef struct race_history race_history;

typedef enum race_history_verdict {
    RACE_HISTORY_RIGHT,
    RACE_HISTORY_WRONG,   // not what the server had at that tick
    RACE_HISTORY_UNKNOWN, // of a tick that it never had, or long ago, or no car of that tick
} race_history_verdict;

race_history *race_history_create(const apex_race *race);
void race_history_destroy(race_history *history);
// After every tick of the race.
void race_history_keep(race_history *history, const apex_race *race);
// A car that is told whole has all its digits; else it may be a near or a far one.
race_history_verdict race_history_judge(const race_history *history, uint32_t tick,
                                        const apex_wire_car *car, bool is_told_whole);

#endif
