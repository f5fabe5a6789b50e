// The penalties of one player in one session, and how they live: given, due, served, converted,
// cancelled. Nothing here knows a car or a clock: what happened comes in as values, and what
// changed goes out as values, for the caller to tell of.
//
// Where a penalty stands (weekend.md 2.3):
//   WARNING, LAP_DELETED, DISQUALIFIED  have their effect at once: SERVED from the beginning.
//   TIME             OPEN until it is stood at a stop (SERVED), else CONVERTED at the flag.
//   DRIVE_THROUGH    OPEN until a visit without a stop serves it; CONVERTED when it is overdue (a
//   STOP_AND_HOLD    harder one follows it), in the last laps of a race or at the flag (added_us).
//   GRID_DROP        OPEN until a race's grid has been made with it.
// Somebody who retires with an open one is given nothing for it, so nothing is called then.
#pragma once

#include "race/race.h"
#include "race/walk.h"

enum {
    RACE_PENALTY_LAST_LAPS = 3, // of a race: one given in them is added as time
    RACE_GRID_DROP_MAX = 9999,  // places owed
    // Each row may convert, and a harder one may follow it; and seconds may add up to too many.
    RACE_PENALTY_CHANGES_MAX = 2 * APEX_PENALTIES_EACH_MAX + 2,
};

#define RACE_LAPS_LEFT_UNKNOWN UINT32_MAX
#define RACE_ADDED_US_MAX      (UINT64_C(1000000) * APEX_RACE_SECONDS_MAX)

// His visit to the lane that is under way.
typedef struct race_penalty_visit {
    bool barred;         // nothing but seconds can be served in it
    bool stopped;        // has stood in his box
    bool served;         // a stop-and-hold
    uint64_t entered_us; // on the session's clock; 0: there is none
} race_penalty_visit;

typedef struct race_penalties {
    uint32_t offences[APEX_OFFENCES]; // counted in this session
    uint32_t count;                   // when full, the oldest that matters least makes room
    apex_penalty all[APEX_PENALTIES_EACH_MAX]; // their numbers rise
    bool standing[APEX_PENALTIES_EACH_MAX];    // is being stood in the stop under way
    uint64_t forgotten_us;                     // added by those that made room
    uint32_t grid_drop;                        // places owed at the next race's grid
    bool disqualified;                         // one of the rows says so
    race_penalty_visit visit;
} race_penalties;

// Numbers of penalties count over the event.
typedef struct race_penalty_numbers {
    uint32_t issued;
} race_penalty_numbers;

// The moment at which something happens to him.
typedef struct race_penalty_moment {
    const apex_penalty_def *def;
    race_penalty_numbers *numbers;
    uint64_t time_us;   // on the session's clock
    uint32_t lap;       // of his, under way, from 1
    uint32_t laps_left; // of the race, until the flag, the leader's one under way included;
                        // RACE_LAPS_LEFT_UNKNOWN: by time alone, so far
    bool is_race;       // else all drive against the clock
    bool is_over;       // he has taken the flag, or is out
} race_penalty_moment;

// What one call changed, in order, each as it is now. A caller gives an empty one.
typedef struct race_penalty_changes {
    uint32_t count;
    apex_penalty all[RACE_PENALTY_CHANGES_MAX];
} race_penalty_changes;

// An offence is counted, and brings what the table has for that count, or nothing. Outside a race
// seconds, drive-throughs and stop-and-holds delete the lap instead.
void race_penalties_offend(race_penalties *his, const race_penalty_moment *at, apex_offence offence,
                           race_penalty_changes *changes);

// Stewards give one: its kind, amount, offence and, of LAP_DELETED, lap (0: the one under way)
// count. It is no offence of the table's count. With a number of his that one is changed to it,
// under its number, with its offence and lap; it is told as cancelled before.
// @return APEX_ERR_RANGE (an amount or a kind that cannot be), APEX_ERR_STATE (of a race alone;
// served, converted or cancelled already), APEX_ERR_NOT_FOUND (the number); nothing changes then
apex_err race_penalties_order(race_penalties *his, const race_penalty_moment *at,
                              const apex_penalty *order, race_penalty_changes *changes);
// Stewards cancel one, whether it is open, has been added as time, or had its effect at once. A lap
// that was deleted by it counts again: the caller sees to that.
// @return APEX_ERR_NOT_FOUND, APEX_ERR_STATE (served, replaced by a harder one, cancelled already)
apex_err race_penalties_cancel(race_penalties *his, uint32_t number, race_penalty_changes *changes);

// He has crossed the line and goes on: `at->lap` is the lap that begins. Those overdue convert.
// @param spared under full-course yellow, or in the lane: the crossing is added to the allowance
void race_penalties_cross(race_penalties *his, const race_penalty_moment *at, bool spared,
                          race_penalty_changes *changes);
// He has taken the flag, in place of the crossing: what is open is added to his time.
void race_penalties_flag(race_penalties *his, const race_penalty_moment *at,
                         race_penalty_changes *changes);

// He has crossed the entry line of the lane.
// @param barred under full-course yellow, unless he was in the entry road when it was called
void race_penalties_enter_lane(race_penalties *his, uint64_t time_us, bool barred);

typedef struct race_penalty_hold {
    uint64_t stand_us; // before any work
    bool no_work;      // nor any later in this visit: it serves a stop-and-hold
} race_penalty_hold;

// He stands in his box. All seconds are stood in one stop; of what was given before the visit one
// stop-and-hold. To be asked once at the beginning of each stop.
race_penalty_hold race_penalties_stop(race_penalties *his);
// He has stood what the stop began with. Who drives off before has served nothing.
void race_penalties_stood(race_penalties *his, race_penalty_changes *changes);
// He has crossed the exit line: without a stop that serves the oldest drive-through that was given
// before the visit. Who did not come in by the entry line (from his box, by a reset) serves none.
void race_penalties_leave_lane(race_penalties *his, race_penalty_changes *changes);

// Microseconds that are added to his time for good.
uint64_t race_penalties_added_us(const race_penalties *his);
// Seconds that are open: they will be added unless he stands them.
uint64_t race_penalties_pending_us(const race_penalties *his);
// The oldest open one of a kind, to be told to a driver. @return NULL: none
const apex_penalty *race_penalties_open(const race_penalties *his, apex_penalty_kind kind);

// A session ends: only places owed at a grid are carried over to the next.
void race_penalties_next_session(race_penalties *his);
// A race's grid is made. @return places that he falls back, which he owes no more
uint32_t race_penalties_take_drop(race_penalties *his);

void race_penalties_walk(race_walk *io, race_penalties *his);
void race_penalty_numbers_walk(race_walk *io, race_penalty_numbers *numbers);
// After both have been read. @return whether none of his was never issued
bool race_penalties_were_issued(const race_penalties *his, const race_penalty_numbers *numbers);
