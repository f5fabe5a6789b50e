// Restore of a race from saved bytes, of which nothing is believed.
#include "race/state_walk.h"
#include "race/weekend_walk.h"

#include "race/event/phase.h"
#include "race/event/race_session.h"
#include "race/field/along.h"
#include "race/field/kept.h"
#include "race/field/players.h"
#include "race/timing/lap.h"
#include "race/timing/order.h"

#include "base/assert.h"

#include <string.h>

// Counts that no race comes to and that a race may go on from.
enum { GATES_BACK_MAX = 1 << 30, FINISHED_MAX = 1 << 30 };

// Nobody is still under way who has all laps of the session.
static bool laps_ok(const apex_race *race, const race_head *head, const race_player *player) {
    return race->event.weekend == NULL || player->state != APEX_STANDING_RUNNING ||
           race->field.open_session ||
           player->lap.laps < race_session_laps(&race->field, head->event.race_number);
}

static bool line_ok(const apex_race *race, const race_head *head, const race_player *player) {
    return player->car < race->field.car_count && player->grid <= 2 * race->field.capacity &&
           player->lap.gates_back <= GATES_BACK_MAX &&
           race_lap_counts_ok(&race->timing, &race->field, player) && laps_ok(race, head, player) &&
           player->lap.lap_from_us <= player->lap.sector_us &&
           player->lap.sector_us <= player->lap.gate_us &&
           player->lap.finish_rank <= head->records.finished &&
           (player->started || player->state != APEX_STANDING_FINISHED) &&
           player->driver.skill >= 0.0 && player->driver.skill <= 1.0;
}

static bool slot_ok(const apex_race *race, const race_head *head, uint32_t slot,
                    const race_player *player, uint32_t generation) {
    bool live = (generation & 1) != 0;
    if (!live) {
        race_player blank = {0};
        uint8_t own[RACE_LINE_BYTES_MAX];
        uint8_t zero[RACE_LINE_BYTES_MAX];
        race_player copy = *player;
        race_walk own_io = race_walk_writing(race, own);
        race_walk zero_io = race_walk_writing(race, zero);
        race_walk_player(&own_io, &copy);
        race_walk_player(&zero_io, &blank);
        return memcmp(own, zero, own_io.at) == 0;
    }
    return player->id.index1 == slot + 1 && player->id.generation == (uint16_t)generation &&
           player->car_id.index1 >= 1 && player->car_id.index1 <= race->field.capacity &&
           race_phase_allows(head->event.phase, player->state) && line_ok(race, head, player);
}

static bool kept_ok(const apex_race *race, const race_head *head, uint32_t index,
                    const race_player *line) {
    if (index >= head->counts.kept) {
        return true; // never looked at
    }
    return line->id.index1 >= 1 && line->id.index1 <= race->field.capacity &&
           line->car_id.index1 == 0 && line_ok(race, head, line) &&
           (line->started
                ? line->state == APEX_STANDING_FINISHED || line->state == APEX_STANDING_DNF
                : line->state == APEX_STANDING_WAITING);
}

static bool read_weekend(apex_race *race, const uint8_t *bytes, const race_head *head, race_walk io,
                         bool commit) {
    race_walk generations = race_walk_reading(race, bytes);
    generations.at = race_head_bytes(race);
    for (uint32_t i = 0; i < race->field.capacity; i++) {
        race_walk_u32(&generations, &race->field.scratch[i]);
    }
    race_weekend_lines lines = {head->counts.kept, race->field.scratch};
    return race_weekend_read(race, &io, &lines, commit);
}

// Reads all but the world; takes it over only when `commit`.
static bool read_lines(apex_race *race, const uint8_t *bytes, bool commit) {
    race_walk io = race_walk_reading(race, bytes);
    race_head head = {0};
    race_walk_shape(&io, race);
    race_walk_head(&io, &head);
    if (!io.ok || head.counts.kept > race->field.capacity ||
        head.counts.grid > race->field.capacity || head.records.finished > FINISHED_MAX ||
        (race->event.weekend != NULL && head.event.race_number == 0)) {
        return false;
    }
    race_walk generations = io;
    io.at += 4 * (size_t)race->field.capacity;
    for (uint32_t i = 0; i < race->field.capacity; i++) {
        uint32_t generation = 0;
        race_player player = {0};
        race_player kept = {0};
        race_walk_u32(&generations, &generation);
        race_walk_player(&io, &player);
        race_walk_player(&io, &kept);
        if (!io.ok || !slot_ok(race, &head, i, &player, generation) ||
            !kept_ok(race, &head, i, &kept)) {
            return false;
        }
        if (commit) {
            race->field.pool.generations[i] = generation;
            race->field.players[i] = player;
            race->field.kept[i] = kept;
        }
    }
    for (uint32_t i = 0; i < race->timing.first_count; i++) {
        uint64_t first_us = 0;
        race_walk_u64(&io, &first_us);
        if (commit) {
            race->timing.first_us[i] = first_us;
        }
    }
    if (!read_weekend(race, bytes, &head, io, commit)) {
        return false;
    }
    if (commit) {
        head.event.weekend = race->event.weekend;
        race->event = head.event;
        race->timing.records = head.records;
        race->field.counts = head.counts;
    }
    return true;
}

// Players and cars must belong to each other one to one. The players are still to be read, so this
// asks the bytes.
static bool cars_ok(const apex_race *race, const uint8_t *bytes) {
    size_t size = race_line_bytes(race);
    race_walk io = race_walk_reading(race, bytes);
    io.at = race_head_bytes(race) + 4 * (size_t)race->field.capacity;
    uint32_t players = 0;
    uint32_t *taken = race->field.scratch;
    memset(taken, 0, race->field.capacity * sizeof *taken);
    for (uint32_t i = 0; i < race->field.capacity; i++) {
        race_walk line = io;
        race_player player = {0};
        race_walk_who(&line, &player);
        io.at += 2 * size;
        if (player.id.index1 == 0) {
            continue;
        }
        uint32_t car = player.car_id.index1 - 1u;
        if (taken[car] != 0 || !apex_world_has_car(race->field.world, player.car_id)) {
            return false;
        }
        taken[car] = 1;
        players++;
    }
    return apex_world_poses(race->field.world, race->field.poses, race->field.capacity) == players;
}

static bool clock_ok(const apex_race *race, const uint8_t *bytes) {
    race_walk io = race_walk_reading(race, bytes);
    race_head head = {0};
    race_walk_shape(&io, race);
    race_walk_head(&io, &head);
    uint64_t now = apex_world_tick(race->field.world);
    return head.event.phase_tick <= now && head.event.lobby_tick <= now &&
           head.records.go_tick <= now;
}

static void refresh_poses(apex_race *race) {
    memset(race->field.poses, 0, race->field.capacity * sizeof *race->field.poses);
    apex_world_poses_by_slot(race->field.world, race->field.poses);
}

static void rebuild(apex_race *race) {
    apex_pool_rebuild(&race->field.pool);
    race_player_list(&race->field);
    race_kept_count(&race->field);
    race->log.count = race->log.contacts = 0;
    race->log.read = false;
    race->log.tick = apex_world_tick(race->field.world);
    race->log.race_number = race->event.race_number;
    race->timing.crossed_count = 0;
    race_session_settle(&race->event, &race->field, &race->timing);
    race->timing.order_count = race->field.along_count = 0;
    race->field.car_end = race->field.capacity; // which were taken before is not told
    memset(race->field.used, 0, race->field.capacity * sizeof *race->field.used);
    memset(race->seen, 0, race->field.capacity * sizeof *race->seen);
    for (uint32_t i = 0; i < race->field.pool.live_count; i++) {
        uint32_t slot = race->field.live[i];
        race->field.slot_of_car[race->field.players[slot].car_id.index1 - 1] = slot;
    }
    refresh_poses(race);
    race_along_sort(&race->field);
    race_order_update(&race->timing, &race->field);
}

apex_err apex_race_restore(apex_race *race, const uint8_t *bytes, size_t length) {
    APEX_ASSERT(race != NULL && bytes != NULL);
    size_t lines_length = race_lines_end(race);
    if (length != apex_race_save_bytes(race) || !read_lines(race, bytes, false)) {
        return APEX_ERR_CORRUPT;
    }
    apex_world_save(race->field.world, race->undo);
    apex_err err =
        apex_world_restore(race->field.world, bytes + lines_length, length - lines_length);
    if (err != APEX_OK) {
        return APEX_ERR_CORRUPT;
    }
    if (!cars_ok(race, bytes) || !clock_ok(race, bytes)) {
        err = apex_world_restore(race->field.world, race->undo,
                                 apex_world_save_bytes(race->field.world));
        APEX_ASSERT(err == APEX_OK);
        refresh_poses(race); // cars_ok has used them
        return APEX_ERR_CORRUPT;
    }
    bool read = read_lines(race, bytes, true);
    APEX_ASSERT(read);
    rebuild(race);
    return APEX_OK;
}
