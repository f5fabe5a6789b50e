// Lines of players who have left a race that is under way, kept for its results (DECISIONS 13).
#include "race/field/kept.h"

#include "race/field/players.h"

#include <string.h>

void race_kept_count(race_field *field) {
    field->kept_started = 0;
    for (uint32_t i = 0; i < field->counts.kept; i++) {
        field->kept_started += field->kept[i].started;
    }
}

static bool got_less_far(const race_player *a, const race_player *b) {
    bool a_home = a->state == APEX_STANDING_FINISHED, b_home = b->state == APEX_STANDING_FINISHED;
    if (a->started != b->started || a_home != b_home) {
        return a->started != b->started ? b->started : b_home;
    }
    return !a_home && a->way_m < b->way_m;
}

// The results need the line; should more players have come and gone than there are slots, the
// newest takes the place of the one who got least far.
void race_kept_add(race_field *field, const race_player *player) {
    APEX_ASSERT(player->id.index1 != 0 && player->state != APEX_STANDING_RUNNING);
    race_player *line = NULL;
    if (field->counts.kept < field->capacity) {
        line = &field->kept[field->counts.kept++];
    } else {
        line = &field->kept[0];
        for (uint32_t i = 1; i < field->counts.kept; i++) {
            if (got_less_far(&field->kept[i], line)) {
                line = &field->kept[i];
            }
        }
        if (got_less_far(player, line)) {
            return;
        }
    }
    *line = *player;
    line->car_id = (apex_car_id){0, 0};
    if (field->cards != NULL) {
        field->kept_cards[line - field->kept] = field->cards[player->id.index1 - 1];
    }
    race_kept_count(field);
}

void race_kept_clear(race_field *field) {
    field->counts.kept = field->kept_started = 0;
}

// His new car, id and hands are his own; the rest is what he left.
static void take_line(race_player *player, const race_player *line) {
    race_player back = *line;
    back.id = player->id;
    back.car_id = player->car_id;
    back.car = player->car;
    back.driver = player->driver;
    back.driven_by_server = player->driven_by_server;
    back.ghost = player->ghost;
    back.left_why = APEX_LEAVE_GONE;
    back.watch.off = back.watch.wrong_told = back.watch.crippled = false;
    back.watch.off_ticks = back.watch.wrong_ticks = back.watch.idle_ticks = 0;
    *player = back;
}

bool race_kept_revive(race_field *field, uint32_t slot) {
    RACE_ASSERT_LIVE(field, slot);
    APEX_ASSERT(field->cards != NULL);
    race_player *player = &field->players[slot];
    for (uint32_t i = field->counts.kept; i-- > 0;) {
        if (strncmp(field->kept[i].name, player->name, APEX_NAME_BYTES) != 0) {
            continue;
        }
        uint32_t competitor1 = field->cards[slot].competitor1;
        take_line(player, &field->kept[i]);
        field->cards[slot] = field->kept_cards[i];
        field->cards[slot].competitor1 = competitor1;
        uint32_t last = --field->counts.kept;
        field->kept[i] = field->kept[last];
        field->kept_cards[i] = field->kept_cards[last];
        race_kept_count(field);
        return true;
    }
    return false;
}

bool race_kept_find(const race_field *field, apex_player_id player, uint32_t *entry) {
    *entry = race_player_slot(field, player);
    if (*entry < field->capacity) {
        return true;
    }
    uint32_t end = field->capacity + field->counts.kept;
    for (; *entry < end; ++*entry) { // gone, perhaps, but remembered
        apex_player_id id = race_kept_line(field, *entry)->id;
        if (id.index1 == player.index1 && id.generation == player.generation) {
            return race_kept_is_entry(field, *entry);
        }
    }
    return false;
}
