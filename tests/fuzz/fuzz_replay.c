// links: replay store
// Any bytes as a replay, and any content under checksums that are right: read to the end or to an
// error that says something. Input: the first byte chooses; 0 is a file as it stands, 1 a header,
// anything else the plain content of a chunk behind a sound header.

#define _GNU_SOURCE // memfd_create
#include "fuzz.h"

#include "base/hash.h"
#include "replay/replay_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

enum { FILE_BYTES_MAX = 256 * 1024, WHY_BYTES = 160 };

static uint8_t file_bytes[FILE_BYTES_MAX];
static volatile uint64_t seen; // what was read leaves the function, so that it is read

// The bytes that are handed out must be there: each byte of it is read.
static uint64_t touch(const apex_replay_reader *reader, const apex_replay_step *step) {
    const apex_replay_header *header = apex_replay_header_of(reader);
    size_t controls = header->race.player_capacity * sizeof *step->controls;
    require(step->command_count == 0 || step->commands != NULL);
    for (uint32_t i = 0; i < step->command_count; i++) {
        require(step->commands[i].kind <= APEX_RACE_CAR);
        require(memchr(step->commands[i].name, 0, APEX_NAME_BYTES) != NULL);
    }
    uint64_t hash = apex_hash_bytes(step->controls, controls, 0);
    if (step->has_keyframe) {
        hash ^= apex_hash_bytes(step->keyframe.bytes, step->keyframe.length, 0);
    }
    return hash;
}

static uint64_t touch_header(const apex_replay_header *header) {
    require(memchr(header->race.name, 0, sizeof header->race.name) != NULL);
    require(header->car_count >= 1 && header->car_count <= APEX_RACE_CAR_DEFS_MAX);
    uint64_t hash = apex_hash_bytes(header->track.bytes, header->track.length, 0);
    for (uint32_t i = 0; i < header->car_count; i++) {
        hash ^= apex_hash_bytes(header->cars[i].bytes, header->cars[i].length, 0);
    }
    return hash;
}

// The same from each place that it may be entered at. All that was read once is there again.
static void enter_replay(apex_replay_reader *reader) {
    apex_replay_extent extent;
    require(apex_replay_survey(reader, &extent) == APEX_OK);
    for (uint64_t first = 0; first < extent.ticks;) {
        char why[WHY_BYTES] = "";
        apex_replay_blob keyframe;
        apex_replay_step step;
        require(apex_replay_chunk_of(reader, first) == first);
        apex_err err = apex_replay_seek(reader, first, &keyframe, why);
        require(err == APEX_OK || (err == APEX_ERR_CORRUPT && why[0] != '\0'));
        if (err == APEX_OK) {
            seen ^= apex_hash_bytes(keyframe.bytes, keyframe.length, 0);
            err = apex_replay_next(reader, &step, why);
            require(err != APEX_OK || step.tick == first);
        }
        // Prefixes are believed only as far as there may be ticks.
        uint64_t next = first + 1;
        while (next < extent.ticks && apex_replay_chunk_of(reader, next) == first) {
            next++;
        }
        require(next - first <= STORE_CHUNK_TICKS_MAX);
        first = next;
    }
}

static void read_replay(const char *path) {
    char why[WHY_BYTES] = "";
    apex_replay_reader *reader = NULL;
    apex_err err = apex_replay_open(path, &reader, why);
    if (err != APEX_OK) {
        require(err == APEX_ERR_CORRUPT || err == APEX_ERR_VERSION);
        require(why[0] != '\0' && reader == NULL);
        return;
    }
    seen ^= touch_header(apex_replay_header_of(reader));
    uint64_t tick = 0;
    for (;;) {
        apex_replay_step step;
        err = apex_replay_next(reader, &step, why);
        if (err != APEX_OK) {
            break;
        }
        require(step.tick == tick++);
        seen ^= touch(reader, &step);
    }
    require(err == APEX_ERR_CLOSED || (err == APEX_ERR_CORRUPT && why[0] != '\0'));
    enter_replay(reader);
    apex_replay_reader_close(reader);
}

static void put_header(store_bytes_out *out, const uint8_t *body, size_t length) {
    store_put(out, STORE_REPLAY_MAGIC, 8);
    store_put_u32(out, STORE_REPLAY_FORMAT);
    store_put_u32(out, (uint32_t)length);
    store_put_u64(out, apex_hash_bytes(body, length, 0));
    store_put(out, body, length);
}

static void put_sound_header(store_bytes_out *out) {
    uint8_t bytes[1024];
    store_bytes_out body = {.bytes = bytes, .capacity = sizeof bytes};
    apex_replay_header header = {.race = apex_default_race_def(), .car_count = 1};
    header.race.player_capacity = 8;
    store_put_header(&body, &header);
    require(!body.overflow);
    put_header(out, bytes, body.length);
}

static void put_chunk(store_bytes_out *out, const uint8_t *plain, size_t length, uint32_t ticks) {
    static uint8_t packed[FILE_BYTES_MAX];
    size_t bytes = ZSTD_compress(packed, sizeof packed, plain, length, 1);
    require(!ZSTD_isError(bytes));
    store_put_u32(out, STORE_CHUNK_MAGIC);
    store_put_u32(out, (uint32_t)bytes);
    store_put_u32(out, (uint32_t)length);
    store_put_u32(out, ticks);
    store_put_u64(out, 0);
    store_put_u64(out, apex_hash_bytes(packed, bytes, 0));
    store_put(out, packed, bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0 || size > FILE_BYTES_MAX / 2) {
        return 0;
    }
    store_bytes_out out = {.bytes = file_bytes, .capacity = sizeof file_bytes};
    if (data[0] == 0) {
        store_put(&out, data + 1, size - 1);
    } else if (data[0] == 1) {
        put_header(&out, data + 1, size - 1);
    } else {
        put_sound_header(&out);
        put_chunk(&out, data + 1, size - 1, data[0] - 1u);
    }
    require(!out.overflow);
    int file = memfd_create("replay", MFD_CLOEXEC);
    require(file >= 0 && write(file, file_bytes, out.length) == (ssize_t)out.length);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    read_replay(path);
    close(file);
    return 0;
}
