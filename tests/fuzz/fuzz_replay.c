// links: replay store
// Any bytes as a replay, and any content under checksums that are right: read to the end or to an
// error that says something. Input: the first byte chooses; 0 is a file as it stands, 1 a header,
// 253 one with a weekend, 254 one of a recording that goes on from another, 255 a chunk behind such
// a header: a byte of ticks, a u64 of the first tick, the plain content. Anything else is the
// number of ticks and one more, and the plain content of a chunk behind a sound header.

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
enum {
    IS_FILE = 0,
    IS_HEADER = 1,
    IS_WEEKEND_HEADER = 253,
    IS_LATER_HEADER = 254,
    IS_LATER_CHUNK = 255
};

static uint8_t file_bytes[FILE_BYTES_MAX];
static volatile uint64_t seen; // what was read leaves the function, so that it is read

// The bytes that are handed out must be there: each byte of it is read.
static uint64_t touch(const apex_replay_reader *reader, const apex_replay_step *step) {
    const apex_replay_header *header = apex_replay_header_of(reader);
    size_t controls = header->race.player_capacity * sizeof *step->controls;
    require(step->command_count == 0 || step->commands != NULL);
    for (uint32_t i = 0; i < step->command_count; i++) {
        const apex_race_command *command = &step->commands[i];
        require((uint32_t)command->kind < APEX_RACE_COMMANDS);
        require(memchr(command->name, 0, APEX_NAME_BYTES) != NULL);
        require((uint32_t)command->flag < APEX_RACE_FLAGS);
        require((uint32_t)command->penalty.offence < APEX_OFFENCES);
        require((uint32_t)command->penalty.kind < APEX_PENALTY_KINDS);
        require(command->penalty.amount >= 0.0 && command->plan.fuel_kg >= 0.0);
        require(command->plan.compound < APEX_COMPOUNDS_MAX);
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
    apex_weekend_problem problem;
    require(!apex_weekend_is_set(&header->race.weekend) ||
            apex_weekend_check(&header->race.weekend, header->car_count, &problem));
    uint64_t hash = apex_hash_bytes(header->track.bytes, header->track.length, 0);
    for (uint32_t i = 0; i < header->car_count; i++) {
        hash ^= apex_hash_bytes(header->cars[i].bytes, header->cars[i].length, 0);
    }
    return hash;
}

// The same from each place that it may be entered at. All that was read once is there again: the
// first step if `is_begun`, and only then.
static void enter_replay(apex_replay_reader *reader, bool is_begun) {
    apex_replay_extent extent;
    require(apex_replay_survey(reader, &extent) == APEX_OK);
    const uint64_t first_tick = apex_replay_header_of(reader)->first_tick;
    for (uint64_t first = first_tick; first < extent.ticks;) {
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
        require(first != first_tick || is_begun == (err == APEX_OK));
        // Prefixes are believed only as far as there may be ticks.
        uint64_t next = first + 1;
        while (next < extent.ticks && apex_replay_chunk_of(reader, next) == first) {
            next++;
        }
        require(next - first <= STORE_CHUNK_TICKS_MAX);
        first = next;
    }
}

// Of a file as it stands the header says by its format whether it goes on from another.
static void require_first_tick(uint8_t choice, uint64_t first_tick) {
    bool may_be_later = choice == IS_FILE || choice >= IS_WEEKEND_HEADER;
    require(may_be_later || first_tick == 0);
    require(choice < IS_LATER_HEADER || (first_tick > 0 && first_tick <= UINT64_MAX / 2));
}

static void read_replay(const char *path, uint8_t choice) {
    char why[WHY_BYTES] = "";
    apex_replay_reader *reader = NULL;
    apex_err err = apex_replay_open(path, &reader, why);
    if (err != APEX_OK) {
        require(err == APEX_ERR_CORRUPT || err == APEX_ERR_VERSION);
        require(why[0] != '\0' && reader == NULL);
        return;
    }
    seen ^= touch_header(apex_replay_header_of(reader));
    const uint64_t first_tick = apex_replay_header_of(reader)->first_tick;
    require_first_tick(choice, first_tick);
    uint64_t tick = first_tick;
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
    // A chunk of ours has no more ticks than one may have: it is found, too.
    apex_replay_extent extent;
    require(apex_replay_survey(reader, &extent) == APEX_OK);
    require(choice <= IS_HEADER || tick == first_tick || extent.ticks > first_tick);
    enter_replay(reader, tick > first_tick);
    apex_replay_reader_close(reader);
}

static void put_header(store_bytes_out *out, uint32_t format, const uint8_t *body, size_t length) {
    store_put(out, STORE_REPLAY_MAGIC, 8);
    store_put_u32(out, format);
    store_put_u32(out, (uint32_t)length);
    store_put_u64(out, apex_hash_bytes(body, length, 0));
    store_put(out, body, length);
}

// `first_tick` NULL: of a recording that begins with its race.
static void put_sound_header(store_bytes_out *out, const uint64_t *first_tick) {
    uint8_t bytes[1024];
    store_bytes_out body = {.bytes = bytes, .capacity = sizeof bytes};
    apex_replay_header header = {.race = apex_default_race_def(), .car_count = 1};
    header.race.player_capacity = 8;
    store_put_header(&body, &header);
    if (first_tick != NULL) {
        store_put_u64(&body, *first_tick);
    }
    require(!body.overflow);
    uint32_t format = first_tick != NULL ? STORE_REPLAY_FORMAT_LATER : STORE_REPLAY_FORMAT;
    put_header(out, format, bytes, body.length);
}

static void put_chunk(store_bytes_out *out, const uint8_t *plain, size_t length, uint32_t ticks,
                      uint64_t first) {
    static uint8_t packed[FILE_BYTES_MAX];
    size_t bytes = ZSTD_compress(packed, sizeof packed, plain, length, 1);
    require(!ZSTD_isError(bytes));
    store_put_u32(out, STORE_CHUNK_MAGIC);
    store_put_u32(out, (uint32_t)bytes);
    store_put_u32(out, (uint32_t)length);
    store_put_u32(out, ticks);
    store_put_u64(out, first);
    store_put_u64(out, apex_hash_bytes(packed, bytes, 0));
    store_put(out, packed, bytes);
}

static void put_later_chunk(store_bytes_out *out, const uint8_t *data, size_t size) {
    store_bytes_in in = {.bytes = data, .length = size};
    uint32_t ticks = store_take_u8(&in);
    uint64_t first = store_take_u64(&in);
    put_sound_header(out, &first);
    put_chunk(out, data + in.at, size - in.at, ticks, first);
}

static void put_input(store_bytes_out *out, uint8_t choice, const uint8_t *data, size_t size) {
    switch (choice) {
    case IS_FILE:
        store_put(out, data, size);
        break;
    case IS_HEADER:
        put_header(out, STORE_REPLAY_FORMAT, data, size);
        break;
    case IS_WEEKEND_HEADER:
        put_header(out, STORE_REPLAY_FORMAT_WEEKEND, data, size);
        break;
    case IS_LATER_HEADER:
        put_header(out, STORE_REPLAY_FORMAT_LATER, data, size);
        break;
    case IS_LATER_CHUNK:
        put_later_chunk(out, data, size);
        break;
    default:
        put_sound_header(out, NULL);
        put_chunk(out, data, size, choice - 1u, 0);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0 || size > FILE_BYTES_MAX / 2) {
        return 0;
    }
    store_bytes_out out = {.bytes = file_bytes, .capacity = sizeof file_bytes};
    put_input(&out, data[0], data + 1, size - 1);
    require(!out.overflow);
    int file = memfd_create("replay", MFD_CLOEXEC);
    require(file >= 0 && write(file, file_bytes, out.length) == (ssize_t)out.length);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    read_replay(path, data[0]);
    close(file);
    return 0;
}
