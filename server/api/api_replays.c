// Recordings that can be watched. Files are looked at by name, and their headers are read once; all
// of it between two ticks, so a request that meets many new ones reads only some of them.

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "api/api_handlers.h"
#include "api/api_replays.h"
#include "base/assert.h"
#include "defs/defs.h"
#include "host/figures/figures.h"
#include "playback/recordings.h"
#include "replay/replay.h"

enum {
    FILES_MAX = 200,    // listed, the newest of them
    ENTRIES_MAX = 4096, // of the directory, looked at
    WHY_BYTES = 160,
    READ_US_MAX = 3000,                // of headers, for one request
    GROWING_US = 10000000,             // for so long a file that grows is taken for what it was
    READERS_MAX = APEX_SITE_RACES_MAX, // of files that grow, kept open
    LISTED_US = 1000000, // and the directory: looking at it is milliseconds, between two ticks
};

typedef struct file_stamp {
    char name[APEX_RECORDING_NAME_BYTES];
    uint64_t inode;
    uint64_t bytes;
    uint64_t modified_us;
} file_stamp;

typedef enum file_state { FILE_UNREAD, FILE_READ, FILE_BAD } file_state;

// The facts known of a file.
typedef struct replay_file {
    file_stamp stamp; // when it was read
    file_stamp shown; // now
    uint64_t read_us;
    file_state state;
    bool is_listed;             // by the request at hand
    bool has_grown;             // and is to be looked at again
    apex_replay_reader *reader; // of one that grows: it goes on where it was; NULL: none is kept
    char why[WHY_BYTES];
    char race[APEX_TITLE_BYTES], track[APEX_NAME_BYTES];
    uint32_t tick_hz, physics_version;
    uint64_t ticks;
    bool is_closed; // the recording has its end
    uint32_t car_count;
    char cars[APEX_RACE_CAR_DEFS_MAX][APEX_NAME_BYTES];
} replay_file;

struct api_replays {
    replay_file files[FILES_MAX];
    replay_file *listed[FILES_MAX]; // of them, the newest first
    size_t listed_count;
    uint64_t listed_us;
    bool has_listed;
};

static void drop_reader(replay_file *file) {
    apex_replay_reader_close(file->reader);
    file->reader = NULL;
}

void api_replays_destroy(api_replays *replays) {
    for (size_t i = 0; replays != NULL && i < FILES_MAX; i++) {
        drop_reader(&replays->files[i]);
    }
    free(replays);
}

static bool stamp_of(int directory, const char *name, file_stamp *out) {
    struct stat status;
    if (!apex_is_recording(directory, name, &status)) {
        return false;
    }
    memset(out, 0, sizeof *out);
    memcpy(out->name, name, strlen(name));
    out->inode = (uint64_t)status.st_ino;
    out->bytes = (uint64_t)status.st_size;
    out->modified_us =
        (uint64_t)status.st_mtim.tv_sec * 1000000u + (uint64_t)status.st_mtim.tv_nsec / 1000u;
    return true;
}

static int newest_first(const void *a, const void *b) {
    const file_stamp *left = a, *right = b;
    if (left->modified_us != right->modified_us) {
        return left->modified_us > right->modified_us ? -1 : 1;
    }
    return strcmp(left->name, right->name);
}

static size_t list_directory(DIR *directory, file_stamp stamps[ENTRIES_MAX]) {
    size_t count = 0;
    for (size_t i = 0; i < ENTRIES_MAX; i++) {
        const struct dirent *entry = readdir(directory);
        if (entry == NULL) {
            break;
        }
        count += stamp_of(dirfd(directory), entry->d_name, &stamps[count]);
    }
    qsort(stamps, count, sizeof stamps[0], newest_first);
    return count < FILES_MAX ? count : FILES_MAX;
}

static void keep_header(const apex_replay_header *header, replay_file *file) {
    snprintf(file->race, sizeof file->race, "%.*s", (int)sizeof header->race.name,
             header->race.name);
    (void)apex_def_name_of(header->track.bytes, header->track.length, file->track);
    file->tick_hz = header->race.world.tick_hz;
    file->physics_version = header->physics_version;
    file->car_count = header->car_count;
    for (uint32_t i = 0; i < header->car_count; i++) {
        (void)apex_def_name_of(header->cars[i].bytes, header->cars[i].length, file->cars[i]);
    }
    if (header->physics_version != APEX_PHYSICS_VERSION) {
        snprintf(file->why, sizeof file->why,
                 "recorded with physics %u, this server has %u; play it with the version that "
                 "recorded it",
                 header->physics_version, APEX_PHYSICS_VERSION);
    }
}

// A recording that a damaged chunk ends can be watched up to there: its player tells the reason,
// not this list.
static void keep_extent(apex_replay_reader *reader, replay_file *file) {
    apex_replay_extent extent;
    apex_err err = apex_replay_survey(reader, &extent);
    if (err == APEX_OK) {
        file->ticks = extent.ticks;
        file->is_closed = extent.is_closed;
    } else if (file->why[0] == '\0') {
        snprintf(file->why, sizeof file->why, "%s", apex_err_text(err));
    }
}

static apex_replay_reader *open_file(const char *directory, replay_file *file) {
    enum { PATH_BYTES = APEX_HOST_PATH_BYTES + APEX_RECORDING_NAME_BYTES + 1 };
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s", directory, file->stamp.name);
    apex_replay_reader *reader = NULL;
    return apex_replay_open(path, &reader, file->why) == APEX_OK ? reader : NULL;
}

static void read_file(const char *directory, replay_file *file) {
    apex_replay_reader *reader = open_file(directory, file);
    if (reader == NULL) {
        file->state = FILE_BAD;
        return;
    }
    keep_header(apex_replay_header_of(reader), file);
    keep_extent(reader, file);
    file->state = file->why[0] == '\0' ? FILE_READ : FILE_BAD;
    apex_replay_reader_close(reader);
}

static uint32_t count_readers(const api_replays *replays) {
    uint32_t count = 0;
    for (size_t i = 0; i < FILES_MAX; i++) {
        count += replays->files[i].reader != NULL;
    }
    return count;
}

// A long one takes long to walk through, so its reader stays where it has come to.
static void read_on(const api_replays *replays, const char *directory, replay_file *file) {
    if (file->reader == NULL) {
        file->reader = open_file(directory, file);
    }
    if (file->reader == NULL) {
        file->state = FILE_BAD;
        return;
    }
    keep_extent(file->reader, file);
    file->state = file->why[0] == '\0' ? FILE_READ : FILE_BAD;
    if (file->is_closed || file->state == FILE_BAD || count_readers(replays) > READERS_MAX) {
        drop_reader(file);
    }
}

// One that a server is still writing differs each time.
static bool is_known(const replay_file *file, const file_stamp *stamp) {
    const file_stamp *known = &file->stamp;
    bool is_same = known->modified_us == stamp->modified_us && known->bytes == stamp->bytes;
    bool is_growing = file->state == FILE_READ && !file->is_closed && stamp->bytes > known->bytes;
    return (is_same || is_growing) && known->inode == stamp->inode &&
           strcmp(known->name, stamp->name) == 0;
}

static replay_file *find_known(api_replays *replays, const file_stamp *stamp, uint64_t now_us) {
    for (size_t i = 0; i < FILES_MAX; i++) {
        replay_file *file = &replays->files[i];
        if (is_known(file, stamp)) {
            file->shown = *stamp;
            file->is_listed = true;
            file->has_grown =
                stamp->bytes > file->stamp.bytes && now_us - file->read_us >= GROWING_US;
            return file;
        }
    }
    return NULL;
}

// There are as many places as files are listed, so one is free for each that is new.
static replay_file *take_place(api_replays *replays, const file_stamp *stamp) {
    for (size_t i = 0; i < FILES_MAX; i++) {
        replay_file *file = &replays->files[i];
        if (!file->is_listed) {
            drop_reader(file);
            *file = (replay_file){.stamp = *stamp, .shown = *stamp, .is_listed = true};
            return file;
        }
    }
    APEX_ASSERT(false);
    return NULL;
}

static void match(api_replays *replays, const file_stamp stamps[], size_t count, uint64_t now_us) {
    replay_file **files = replays->listed;
    for (size_t i = 0; i < FILES_MAX; i++) {
        replays->files[i].is_listed = false;
    }
    for (size_t i = 0; i < count; i++) {
        files[i] = find_known(replays, &stamps[i], now_us);
    }
    for (size_t i = 0; i < count; i++) {
        if (files[i] == NULL) {
            files[i] = take_place(replays, &stamps[i]);
        }
    }
    replays->listed_count = count;
    replays->listed_us = now_us;
    replays->has_listed = true;
}

static void read_new(const api_call *call, replay_file *const files[], size_t count) {
    uint64_t (*clock_us)(void) = host_clock_of(call->api->servers[0]);
    uint64_t began_us = clock_us != NULL ? clock_us() : 0;
    for (size_t i = 0; i < count; i++) {
        replay_file *file = files[i];
        if (file->state != FILE_UNREAD && !file->has_grown) {
            continue;
        }
        if (file->has_grown) {
            file->stamp = file->shown;
            file->has_grown = false;
            read_on(call->api->memory->replays, call->api->replays_dir, file);
        } else {
            read_file(call->api->replays_dir, file);
        }
        file->read_us = call->api->now_us;
        if (clock_us != NULL && clock_us() - began_us > READ_US_MAX) {
            return;
        }
    }
}

// As a path of an address: what is not a letter, a digit or one of -._~ is escaped.
static void write_live(apex_json_writer *json, const char *name) {
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    static const char hex[] = "0123456789ABCDEF";
    char live[16 + 3 * APEX_RECORDING_NAME_BYTES] = "/replay/";
    size_t length = strlen(live);
    for (const char *at = name; *at != '\0'; at++) {
        uint8_t byte = (uint8_t)*at;
        if (strchr(plain, *at) != NULL) {
            live[length++] = *at;
        } else {
            live[length++] = '%';
            live[length++] = hex[byte >> 4];
            live[length++] = hex[byte & 15];
        }
    }
    live[length] = '\0';
    answer_json_text(json, "live", live);
}

static void write_header(apex_json_writer *json, const replay_file *file) {
    if (file->tick_hz == 0) { // nothing of it could be read, or not yet
        apex_json_null(json, "race");
        apex_json_null(json, "track");
        apex_json_null(json, "ticks");
    } else {
        answer_json_text(json, "race", file->race);
        answer_json_text(json, "track", file->track);
        apex_json_count(json, "ticks", file->ticks);
        apex_json_count(json, "tick_hz", file->tick_hz);
        apex_json_bool(json, "closed", file->is_closed);
        apex_json_count(json, "physics_version", file->physics_version);
    }
    apex_json_open(json, "cars", '[');
    for (uint32_t i = 0; i < file->car_count; i++) {
        answer_json_text(json, NULL, file->cars[i]);
    }
    apex_json_close(json);
}

static void write_file(apex_json_writer *json, const replay_file *file) {
    apex_json_open(json, NULL, '{');
    answer_json_text(json, "name", file->shown.name);
    apex_json_count(json, "bytes", file->shown.bytes);
    apex_json_seconds(json, "modified_s", (int64_t)file->shown.modified_us);
    write_header(json, file);
    write_live(json, file->shown.name);
    if (file->state == FILE_BAD) {
        answer_json_text(json, "error", file->why);
    }
    if (file->state == FILE_UNREAD) {
        apex_json_bool(json, "pending", true);
    }
    apex_json_close(json);
}

static void refuse_without_memory(const api_call *call) {
    api_refuse(call, 503, "the server has no memory for a list; try again in a moment");
}

// @return false after a refusal
static bool look(const api_call *call) {
    api_replays *replays = call->api->memory->replays;
    uint64_t now_us = call->api->now_us;
    if (replays->has_listed && now_us - replays->listed_us < LISTED_US) {
        return true;
    }
    file_stamp *stamps = apex_arena_alloc(call->arena, ENTRIES_MAX * sizeof *stamps);
    if (stamps == NULL) {
        refuse_without_memory(call);
        return false;
    }
    size_t count = 0;
    if (call->api->replays_dir[0] != '\0') {
        DIR *directory = opendir(call->api->replays_dir);
        if (directory == NULL) {
            api_refuse(call, 503,
                       "the directory of recordings can't be read; look at replays_dir "
                       "in the race file");
            return false;
        }
        count = list_directory(directory, stamps);
        closedir(directory);
    }
    match(replays, stamps, count, now_us);
    return true;
}

void api_list_replays(const api_call *call) {
    apex_api_memory *memory = call->api->memory;
    if (memory->replays == NULL) {
        memory->replays = calloc(1, sizeof *memory->replays);
    }
    api_replays *replays = memory->replays;
    if (replays == NULL) {
        refuse_without_memory(call);
        return;
    }
    if (!look(call)) {
        return;
    }
    read_new(call, replays->listed, replays->listed_count);
    apex_json_writer json = answer_json_begin(call->arena);
    apex_json_open(&json, NULL, '[');
    for (size_t i = 0; i < replays->listed_count; i++) {
        write_file(&json, replays->listed[i]);
    }
    apex_json_close(&json);
    api_answer_json(call, 200, &json);
}
