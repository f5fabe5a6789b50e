// What a race tells of its session, and of a player's conduct in it.
#include "race/race_private.h"

#include "race/event/phase.h"
#include "race/event/race_clock.h"
#include "race/event/race_session.h"
#include "race/field/kept.h"
#include "race/field/players.h"
#include "race/flagging.h"
#include "race/pitting.h"

#include "base/assert.h"

#include <string.h>

apex_session_status apex_race_session_of(const apex_race *race) {
    APEX_ASSERT(race != NULL);
    const race_weekend *weekend = race->event.weekend;
    if (weekend == NULL) {
        return (apex_session_status){.count = 0};
    }
    int64_t gone_us = race_clock_time_us(&race->event, &race->field, &race->timing);
    uint64_t all_us = weekend->duration_us;
    if (race->event.phase < APEX_PHASE_RACE) {
        gone_us = 0;
        all_us = (uint64_t)(race->field.session->duration_s * 1e6 + 0.5);
    }
    return (apex_session_status){
        .index = race_session_index(&race->event, &race->field),
        .count = race->def.weekend.session_count,
        .def = race->field.session,
        .left_us = all_us > 0 ? (int64_t)all_us - gone_us : 0,
        .chequered = weekend->chequered.out,
        .flag = race_flags_shown(race),
        .lead_laps = weekend->chequered.lead_laps,
    };
}

static uint64_t ideal_us(const apex_race *race, const race_player *line) {
    uint64_t sum_us = 0;
    uint32_t count = race->field.open_session ? 0 : apex_track_sector_count(race->field.track);
    for (uint32_t i = 0; i < count; i++) {
        if (line->lap.best_sector_us[i] == 0) {
            return 0;
        }
        sum_us += line->lap.best_sector_us[i];
    }
    return sum_us;
}

static apex_result_status status_of(const race_player *line, const race_card *card) {
    if (card->penalties.disqualified) {
        return APEX_RESULT_DISQUALIFIED;
    }
    if (card->result_rank > 0) {
        return card->status;
    }
    return line->started ? APEX_RESULT_CLASSIFIED : APEX_RESULT_NOT_STARTED;
}

static uint32_t points_of(const apex_race *race, const race_card *card) {
    return race->event.weekend != NULL
               ? race_book_points(&race->event.weekend->book, card->competitor1)
               : 0;
}

bool apex_race_conduct_of(const apex_race *race, apex_player_id player, apex_race_conduct *out) {
    APEX_ASSERT(race != NULL && out != NULL);
    *out = (apex_race_conduct){0};
    uint32_t entry;
    if (!race_kept_find(&race->field, player, &entry)) {
        return false;
    }
    const race_card *card = race_kept_card(&race->field, entry);
    if (card == NULL) {
        return true;
    }
    const race_player *line = race_kept_line(&race->field, entry);
    *out = (apex_race_conduct){
        .class1 = card->class1,
        .class_position = race->timing.is_result ? card->class_position : 0,
        .number = card->number,
        .lap_voids = card->lap.voids,
        .best_counting_us = card->lap.best_us,
        .best_set_us = card->lap.best_set_us,
        .ideal_us = ideal_us(race, line),
        .trap_mps = card->lap.trap_mps,
        .penalty_us = race_penalties_added_us(&card->penalties),
        .incident_points = card->conduct.incidents.points,
        .points = points_of(race, card),
        .status = status_of(line, card),
        .pit = race_pits_told(race, entry),
        .penalty_count = card->penalties.count,
    };
    memcpy(out->penalties, card->penalties.all, sizeof out->penalties);
    return true;
}
