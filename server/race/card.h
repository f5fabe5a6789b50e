// The card that race control keeps of a player beside his lap, only in events with sessions or
// rules. Each part is written by one room.
#pragma once

#include "race/penalties/penalties.h"
#include "race/pits/pit.h"
#include "race/race.h"

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
} race_lap_card;

typedef struct race_card {
    uint32_t competitor1; // in the event's book, from 1; 0: none
    race_lap_card lap;
    race_penalties penalties;
    race_pit pit;
    uint32_t incident_points;
    bool is_person; // has driven himself; a bot of the server's never does
    bool watches;   // has no part in this session
} race_card;

// The next session begins with a blank card but for who he is, and the places that he owes.
static inline void race_card_forget(race_card *card) {
    *card = (race_card){
        .competitor1 = card->competitor1,
        .penalties.grid_drop = card->penalties.grid_drop,
        .is_person = card->is_person,
    };
}
