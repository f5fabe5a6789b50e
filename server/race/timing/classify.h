// Results of a session: the order of its competitors, who is classified, and by how much each is
// behind. Pure: facts in, lines out; so results are made anew whenever a fact changes (a penalty
// after the flag, a lap deleted, a disqualification). Times are microseconds.
#pragma once

#include "race/race.h"

enum { RACE_ENDS_KEPT = 4 };

// The facts of a competitor. That he has retired is none: it is his laps that count.
typedef struct race_result_facts {
    uint32_t competitor1; // in the event's book; nothing goes by it
    uint32_t number;      // of his entry; 0: none
    uint32_t class1;      // from 1; 0: none
    bool started;         // else he is in the list, and no more
    bool disqualified;

    // Of a race.
    uint32_t grid;                    // from 1; 0: none
    bool flagged;                     // took the chequered flag
    uint32_t laps;                    // complete
    uint64_t ends_us[RACE_ENDS_KEPT]; // race times at the ends of his newest laps, the last first;
                                      // of a lap that there is not or is not known any more, 0
    uint64_t penalty_us;              // added for good
    uint32_t gate_rank;               // his place at the gate before the line, from 1; 0: not known

    // Of driving against the clock.
    uint64_t best_us, best_set_us; // the best lap that counts, and when he set it; 0 none
    bool left_pits, began_lap;     // a flying lap
    uint32_t rank_before;          // his place in an earlier order, from 1; 0: none
} race_result_facts;

// A line of the result. Competitors who are not classified have no position.
typedef struct race_result_line {
    uint32_t who; // index of his facts
    apex_result_status status;
    uint32_t position, class_position; // from 1; after a dead heat both have the better one; 0 none
    uint32_t laps;
    uint32_t laps_behind; // the first; 0: on his lap
    uint64_t gap_us;      // to the first, if on his lap, of net times
    uint64_t gross_us;    // race time at the end of the last lap, or the best lap; 0 none
    uint64_t net_us;      // with what was added
} race_result_line;

// A race (weekend.md 2.2). More laps first, then the lower net time; so no penalty drops anybody
// behind a car with fewer laps. Who has no lap stands by the grid. Times that are equal to the
// microsecond are a dead heat: the lines come by the gate before, by grid, by number. Classified is
// who has the share of the laps of the winner of his class, rounded down, and one lap at least;
// with a share of 0 everybody who started. Then come those who are not, those who did not start,
// those who are disqualified.
void race_classify_race(const race_result_facts all[], uint32_t count, const apex_rules_def *rules,
                        race_result_line out[]);

// Practice, qualifying, warm-up (weekend.md 2.5): by best laps, of equal ones the one that was set
// first. Those without one are not classified: who began a flying lap, who left the pits, the rest
// (who did not start), each by the order before.
void race_classify_laps(const race_result_facts all[], uint32_t count, race_result_line out[]);

// A race that was stopped and is not resumed (weekend.md 2.6): the facts are as if the flag had
// been shown to whoever was the first to complete so many laps, two less than the one under way at
// the signal. Everybody has taken it at his next line; who came to none keeps what he has. With 0
// there is no result but the grid.
void race_results_back_to(race_result_facts all[], uint32_t count, uint32_t laps);

// A lap of a competitor in a session.
typedef struct race_lap_row {
    uint64_t time_us, set_us;
    uint32_t voids; // bits of apex_lap_void; 0: it counts
} race_lap_row;

// The best one that counts, of equal ones the one that was set first. @return NULL: none
const race_lap_row *race_best_lap_of(const race_lap_row laps[], uint32_t count);
