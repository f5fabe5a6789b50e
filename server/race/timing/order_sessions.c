// Who stands before whom in a session.
#include "race/timing/order_sessions.h"

#include "race/field/kept.h"

typedef struct order_line {
    uint32_t entry;
    const race_player *player;
    const race_card *card;
} order_line;

static order_line line_of(const race_field *field, uint32_t entry) {
    APEX_ASSERT(field->cards != NULL);
    return (order_line){entry, race_kept_line(field, entry), race_kept_card(field, entry)};
}

static bool takes_part(const order_line *line) {
    return line->player->started && line->player->state != APEX_STANDING_WAITING;
}

// The black flag: behind everybody who may still score.
static bool is_out(const order_line *line) {
    return line->card->penalties.disqualified;
}

static bool by_arrival(const order_line *a, const order_line *b) {
    return a->player->join_number != b->player->join_number
               ? a->player->join_number < b->player->join_number
               : a->entry < b->entry;
}

static bool by_grid(const order_line *a, const order_line *b) {
    return a->player->grid != b->player->grid ? a->player->grid < b->player->grid
                                              : a->entry < b->entry;
}

bool race_stands_by_best(const race_field *field, uint32_t a_entry, uint32_t b_entry) {
    order_line a = line_of(field, a_entry), b = line_of(field, b_entry);
    if (is_out(&a) != is_out(&b)) {
        return is_out(&b);
    }
    const race_lap_card *one = &a.card->lap, *two = &b.card->lap;
    if (one->best_us != two->best_us) { // none is 0, and behind all
        return one->best_us - 1 < two->best_us - 1;
    }
    if (one->best_us != 0 && one->best_set_us != two->best_set_us) {
        return one->best_set_us < two->best_set_us;
    }
    if (takes_part(&a) != takes_part(&b)) {
        return takes_part(&a);
    }
    return by_arrival(&a, &b);
}

static uint64_t time_us(const order_line *line) {
    return line->player->lap.lap_from_us + race_penalties_added_us(&line->card->penalties);
}

// A driver who is home stands at the line that ended his race; time parts those who ended there.
bool race_stands_by_way(const race_field *field, uint32_t a_entry, uint32_t b_entry) {
    order_line a = line_of(field, a_entry), b = line_of(field, b_entry);
    if (is_out(&a) != is_out(&b)) {
        return is_out(&b);
    }
    if (takes_part(&a) != takes_part(&b)) {
        return takes_part(&a);
    }
    if (!takes_part(&a)) {
        return by_grid(&a, &b);
    }
    if (a.player->way_m != b.player->way_m) {
        return a.player->way_m > b.player->way_m;
    }
    bool a_home = a.player->state == APEX_STANDING_FINISHED;
    bool b_home = b.player->state == APEX_STANDING_FINISHED;
    if (a_home != b_home) {
        return a_home;
    }
    if (a_home && time_us(&a) != time_us(&b)) {
        return time_us(&a) < time_us(&b);
    }
    return by_grid(&a, &b);
}

// A driver without a rank had no part.
bool race_stands_by_result(const race_field *field, uint32_t a_entry, uint32_t b_entry) {
    order_line a = line_of(field, a_entry), b = line_of(field, b_entry);
    if (a.card->result_rank != b.card->result_rank) {
        return a.card->result_rank - 1 < b.card->result_rank - 1;
    }
    return by_grid(&a, &b);
}
