// A penalty as it is told, and those of the session that were.

#include "host/news/penalty_news.h"

#include <string.h>

#include "base/assert.h"

apex_penalty_message host_penalty_message(const apex_penalty *penalty, apex_player_id player,
                                          const char name[APEX_WIRE_NAME_BYTES]) {
    bool is_timed =
        penalty->kind == APEX_PENALTY_TIME || penalty->kind == APEX_PENALTY_STOP_AND_HOLD;
    apex_penalty_message message = {
        .number = penalty->number,
        .player = apex_player_wire_id(player),
        .offence = (uint32_t)penalty->offence,
        .kind = (uint32_t)penalty->kind,
        .state = (uint32_t)penalty->state,
        .time_ms = is_timed ? (uint32_t)(penalty->amount * 1000.0 + 0.5) : 0,
        .places = penalty->kind == APEX_PENALTY_GRID_DROP ? (uint32_t)(penalty->amount + 0.5) : 0,
        .given_us = penalty->given_us,
        .lap = penalty->lap,
        .due_lap = penalty->due_lap,
        .added_us = penalty->added_us,
        .by_stewards = penalty->by_stewards,
    };
    memcpy(message.name, name, sizeof message.name);
    return message;
}

bool host_penalty_of(const apex_race *race, apex_player_id player, uint32_t number,
                     apex_penalty *out) {
    apex_race_conduct conduct;
    if (!apex_race_conduct_of(race, player, &conduct)) {
        return false;
    }
    for (uint32_t i = 0; i < conduct.penalty_count; i++) {
        if (conduct.penalties[i].number == number) {
            *out = conduct.penalties[i];
            return true;
        }
    }
    return false;
}

void host_penalties_note(host_penalties *penalties, const apex_penalty_message *penalty) {
    APEX_ASSERT(penalties->count <= APEX_PENALTIES_LINES_MAX && penalty->number != 0);
    for (uint32_t i = 0; i < penalties->count; i++) {
        if (penalties->all[i].number == penalty->number) {
            penalties->all[i] = *penalty;
            return;
        }
    }
    if (penalties->count == APEX_PENALTIES_LINES_MAX) {
        penalties->count--;
        memmove(penalties->all, penalties->all + 1, penalties->count * sizeof penalties->all[0]);
    }
    penalties->all[penalties->count++] = *penalty;
}

static void insert(host_penalties *penalties, const apex_penalty_message *penalty) {
    host_penalties_note(penalties, penalty);
    for (uint32_t i = penalties->count - 1;
         i > 0 && penalties->all[i - 1].number > penalties->all[i].number; i--) {
        const apex_penalty_message later = penalties->all[i - 1];
        penalties->all[i - 1] = penalties->all[i];
        penalties->all[i] = later;
    }
}

void host_penalties_find(host_penalties *penalties, const apex_race *race,
                         const apex_standing lines[], size_t count) {
    penalties->count = 0;
    for (size_t i = 0; i < count; i++) {
        apex_race_conduct conduct;
        char name[APEX_WIRE_NAME_BYTES];
        apex_wire_text(name, sizeof name, lines[i].name);
        uint32_t found =
            apex_race_conduct_of(race, lines[i].player, &conduct) ? conduct.penalty_count : 0;
        for (uint32_t p = 0; p < found; p++) {
            const apex_penalty_message penalty =
                host_penalty_message(&conduct.penalties[p], lines[i].player, name);
            insert(penalties, &penalty);
        }
    }
}

// A race that is driven again has no penalties either.
bool host_ends_penalties(const apex_race_event *event) {
    return event->kind == APEX_EVENT_SESSION ||
           (event->kind == APEX_EVENT_PHASE && event->value == APEX_PHASE_GRID);
}
