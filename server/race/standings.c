// A race's players as it tells of them: lines in the order, results, sector times, names.
#include "race/race_private.h"

#include "race/field/kept.h"
#include "race/field/players.h"

#include "base/assert.h"

#include <string.h>

static bool is_same(apex_player_id a, apex_player_id b) {
    return a.index1 == b.index1 && a.generation == b.generation;
}

const char *apex_race_player_name(const apex_race *race, apex_player_id player) {
    APEX_ASSERT(race != NULL);
    uint32_t slot = (uint32_t)player.index1 - 1u;
    if (player.index1 == 0 || slot >= race->field.capacity) {
        return "";
    }
    if (is_same(race->field.players[slot].id, player)) {
        return race->field.players[slot].name;
    }
    return is_same(race->field.left[slot].id, player) ? race->field.left[slot].name : "";
}

bool apex_race_player_of_car(const apex_race *race, apex_car_id car, apex_player_id *out) {
    APEX_ASSERT(race != NULL && out != NULL);
    uint32_t place = (uint32_t)car.index1 - 1u;
    if (car.index1 == 0 || place >= race->field.capacity) {
        return false;
    }
    uint32_t slot = race->field.slot_of_car[place];
    const race_player *player = &race->field.players[slot];
    if (!race_field_is_live(&race->field, slot) || player->car_id.index1 != car.index1 ||
        player->car_id.generation != car.generation) {
        return false;
    }
    *out = player->id;
    return true;
}

// From best lap to best lap.
static uint64_t best_gap_us(const apex_race *race, uint32_t entry) {
    uint64_t own_us = race_kept_card(&race->field, entry)->lap.best_us;
    uint64_t best_us = race_kept_card(&race->field, race->timing.order[0])->lap.best_us;
    return own_us > best_us ? own_us - best_us : 0;
}

static uint64_t gap_us(const apex_race *race, uint32_t entry, uint32_t position) {
    const race_player *player = race_kept_line(&race->field, entry);
    if (position == 1 || player->lap.gates_passed == 0) {
        return 0;
    }
    if (race_field_against_clock(&race->field)) {
        return best_gap_us(race, entry);
    }
    if (player->state == APEX_STANDING_FINISHED) {
        return player->lap.total_us > race->timing.records.winner_us
                   ? player->lap.total_us - race->timing.records.winner_us
                   : 0;
    }
    if (player->lap.gates_passed >= race->timing.first_count) {
        return 0; // so far into a session by time nobody is timed at gates any more
    }
    // The first to get there led the race at that point.
    uint64_t first_us = race->timing.first_us[player->lap.gates_passed];
    return player->lap.gate_us > first_us ? player->lap.gate_us - first_us : 0;
}

// @param index place in the order; one past its end for a player who is not in it.
static void fill_line(const apex_race *race, uint32_t entry, uint32_t index, apex_standing *out) {
    const race_player *player = race_kept_line(&race->field, entry);
    *out = (apex_standing){
        .player = player->id,
        .car_id = player->car_id,
        .car = player->car,
        .position = index + 1,
        .grid = player->grid,
        .state = player->state,
        .laps = player->lap.laps,
        .lap_m = player->way_m - race->timing.length_m * player->lap.laps,
        .last_lap_us = player->lap.last_lap_us,
        .best_lap_us = player->lap.best_lap_us,
        .total_us = player->lap.total_us,
        .gap_us = gap_us(race, entry, index + 1),
        .off_track_count = player->watch.off_count,
        .off_track_us_max = (uint64_t)player->watch.off_ticks_max * 1000000u / race->field.tick_hz,
        .resets = player->tally.resets,
        .contacts = player->tally.contacts,
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
    out->state = APEX_STANDING_WAITING;
}

size_t apex_race_results(const apex_race *race, apex_standing out[], size_t capacity,
                         size_t *classified) {
    APEX_ASSERT(race != NULL && out != NULL && classified != NULL);
    size_t count = 0;
    for (uint32_t i = 0; i < race->timing.order_count && count < capacity; i++) {
        if (race_kept_line(&race->field, race->timing.order[i])->started) {
            fill_standing(race, i, &out[count]);
            count++;
            out[count - 1].position = (uint32_t)count;
        }
    }
    *classified = count;
    for (uint32_t i = 0; i < race->timing.order_count && count < capacity; i++) {
        if (!race_kept_line(&race->field, race->timing.order[i])->started) {
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

bool apex_race_player_standing(const apex_race *race, apex_player_id player, apex_standing *out) {
    APEX_ASSERT(race != NULL && out != NULL);
    uint32_t entry;
    if (!race_kept_find(&race->field, player, &entry)) {
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
    if (!race_kept_find(&race->field, player, &entry)) {
        return false;
    }
    const race_player *line = race_kept_line(&race->field, entry);
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
