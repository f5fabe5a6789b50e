/// The format of a replay's file. All numbers little-endian.
///
///     file    magic[8], u32 format, u32 header bytes, u64 XXH3 of them, header, chunk...
///     chunk   u32 "CHNK", u32 packed bytes, u32 plain bytes, u32 ticks, u64 first tick,
///             u64 XXH3 of the packed bytes, then the packed bytes: zstd of the plain ones
///     plain   u32 keyframe bytes, keyframe, tick...
///     tick    u32 commands, command..., u32 changed controls, {u16 slot, controls}...,
///             u8 hash follows, [u64 hash after the tick]
///
/// Controls stand only where they differ from the tick before; a chunk's first tick differs from
/// zeros, so a chunk can be read without the one before it. The last chunk has no ticks and no
/// keyframe: without it a file that was cut between two chunks would look whole.
///
/// A command is u8 kind, {u16 index, u16 generation} of the player, and what its kind needs.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "replay/replay.h"

#define STORE_REPLAY_MAGIC        "APEXRPL\n"
#define STORE_REPLAY_FORMAT       3u
#define STORE_REPLAY_FORMAT_LATER 4u ///< the header ends with the first tick, a u64 above 0
#define STORE_REPLAY_FORMAT_WEEKEND \
    5u ///< the header ends with a weekend (replay_weekend.h) and the first tick, a u64, also of 0
#define STORE_CHUNK_MAGIC 0x4b4e4843u

enum {
    STORE_REPLAY_PREFIX_BYTES = 8 + 4 + 4 + 8,
    STORE_CHUNK_PREFIX_BYTES = 4 * 4 + 2 * 8,
    STORE_REPLAY_HEADER_BYTES_MAX = 16 * 1024 * 1024,
    STORE_CHUNK_TICKS_MAX = 600,
    STORE_CHUNK_BYTES = 4 * 1024 * 1024, ///< of ticks, after which a chunk is full
    STORE_HASH_TICKS = 60,               ///< from one recorded hash to the next
    STORE_CONTROLS_BYTES = 11,
    STORE_COMMAND_BYTES = 1 + 2 * 2 + 4 + APEX_NAME_BYTES + 3 * 8 + 1,
};

/// Commands that one tick may have: what is written is what can be read.
uint32_t store_commands_max(uint32_t player_capacity);
/// The longest tick that can be written of a race with so many players.
size_t store_tick_bytes_max(uint32_t player_capacity);
/// The longest chunk, unpacked; a full one is written before another tick.
size_t store_plain_bytes_max(uint32_t player_capacity, size_t keyframe_bytes);
/// Above what a saved race of so many players takes, whatever its laps and gates.
size_t store_keyframe_bytes_max(uint32_t player_capacity);

/// Bytes being written into a buffer that never grows; too much sets `overflow`.
typedef struct store_bytes_out {
    uint8_t *bytes;
    size_t length, capacity;
    bool overflow;
} store_bytes_out;

void store_put(store_bytes_out *out, const void *bytes, size_t length);
void store_put_u8(store_bytes_out *out, uint8_t value);
void store_put_u16(store_bytes_out *out, uint16_t value);
void store_put_u32(store_bytes_out *out, uint32_t value);
void store_put_u64(store_bytes_out *out, uint64_t value);
void store_put_double(store_bytes_out *out, double value);

/// Bytes being read; past the end gives zeros and sets `failed`.
typedef struct store_bytes_in {
    const uint8_t *bytes;
    size_t length, at;
    bool failed;
} store_bytes_in;

const uint8_t *store_take(store_bytes_in *in, size_t length); ///< NULL past the end
uint8_t store_take_u8(store_bytes_in *in);
uint16_t store_take_u16(store_bytes_in *in);
uint32_t store_take_u32(store_bytes_in *in);
uint64_t store_take_u64(store_bytes_in *in);
double store_take_double(store_bytes_in *in);

void store_put_controls(store_bytes_out *out, const apex_controls *controls);
apex_controls store_take_controls(store_bytes_in *in);
void store_put_command(store_bytes_out *out, const apex_race_command *command);
/// Sets `failed` for a kind, a reason, a flag, an offence or a penalty that does not exist and for
/// numbers that are none or outside their ranges.
apex_race_command store_take_command(store_bytes_in *in);
/// The format of a header that begins with its race.
uint32_t store_format_of(const apex_replay_header *header);
/// All but the first tick.
void store_put_header(store_bytes_out *out, const apex_replay_header *header);
/// Blobs point into the bytes read. @param format one of the three
apex_replay_header store_take_header(store_bytes_in *in, uint32_t format);
