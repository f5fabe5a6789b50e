// The result of a session, which classify.h makes of the facts that are gathered here.
#include "race/timing/session_result.h"

#include "race/field/kept.h"
#include "race/timing/classify.h"

static race_result_facts facts_of(const race_timing *timing, const race_field *field,
                                  uint32_t entry) {
    const race_player *line = race_kept_line(field, entry);
    const race_card *card = race_kept_card(field, entry);
    return (race_result_facts){
        .competitor1 = card->competitor1,
        .number = card->number,
        .class1 = card->class1,
        .started = line->started && line->state != APEX_STANDING_WAITING,
        .disqualified = card->penalties.disqualified,
        .grid = line->grid,
        .flagged = card->lap.flagged,
        .laps = line->lap.laps,
        .ends_us = {line->lap.laps > 0 ? line->lap.lap_from_us : 0},
        .penalty_us = race_penalties_added_us(&card->penalties),
        .gate_rank = timing->rank[entry] + 1,
        .best_us = card->lap.best_us,
        .best_set_us = card->lap.best_set_us,
        .left_pits = line->lap.gates_passed > 0 || !card->lap.in_lane,
        .began_lap = line->lap.gates_passed > 0,
        .rank_before = line->last_position,
    };
}

void race_results_make(race_timing *timing, race_field *field) {
    uint32_t count = timing->line_count = timing->order_count;
    for (uint32_t i = 0; i < count; i++) {
        timing->facts[i] = facts_of(timing, field, timing->order[i]);
    }
    if (race_field_against_clock(field)) {
        race_classify_laps(timing->facts, count, timing->lines);
    } else {
        race_classify_race(timing->facts, count, &field->def->weekend.rules, timing->lines);
    }
    for (uint32_t i = 0; i < count; i++) {
        const race_result_line *line = &timing->lines[i];
        race_card *card = race_kept_card(field, timing->order[line->who]);
        card->result_rank = i + 1;
        card->class_position = line->class_position;
        card->status = line->status;
    }
}
