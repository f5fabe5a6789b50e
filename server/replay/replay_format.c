// A replay's parts in its file: numbers, controls and the header, to bytes and back.
#include "replay/replay_format.h"
#include "replay/replay_weekend.h"

#include <string.h>

#include "base/assert.h"

// A physics of later days may save more; a test holds that these are enough for this one.
enum { KEYFRAME_BYTES_BASE = 1024 * 1024, KEYFRAME_BYTES_OF_PLAYER = 4 * 1024 };

uint32_t store_commands_max(uint32_t player_capacity) {
    return player_capacity * 4 + 64; // leave, join, takeover, handback of everybody, and operators
}

size_t store_tick_bytes_max(uint32_t player_capacity) {
    size_t commands = (size_t)store_commands_max(player_capacity) * STORE_COMMAND_BYTES;
    return commands + (size_t)player_capacity * (STORE_CONTROLS_BYTES + 2) + 32;
}

size_t store_plain_bytes_max(uint32_t player_capacity, size_t keyframe_bytes) {
    return keyframe_bytes + 4 + store_tick_bytes_max(player_capacity) + STORE_CHUNK_BYTES;
}

size_t store_keyframe_bytes_max(uint32_t player_capacity) {
    return KEYFRAME_BYTES_BASE + (size_t)player_capacity * KEYFRAME_BYTES_OF_PLAYER;
}

void store_put(store_bytes_out *out, const void *bytes, size_t length) {
    APEX_ASSERT(out->length <= out->capacity);
    if (length > out->capacity - out->length) {
        out->overflow = true;
        return;
    }
    if (length > 0) {
        memcpy(out->bytes + out->length, bytes, length);
    }
    out->length += length;
}

static void put_little_endian(store_bytes_out *out, uint64_t value, size_t length) {
    uint8_t bytes[8];
    for (size_t i = 0; i < length; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
    store_put(out, bytes, length);
}

void store_put_u8(store_bytes_out *out, uint8_t value) {
    put_little_endian(out, value, 1);
}

void store_put_u16(store_bytes_out *out, uint16_t value) {
    put_little_endian(out, value, 2);
}

void store_put_u32(store_bytes_out *out, uint32_t value) {
    put_little_endian(out, value, 4);
}

void store_put_u64(store_bytes_out *out, uint64_t value) {
    put_little_endian(out, value, 8);
}

void store_put_double(store_bytes_out *out, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    store_put_u64(out, bits);
}

const uint8_t *store_take(store_bytes_in *in, size_t length) {
    APEX_ASSERT(in->at <= in->length);
    if (in->failed || length > in->length - in->at) {
        in->failed = true;
        return NULL;
    }
    const uint8_t *bytes = in->bytes + in->at;
    in->at += length;
    return bytes;
}

static uint64_t take_little_endian(store_bytes_in *in, size_t length) {
    const uint8_t *bytes = store_take(in, length);
    uint64_t value = 0;
    for (size_t i = 0; bytes != NULL && i < length; i++) {
        value |= (uint64_t)bytes[i] << (8 * i);
    }
    return value;
}

uint8_t store_take_u8(store_bytes_in *in) {
    return (uint8_t)take_little_endian(in, 1);
}

uint16_t store_take_u16(store_bytes_in *in) {
    return (uint16_t)take_little_endian(in, 2);
}

uint32_t store_take_u32(store_bytes_in *in) {
    return (uint32_t)take_little_endian(in, 4);
}

uint64_t store_take_u64(store_bytes_in *in) {
    return take_little_endian(in, 8);
}

double store_take_double(store_bytes_in *in) {
    uint64_t bits = store_take_u64(in);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void store_put_controls(store_bytes_out *out, const apex_controls *controls) {
    store_put_u16(out, (uint16_t)controls->steer);
    const uint8_t rest[9] = {
        controls->throttle,         controls->brake,         controls->clutch,
        controls->handbrake,        (uint8_t)controls->gear, controls->shift_up_count,
        controls->shift_down_count, controls->reset_count,   controls->aids_off,
    };
    _Static_assert(sizeof rest + 2 == STORE_CONTROLS_BYTES, "size of controls in a replay");
    store_put(out, rest, sizeof rest);
}

apex_controls store_take_controls(store_bytes_in *in) {
    apex_controls controls = {.steer = (int16_t)store_take_u16(in)};
    const uint8_t *rest = store_take(in, STORE_CONTROLS_BYTES - 2);
    if (rest != NULL) {
        controls.throttle = rest[0];
        controls.brake = rest[1];
        controls.clutch = rest[2];
        controls.handbrake = rest[3];
        controls.gear = (int8_t)rest[4];
        controls.shift_up_count = rest[5];
        controls.shift_down_count = rest[6];
        controls.reset_count = rest[7];
        controls.aids_off = rest[8];
    }
    return controls;
}

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
