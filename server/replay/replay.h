/// Replays: the controls as used and the ordered commands of each tick, with all they rest on.
///
/// A file is a header, then chunks, an empty one at the end. A chunk starts with a saved race (to
/// seek to), is compressed as a whole and carries a checksum. All numbers little-endian. Writing
/// goes on tick by tick; reading begins anywhere, also while the file is still being written.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "race/race.h"

typedef struct apex_replay_blob {
    const uint8_t *bytes;
    size_t length;
} apex_replay_blob;

typedef struct apex_replay_header {
    uint32_t physics_version;
    apex_race_def race;
    apex_replay_blob track; ///< as apex_track_def_encode wrote it
    uint32_t car_count;
    apex_replay_blob cars[APEX_RACE_CAR_DEFS_MAX]; ///< as apex_car_def_encode wrote them
    uint64_t first_tick; ///< 0; else the recording goes on from another, which ends there: its
                         ///< first tick has a keyframe, and ticks are counted from here
} apex_replay_header;

typedef struct apex_replay_writer apex_replay_writer;

/// A new file at `path`; where that name is taken, at the first free one of race-2.apexr and so on:
/// no file is replaced. @return APEX_ERR_IO, APEX_ERR_PERMISSION, APEX_ERR_NOT_FOUND (directory),
/// APEX_ERR_NO_MEMORY, APEX_ERR_RANGE (definitions too long), APEX_ERR_EXISTS (a thousand names).
/// @param race sizes the buffers; its first tick is the replay's first.
apex_err apex_replay_create(const char *path, const apex_replay_header *header,
                            const apex_race *race, apex_replay_writer **out);
/// Where it is written now. Lives as long as the writer; a tick may change it.
const char *apex_replay_path_of(const apex_replay_writer *writer);
/// Before the first tick: a file that has so many bytes ends with its chunk, and the recording goes
/// on in the next file, named as apex_replay_create names one, which can be played without the
/// first. Where none can be begun the file grows on, and the log says so. 0: no limit, as without
/// this call.
void apex_replay_split_at(apex_replay_writer *writer, uint64_t bytes_max);
/// Before a tick: each command in the order it was applied, refused ones left out.
void apex_replay_command(apex_replay_writer *writer, const apex_race_command *command);
/// After a tick, with the controls as used. Allocates nothing; writes a chunk when one is full.
/// @return APEX_OK, or what stopped the recording, in this call or an earlier one; APEX_ERR_FULL
/// after more commands in a tick than 64 and four for each player slot.
apex_err apex_replay_tick(apex_replay_writer *writer, const apex_race *race);
/// Writes what is left and the end, and closes. NULL is fine. @return as apex_replay_tick.
apex_err apex_replay_close(apex_replay_writer *writer);

/// Removes recordings (*.apexr, by their first bytes) from a folder, the oldest first, until all
/// together have no more bytes than this; each is said in the log. One that somebody writes or
/// reads is left, in whatever process, and so is all that is no recording. @return how many went
uint32_t apex_replay_rotate(const char *path, uint64_t bytes_max);

typedef struct apex_replay_reader apex_replay_reader;

/// @return APEX_ERR_NOT_FOUND, APEX_ERR_IO, APEX_ERR_CORRUPT, APEX_ERR_VERSION; `why` (may be NULL,
/// at least 160 bytes) then tells.
apex_err apex_replay_open(const char *path, apex_replay_reader **out, char why[160]);
void apex_replay_reader_close(apex_replay_reader *reader);
const apex_replay_header *apex_replay_header_of(const apex_replay_reader *reader);

/// Says how long a saved race of this definition is (apex_race_save_bytes), once that is known.
/// Until then chunks are held to an upper bound of it.
void apex_replay_expect_keyframes(apex_replay_reader *reader, size_t bytes);

/// One tick of a replay; arrays are the reader's and valid until the next call.
typedef struct apex_replay_step {
    uint64_t tick; ///< steps made before it, counted from the header's first_tick
    uint32_t command_count;
    const apex_race_command *commands; ///< apply first
    const apex_controls *controls;     ///< by player slot
    bool has_hash;                     ///< the race's hash after the step is recorded
    uint64_t hash;
    bool has_keyframe; ///< the race before the step is saved here
    apex_replay_blob keyframe;
} apex_replay_step;

/// @return APEX_OK with *step; APEX_ERR_CLOSED at the end, `why` being empty unless the recording
/// was never closed (a killed server's: what was read is good); APEX_ERR_CORRUPT with `why` filled.
/// A result other than APEX_OK repeats itself.
apex_err apex_replay_next(apex_replay_reader *reader, apex_replay_step *step, char why[160]);

/// The ticks that there are to play.
typedef struct apex_replay_extent {
    uint64_t ticks; ///< in whole chunks, those before the header's first_tick included
    bool is_closed; ///< the recording has its end; else a server still writes it, or was killed
    char why[160];  ///< the damage that ends it there; "" if there is none
} apex_replay_extent;

/// Finds the chunks that it has not found yet, by their first bytes: unpacks nothing, and is cheap
/// again and again on a file that grows. Reading goes on where it was. @return APEX_OK (a damaged
/// chunk ends the extent, and is said there), APEX_ERR_IO, APEX_ERR_NO_MEMORY.
apex_err apex_replay_survey(apex_replay_reader *reader, apex_replay_extent *out);
/// The first tick of the surveyed chunk that holds this one; for the number of all ticks, of the
/// last chunk; 0 if there is none.
uint64_t apex_replay_chunk_of(const apex_replay_reader *reader, uint64_t tick);
/// Goes to a chunk that begins with this tick: the next step is that one.
/// @param[out] keyframe the race before it, until a step of another chunk is read; empty: a race
/// that was just made. @return as apex_replay_next; APEX_ERR_RANGE where no chunk begins.
apex_err apex_replay_seek(apex_replay_reader *reader, uint64_t first, apex_replay_blob *keyframe,
                          char why[160]);
