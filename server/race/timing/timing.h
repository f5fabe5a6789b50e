// Timing: the gates of the lap, the times that were taken at them, and the running order.
#pragma once

#include "race/race.h"
#include "race/timing/classify.h"

enum {
    RACE_GATES_MAX = APEX_TRACK_SECTORS_MAX + 1 + 16, // sector ends, and the hidden ones between
    RACE_GATE_NO_SECTOR = 255,
};

// A line across the road that a lap has to cross in turn. The gates at sector ends take times;
// hidden ones between them see to it that a lap is driven and not cut on tracks with few sectors.
typedef struct race_gate {
    double s_m;
    uint8_t sector; // the one that ends here, or RACE_GATE_NO_SECTOR
} race_gate;

// The state of a race's timing that is saved beside the lines of its players.
typedef struct race_records {
    uint64_t go_tick;                                // when the lights went out
    uint64_t best_lap_us;                            // of this race; 0 none
    uint64_t winner_us;                              // total time of the first player who is home
    uint64_t best_sector_us[APEX_TRACK_SECTORS_MAX]; // of this race; 0 none (DECISIONS 34)
    uint32_t finished;                               // how many are home
} race_records;

// A lap of a session against the clock counts if it was begun before one time and done by the
// other.
typedef struct race_deadline {
    uint64_t begun_us, done_us;
} race_deadline;

typedef struct race_timing {
    uint32_t laps;   // of this track: open ones have one, one without a lap has none; at most,
                     // of a session by time
    double length_m; // of the lap
    bool closed;     // the lap
    uint32_t gate_count;
    race_gate gates[RACE_GATES_MAX + 1];
    race_records records;
    uint64_t *first_us; // [first_count] race time when the first car had passed so many gates
    uint32_t first_count;

    // Of an event with sessions: they follow from the event.
    race_deadline deadline;
    bool is_result; // the session is over: the order is its result

    // Rebuilt every tick.
    uint32_t crossed_count;
    uint32_t *crossed; // [capacity] slots that were at the line in this tick; NULL: no sessions
    uint32_t order_count;
    uint32_t *order; // [2 * capacity] slots; capacity + i is kept[i]
    uint32_t *rank;  // [2 * capacity] index into `order` by entry, where there is a line

    // Of the result as it was last made, in the order of `order` then; NULL without sessions.
    race_result_facts *facts; // [2 * capacity]
    race_result_line *lines;  // [2 * capacity]
    uint32_t line_count;
} race_timing;
