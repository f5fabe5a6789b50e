// Lines of players who have left a race that is under way, kept for its results (DECISIONS 13).
#include "race/field/kept.h"

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
    race_kept_count(field);
}

void race_kept_clear(race_field *field) {
    field->counts.kept = field->kept_started = 0;
}
