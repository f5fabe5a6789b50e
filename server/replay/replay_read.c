// Reading a replay from its first tick on. Of the file nothing is believed that is not checked.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/assert.h"
#include "base/hash.h"
#include "replay/replay_reader.h"

// Beyond it ticks that are counted on could pass the last number.
static const uint64_t TICK_MAX = UINT64_MAX / 2;

apex_err store_refuse(char why[STORE_WHY_BYTES], apex_err err, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (why != NULL) {
        vsnprintf(why, STORE_WHY_BYTES, format, arguments);
    }
    va_end(arguments);
    return err;
}

static void take_body(apex_replay_reader *reader, store_bytes_in *body, uint32_t format) {
    reader->header = store_take_header(body, format);
    if (format == STORE_REPLAY_FORMAT) {
        return;
    }
    uint64_t first = store_take_u64(body);
    body->failed |= first > TICK_MAX || (format == STORE_REPLAY_FORMAT_LATER && first == 0);
    body->failed |= format == STORE_REPLAY_FORMAT_WEEKEND && body->at != body->length;
    reader->header.first_tick = first;
}

static apex_err read_header(apex_replay_reader *reader, char why[STORE_WHY_BYTES]) {
    uint8_t bytes[STORE_REPLAY_PREFIX_BYTES];
    if (fread(bytes, 1, sizeof bytes, reader->file) != sizeof bytes ||
        memcmp(bytes, STORE_REPLAY_MAGIC, 8) != 0) {
        return store_refuse(why, APEX_ERR_CORRUPT, "this is not an Apex replay");
    }
    store_bytes_in prefix = {.bytes = bytes, .length = sizeof bytes, .at = 8};
    uint32_t format = store_take_u32(&prefix);
    uint32_t length = store_take_u32(&prefix);
    uint64_t hash = store_take_u64(&prefix);
    if (format < STORE_REPLAY_FORMAT || format > STORE_REPLAY_FORMAT_WEEKEND) {
        return store_refuse(why, APEX_ERR_VERSION, "format %u; this program reads formats %u to %u",
                            format, STORE_REPLAY_FORMAT, STORE_REPLAY_FORMAT_WEEKEND);
    }
    if (length > STORE_REPLAY_HEADER_BYTES_MAX) {
        return store_refuse(why, APEX_ERR_CORRUPT, "the header claims %u bytes", length);
    }
    reader->header_bytes = malloc(length > 0 ? length : 1);
    if (reader->header_bytes == NULL) {
        return store_refuse(why, APEX_ERR_NO_MEMORY, "out of memory");
    }
    if (fread(reader->header_bytes, 1, length, reader->file) != length ||
        apex_hash_bytes(reader->header_bytes, length, 0) != hash) {
        return store_refuse(why, APEX_ERR_CORRUPT, "the header is damaged");
    }
    store_bytes_in body = {.bytes = reader->header_bytes, .length = length};
    reader->chunks_at = sizeof bytes + length;
    reader->surveyed_at = reader->chunks_at;
    take_body(reader, &body, format);
    reader->tick = reader->header.first_tick;
    reader->extent.ticks = reader->header.first_tick;
    uint32_t players = reader->header.race.player_capacity;
    if (body.failed || players == 0 || players > APEX_CARS_MAX) {
        return store_refuse(why, APEX_ERR_CORRUPT, "the header makes no sense");
    }
    return APEX_OK;
}

// Not by fopen, which waits for the other end of a pipe, and that may never come.
static apex_err open_file(apex_replay_reader *reader, const char *path, char why[STORE_WHY_BYTES]) {
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is_there = file >= 0 && fstat(file, &info) == 0;
    if (is_there && !S_ISREG(info.st_mode)) {
        close(file);
        return store_refuse(why, APEX_ERR_CORRUPT, "this is not an Apex replay");
    }
    reader->file = is_there ? fdopen(file, "rb") : NULL;
    if (reader->file != NULL) {
        (void)flock(file, LOCK_SH | LOCK_NB); // rotation leaves it alone (replay_rotate.c)
        return APEX_OK;
    }
    int error = errno;
    if (file >= 0) {
        close(file);
    }
    return store_refuse(why, apex_err_from_errno(error), "%s", apex_errno_text(error));
}

// A chunk is as long as its race's writer can have made it: a claim of more is refused before any
// memory is taken for it.
static void limit_chunks(apex_replay_reader *reader, size_t keyframe_bytes) {
    reader->plain_max = store_plain_bytes_max(reader->header.race.player_capacity, keyframe_bytes);
    reader->packed_max = ZSTD_compressBound(reader->plain_max);
}

void apex_replay_expect_keyframes(apex_replay_reader *reader, size_t bytes) {
    APEX_ASSERT(reader != NULL);
    limit_chunks(reader, bytes);
}

apex_err apex_replay_open(const char *path, apex_replay_reader **out, char why[STORE_WHY_BYTES]) {
    APEX_ASSERT(path != NULL && out != NULL);
    apex_replay_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        return store_refuse(why, APEX_ERR_NO_MEMORY, "out of memory");
    }
    apex_err err = open_file(reader, path, why);
    if (err == APEX_OK) {
        err = read_header(reader, why);
    }
    if (err == APEX_OK) {
        uint32_t players = reader->header.race.player_capacity;
        limit_chunks(reader, store_keyframe_bytes_max(players));
        reader->commands_capacity = store_commands_max(players);
        reader->controls = calloc(players, sizeof *reader->controls);
        reader->commands = calloc(reader->commands_capacity, sizeof *reader->commands);
        if (reader->controls == NULL || reader->commands == NULL) {
            err = store_refuse(why, APEX_ERR_NO_MEMORY, "out of memory");
        }
    }
    if (err != APEX_OK) {
        apex_replay_reader_close(reader);
        return err;
    }
    *out = reader;
    return APEX_OK;
}

void apex_replay_reader_close(apex_replay_reader *reader) {
    if (reader == NULL) {
        return;
    }
    if (reader->file != NULL) {
        fclose(reader->file);
    }
    free(reader->places);
    free(reader->plain);
    free(reader->packed);
    free(reader->commands);
    free(reader->controls);
    free(reader->header_bytes);
    free(reader);
}

const apex_replay_header *apex_replay_header_of(const apex_replay_reader *reader) {
    APEX_ASSERT(reader != NULL);
    return &reader->header;
}

static apex_err damaged(apex_replay_reader *reader) {
    return store_refuse(reader->over_why, APEX_ERR_CORRUPT, "the chunk at tick %llu is damaged",
                        (unsigned long long)reader->tick);
}

// The claimed sizes are believed only as far as bytes come for them.
static apex_err unpack_chunk(apex_replay_reader *reader, uint32_t packed, uint32_t plain,
                             uint64_t hash) {
    free(reader->packed);
    free(reader->plain);
    reader->plain = NULL;
    reader->packed = malloc(packed > 0 ? packed : 1);
    if (reader->packed == NULL) {
        return store_refuse(reader->over_why, APEX_ERR_NO_MEMORY, "out of memory");
    }
    if (fread(reader->packed, 1, packed, reader->file) != packed) {
        return store_refuse(reader->over_why, APEX_ERR_CORRUPT,
                            "the file ends within the chunk at tick %llu",
                            (unsigned long long)reader->tick);
    }
    if (apex_hash_bytes(reader->packed, packed, 0) != hash) {
        return damaged(reader);
    }
    reader->plain = malloc(plain > 0 ? plain : 1);
    if (reader->plain == NULL) {
        return store_refuse(reader->over_why, APEX_ERR_NO_MEMORY, "out of memory");
    }
    if (ZSTD_decompress(reader->plain, plain, reader->packed, packed) != plain) {
        return damaged(reader);
    }
    reader->chunk = (store_bytes_in){.bytes = reader->plain, .length = plain};
    return APEX_OK;
}

static apex_err read_end(apex_replay_reader *reader) {
    bool is_empty = reader->keyframe.length == 0 && reader->chunk.at == reader->chunk.length;
    if (reader->chunk.failed || !is_empty) {
        return damaged(reader);
    }
    if (fgetc(reader->file) != EOF) {
        return store_refuse(reader->over_why, APEX_ERR_CORRUPT,
                            "damaged: more follows the end at %llu",
                            (unsigned long long)reader->tick);
    }
    return APEX_ERR_CLOSED;
}

bool store_take_chunk_prefix(const apex_replay_reader *reader,
                             const uint8_t bytes[STORE_CHUNK_PREFIX_BYTES], uint64_t first,
                             store_chunk_prefix *out) {
    store_bytes_in prefix = {.bytes = bytes, .length = STORE_CHUNK_PREFIX_BYTES};
    uint32_t magic = store_take_u32(&prefix);
    out->packed = store_take_u32(&prefix);
    out->plain = store_take_u32(&prefix);
    out->ticks = store_take_u32(&prefix);
    out->first = store_take_u64(&prefix);
    out->hash = store_take_u64(&prefix);
    return magic == STORE_CHUNK_MAGIC && out->packed <= reader->packed_max &&
           out->plain <= reader->plain_max && out->first == first;
}

apex_err store_next_chunk(apex_replay_reader *reader) {
    uint8_t bytes[STORE_CHUNK_PREFIX_BYTES];
    size_t got = fread(bytes, 1, sizeof bytes, reader->file);
    if (got == 0 && feof(reader->file)) {
        return store_refuse(reader->over_why, APEX_ERR_CLOSED,
                            "the recording was never closed; it stops at tick %llu",
                            (unsigned long long)reader->tick);
    }
    store_chunk_prefix prefix;
    if (got != sizeof bytes || !store_take_chunk_prefix(reader, bytes, reader->tick, &prefix)) {
        return damaged(reader);
    }
    apex_err err = unpack_chunk(reader, prefix.packed, prefix.plain, prefix.hash);
    if (err != APEX_OK) {
        return err;
    }
    reader->chunk_ticks_left = prefix.ticks;
    reader->keyframe.length = store_take_u32(&reader->chunk);
    reader->keyframe.bytes = store_take(&reader->chunk, reader->keyframe.length);
    memset(reader->controls, 0, reader->header.race.player_capacity * sizeof *reader->controls);
    if (reader->chunk.failed) {
        return damaged(reader);
    }
    return prefix.ticks > 0 ? APEX_OK : read_end(reader);
}

static void take_commands(apex_replay_reader *reader, apex_replay_step *step) {
    step->command_count = store_take_u32(&reader->chunk);
    if (step->command_count > reader->commands_capacity) {
        reader->chunk.failed = true;
        return;
    }
    for (uint32_t i = 0; i < step->command_count; i++) {
        reader->commands[i] = store_take_command(&reader->chunk);
    }
}

static void take_controls(apex_replay_reader *reader) {
    uint32_t changed = store_take_u32(&reader->chunk);
    for (uint32_t i = 0; i < changed && !reader->chunk.failed; i++) {
        uint16_t slot = store_take_u16(&reader->chunk);
        apex_controls controls = store_take_controls(&reader->chunk);
        if (slot >= reader->header.race.player_capacity) {
            reader->chunk.failed = true;
            return;
        }
        reader->controls[slot] = controls;
    }
}

static apex_err next_step(apex_replay_reader *reader, apex_replay_step *step) {
    *step = (apex_replay_step){.tick = reader->tick};
    if (reader->chunk_ticks_left == 0) {
        apex_err err = store_next_chunk(reader);
        if (err != APEX_OK) {
            return err;
        }
        step->has_keyframe = reader->keyframe.length > 0;
        step->keyframe = reader->keyframe;
    }
    APEX_ASSERT(reader->chunk_ticks_left > 0);
    take_commands(reader, step);
    take_controls(reader);
    step->has_hash = store_take_u8(&reader->chunk) != 0;
    step->hash = step->has_hash ? store_take_u64(&reader->chunk) : 0;
    reader->chunk_ticks_left--;
    // A number of ticks that is too small is a damaged one, too: the checksum does not cover it.
    bool rest = reader->chunk_ticks_left == 0 && reader->chunk.at != reader->chunk.length;
    if (reader->chunk.failed || rest) {
        return store_refuse(reader->over_why, APEX_ERR_CORRUPT, "tick %llu makes no sense",
                            (unsigned long long)reader->tick);
    }
    step->commands = reader->commands;
    step->controls = reader->controls;
    reader->tick++;
    return APEX_OK;
}

apex_err apex_replay_next(apex_replay_reader *reader, apex_replay_step *step,
                          char why[STORE_WHY_BYTES]) {
    APEX_ASSERT(reader != NULL && step != NULL);
    if (reader->over == APEX_OK) {
        reader->over = next_step(reader, step);
    }
    if (reader->over != APEX_OK) {
        *step = (apex_replay_step){.tick = reader->tick};
        return store_refuse(why, reader->over, "%s", reader->over_why);
    }
    return APEX_OK;
}
