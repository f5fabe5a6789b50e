// The walk over the fields of a race that serves its save, restore and hash.
#include "race/state_walk.h"

#include "race/weekend_walk.h"

#include "base/assert.h"

#include <string.h>

enum { STATE_MAGIC = 0x52585041, STATE_VERSION = 4 };

// Laps change with the session; no race has as many.
enum { SESSIONS_SHAPE = 0x10000 };

race_head race_head_of(const apex_race *race) {
    return (race_head){race->event, race->timing.records, race->field.counts};
}

static race_walk walk_of(const apex_race *race) {
    return (race_walk){.sectors = apex_track_sector_count(race->field.track),
                       .reset_wait_ticks =
                           (uint32_t)(race->def.reset_wait_s * race->field.tick_hz + 0.5),
                       .ok = true};
}

race_walk race_walk_writing(const apex_race *race, uint8_t *out) {
    race_walk io = walk_of(race);
    io.out = out;
    return io;
}

race_walk race_walk_reading(const apex_race *race, const uint8_t *in) {
    race_walk io = walk_of(race);
    io.in = in;
    return io;
}

void race_walk_head(race_walk *io, race_head *head) {
    uint32_t phase = (uint32_t)head->event.phase;
    race_walk_u32(io, &phase);
    io->ok = io->ok && phase <= APEX_PHASE_OVER;
    head->event.phase = (apex_race_phase)phase;
    race_walk_u32(io, &head->event.race_number);
    race_walk_u64(io, &head->event.phase_tick);
    race_walk_u64(io, &head->event.lobby_tick);
    race_walk_u64(io, &head->records.go_tick);
    race_walk_u64(io, &head->records.best_lap_us);
    race_walk_u64(io, &head->records.winner_us);
    for (uint32_t i = 0; i < io->sectors; i++) {
        race_walk_u64(io, &head->records.best_sector_us[i]);
    }
    race_walk_u32(io, &head->counts.grid);
    race_walk_u32(io, &head->counts.joins);
    race_walk_u32(io, &head->records.finished);
    race_walk_u32(io, &head->counts.kept);
}

static void walk_driver(race_walk *io, apex_driver *driver) {
    race_walk_double(io, &driver->skill);
    race_walk_double(io, &driver->lane_m);
    race_walk_double(io, &driver->s_m);
    race_walk_double(io, &driver->steer);
    race_walk_double(io, &driver->stuck_s);
    race_walk_double(io, &driver->reverse_left_s);
    race_walk_u32(io, &driver->resets);
    race_walk_bool(io, &driver->placed);
    race_walk_double(io, &driver->goal_x_m);
    race_walk_double(io, &driver->goal_y_m);
    race_walk_u32(io, &driver->goals);
    race_walk_bool(io, &driver->has_goal);
    race_walk_double(io, &driver->patience_s);
    race_walk_double(io, &driver->holds_up_s);
    race_walk_bool(io, &driver->gives_way);
}

static void walk_controls(race_walk *io, apex_controls *controls) {
    uint16_t steer = (uint16_t)controls->steer;
    race_walk_u16(io, &steer);
    controls->steer = (int16_t)steer;
    uint8_t gear = (uint8_t)controls->gear;
    race_walk_u8(io, &gear);
    controls->gear = (int8_t)gear;
    uint8_t *const rest[] = {&controls->throttle,       &controls->brake,
                             &controls->clutch,         &controls->handbrake,
                             &controls->shift_up_count, &controls->shift_down_count,
                             &controls->reset_count,    &controls->aids_off};
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) {
        race_walk_u8(io, rest[i]);
    }
}

void race_walk_who(race_walk *io, race_player *player) {
    race_walk_u16(io, &player->id.index1);
    race_walk_u16(io, &player->id.generation);
    race_walk_u16(io, &player->car_id.index1);
    race_walk_u16(io, &player->car_id.generation);
    race_walk_u32(io, &player->car);
    for (uint32_t i = 0; i < APEX_NAME_BYTES; i++) {
        uint8_t letter = (uint8_t)player->name[i];
        race_walk_u8(io, &letter);
        player->name[i] = (char)letter;
    }
    io->ok = io->ok && player->name[APEX_NAME_BYTES - 1] == 0;
    race_walk_u32(io, &player->join_number);
    race_walk_u32(io, &player->grid);
    race_walk_u32(io, &player->last_position);
    race_walk_u32(io, &player->lap.finish_rank);
    uint32_t state = (uint32_t)player->state;
    race_walk_u32(io, &state);
    io->ok = io->ok && state <= APEX_STANDING_DNF;
    player->state = (apex_standing_state)state;
    race_walk_bool(io, &player->started);
    uint32_t why = (uint32_t)player->left_why;
    race_walk_u32(io, &why);
    io->ok = io->ok && why <= APEX_LEAVE_IDLE;
    player->left_why = (apex_leave_why)why;
}

void race_walk_player(race_walk *io, race_player *player) {
    race_walk_who(io, player);
    race_walk_double(io, &player->s_m);
    race_walk_double(io, &player->safe_s_m);
    race_walk_double(io, &player->way_m);
    race_walk_double(io, &player->stood.x_m);
    race_walk_double(io, &player->stood.y_m);
    race_walk_double(io, &player->stood.yaw_rad);
    race_walk_bool(io, &player->stood.used);
    race_walk_u32(io, &player->lap.gates_passed);
    race_walk_u32(io, &player->lap.gates_back);
    race_walk_u32(io, &player->lap.laps);
    race_walk_u32(io, &player->lap.sectors);
    race_walk_u64(io, &player->lap.lap_from_us);
    race_walk_u64(io, &player->lap.sector_us);
    race_walk_u64(io, &player->lap.gate_us);
    race_walk_u64(io, &player->lap.last_lap_us);
    race_walk_u64(io, &player->lap.best_lap_us);
    race_walk_u64(io, &player->lap.total_us);
    for (uint32_t i = 0; i < io->sectors; i++) {
        race_walk_u64(io, &player->lap.newest_sector_us[i]);
        race_walk_u64(io, &player->lap.best_sector_us[i]);
    }
    race_walk_u32(io, &player->watch.off_ticks);
    race_walk_u32(io, &player->watch.off_ticks_max);
    race_walk_u32(io, &player->watch.off_count);
    race_walk_u32(io, &player->watch.wrong_ticks);
    race_walk_double(io, &player->watch.stuck_way_m);
    race_walk_u32(io, &player->watch.stuck_ticks);
    race_walk_u32(io, &player->tally.resets);
    race_walk_u32(io, &player->tally.contacts);
    race_walk_u32(io, &player->ghost_ticks);
    race_walk_u32(io, &player->watch.idle_ticks);
    walk_controls(io, &player->watch.touched);
    race_walk_bool(io, &player->watch.off);
    race_walk_bool(io, &player->watch.wrong_told);
    race_walk_bool(io, &player->ghost);
    race_walk_bool(io, &player->aside);
    race_walk_bool(io, &player->watch.crippled);
    race_walk_bool(io, &player->driven_by_server);
    if (io->reset_wait_ticks > 0) { // races of before have no wait: their bytes stay as they were
        race_walk_u32(io, &player->watch.reset_wait_ticks);
        io->ok = io->ok && player->watch.reset_wait_ticks <= io->reset_wait_ticks;
    }
    walk_driver(io, &player->driver);
}

void race_walk_shape(race_walk *io, const apex_race *race) {
    const uint32_t words[] = {STATE_MAGIC,
                              STATE_VERSION,
                              race->field.capacity,
                              race->def.weekend.session_count > 0
                                  ? SESSIONS_SHAPE + race->def.weekend.session_count
                                  : race->timing.laps,
                              race->timing.first_count,
                              race->field.car_count};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        uint32_t word = words[i];
        race_walk_u32(io, &word);
        io->ok = io->ok && word == words[i];
    }
}

size_t race_line_bytes(const apex_race *race) {
    uint8_t bytes[RACE_LINE_BYTES_MAX];
    race_player blank = {0};
    race_walk io = race_walk_writing(race, bytes);
    race_walk_player(&io, &blank);
    APEX_ASSERT(io.at <= sizeof bytes);
    return io.at;
}

size_t race_head_bytes(const apex_race *race) {
    uint8_t bytes[RACE_LINE_BYTES_MAX];
    race_head head = race_head_of(race);
    race_walk io = race_walk_writing(race, bytes);
    race_walk_shape(&io, race);
    race_walk_head(&io, &head);
    APEX_ASSERT(io.at <= sizeof bytes);
    return io.at;
}

size_t race_weekend_at(const apex_race *race) {
    return race_head_bytes(race) + 4 * (size_t)race->field.capacity +
           2 * (size_t)race->field.capacity * race_line_bytes(race) +
           8 * (size_t)race->timing.first_count;
}

size_t race_lines_end(const apex_race *race) {
    return race_weekend_at(race) + race_weekend_bytes(race);
}
