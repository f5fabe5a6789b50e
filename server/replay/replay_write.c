// Writing a replay: ticks fill a chunk, and full chunks go to the file, packed, by
// the thread that ticks (DECISIONS 8).
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <zstd.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/log.h"
#include "replay/replay_format.h"
#include "replay/replay_weekend.h"

enum {
    COMPRESSION_LEVEL = 3,
    PATH_BYTES = 4096,
    NAMES_MAX = 1000,                               ///< that are tried for a file
    TAIL_BYTES = sizeof(double) + sizeof(uint64_t), ///< what a header may have behind it
};

struct apex_replay_writer {
    int file; ///< -1: none
    char path[PATH_BYTES];
    char wanted[PATH_BYTES];             ///< of which the paths are made
    unsigned number;                     ///< of the present path among them, from 1
    store_bytes_out header;              ///< as it stands in the file, its first tick behind it
    uint32_t format;                     ///< of a header that begins with its race
    bool has_wait;                       ///< the header has all that stands before a first tick
    uint64_t file_bytes, file_bytes_max; ///< of the present file; 0: no limit
    bool is_stuck;                       ///< no further file can be begun, and the log says so
    apex_err err;                        ///< the first; nothing is written after it
    uint32_t slots;
    apex_controls *last;      ///< by player slot: what stands in the chunk so far
    store_bytes_out plain;    ///< the chunk being filled
    store_bytes_out commands; ///< of the tick to come
    uint32_t command_count;
    uint32_t chunk_ticks;
    uint64_t ticks;
    size_t tick_bytes_max; ///< one tick's worst
    uint8_t *packed;
    size_t packed_capacity;
    ZSTD_CCtx *zstd;
};

// Straight to the kernel, so that a killed server leaves every chunk that it has written.
static void write_bytes(apex_replay_writer *writer, const void *bytes, size_t length) {
    const uint8_t *at = bytes;
    while (writer->err == APEX_OK && length > 0) {
        ssize_t written = write(writer->file, at, length);
        if (written < 0 && errno != EINTR) {
            writer->err = apex_err_from_errno(errno);
        } else if (written > 0) {
            at += written;
            length -= (size_t)written;
            writer->file_bytes += (uint64_t)written;
        }
    }
}

static apex_err keep_header(apex_replay_writer *writer, const apex_replay_header *header) {
    writer->format = store_format_of(header);
    bool has_weekend = writer->format == STORE_REPLAY_FORMAT_WEEKEND;
    writer->has_wait = has_weekend || header->race.reset_wait_s > 0.0;
    size_t capacity = header->track.length + 4096 + (has_weekend ? STORE_WEEKEND_BYTES_MAX : 0);
    for (uint32_t i = 0; i < header->car_count; i++) {
        capacity += header->cars[i].length + 4;
    }
    writer->header = (store_bytes_out){.bytes = malloc(capacity), .capacity = capacity};
    if (writer->header.bytes == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    store_put_header(&writer->header, header);
    APEX_ASSERT(!writer->header.overflow && capacity - writer->header.length >= TAIL_BYTES);
    bool fits = writer->header.length + TAIL_BYTES <= STORE_REPLAY_HEADER_BYTES_MAX;
    return fits ? APEX_OK : APEX_ERR_RANGE;
}

// Of a recording that begins with its race, as ever; with the tick, if it goes on from another.
static void write_header(apex_replay_writer *writer) {
    store_bytes_out body = writer->header;
    bool has_weekend = writer->format == STORE_REPLAY_FORMAT_WEEKEND;
    bool is_later = writer->ticks > 0;
    if (is_later && !writer->has_wait) {
        store_put_double(&body, 0.0); // else the tick would be taken for it
    }
    if (is_later || has_weekend) {
        store_put_u64(&body, writer->ticks);
    }
    uint8_t prefix_bytes[STORE_REPLAY_PREFIX_BYTES];
    store_bytes_out prefix = {.bytes = prefix_bytes, .capacity = sizeof prefix_bytes};
    store_put(&prefix, STORE_REPLAY_MAGIC, 8);
    store_put_u32(&prefix, is_later && !has_weekend ? STORE_REPLAY_FORMAT_LATER : writer->format);
    store_put_u32(&prefix, (uint32_t)body.length);
    store_put_u64(&prefix, apex_hash_bytes(body.bytes, body.length, 0));
    writer->file_bytes = 0;
    write_bytes(writer, prefix.bytes, prefix.length);
    write_bytes(writer, body.bytes, body.length);
}

static void begin_chunk(apex_replay_writer *writer, const apex_race *race) {
    size_t saved = race != NULL ? apex_race_save_bytes(race) : 0;
    writer->plain.length = 0;
    writer->chunk_ticks = 0;
    store_put_u32(&writer->plain, (uint32_t)saved);
    APEX_ASSERT(saved <= writer->plain.capacity - writer->plain.length);
    if (saved > 0) {
        apex_race_save(race, writer->plain.bytes + writer->plain.length);
        writer->plain.length += saved;
    }
    memset(writer->last, 0, writer->slots * sizeof *writer->last);
}

static apex_err allocate(apex_replay_writer *writer, const apex_race *race) {
    writer->slots = apex_race_player_capacity(race);
    size_t commands = (size_t)store_commands_max(writer->slots) * STORE_COMMAND_BYTES;
    writer->tick_bytes_max = store_tick_bytes_max(writer->slots);
    size_t plain = store_plain_bytes_max(writer->slots, apex_race_save_bytes(race));
    writer->packed_capacity = ZSTD_compressBound(plain);
    writer->last = calloc(writer->slots, sizeof *writer->last);
    writer->plain = (store_bytes_out){.bytes = calloc(plain, 1), .capacity = plain};
    writer->commands = (store_bytes_out){.bytes = malloc(commands), .capacity = commands};
    writer->packed = malloc(writer->packed_capacity);
    writer->zstd = ZSTD_createCCtx();
    bool have_all = writer->last != NULL && writer->plain.bytes != NULL &&
                    writer->commands.bytes != NULL && writer->packed != NULL &&
                    writer->zstd != NULL;
    // A first run on the longest input makes zstd take all its memory now and not in a tick.
    bool warm =
        have_all &&
        !ZSTD_isError(ZSTD_compressCCtx(writer->zstd, writer->packed, writer->packed_capacity,
                                        writer->plain.bytes, plain, COMPRESSION_LEVEL));
    return warm ? APEX_OK : APEX_ERR_NO_MEMORY;
}

static void free_writer(apex_replay_writer *writer) {
    if (writer->file >= 0) {
        close(writer->file);
    }
    free(writer->header.bytes);
    ZSTD_freeCCtx(writer->zstd);
    free(writer->packed);
    free(writer->commands.bytes);
    free(writer->plain.bytes);
    free(writer->last);
    free(writer);
}

// Race.apexr, race-2.apexr, ...
static bool name_file(const char *wanted, unsigned number, char path[PATH_BYTES]) {
    const char *slash = strrchr(wanted, '/');
    const char *dot = strrchr(slash != NULL ? slash : wanted, '.');
    size_t stem = dot != NULL ? (size_t)(dot - wanted) : strlen(wanted);
    int length = number == 1 ? snprintf(path, PATH_BYTES, "%s", wanted)
                             : snprintf(path, PATH_BYTES, "%.*s-%u%s", (int)stem, wanted, number,
                                        dot != NULL ? dot : "");
    return length >= 0 && length < PATH_BYTES;
}

// A file that is there is somebody's recording, or no recording at all: it stays as it is. Numbers
// rise, also where rotation has removed the first of them. The lock says that the file is in use
// (replay_rotate.c), and is given up with the file.
static apex_err open_new_file(apex_replay_writer *writer, int *out) {
    char path[PATH_BYTES];
    int file = -1;
    unsigned number = writer->number, last = writer->number + NAMES_MAX;
    errno = EEXIST;
    while (file < 0 && errno == EEXIST && number < last) {
        if (!name_file(writer->wanted, ++number, path)) {
            return APEX_ERR_INVALID;
        }
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (file < 0) {
        return apex_err_from_errno(errno);
    }
    (void)flock(file, LOCK_SH | LOCK_NB);
    memcpy(writer->path, path, sizeof path);
    writer->number = number;
    *out = file;
    return APEX_OK;
}

static apex_err begin_first(apex_replay_writer *writer, const char *path,
                            const apex_replay_header *header) {
    if (strlen(path) >= sizeof writer->wanted) {
        return APEX_ERR_INVALID;
    }
    memcpy(writer->wanted, path, strlen(path) + 1);
    apex_err err = keep_header(writer, header);
    if (err == APEX_OK) {
        err = open_new_file(writer, &writer->file);
    }
    if (err != APEX_OK) {
        return err;
    }
    write_header(writer);
    if (writer->err != APEX_OK) {
        unlink(writer->path); // ours, and of no use
    }
    return writer->err;
}

apex_err apex_replay_create(const char *path, const apex_replay_header *header,
                            const apex_race *race, apex_replay_writer **out) {
    APEX_ASSERT(path != NULL && header != NULL && race != NULL && out != NULL);
    APEX_ASSERT(header->car_count >= 1 && header->car_count <= APEX_RACE_CAR_DEFS_MAX);
    APEX_ASSERT(header->first_tick == 0);
    apex_replay_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    writer->file = -1;
    apex_err err = allocate(writer, race);
    if (err == APEX_OK) {
        err = begin_first(writer, path, header);
    }
    if (err != APEX_OK) {
        free_writer(writer);
        return err;
    }
    begin_chunk(writer, NULL); // a race that has not begun is known from the header
    *out = writer;
    return APEX_OK;
}

void apex_replay_split_at(apex_replay_writer *writer, uint64_t bytes_max) {
    APEX_ASSERT(writer != NULL && writer->ticks == 0);
    writer->file_bytes_max = bytes_max;
}

const char *apex_replay_path_of(const apex_replay_writer *writer) {
    APEX_ASSERT(writer != NULL);
    return writer->path;
}

void apex_replay_command(apex_replay_writer *writer, const apex_race_command *command) {
    APEX_ASSERT(writer != NULL && command != NULL);
    APEX_ASSERT((uint32_t)command->kind < APEX_RACE_COMMANDS);
    store_put_command(&writer->commands, command);
    writer->command_count++;
}

static bool controls_differ(const apex_controls *a, const apex_controls *b) {
    return a->steer != b->steer || a->throttle != b->throttle || a->brake != b->brake ||
           a->clutch != b->clutch || a->handbrake != b->handbrake || a->gear != b->gear ||
           a->shift_up_count != b->shift_up_count || a->shift_down_count != b->shift_down_count ||
           a->reset_count != b->reset_count || a->aids_off != b->aids_off;
}

static void put_changed_controls(apex_replay_writer *writer, const apex_controls controls[]) {
    uint32_t changed = 0;
    for (uint32_t slot = 0; slot < writer->slots; slot++) {
        changed += controls_differ(&controls[slot], &writer->last[slot]);
    }
    store_put_u32(&writer->plain, changed);
    for (uint32_t slot = 0; slot < writer->slots; slot++) {
        if (controls_differ(&controls[slot], &writer->last[slot])) {
            store_put_u16(&writer->plain, (uint16_t)slot);
            store_put_controls(&writer->plain, &controls[slot]);
            writer->last[slot] = controls[slot];
        }
    }
}

static void write_chunk(apex_replay_writer *writer) {
    APEX_ASSERT(writer->chunk_ticks <= STORE_CHUNK_TICKS_MAX);
    APEX_ASSERT(writer->chunk_ticks <= writer->ticks);
    size_t packed = ZSTD_compressCCtx(writer->zstd, writer->packed, writer->packed_capacity,
                                      writer->plain.bytes, writer->plain.length, COMPRESSION_LEVEL);
    if (ZSTD_isError(packed)) {
        writer->err = APEX_ERR_NO_MEMORY;
        return;
    }
    uint8_t prefix_bytes[STORE_CHUNK_PREFIX_BYTES];
    store_bytes_out prefix = {.bytes = prefix_bytes, .capacity = sizeof prefix_bytes};
    store_put_u32(&prefix, STORE_CHUNK_MAGIC);
    store_put_u32(&prefix, (uint32_t)packed);
    store_put_u32(&prefix, (uint32_t)writer->plain.length);
    store_put_u32(&prefix, writer->chunk_ticks);
    store_put_u64(&prefix, writer->ticks - writer->chunk_ticks);
    store_put_u64(&prefix, apex_hash_bytes(writer->packed, packed, 0));
    write_bytes(writer, prefix.bytes, prefix.length);
    write_bytes(writer, writer->packed, packed);
}

// A chunk without ticks is the end.
static void write_end(apex_replay_writer *writer) {
    begin_chunk(writer, NULL);
    write_chunk(writer);
}

static void close_file(apex_replay_writer *writer) {
    if (close(writer->file) != 0 && errno != EINTR && writer->err == APEX_OK) {
        writer->err = apex_err_from_errno(errno);
    }
    writer->file = -1;
}

// The next file is there before this one ends: what cannot be parted goes on whole.
static void split(apex_replay_writer *writer) {
    int file = -1;
    apex_err err = open_new_file(writer, &file);
    if (err != APEX_OK) {
        if (!writer->is_stuck) {
            apex_log(APEX_LOG_WARN, "replay", "%s is full, and no other can be begun: %s",
                     writer->path, apex_err_text(err));
        }
        writer->is_stuck = true;
        return;
    }
    writer->is_stuck = false;
    write_end(writer);
    close_file(writer);
    writer->file = file;
    write_header(writer);
    apex_log(APEX_LOG_INFO, "replay", "the recording goes on in %s", writer->path);
}

static bool is_full(const apex_replay_writer *writer) {
    return writer->file_bytes_max > 0 && writer->file_bytes >= writer->file_bytes_max;
}

apex_err apex_replay_tick(apex_replay_writer *writer, const apex_race *race) {
    APEX_ASSERT(writer != NULL && race != NULL);
    APEX_ASSERT(apex_race_player_capacity(race) == writer->slots);
    if (writer->err == APEX_OK && writer->commands.overflow) {
        writer->err = APEX_ERR_FULL;
    }
    if (writer->err != APEX_OK) {
        return writer->err;
    }
    store_put_u32(&writer->plain, writer->command_count);
    store_put(&writer->plain, writer->commands.bytes, writer->commands.length);
    writer->commands.length = 0;
    writer->command_count = 0;
    put_changed_controls(writer, apex_race_controls_used(race));
    writer->ticks++;
    writer->chunk_ticks++;
    bool hashed = writer->ticks % STORE_HASH_TICKS == 0;
    store_put_u8(&writer->plain, hashed);
    if (hashed) {
        store_put_u64(&writer->plain, apex_race_hash(race));
    }
    APEX_ASSERT(!writer->plain.overflow);
    bool full = writer->plain.capacity - writer->plain.length < writer->tick_bytes_max;
    if (full || writer->chunk_ticks == STORE_CHUNK_TICKS_MAX) {
        write_chunk(writer);
        if (writer->err == APEX_OK && is_full(writer)) {
            split(writer);
        }
        begin_chunk(writer, race);
    }
    return writer->err;
}

apex_err apex_replay_close(apex_replay_writer *writer) {
    if (writer == NULL) {
        return APEX_OK;
    }
    if (writer->err == APEX_OK && writer->chunk_ticks > 0) {
        write_chunk(writer);
    }
    if (writer->err == APEX_OK) {
        write_end(writer);
    }
    close_file(writer);
    apex_err err = writer->err;
    free_writer(writer);
    return err;
}
