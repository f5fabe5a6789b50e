// Chunks found by their prefixes, so that a player may begin anywhere. The prefix is not covered by
// a checksum: what it claims is checked again when the chunk is read.

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assert.h"
#include "replay/replay_reader.h"

enum {
    PLACES_FIRST = 64,
    PLACES_MAX = 1 << 17, ///< two weeks of 600 ticks each
};

static bool make_room(apex_replay_reader *reader) {
    if (reader->place_count < reader->place_capacity) {
        return true;
    }
    uint32_t capacity = reader->place_capacity > 0 ? 2 * reader->place_capacity : PLACES_FIRST;
    store_chunk_place *places = realloc(reader->places, capacity * sizeof *places);
    if (places == NULL) {
        return false;
    }
    reader->places = places;
    reader->place_capacity = capacity;
    return true;
}

// Ends the survey for good, with the damage that ends it.
static void end_survey(apex_replay_reader *reader, const char *what) {
    reader->survey_over = true;
    if (what != NULL) {
        store_refuse(reader->extent.why, APEX_OK, "%s at tick %llu: the rest of it can't be played",
                     what, (unsigned long long)reader->extent.ticks);
    }
}

static apex_err add_place(apex_replay_reader *reader, const store_chunk_prefix *prefix) {
    APEX_ASSERT(prefix->first == reader->extent.ticks && prefix->ticks > 0);
    if (reader->place_count == PLACES_MAX) {
        end_survey(reader, "the recording is too long");
        return APEX_OK;
    }
    if (!make_room(reader)) {
        return APEX_ERR_NO_MEMORY;
    }
    reader->places[reader->place_count++] = (store_chunk_place){
        .first = prefix->first, .at = reader->surveyed_at, .ticks = prefix->ticks};
    reader->surveyed_at += STORE_CHUNK_PREFIX_BYTES + (uint64_t)prefix->packed;
    reader->extent.ticks += prefix->ticks;
    return APEX_OK;
}

// @return false when no further chunk is there whole.
static bool survey_one(apex_replay_reader *reader, uint64_t size, apex_err *err) {
    uint8_t bytes[STORE_CHUNK_PREFIX_BYTES];
    if (reader->survey_over || size - reader->surveyed_at < sizeof bytes) {
        return false;
    }
    ssize_t got = pread(fileno(reader->file), bytes, sizeof bytes, (off_t)reader->surveyed_at);
    if (got != (ssize_t)sizeof bytes) {
        *err = got < 0 ? apex_err_from_errno(errno) : APEX_ERR_IO;
        return false;
    }
    store_chunk_prefix prefix;
    if (!store_take_chunk_prefix(reader, bytes, reader->extent.ticks, &prefix) ||
        prefix.ticks > STORE_CHUNK_TICKS_MAX) {
        end_survey(reader, "the file is damaged");
        return false;
    }
    if (size - reader->surveyed_at - sizeof bytes < prefix.packed) {
        return false; // the rest of it is still to be written
    }
    if (prefix.ticks == 0) {
        reader->extent.is_closed = true;
        end_survey(reader, NULL);
        return false;
    }
    *err = add_place(reader, &prefix);
    return *err == APEX_OK;
}

apex_err apex_replay_survey(apex_replay_reader *reader, apex_replay_extent *out) {
    APEX_ASSERT(reader != NULL && out != NULL);
    struct stat info;
    if (fstat(fileno(reader->file), &info) != 0) {
        return apex_err_from_errno(errno);
    }
    // A file that shrinks under our hands was replaced: what was found in it is as good as gone,
    // and reading says so.
    uint64_t size = (uint64_t)info.st_size;
    apex_err err = APEX_OK;
    while (size >= reader->surveyed_at && survey_one(reader, size, &err)) {}
    *out = reader->extent;
    return err;
}

static const store_chunk_place *place_of(const apex_replay_reader *reader, uint64_t tick) {
    uint32_t low = 0, high = reader->place_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (reader->places[middle].first <= tick) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 ? &reader->places[low - 1] : NULL;
}

uint64_t apex_replay_chunk_of(const apex_replay_reader *reader, uint64_t tick) {
    APEX_ASSERT(reader != NULL);
    const store_chunk_place *place = place_of(reader, tick);
    return place != NULL ? place->first : 0;
}

apex_err apex_replay_seek(apex_replay_reader *reader, uint64_t first, apex_replay_blob *keyframe,
                          char why[STORE_WHY_BYTES]) {
    APEX_ASSERT(reader != NULL && keyframe != NULL);
    const store_chunk_place *place = place_of(reader, first);
    *keyframe = (apex_replay_blob){NULL, 0};
    if (place == NULL || place->first != first) {
        return store_refuse(why, APEX_ERR_RANGE, "no chunk begins at tick %llu",
                            (unsigned long long)first);
    }
    if (fseeko(reader->file, (off_t)place->at, SEEK_SET) != 0) {
        return store_refuse(why, apex_err_from_errno(errno), "%s", apex_errno_text(errno));
    }
    reader->tick = first;
    reader->over = store_next_chunk(reader);
    if (reader->over != APEX_OK) {
        return store_refuse(why, reader->over, "%s", reader->over_why);
    }
    *keyframe = reader->keyframe;
    return APEX_OK;
}
