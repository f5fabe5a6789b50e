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

// Of two equal laps the one that was driven first is the best.
void race_lap_card_complete(race_lap_card *card, const race_lap_done *lap) {
    uint64_t lap_us = lap->time_us - lap->begun_us;
    if (card->voids != 0 || lap_us == 0) {
        return;
    }
    card->counted++;
    if (card->best_us == 0 || lap_us < card->best_us) {
        card->best_us = lap_us;
        card->best_set_us = lap->time_us;
    }
}

void race_lap_card_next(race_lap_card *card, uint64_t time_us, race_deadline deadline) {
    card->voids = card->next_voids | (card->in_lane ? APEX_VOID_OUT : 0u) |
                  (time_us >= deadline.begun_us ? APEX_VOID_LATE : 0u);
    card->next_voids = 0;
}
