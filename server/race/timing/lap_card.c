// The card of a player's laps: which of them count, and the best of these.
#include "race/timing/lap_card.h"

void race_lap_card_begin(race_lap_card *card, bool in_lane) {
    card->in_lane = in_lane;
    card->step_m = 0.0;
    card->voids = in_lane ? APEX_VOID_OUT : 0;
    card->next_voids = 0;
}

bool race_lap_card_void(race_lap_card *card, uint32_t bits) {
    uint32_t before = card->voids;
    card->voids |= bits;
    return card->voids != before;
}

uint32_t race_lap_card_ends(const race_lap_card *card, const race_lap_done *lap) {
    bool late = lap->begun_us >= lap->deadline.begun_us || lap->time_us > lap->deadline.done_us;
    return (card->in_lane ? APEX_VOID_IN : 0u) | (late ? APEX_VOID_LATE : 0u);
}

static void find_best(race_lap_card *card) {
    const race_lap_row *best = race_best_lap_of(card->rows, card->row_count);
    card->best_us = best != NULL ? best->time_us : 0;
    card->best_set_us = best != NULL ? best->set_us : 0;
}

// @return where a lap is noted: in a free row, or in that of the slowest if it is slower
static uint32_t row_for(race_lap_card *card, uint64_t lap_us) {
    if (card->row_count < RACE_LAP_ROWS) {
        return card->row_count++;
    }
    uint32_t slowest = 0;
    for (uint32_t i = 1; i < RACE_LAP_ROWS; i++) {
        slowest = card->rows[i].time_us > card->rows[slowest].time_us ? i : slowest;
    }
    return card->rows[slowest].time_us > lap_us ? slowest : RACE_LAP_ROWS;
}

void race_lap_card_delete(race_lap_card *card, uint32_t number, bool deleted) {
    for (uint32_t i = 0; i < card->row_count; i++) {
        race_lap_row *row = &card->rows[i];
        if (card->row_laps[i] == number && (row->voids != 0) != deleted) {
            row->voids = deleted ? (uint32_t)APEX_VOID_DELETED : 0;
            card->counted += deleted ? -1u : 1u;
        }
    }
    find_best(card);
}

void race_lap_card_complete(race_lap_card *card, const race_lap_done *lap) {
    uint64_t lap_us = lap->time_us - lap->begun_us;
    if (card->voids != 0 || lap_us == 0) {
        return;
    }
    card->counted++;
    uint32_t row = row_for(card, lap_us);
    if (row < RACE_LAP_ROWS) {
        card->rows[row] = (race_lap_row){lap_us, lap->time_us, 0};
        card->row_laps[row] = lap->number;
    }
    find_best(card);
}

void race_lap_card_next(race_lap_card *card, uint64_t time_us, race_deadline deadline) {
    card->voids = card->next_voids | (card->in_lane ? APEX_VOID_OUT : 0u) |
                  (time_us >= deadline.begun_us ? APEX_VOID_LATE : 0u);
    card->next_voids = 0;
}
