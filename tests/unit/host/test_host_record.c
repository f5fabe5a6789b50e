// The recording that a server makes of its race: what it holds, when it begins and ends, and what
// becomes of the race where it fails.

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/log.h"
#include "defs/defs.h"
#include "host/host_private.h"
#include "host/simulation/race_commands.h"
#include "replay/replay_format.h"
#include "support/base/check_main.h"
#include "support/host/shared_content.h"

enum { BOTS = 3, CAPACITY = BOTS + 1, TICKS_MAX = 1300, TICK_US = 16667 };

typedef struct kept_tick {
    apex_controls controls[CAPACITY];
    uint64_t hash;
} kept_tick;

static char folder[CHECK_PATH_BYTES], wanted[CHECK_PATH_BYTES + 16];
static apex_server_def def;
static apex_server *server;
static kept_tick kept[TICKS_MAX];
static uint32_t ticks;
static uint64_t now_us;
static char *said; // by the log
static size_t said_length;
static FILE *said_file;

static apex_race_file race_of_two_cars(void) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.car_count = 2;
    snprintf(file.cars[0], sizeof file.cars[0], "formula");
    snprintf(file.cars[1], sizeof file.cars[1], "boxster-s");
    snprintf(file.race.name, sizeof file.race.name, "kept");
    file.race.laps = 7;
    file.race.player_capacity = CAPACITY;
    file.race.start_players = BOTS;
    file.race.countdown_s = 1.0;
    file.race.world.seed = 11;
    file.bots = BOTS;
    file.results_dir[0] = '\0';
    return file;
}

static void begin(void) {
    check_make_folder(folder, "record");
    snprintf(wanted, sizeof wanted, "%s/race.apexr", folder);
    apex_race_file file = race_of_two_cars();
    char why[APEX_HOST_WHY_BYTES] = "";
    ck_assert_msg(shared_content_load(&file, &def, why) == APEX_OK, "%s", why);
    snprintf(def.record_path, sizeof def.record_path, "%s", wanted);
    now_us = def.now_us = 1000000;
    ticks = 0;
    said_file = open_memstream(&said, &said_length);
    apex_log_set_level(APEX_LOG_INFO);
    apex_log_set_file(said_file);
}

static void end(void) {
    apex_server_destroy(server);
    server = NULL;
    apex_track_def_free(&def.track);
    apex_log_set_file(NULL);
    fclose(said_file);
    free(said);
}

FIXTURE(begin, end)

static void serve(void) {
    char why[APEX_HOST_WHY_BYTES] = "";
    apex_err err = apex_server_create(&def, &server, why);
    ck_assert_msg(err == APEX_OK, "%s", why);
}

static const apex_race *race(void) {
    return apex_server_race(server);
}

static void run(uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        apex_server_tick(server, now_us += TICK_US);
        ck_assert_uint_lt(ticks, TICKS_MAX);
        memcpy(kept[ticks].controls, apex_race_controls_used(race()), sizeof kept[0].controls);
        kept[ticks++].hash = apex_race_hash(race());
    }
    ck_assert_uint_eq(apex_world_tick(apex_race_world(race())), ticks);
}

// How often the log says it.
static unsigned times_said(const char *text) {
    fflush(said_file);
    unsigned times = 0;
    for (const char *at = said; (at = strstr(at, text)) != NULL; at++) {
        times++;
    }
    return times;
}

static apex_replay_reader *open_recording(const char *path) {
    char why[160] = "";
    apex_replay_reader *reader = NULL;
    ck_assert_msg(apex_replay_open(path, &reader, why) == APEX_OK, "%s", why);
    return reader;
}

static void assert_controls(const apex_replay_step *step) {
    for (uint32_t slot = 0; slot < CAPACITY; slot++) {
        ck_assert_mem_eq(&step->controls[slot], &kept[step->tick].controls[slot],
                         sizeof kept[0].controls[0]);
    }
}

// Reads a recording from `first` to its end, which must be there. @return the tick behind it
static uint64_t assert_ticks(const char *path, uint64_t first) {
    apex_replay_reader *reader = open_recording(path);
    char why[160] = "";
    apex_replay_step step;
    uint64_t tick = first;
    for (; apex_replay_next(reader, &step, why) == APEX_OK; tick++) {
        ck_assert_uint_eq(step.tick, tick);
        ck_assert_uint_lt(tick, ticks);
        assert_controls(&step);
        ck_assert(step.has_hash == ((tick + 1) % STORE_HASH_TICKS == 0));
        ck_assert(!step.has_hash || step.hash == kept[tick].hash);
    }
    ck_assert_str_eq(why, ""); // closed
    apex_replay_reader_close(reader);
    return tick;
}

// The first step of a recording: what was commanded before the first tick.
static uint32_t first_commands(apex_race_command out[], uint32_t capacity) {
    apex_replay_reader *reader = open_recording(wanted);
    apex_replay_step step;
    char why[160] = "";
    ck_assert_int_eq(apex_replay_next(reader, &step, why), APEX_OK);
    ck_assert_uint_le(step.command_count, capacity);
    memcpy(out, step.commands, step.command_count * sizeof *out);
    uint32_t count = step.command_count;
    apex_replay_reader_close(reader);
    return count;
}

static void end_server(void) {
    apex_server_destroy(server);
    server = NULL;
}

TEST(each_tick_is_kept_as_it_was) {
    serve();
    run(700);
    bool is_driven = false;
    for (uint32_t tick = 0; tick < ticks; tick++) {
        is_driven |= kept[tick].controls[0].throttle > 0;
    }
    ck_assert(is_driven);
    end_server();
    ck_assert_uint_eq(assert_ticks(wanted, 0), 700);
    ck_assert_uint_eq(times_said("recording is not whole"), 0);
}

static void assert_car(const apex_replay_blob *blob, const char *name) {
    apex_car_def car;
    apex_def_problem problem;
    ck_assert(apex_car_def_decode(blob->bytes, blob->length, &car, &problem));
    ck_assert_str_eq(car.name, name);
}

static void assert_track(const apex_replay_blob *blob, const char *name) {
    apex_track_def track;
    apex_def_problem problem;
    ck_assert(apex_track_def_decode(blob->bytes, blob->length, &track, &problem));
    ck_assert_str_eq(track.name, name);
    apex_track_def_free(&track);
}

// Whoever plays it needs nothing else.
TEST(it_holds_all_that_the_race_rests_on) {
    char cars[2][APEX_NAME_BYTES], track[APEX_NAME_BYTES];
    snprintf(track, sizeof track, "%s", def.track.name);
    snprintf(cars[0], sizeof cars[0], "%s", def.cars[0].name);
    snprintf(cars[1], sizeof cars[1], "%s", def.cars[1].name);
    ck_assert_str_ne(cars[0], cars[1]);
    serve();
    run(1);
    end_server();
    apex_replay_reader *reader = open_recording(wanted);
    const apex_replay_header *header = apex_replay_header_of(reader);
    ck_assert_uint_eq(header->physics_version, APEX_PHYSICS_VERSION);
    ck_assert_str_eq(header->race.name, "kept");
    ck_assert_uint_eq(header->race.laps, 7);
    ck_assert_uint_eq(header->race.player_capacity, CAPACITY);
    ck_assert_uint_eq(header->race.world.seed, 11);
    ck_assert_uint_eq(header->car_count, 2);
    assert_track(&header->track, track);
    assert_car(&header->cars[0], cars[0]);
    assert_car(&header->cars[1], cars[1]);
    apex_replay_reader_close(reader);
}

// Bots are seated before the first tick, and what is refused has not been.
TEST(commands_are_kept_in_their_order_but_for_refused_ones) {
    serve();
    apex_race_command leave = {.kind = APEX_RACE_LEAVE, .why = APEX_LEAVE_KICKED};
    leave.player = server->bots.players[1];
    ck_assert_int_eq(host_apply(&server->simulation, &leave), APEX_OK);
    ck_assert_int_ne(host_apply(&server->simulation, &leave), APEX_OK);
    run(1);
    end_server();
    apex_race_command commands[16];
    uint32_t count = first_commands(commands, 16);
    ck_assert_uint_eq(count, 2 * BOTS + 1);
    for (uint32_t bot = 0; bot < BOTS; bot++) {
        char name[APEX_NAME_BYTES];
        snprintf(name, sizeof name, "Bot %u", bot + 1);
        ck_assert_int_eq(commands[2 * bot].kind, APEX_RACE_JOIN);
        ck_assert_str_eq(commands[2 * bot].name, name);
        ck_assert_int_eq(commands[2 * bot + 1].kind, APEX_RACE_TAKEOVER);
        ck_assert_uint_eq(commands[2 * bot + 1].player.index1, commands[2 * bot].player.index1);
    }
    const apex_race_command *last = &commands[2 * BOTS];
    ck_assert_int_eq(last->kind, APEX_RACE_LEAVE);
    ck_assert_int_eq(last->why, APEX_LEAVE_KICKED);
    ck_assert_uint_eq(last->player.index1, leave.player.index1);
}

TEST(nothing_is_recorded_where_nobody_asks) {
    def.record_path[0] = '\0';
    serve();
    ck_assert_ptr_null(server->simulation.recorder);
    run(10);
    end_server();
    ck_assert_uint_eq(times_said("replay"), 0);
    ck_assert_int_eq(rmdir(folder), 0); // it is empty
}

TEST(a_recording_that_cannot_begin_is_told_by_its_path) {
    char why[APEX_HOST_WHY_BYTES] = "", expected[APEX_HOST_WHY_BYTES];
    snprintf(def.record_path, sizeof def.record_path, "%s/none/race.apexr", folder);
    ck_assert_int_eq(apex_server_create(&def, &server, why), APEX_ERR_NOT_FOUND);
    ck_assert_ptr_null(server);
    snprintf(expected, sizeof expected, "replay %s: %s", def.record_path,
             apex_err_text(APEX_ERR_NOT_FOUND));
    ck_assert_str_eq(why, expected);
}

// A recording that was there stays, and the log names the file that is written.
TEST(the_log_names_the_file) {
    char line[2 * CHECK_PATH_BYTES];
    FILE *there = fopen(wanted, "wb");
    ck_assert_ptr_nonnull(there);
    fclose(there);
    serve();
    snprintf(line, sizeof line, "info  replay: recording into %s/race-2.apexr\n", folder);
    ck_assert_uint_eq(times_said(line), 1);
}

TEST(a_file_has_its_limit) {
    char second[2 * CHECK_PATH_BYTES], third[2 * CHECK_PATH_BYTES];
    snprintf(second, sizeof second, "%s/race-2.apexr", folder);
    snprintf(third, sizeof third, "%s/race-3.apexr", folder);
    def.record_bytes_max = 1;
    serve();
    run(2 * STORE_CHUNK_TICKS_MAX + 50);
    end_server();
    ck_assert_uint_eq(assert_ticks(wanted, 0), STORE_CHUNK_TICKS_MAX);
    ck_assert_uint_eq(assert_ticks(second, STORE_CHUNK_TICKS_MAX), 2 * STORE_CHUNK_TICKS_MAX);
    ck_assert_uint_eq(assert_ticks(third, 2 * STORE_CHUNK_TICKS_MAX), ticks);
}

// Once; the server may still be asked, and is destroyed later.
TEST(a_recording_is_whole_once_it_was_ended) {
    serve();
    run(100);
    apex_server_end_record(server);
    ck_assert_ptr_null(server->simulation.recorder);
    ck_assert_uint_eq(assert_ticks(wanted, 0), 100);
    apex_server_end_record(server);
    run(1);
    end_server();
    ck_assert_uint_eq(assert_ticks(wanted, 0), 100);
    ck_assert_uint_eq(times_said("ERROR") + times_said("error"), 0);
}

// As a full disk does: the first chunk, which is written with its last tick, is refused.
TEST(a_disk_that_is_full_ends_the_recording_and_not_the_race) {
    serve();
    run(STORE_CHUNK_TICKS_MAX - 1);
    ck_assert_ptr_nonnull(server->simulation.recorder);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit, none;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    none = limit;
    none.rlim_cur = 0;
    bool is_low = setrlimit(RLIMIT_FSIZE, &none) == 0;
    run(1);
    bool is_high = setrlimit(RLIMIT_FSIZE, &limit) == 0;
    ck_assert(is_low && is_high);
    ck_assert_ptr_null(server->simulation.recorder);
    run(10);
    end_server();
    ck_assert_uint_eq(times_said("error replay: the recording is not whole: "), 1);
}
