// Save, restore and hash of what decides the future. One walk over the fields serves all three, so
// that none of them can forget one. Little-endian, without padding.
#include "race/race_private.h"

#include "race/field/along.h"
#include "race/field/kept.h"
#include "race/field/players.h"
#include "race/timing/lap.h"
#include "race/timing/order.h"

#include "base/assert.h"
#include "base/hash.h"

#include <math.h>
#include <string.h>

enum {
    STATE_MAGIC = 0x52585041,
    STATE_VERSION = 4,
    LINE_BYTES_MAX = 512,
    GATES_BACK_MAX = 1 << 30
};

static const double METRES_MAX = 1e7;

typedef struct state_io {
    uint8_t *out;      // writing
    const uint8_t *in; // reading
    size_t at;
    uint32_t sectors; // of a lap
    bool ok;          // reading: no value yet that cannot be
} state_io;

// What is saved beside the lines and the world.
typedef struct state_head {
    race_event event;
    race_records records;
    race_counts counts;
} state_head;

static state_head head_of(const apex_race *race) {
    return (state_head){race->event, race->timing.records, race->field.counts};
}

static state_io writing(const apex_race *race, uint8_t *out) {
    return (state_io){
        .out = out, .sectors = apex_track_sector_count(race->field.track), .ok = true};
}

static state_io reading(const apex_race *race, const uint8_t *in) {
    return (state_io){.in = in, .sectors = apex_track_sector_count(race->field.track), .ok = true};
}

static uint64_t io_bits(state_io *io, uint64_t value, unsigned bytes) {
    uint64_t read = 0;
    for (unsigned i = 0; i < bytes; i++) {
        if (io->out != NULL) {
            io->out[io->at + i] = (uint8_t)(value >> 8 * i);
        } else {
            read |= (uint64_t)io->in[io->at + i] << 8 * i;
        }
    }
    io->at += bytes;
    return io->out != NULL ? value : read;
}

static void io_u16(state_io *io, uint16_t *value) {
    *value = (uint16_t)io_bits(io, *value, 2);
}

static void io_u32(state_io *io, uint32_t *value) {
    *value = (uint32_t)io_bits(io, *value, 4);
}

static void io_u64(state_io *io, uint64_t *value) {
    *value = io_bits(io, *value, 8);
}

static void io_bool(state_io *io, bool *value) {
    uint64_t bits = io_bits(io, *value ? 1 : 0, 1);
    io->ok = io->ok && bits <= 1;
    *value = bits == 1;
}

// Everything kept as a double is a distance, a time or a share.
static void io_double(state_io *io, double *value) {
    uint64_t bits = 0;
    memcpy(&bits, value, sizeof bits);
    bits = io_bits(io, bits, 8);
    memcpy(value, &bits, sizeof bits);
    io->ok = io->ok && *value >= -METRES_MAX && *value <= METRES_MAX;
}

static void io_head(state_io *io, state_head *head) {
    uint32_t phase = (uint32_t)head->event.phase;
    io_u32(io, &phase);
    io->ok = io->ok && phase <= APEX_PHASE_OVER;
    head->event.phase = (apex_race_phase)phase;
    io_u32(io, &head->event.race_number);
    io_u64(io, &head->event.phase_tick);
    io_u64(io, &head->event.lobby_tick);
    io_u64(io, &head->records.go_tick);
    io_u64(io, &head->records.best_lap_us);
    io_u64(io, &head->records.winner_us);
    for (uint32_t i = 0; i < io->sectors; i++) {
        io_u64(io, &head->records.best_sector_us[i]);
    }
    io_u32(io, &head->counts.grid);
    io_u32(io, &head->counts.joins);
    io_u32(io, &head->records.finished);
    io_u32(io, &head->counts.kept);
}

static void io_driver(state_io *io, apex_driver *driver) {
    io_double(io, &driver->skill);
    io_double(io, &driver->lane_m);
    io_double(io, &driver->s_m);
    io_double(io, &driver->steer);
    io_double(io, &driver->stuck_s);
    io_double(io, &driver->reverse_left_s);
    io_u32(io, &driver->resets);
    io_bool(io, &driver->placed);
    io_double(io, &driver->goal_x_m);
    io_double(io, &driver->goal_y_m);
    io_u32(io, &driver->goals);
    io_bool(io, &driver->has_goal);
    io_double(io, &driver->patience_s);
    io_double(io, &driver->holds_up_s);
    io_bool(io, &driver->gives_way);
}

static void io_controls(state_io *io, apex_controls *controls) {
    controls->steer = (int16_t)io_bits(io, (uint16_t)controls->steer, 2);
    controls->gear = (int8_t)io_bits(io, (uint8_t)controls->gear, 1);
    uint8_t *const rest[] = {&controls->throttle,       &controls->brake,
                             &controls->clutch,         &controls->handbrake,
                             &controls->shift_up_count, &controls->shift_down_count,
                             &controls->reset_count,    &controls->aids_off};
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) {
        *rest[i] = (uint8_t)io_bits(io, *rest[i], 1);
    }
}

static void io_who(state_io *io, race_player *player) {
    io_u16(io, &player->id.index1);
    io_u16(io, &player->id.generation);
    io_u16(io, &player->car_id.index1);
    io_u16(io, &player->car_id.generation);
    io_u32(io, &player->car);
    for (uint32_t i = 0; i < APEX_NAME_BYTES; i++) {
        player->name[i] = (char)io_bits(io, (uint8_t)player->name[i], 1);
    }
    io->ok = io->ok && player->name[APEX_NAME_BYTES - 1] == 0;
    io_u32(io, &player->join_number);
    io_u32(io, &player->grid);
    io_u32(io, &player->last_position);
    io_u32(io, &player->lap.finish_rank);
    uint32_t state = (uint32_t)player->state;
    io_u32(io, &state);
    io->ok = io->ok && state <= APEX_STANDING_DNF;
    player->state = (apex_standing_state)state;
    io_bool(io, &player->started);
    uint32_t why = (uint32_t)player->left_why;
    io_u32(io, &why);
    io->ok = io->ok && why <= APEX_LEAVE_IDLE;
    player->left_why = (apex_leave_why)why;
}

static void io_player(state_io *io, race_player *player) {
    io_who(io, player);
    io_double(io, &player->s_m);
    io_double(io, &player->safe_s_m);
    io_double(io, &player->way_m);
    io_double(io, &player->stood.x_m);
    io_double(io, &player->stood.y_m);
    io_double(io, &player->stood.yaw_rad);
    io_bool(io, &player->stood.used);
    io_u32(io, &player->lap.gates_passed);
    io_u32(io, &player->lap.gates_back);
    io_u32(io, &player->lap.laps);
    io_u32(io, &player->lap.sectors);
    io_u64(io, &player->lap.lap_from_us);
    io_u64(io, &player->lap.sector_us);
    io_u64(io, &player->lap.gate_us);
    io_u64(io, &player->lap.last_lap_us);
    io_u64(io, &player->lap.best_lap_us);
    io_u64(io, &player->lap.total_us);
    for (uint32_t i = 0; i < io->sectors; i++) {
        io_u64(io, &player->lap.newest_sector_us[i]);
        io_u64(io, &player->lap.best_sector_us[i]);
    }
    io_u32(io, &player->watch.off_ticks);
    io_u32(io, &player->watch.off_ticks_max);
    io_u32(io, &player->watch.off_count);
    io_u32(io, &player->watch.wrong_ticks);
    io_double(io, &player->watch.stuck_way_m);
    io_u32(io, &player->watch.stuck_ticks);
    io_u32(io, &player->watch.resets);
    io_u32(io, &player->watch.contacts);
    io_u32(io, &player->ghost_ticks);
    io_u32(io, &player->watch.idle_ticks);
    io_controls(io, &player->watch.touched);
    io_bool(io, &player->watch.off);
    io_bool(io, &player->watch.wrong_told);
    io_bool(io, &player->ghost);
    io_bool(io, &player->aside);
    io_bool(io, &player->watch.crippled);
    io_bool(io, &player->driven_by_server);
    io_driver(io, &player->driver);
}

static void io_shape(state_io *io, const apex_race *race) {
    const uint32_t words[] = {STATE_MAGIC,
                              STATE_VERSION,
                              race->field.capacity,
                              race->timing.laps,
                              race->timing.first_count,
                              race->field.car_count};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        uint32_t word = words[i];
        io_u32(io, &word);
        io->ok = io->ok && word == words[i];
    }
}

static size_t line_bytes(const apex_race *race) {
    uint8_t bytes[LINE_BYTES_MAX];
    race_player blank = {0};
    state_io io = writing(race, bytes);
    io_player(&io, &blank);
    APEX_ASSERT(io.at <= sizeof bytes);
    return io.at;
}

static size_t head_bytes(const apex_race *race) {
    uint8_t bytes[LINE_BYTES_MAX];
    state_head head = head_of(race);
    state_io io = writing(race, bytes);
    io_shape(&io, race);
    io_head(&io, &head);
    APEX_ASSERT(io.at <= sizeof bytes);
    return io.at;
}

static size_t lines_end(const apex_race *race) {
    return head_bytes(race) + 4 * (size_t)race->field.capacity +
           2 * (size_t)race->field.capacity * line_bytes(race) +
           8 * (size_t)race->timing.first_count;
}

size_t apex_race_save_bytes(const apex_race *race) {
    APEX_ASSERT(race != NULL);
    return lines_end(race) + apex_world_save_bytes(race->field.world);
}

// Lines past kept_count are left over from earlier races and go out blank.
static race_player kept_line(const apex_race *race, uint32_t index) {
    return index < race->field.counts.kept ? race->field.kept[index] : (race_player){0};
}

void apex_race_save(const apex_race *race, uint8_t *out) {
    APEX_ASSERT(race != NULL && out != NULL);
    state_io io = writing(race, out);
    state_head head = head_of(race);
    io_shape(&io, race);
    io_head(&io, &head);
    for (uint32_t i = 0; i < race->field.capacity; i++) {
        uint32_t generation = race->field.pool.generations[i];
        io_u32(&io, &generation);
    }
    for (uint32_t i = 0; i < race->field.capacity; i++) {
        race_player player = race->field.players[i];
        io_player(&io, &player);
        race_player kept = kept_line(race, i);
        io_player(&io, &kept);
    }
    for (uint32_t i = 0; i < race->timing.first_count; i++) {
        uint64_t first_us = race->timing.first_us[i];
        io_u64(&io, &first_us);
    }
    APEX_ASSERT(io.at == lines_end(race));
    apex_world_save(race->field.world, out + io.at);
}

uint64_t apex_race_hash(const apex_race *race) {
    APEX_ASSERT(race != NULL);
    apex_hash_stream stream;
    uint8_t bytes[LINE_BYTES_MAX];
    state_head head = head_of(race);
    state_io io = writing(race, bytes);
    apex_hash_begin(&stream, 0);
    io_head(&io, &head);
    apex_hash_add(&stream, bytes, io.at);
    for (uint32_t i = 0; i < race->field.capacity; i++) {
        race_player lines[2] = {race->field.players[i], kept_line(race, i)};
        for (int k = 0; k < 2; k++) {
            io.at = 0;
            io_player(&io, &lines[k]);
            apex_hash_add(&stream, bytes, io.at);
        }
        io.at = 0;
        uint32_t generation = race->field.pool.generations[i];
        io_u32(&io, &generation);
        apex_hash_add(&stream, bytes, io.at);
    }
    for (uint32_t i = 0; i < race->timing.first_count; i++) {
        io.at = 0;
        uint64_t first_us = race->timing.first_us[i];
        io_u64(&io, &first_us);
        apex_hash_add(&stream, bytes, io.at);
    }
    io.at = 0;
    uint64_t world = apex_world_hash(race->field.world);
    io_u64(&io, &world);
    apex_hash_add(&stream, bytes, io.at);
    return apex_hash_end(&stream);
}

static bool line_ok(const apex_race *race, const race_player *player) {
    return player->car < race->field.car_count && player->grid <= 2 * race->field.capacity &&
           player->lap.gates_back <= GATES_BACK_MAX &&
           race_lap_counts_ok(&race->timing, &race->field, player) &&
           player->lap.lap_from_us <= player->lap.sector_us &&
           player->lap.sector_us <= player->lap.gate_us &&
           (player->started || player->state != APEX_STANDING_FINISHED) &&
           player->driver.skill >= 0.0 && player->driver.skill <= 1.0;
}

static bool slot_ok(const apex_race *race, uint32_t slot, const race_player *player,
                    uint32_t generation) {
    bool live = (generation & 1) != 0;
    if (!live) {
        race_player blank = {0};
        uint8_t own[LINE_BYTES_MAX];
        uint8_t zero[LINE_BYTES_MAX];
        race_player copy = *player;
        state_io own_io = writing(race, own);
        state_io zero_io = writing(race, zero);
        io_player(&own_io, &copy);
        io_player(&zero_io, &blank);
        return memcmp(own, zero, own_io.at) == 0;
    }
    return player->id.index1 == slot + 1 && player->id.generation == (uint16_t)generation &&
           player->car_id.index1 >= 1 && player->car_id.index1 <= race->field.capacity &&
           line_ok(race, player);
}

static bool kept_ok(const apex_race *race, uint32_t index, const race_player *line,
                    uint32_t kept_count) {
    if (index >= kept_count) {
        return true; // never looked at
    }
    return line->id.index1 >= 1 && line->id.index1 <= race->field.capacity &&
           line->car_id.index1 == 0 && line_ok(race, line) &&
           (line->started
                ? line->state == APEX_STANDING_FINISHED || line->state == APEX_STANDING_DNF
                : line->state == APEX_STANDING_WAITING);
}

// Reads all but the world; takes it over only when `commit`.
static bool read_lines(apex_race *race, const uint8_t *bytes, bool commit) {
    state_io io = reading(race, bytes);
    state_head head = {0};
    io_shape(&io, race);
    io_head(&io, &head);
    if (!io.ok || head.counts.kept > race->field.capacity ||
        head.counts.grid > race->field.capacity) {
        return false;
    }
    state_io generations = io;
    io.at += 4 * (size_t)race->field.capacity;
    for (uint32_t i = 0; i < race->field.capacity; i++) {
        uint32_t generation = 0;
        race_player player = {0};
        race_player kept = {0};
        io_u32(&generations, &generation);
        io_player(&io, &player);
        io_player(&io, &kept);
        if (!io.ok || !slot_ok(race, i, &player, generation) ||
            !kept_ok(race, i, &kept, head.counts.kept)) {
            return false;
        }
        if (commit) {
            race->field.pool.generations[i] = generation;
            race->field.players[i] = player;
            race->field.kept[i] = kept;
        }
    }
    for (uint32_t i = 0; i < race->timing.first_count && commit; i++) {
        io_u64(&io, &race->timing.first_us[i]);
    }
    if (commit) {
        race->event = head.event;
        race->timing.records = head.records;
        race->field.counts = head.counts;
    }
    return true;
}

// Players and cars must belong to each other one to one. The players are still to be read, so this
// asks the bytes.
static bool cars_ok(const apex_race *race, const uint8_t *bytes) {
    size_t size = line_bytes(race);
    state_io io = reading(race, bytes);
    io.at = head_bytes(race) + 4 * (size_t)race->field.capacity;
    uint32_t players = 0;
    uint32_t *taken = race->field.scratch;
    memset(taken, 0, race->field.capacity * sizeof *taken);
    for (uint32_t i = 0; i < race->field.capacity; i++) {
        state_io line = io;
        race_player player = {0};
        io_who(&line, &player);
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
    state_io io = reading(race, bytes);
    state_head head = {0};
    io_shape(&io, race);
    io_head(&io, &head);
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
    race->timing.order_count = race->field.along_count = 0;
    race->field.car_end = race->field.capacity; // which were taken before is not told
    memset(race->field.used, 0, race->field.capacity * sizeof *race->field.used);
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
    size_t lines_length = lines_end(race);
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
