// The card that race control keeps of a player beside his lap, only in events with sessions or
// rules. Each part is written by one room.
#pragma once

#include "race/penalties/penalties.h"
#include "race/pits/pit.h"
#include "race/race.h"
#include "race/rules/conduct.h"
#include "race/timing/classify.h"

enum { RACE_LAP_ROWS = 8 };

// Of laps and their times.
typedef struct race_lap_card {
    uint32_t voids, next_voids; // bits of apex_lap_void: of the lap under way, of the next
    uint32_t counted;           // laps that count
    uint64_t best_us;           // of the laps that count; 0 none
    uint64_t best_set_us;       // race time at its end
    uint64_t line_us;           // race time when he last crossed the line forwards; 0 never
    double step_m;              // way along the lap in the tick before; 0: not known
    double trap_mps;            // the most at the line
    bool in_lane;               // stood between the lane's lines after the last tick
    bool flagged;               // has taken the flag
    bool resumed;               // came back, and has not been at the line since
    // The best laps that count or did, so that the next best counts where one is deleted.
    uint32_t row_count;
    uint32_t row_laps[RACE_LAP_ROWS]; // the number of each, from 1
    race_lap_row rows[RACE_LAP_ROWS];
} race_lap_card;

typedef struct race_card {
    uint32_t competitor1; // in the event's book, from 1; 0: none
    race_lap_card lap;
    race_penalties penalties;
    race_pit pit;
    race_conduct_watch conduct;
    uint32_t class1, number; // of his entry; 0: none
    uint32_t grid;           // the place that the list of entries gives him; 0: none
    bool is_person;          // has driven himself; a bot of the server's never does
    bool watches;            // has no part in this session
    bool put;                // set down somewhere since the last tick
    bool late;               // came when the session was under way
    uint64_t joined_us;      // on its clock, if so
    // Of the result that stands: from 1; 0: there is none.
    uint32_t result_rank, class_position;
    apex_result_status status;
} race_card;

// The next session begins with a blank card but for who he is, and the places that he owes.
static inline void race_card_forget(race_card *card) {
    race_card next = {
        .competitor1 = card->competitor1,
        .penalties = card->penalties,
        .pit = card->pit,
        .class1 = card->class1,
        .number = card->number,
        .grid = card->grid,
        .is_person = card->is_person,
    };
    race_penalties_next_session(&next.penalties);
    race_pit_begin(&next.pit);
    *card = next;
}
