// The running order, and the order along the lap. Both are sorted anew every tick by merging the
// runs that are in order already: one pass over the cars when nobody has passed anybody.
#include "race/race_private.h"

#include "base/assert.h"

#include <string.h>

// A total order, so that the result depends on nothing but the players.
typedef bool before_fn(const apex_race *race, uint32_t a, uint32_t b);

typedef struct sorting {
    const apex_race *race;
    before_fn *before;
    uint32_t *items, *scratch;
    uint32_t count;
} sorting;

// A copy for each order, so that to compare is no call.
#define SORT_INLINE static inline __attribute__((always_inline))

SORT_INLINE uint32_t run_end(const sorting *sort, uint32_t from) {
    uint32_t end = from + 1;
    while (end < sort->count && sort->before(sort->race, sort->items[end - 1], sort->items[end])) {
        end++;
    }
    return end < sort->count ? end : sort->count;
}

SORT_INLINE void merge(const sorting *sort, uint32_t from, uint32_t middle, uint32_t end) {
    memcpy(sort->scratch, &sort->items[from], (middle - from) * sizeof *sort->items);
    uint32_t left = 0;
    uint32_t left_count = middle - from;
    uint32_t right = middle;
    for (uint32_t out = from; left < left_count; out++) {
        bool take_right =
            right < end && sort->before(sort->race, sort->items[right], sort->scratch[left]);
        sort->items[out] = take_right ? sort->items[right++] : sort->scratch[left++];
    }
}

SORT_INLINE void sort_runs(const sorting *sort) {
    for (;;) {
        uint32_t runs = 0;
        for (uint32_t from = 0; from < sort->count;) {
            uint32_t middle = run_end(sort, from);
            uint32_t end = middle < sort->count ? run_end(sort, middle) : middle;
            if (end > middle) {
                merge(sort, from, middle, end);
            }
            from = end;
            runs++;
        }
        if (runs <= 1) {
            return;
        }
    }
}

const race_player *race_order_line(const apex_race *race, uint32_t entry) {
    return entry < race->field.capacity ? &race->field.players[entry]
                                        : &race->field.kept[entry - race->field.capacity];
}

static uint32_t state_rank(const race_player *player) {
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

static bool stands_before(const apex_race *race, uint32_t a_entry, uint32_t b_entry) {
    const race_player *a = race_order_line(race, a_entry);
    const race_player *b = race_order_line(race, b_entry);
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

// A player who has left without taking the start is in no order.
static bool is_entry(const apex_race *race, uint32_t entry) {
    if (entry < race->field.capacity) {
        return race_player_live(race, entry);
    }
    uint32_t kept = entry - race->field.capacity;
    return kept < race->field.counts.kept && race->field.kept[kept].started;
}

// Most of the last order still holds, so it is what the new one starts from. In nearly all ticks
// nobody has come or gone.
// @param wanted so many, from entry 0 up, belong into it. @return as many.
static uint32_t renew(apex_race *race, uint32_t list[], uint32_t count, uint32_t wanted) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (is_entry(race, list[i])) {
            list[kept++] = list[i];
        }
    }
    if (kept == wanted) {
        return wanted;
    }
    uint32_t *mark = race->field.scratch;
    memset(mark, 0, 2 * race->field.capacity * sizeof *mark);
    for (uint32_t i = 0; i < kept; i++) {
        mark[list[i]] = 1;
    }
    for (uint32_t entry = 0; kept < wanted; entry++) {
        if (mark[entry] == 0 && is_entry(race, entry)) {
            list[kept++] = entry;
        }
    }
    return wanted;
}

void race_order_update(apex_race *race) {
    uint32_t count = renew(race, race->timing.order, race->timing.order_count,
                           race->field.pool.live_count + race->field.kept_started);
    race->timing.order_count = count;
    sort_runs(&(sorting){race, stands_before, race->timing.order, race->field.scratch, count});
    for (uint32_t i = 0; i < count; i++) {
        race->timing.rank[race->timing.order[i]] = i;
    }
}

static bool lies_before(const apex_race *race, uint32_t a, uint32_t b) {
    double a_m = race->field.players[a].s_m;
    double b_m = race->field.players[b].s_m;
    return a_m != b_m ? a_m < b_m : a < b;
}

void race_order_along(apex_race *race) {
    uint32_t count =
        renew(race, race->field.along, race->field.along_count, race->field.pool.live_count);
    race->field.along_count = count;
    sort_runs(&(sorting){race, lies_before, race->field.along, race->field.scratch, count});
    for (uint32_t i = 0; i < count; i++) {
        race->field.rank_along[race->field.along[i]] = i;
    }
}

static bool starts_before(const race_player *a, uint32_t a_place, const race_player *b,
                          uint32_t b_place) {
    if (a_place != b_place) { // nobody who has a place stands behind one who has none
        return a_place != 0 && (b_place == 0 || a_place < b_place);
    }
    if (a->join_number != b->join_number) {
        return a->join_number < b->join_number;
    }
    return a->id.index1 < b->id.index1; // restored numbers may be anything
}

static bool stood_before(const apex_race *race, uint32_t a_slot, uint32_t b_slot) {
    const race_player *a = &race->field.players[a_slot];
    const race_player *b = &race->field.players[b_slot];
    return starts_before(a, a->grid, b, b->grid);
}

static bool came_before(const apex_race *race, uint32_t a_slot, uint32_t b_slot) {
    const race_player *a = &race->field.players[a_slot];
    const race_player *b = &race->field.players[b_slot];
    return starts_before(a, a->last_position, b, b->last_position);
}

void race_order_starters(apex_race *race, bool same_order) {
    uint32_t count = race->field.pool.live_count;
    memcpy(race->field.along, race->field.live, count * sizeof *race->field.along);
    race->field.along_count = count;
    before_fn *before = same_order ? stood_before : came_before;
    sort_runs(&(sorting){race, before, race->field.along, race->field.scratch, count});
}

static uint64_t gap_us(const apex_race *race, const race_player *player, uint32_t position) {
    if (position == 1 || player->lap.gates_passed == 0) {
        return 0;
    }
    if (player->state == APEX_STANDING_FINISHED) {
        return player->lap.total_us - race->timing.records.winner_us;
    }
    // The first to get there led the race at that point.
    uint64_t first_us = race->timing.first_us[player->lap.gates_passed];
    return player->lap.gate_us > first_us ? player->lap.gate_us - first_us : 0;
}

// @param index place in the order; one past its end for who is not in it.
static void fill_line(const apex_race *race, uint32_t entry, uint32_t index, apex_standing *out) {
    const race_player *player = race_order_line(race, entry);
    *out = (apex_standing){
        .player = player->id,
        .car_id = player->car_id,
        .car = player->car,
        .position = index + 1,
        .grid = player->grid,
        .state = player->state,
        .laps = player->lap.laps,
        .lap_m = player->way_m - race->field.length_m * player->lap.laps,
        .last_lap_us = player->lap.last_lap_us,
        .best_lap_us = player->lap.best_lap_us,
        .total_us = player->lap.total_us,
        .gap_us = gap_us(race, player, index + 1),
        .off_track_count = player->watch.off_count,
        .off_track_us_max = (uint64_t)player->watch.off_ticks_max * 1000000u / race->field.tick_hz,
        .resets = player->watch.resets,
        .contacts = player->watch.contacts,
        .driven_by_server = player->driven_by_server,
        .present = entry < race->field.capacity,
        .left_why = player->left_why,
        .not_started = !player->started,
    };
    memcpy(out->name, player->name, sizeof out->name);
}

static void fill_standing(const apex_race *race, uint32_t index, apex_standing *out) {
    APEX_ASSERT(index < race->timing.order_count);
    fill_line(race, race->timing.order[index], index, out);
}

size_t apex_race_standings(const apex_race *race, apex_standing out[], size_t capacity) {
    APEX_ASSERT(race != NULL && (out != NULL || capacity == 0));
    size_t count = race->timing.order_count < capacity ? race->timing.order_count : capacity;
    for (size_t i = 0; i < count; i++) {
        fill_standing(race, (uint32_t)i, &out[i]);
    }
    return count;
}

static void fill_apart(const apex_race *race, uint32_t entry, apex_standing *out) {
    fill_line(race, entry, race->timing.order_count, out);
    out->position = 0;
    out->gap_us = 0;
    out->state = APEX_STANDING_WAITING;
}

size_t apex_race_results(const apex_race *race, apex_standing out[], size_t capacity,
                         size_t *classified) {
    APEX_ASSERT(race != NULL && out != NULL && classified != NULL);
    size_t count = 0;
    for (uint32_t i = 0; i < race->timing.order_count && count < capacity; i++) {
        if (race_order_line(race, race->timing.order[i])->started) {
            fill_standing(race, i, &out[count]);
            count++;
            out[count - 1].position = (uint32_t)count;
        }
    }
    *classified = count;
    for (uint32_t i = 0; i < race->timing.order_count && count < capacity; i++) {
        if (!race_order_line(race, race->timing.order[i])->started) {
            fill_apart(race, race->timing.order[i], &out[count++]);
        }
    }
    for (uint32_t i = 0; i < race->field.counts.kept && count < capacity; i++) {
        if (!race->field.kept[i].started) {
            fill_apart(race, race->field.capacity + i, &out[count++]);
        }
    }
    return count;
}

// @return whether the player has a line.
static bool find_entry(const apex_race *race, apex_player_id player, uint32_t *entry) {
    *entry = race_player_slot(race, player);
    if (*entry < race->field.capacity) {
        return true;
    }
    uint32_t end = race->field.capacity + race->field.counts.kept;
    for (; *entry < end; ++*entry) { // gone, perhaps, but remembered
        apex_player_id id = race_order_line(race, *entry)->id;
        if (id.index1 == player.index1 && id.generation == player.generation) {
            return is_entry(race, *entry);
        }
    }
    return false;
}

bool apex_race_player_standing(const apex_race *race, apex_player_id player, apex_standing *out) {
    APEX_ASSERT(race != NULL && out != NULL);
    uint32_t entry;
    if (!find_entry(race, player, &entry)) {
        return false;
    }
    fill_standing(race, race->timing.rank[entry], out);
    return true;
}

static uint32_t sector_count(const apex_race *race) {
    return race->field.open_session ? 0 : apex_track_sector_count(race->field.track);
}

bool apex_race_player_sectors(const apex_race *race, apex_player_id player,
                              apex_sector_times *out) {
    APEX_ASSERT(race != NULL && out != NULL);
    uint32_t entry;
    if (!find_entry(race, player, &entry)) {
        return false;
    }
    const race_player *line = race_order_line(race, entry);
    uint32_t count = sector_count(race);
    *out =
        (apex_sector_times){.count = count, .current = count > 0 ? line->lap.sectors % count : 0};
    memcpy(out->newest_us, line->lap.newest_sector_us, sizeof out->newest_us);
    memcpy(out->best_us, line->lap.best_sector_us, sizeof out->best_us);
    return true;
}

uint32_t apex_race_best_sectors(const apex_race *race, uint64_t out_us[APEX_TRACK_SECTORS_MAX]) {
    APEX_ASSERT(race != NULL && out_us != NULL);
    memcpy(out_us, race->timing.records.best_sector_us, sizeof race->timing.records.best_sector_us);
    return sector_count(race);
}
