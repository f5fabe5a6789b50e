// A replay's parts in its file: numbers and controls, to bytes and back.
#include "replay/replay_format.h"

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
