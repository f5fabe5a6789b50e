// The running order: players who are home by their times, those who race by their ways.
#include "race/timing/order.h"

#include "race/field/kept.h"
#include "race/field/sorting.h"
#include "race/timing/order_sessions.h"

static uint32_t state_rank(const race_player *player) {
    APEX_ASSERT((uint32_t)player->state <= APEX_STANDING_DNF);
    static const uint32_t ranks[] = {
        [APEX_STANDING_FINISHED] = 0,
        [APEX_STANDING_RUNNING] = 1,
        [APEX_STANDING_DNF] = 2,
        [APEX_STANDING_WAITING] = 3,
    };
    bool never = player->state == APEX_STANDING_DNF && !player->started;
    return ranks[never ? APEX_STANDING_WAITING : player->state];
}

// Those who came home in this tick have no rank yet: their times give it.
static bool finished_before(const race_player *a, const race_player *b, bool *decided) {
    uint32_t a_rank = a->lap.finish_rank != 0 ? a->lap.finish_rank : UINT32_MAX;
    uint32_t b_rank = b->lap.finish_rank != 0 ? b->lap.finish_rank : UINT32_MAX;
    *decided = true;
    if (a_rank != b_rank) {
        return a_rank < b_rank;
    }
    *decided = a->lap.total_us != b->lap.total_us;
    return a->lap.total_us < b->lap.total_us;
}

static bool stands_before(const race_field *field, uint32_t a_entry, uint32_t b_entry) {
    const race_player *a = race_kept_line(field, a_entry);
    const race_player *b = race_kept_line(field, b_entry);
    if (a->state != b->state || a->started != b->started) {
        uint32_t a_rank = state_rank(a), b_rank = state_rank(b);
        if (a_rank != b_rank) {
            return a_rank < b_rank;
        }
    }
    bool decided = false;
    if (a->state == APEX_STANDING_FINISHED) {
        bool before = finished_before(a, b, &decided);
        if (decided) {
            return before;
        }
    } else if (state_rank(a) != 3 && a->way_m != b->way_m) {
        return a->way_m > b->way_m;
    }
    if (a->grid != b->grid) {
        return a->grid < b->grid;
    }
    return a_entry < b_entry;
}

static void assert_parts(const race_timing *timing, const race_field *field) {
    APEX_ASSERT(timing->order_count <= 2 * field->capacity);
    APEX_ASSERT(field->pool.live_count <= field->capacity);
    APEX_ASSERT(field->kept_started <= field->counts.kept && field->counts.kept <= field->capacity);
}

static race_before_fn *order_of(const race_timing *timing, const race_field *field) {
    if (field->session == NULL) {
        return stands_before;
    }
    if (timing->is_result) {
        return race_stands_by_result;
    }
    return race_field_against_clock(field) ? race_stands_by_best : race_stands_by_way;
}

// The order without sessions has a copy of its own, in which to compare is no call.
static void sort_order(const race_timing *timing, const race_field *field, uint32_t count) {
    race_before_fn *before = order_of(timing, field);
    if (before == stands_before) {
        race_sort(&(race_sorting){field, stands_before, timing->order, field->scratch, count});
    } else {
        race_sort(&(race_sorting){field, before, timing->order, field->scratch, count});
    }
}

void race_order_update(race_timing *timing, const race_field *field) {
    assert_parts(timing, field);
    uint32_t count = race_sort_renew(field, timing->order, timing->order_count,
                                     field->pool.live_count + field->kept_started);
    timing->order_count = count;
    sort_order(timing, field, count);
    for (uint32_t i = 0; i < count; i++) {
        timing->rank[timing->order[i]] = i;
    }
}

bool race_order_is_sorted(const race_timing *timing, const race_field *field) {
    race_before_fn *before = order_of(timing, field);
    for (uint32_t i = 1; i < timing->order_count; i++) {
        if (before(field, timing->order[i], timing->order[i - 1])) {
            return false;
        }
    }
    return true;
}

static void tell_finished(race_timing *timing, race_player *player, uint32_t position,
                          race_log *log) {
    player->lap.finish_rank = ++timing->records.finished;
    if (player->lap.finish_rank == 1) {
        timing->records.winner_us = player->lap.total_us;
    }
    race_log_add(log, APEX_EVENT_FINISHED, player->id, position, player->lap.total_us);
}

// In a session a lapped car may end before one that is ahead of it, and against the clock a place
// is nobody's before the end.
static void finish_session(race_timing *timing, race_field *field, race_log *log) {
    if (race_field_against_clock(field) && !timing->is_result) {
        return;
    }
    for (uint32_t i = 0; i < timing->order_count; i++) {
        uint32_t slot = timing->order[i];
        if (slot < field->capacity && field->players[slot].state == APEX_STANDING_FINISHED &&
            field->players[slot].lap.finish_rank == 0) {
            tell_finished(timing, &field->players[slot], i + 1, log);
        }
    }
}

void race_order_finish(race_timing *timing, race_field *field, race_log *log) {
    assert_parts(timing, field);
    if (field->session != NULL) {
        finish_session(timing, field, log);
        return;
    }
    for (uint32_t i = 0; i < timing->order_count; i++) {
        uint32_t slot = timing->order[i];
        if (race_kept_line(field, slot)->state != APEX_STANDING_FINISHED) {
            break;
        }
        if (slot >= field->capacity || field->players[slot].lap.finish_rank != 0) {
            continue;
        }
        tell_finished(timing, &field->players[slot], timing->records.finished + 1, log);
    }
}
