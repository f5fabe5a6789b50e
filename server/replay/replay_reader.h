/// The inside of a reader, which reads ticks one after the other (replay_read.c) and finds chunks
/// by their prefixes (replay_seek.c).
#pragma once

#include <stdio.h>

#include "replay/replay_format.h"

enum { STORE_WHY_BYTES = 160 };

typedef struct store_chunk_prefix {
    uint32_t packed, plain, ticks;
    uint64_t first, hash;
} store_chunk_prefix;

/// The place of a whole chunk.
typedef struct store_chunk_place {
    uint64_t first; ///< tick
    uint64_t at;    ///< byte
    uint32_t ticks;
} store_chunk_place;

struct apex_replay_reader {
    FILE *file;
    uint8_t *header_bytes;
    size_t packed_max, plain_max; ///< bytes of a chunk, by what its race can have
    uint64_t chunks_at;           ///< byte behind the header
    apex_replay_header header;
    apex_controls *controls;
    apex_race_command *commands;
    uint32_t commands_capacity;
    uint8_t *packed, *plain;
    store_bytes_in chunk;
    uint32_t chunk_ticks_left;
    uint64_t tick;
    apex_replay_blob keyframe; ///< of the chunk just begun
    apex_err over;             ///< the reason why there is no further tick, once there is none
    char over_why[STORE_WHY_BYTES];

    store_chunk_place *places; ///< of chunks that were found whole, rising
    uint32_t place_count, place_capacity;
    uint64_t surveyed_at;      ///< byte where the next chunk would begin
    apex_replay_extent extent; ///< as far as it was surveyed
    bool survey_over;          ///< nothing behind it can be found
};

/// @return false if no chunk of this recording begins like this, or not at this tick.
bool store_take_chunk_prefix(const apex_replay_reader *reader,
                             const uint8_t bytes[STORE_CHUNK_PREFIX_BYTES], uint64_t first,
                             store_chunk_prefix *out);
/// Reads the next chunk whole and puts its keyframe in place. @return as apex_replay_next.
apex_err store_next_chunk(apex_replay_reader *reader);
__attribute__((format(printf, 3, 4))) apex_err store_refuse(char why[STORE_WHY_BYTES], apex_err err,
                                                            const char *format, ...);
