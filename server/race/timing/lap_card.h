// The card of a player's laps: which of them count, and the best of these.
#pragma once

#include "race/card.h"
#include "race/timing/timing.h"

// He begins from a place between the lane's lines, or from another.
void race_lap_card_begin(race_lap_card *card, bool in_lane);
// @return whether there is a bit that the lap under way did not have
bool race_lap_card_void(race_lap_card *card, uint32_t bits);

typedef struct race_lap_done {
    uint64_t begun_us, time_us; // race times
    race_deadline deadline;
    uint32_t number; // from 1
} race_lap_done;

// The bits of a lap that ends here and now, before it is told.
uint32_t race_lap_card_ends(const race_lap_card *card, const race_lap_done *lap);
// Counts the lap under way, which has ended.
void race_lap_card_complete(race_lap_card *card, const race_lap_done *lap);
// A lap that is done counts no more, or again. One that was never among the best is not known.
void race_lap_card_delete(race_lap_card *card, uint32_t number, bool deleted);
// The next lap is under way, from the line.
void race_lap_card_next(race_lap_card *card, uint64_t time_us, race_deadline deadline);
