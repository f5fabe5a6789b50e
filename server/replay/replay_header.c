// The header of a replay, to bytes and back: the definitions that a race is made of.
#include "replay/replay_format.h"
#include "replay/replay_weekend.h"

#include <string.h>

static void put_race_def(store_bytes_out *out, const apex_race_def *def) {
    store_put(out, def->name, sizeof def->name);
    const uint32_t counts[] = {def->laps,
                               def->player_capacity,
                               def->start_players,
                               def->races,
                               def->late_join,
                               def->reverse_grid,
                               def->world.type_capacity,
                               def->world.tick_hz,
                               def->world.substep_hz,
                               (uint32_t)def->world.damage,
                               def->world.fuel_burns,
                               def->world.tyres_wear,
                               def->world.temperatures};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        store_put_u32(out, counts[i]);
    }
    const double values[] = {
        def->lobby_s,    def->countdown_s,        def->finish_wait_s,
        def->race_s_max, def->results_s,          def->stuck_s,
        def->idle_s,     def->world.gravity_mps2, def->world.air_density_kg_per_m3};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        store_put_double(out, values[i]);
    }
    store_put_u64(out, def->world.seed);
}

static apex_race_def take_race_def(store_bytes_in *in) {
    apex_race_def def = apex_default_race_def();
    const uint8_t *name = store_take(in, sizeof def.name);
    if (name != NULL) {
        memcpy(def.name, name, sizeof def.name - 1);
    }
    uint32_t *const counts[] = {&def.laps, &def.player_capacity, &def.start_players, &def.races};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        *counts[i] = store_take_u32(in);
    }
    def.late_join = store_take_u32(in) != 0;
    def.reverse_grid = store_take_u32(in) != 0;
    def.world.type_capacity = store_take_u32(in);
    def.world.tick_hz = store_take_u32(in);
    def.world.substep_hz = store_take_u32(in);
    uint32_t damage = store_take_u32(in);
    in->failed = in->failed || damage > APEX_DAMAGE_FULL;
    def.world.damage = (apex_damage_mode)damage;
    def.world.fuel_burns = store_take_u32(in) != 0;
    def.world.tyres_wear = store_take_u32(in) != 0;
    def.world.temperatures = store_take_u32(in) != 0;
    double *const values[] = {
        &def.lobby_s,    &def.countdown_s,        &def.finish_wait_s,
        &def.race_s_max, &def.results_s,          &def.stuck_s,
        &def.idle_s,     &def.world.gravity_mps2, &def.world.air_density_kg_per_m3};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        *values[i] = store_take_double(in);
    }
    def.world.seed = store_take_u64(in);
    return def;
}

static void put_blob(store_bytes_out *out, apex_replay_blob blob) {
    store_put_u32(out, (uint32_t)blob.length);
    store_put(out, blob.bytes, blob.length);
}

static apex_replay_blob take_blob(store_bytes_in *in) {
    apex_replay_blob blob = {.length = store_take_u32(in)};
    blob.bytes = store_take(in, blob.length);
    return blob;
}

uint32_t store_format_of(const apex_replay_header *header) {
    return apex_weekend_is_set(&header->race.weekend) ? STORE_REPLAY_FORMAT_WEEKEND
                                                      : STORE_REPLAY_FORMAT;
}

void store_put_header(store_bytes_out *out, const apex_replay_header *header) {
    bool has_weekend = store_format_of(header) == STORE_REPLAY_FORMAT_WEEKEND;
    store_put_u32(out, header->physics_version);
    put_race_def(out, &header->race);
    put_blob(out, header->track);
    store_put_u32(out, header->car_count);
    for (uint32_t i = 0; i < header->car_count; i++) {
        put_blob(out, header->cars[i]);
    }
    if (header->race.reset_wait_s > 0.0 || has_weekend) { // headers of before end here
        store_put_double(out, header->race.reset_wait_s);
    }
    if (has_weekend) {
        store_put_weekend(out, &header->race.weekend);
    }
}

apex_replay_header store_take_header(store_bytes_in *in, uint32_t format) {
    bool has_weekend = format == STORE_REPLAY_FORMAT_WEEKEND;
    apex_replay_header header = {.physics_version = store_take_u32(in)};
    header.race = take_race_def(in);
    header.track = take_blob(in);
    header.car_count = store_take_u32(in);
    in->failed = in->failed || header.car_count == 0 || header.car_count > APEX_RACE_CAR_DEFS_MAX;
    for (uint32_t i = 0; !in->failed && i < header.car_count; i++) {
        header.cars[i] = take_blob(in);
    }
    bool has_wait = !in->failed && (has_weekend || in->at < in->length);
    header.race.reset_wait_s = has_wait ? store_take_double(in) : 0.0;
    if (has_weekend && !in->failed) {
        header.race.weekend = store_take_weekend(in, header.car_count);
    }
    return header;
}
