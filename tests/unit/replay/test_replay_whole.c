// A race written and read back; keyframes; what stops a recording; what a killed server leaves.
#include "test_replay_tape.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "support/base/check_main.h"
#include "support/base/heap_count.h"

TEST(the_header_comes_back) {
    store_folder_make();
    store_path(path, "race.replay");
    apex_replay_header header = tape_header();
    header.race = (apex_race_def){
        .name = "a name",
        .laps = 3,
        .player_capacity = TAPE_SLOTS,
        .start_players = 5,
        .lobby_s = 6.5,
        .countdown_s = 7.5,
        .finish_wait_s = 8.5,
        .race_s_max = 9.5,
        .results_s = 10.5,
        .stuck_s = 11.5,
        .races = 12,
        .late_join = true,
        .world =
            {
                .type_capacity = 13,
                .tick_hz = 120,
                .substep_hz = 240,
                .gravity_mps2 = 1.625,
                .air_density_kg_per_m3 = 0.02,
                .seed = UINT64_C(0xfedcba9876543210),
                .damage = APEX_DAMAGE_FULL,
                .tyres_wear = true,
            },
    };
    header.physics_version = 77;
    tape_begin(&written, NULL);
    ck_assert_int_eq(apex_replay_create(path, &header, written.race, &written.writer), APEX_OK);
    tape_end(&written);
    apex_replay_reader *reader = opened();
    const apex_replay_header *got = apex_replay_header_of(reader);
    ck_assert_uint_eq(got->physics_version, 77);
    ck_assert_uint_eq(got->track.length, header.track.length);
    ck_assert_mem_eq(got->track.bytes, header.track.bytes, header.track.length);
    ck_assert_uint_eq(got->car_count, 2);
    ck_assert_uint_eq(got->cars[0].length, 3);
    ck_assert_mem_eq(got->cars[0].bytes, "car", 3);
    ck_assert_uint_eq(got->cars[1].length, 0);
    const apex_race_def *a = &got->race;
    const apex_race_def *b = &header.race;
    ck_assert_str_eq(a->name, b->name);
    ck_assert(a->laps == 3 && a->player_capacity == TAPE_SLOTS && a->start_players == 5);
    ck_assert(a->races == 12 && a->late_join && !a->reverse_grid);
    ck_assert_double_eq(a->lobby_s, b->lobby_s);
    ck_assert_double_eq(a->countdown_s, b->countdown_s);
    ck_assert_double_eq(a->finish_wait_s, b->finish_wait_s);
    ck_assert_double_eq(a->race_s_max, b->race_s_max);
    ck_assert_double_eq(a->results_s, b->results_s);
    ck_assert_double_eq(a->stuck_s, b->stuck_s);
    ck_assert(a->world.type_capacity == 13 && a->world.tick_hz == 120);
    ck_assert(a->world.substep_hz == 240 && a->world.damage == APEX_DAMAGE_FULL);
    ck_assert_double_eq(a->world.gravity_mps2, b->world.gravity_mps2);
    ck_assert_double_eq(a->world.air_density_kg_per_m3, b->world.air_density_kg_per_m3);
    ck_assert_uint_eq(a->world.seed, b->world.seed);
    ck_assert(!a->world.fuel_burns && a->world.tyres_wear && !a->world.temperatures);
    apex_replay_reader_close(reader);
    store_folder_drop();
}

TEST(every_step_comes_back) {
    begin();
    tape_run(&written, 1300);
    tape_end(&written);
    apex_replay_reader *reader = opened();
    char why[160] = "";
    apex_replay_step step;
    uint32_t keyframes = 0;
    for (uint32_t tick = 0; tick < 1300; tick++) {
        ck_assert_int_eq(apex_replay_next(reader, &step, why), APEX_OK);
        ck_assert_uint_eq(step.tick, tick);
        ck_assert_msg(tape_step_equal(&written, &step), "step %u", tick);
        ck_assert_int_eq(step.has_keyframe, tick > 0 && tick % STORE_CHUNK_TICKS_MAX == 0);
        keyframes += step.has_keyframe;
    }
    ck_assert_uint_eq(keyframes, 2);
    snprintf(why, sizeof why, "something else");
    ck_assert_int_eq(apex_replay_next(reader, &step, why), APEX_ERR_CLOSED);
    ck_assert_str_eq(why, "");
    ck_assert_int_eq(apex_replay_next(reader, &step, NULL), APEX_ERR_CLOSED);
    apex_replay_reader_close(reader);
    store_folder_drop();
}

TEST(a_replay_runs_to_the_same_hashes_from_start_and_from_keyframes) {
    begin();
    tape_run(&written, 1250);
    apex_race *run = tape_race(written.track);
    apex_race *sought = tape_race(written.track);
    ck_assert_int_eq(apex_replay_close(written.writer), APEX_OK);
    written.writer = NULL;
    apex_replay_reader *reader = opened();
    bool seeking = false;
    for (uint32_t tick = 0; tick < 1250; tick++) {
        apex_replay_step step;
        ck_assert_int_eq(apex_replay_next(reader, &step, NULL), APEX_OK);
        if (step.has_keyframe && !seeking) {
            seeking = true; // from here on a race that saw nothing of what came before
            ck_assert_int_eq(apex_race_restore(sought, step.keyframe.bytes, step.keyframe.length),
                             APEX_OK);
            ck_assert_uint_eq(apex_race_hash(sought), written.steps[tick - 1].hash);
        }
        for (uint32_t i = 0; i < step.command_count; i++) {
            ck_assert_int_eq(apex_race_apply(run, &step.commands[i]), APEX_OK);
        }
        apex_race_tick(run, step.controls, NULL);
        ck_assert_uint_eq(apex_race_hash(run), written.steps[tick].hash);
        if (seeking) {
            apex_race_tick(sought, step.controls, NULL);
        }
    }
    ck_assert(seeking);
    ck_assert_uint_eq(apex_race_hash(sought), written.steps[1249].hash);
    apex_replay_reader_close(reader);
    apex_race_destroy(sought);
    apex_race_destroy(run);
    tape_end(&written);
    store_folder_drop();
}

static apex_race_command numbered(uint32_t number) {
    apex_race_command command = {.kind = APEX_RACE_TAKEOVER, .car = number, .skill = 0.5};
    snprintf(command.name, sizeof command.name, "%u", number);
    return command;
}

// As many as may be come back in their order; one more ends the recording, and what was recorded
// before stays readable.
TEST(a_tick_takes_the_commands_that_can_be_read_again) {
    begin();
    uint32_t most = store_commands_max(TAPE_SLOTS);
    ck_assert_uint_ge(most, 4 * TAPE_SLOTS);
    for (uint32_t i = 0; i < most; i++) {
        apex_race_command command = numbered(i);
        apex_replay_command(written.writer, &command);
    }
    ck_assert_int_eq(apex_replay_tick(written.writer, written.race), APEX_OK);
    tape_end(&written);
    apex_replay_reader *reader = opened();
    apex_replay_step step;
    ck_assert_int_eq(apex_replay_next(reader, &step, NULL), APEX_OK);
    ck_assert_uint_eq(step.command_count, most);
    for (uint32_t i = 0; i < most; i++) {
        apex_race_command command = numbered(i);
        ck_assert(tape_commands_equal(&step.commands[i], &command));
    }
    apex_replay_reader_close(reader);
    store_folder_drop();
}

TEST(one_command_too_many_ends_the_recording) {
    begin();
    tape_run(&written, STORE_CHUNK_TICKS_MAX);
    apex_race_command command = numbered(1);
    for (uint32_t i = 0; i <= store_commands_max(TAPE_SLOTS); i++) {
        apex_replay_command(written.writer, &command);
    }
    ck_assert_int_eq(apex_replay_tick(written.writer, written.race), APEX_ERR_FULL);
    ck_assert_int_eq(apex_replay_tick(written.writer, written.race), APEX_ERR_FULL);
    ck_assert_int_eq(apex_replay_close(written.writer), APEX_ERR_FULL);
    written.writer = NULL;
    tape_end(&written);
    apex_replay_reader *reader = opened();
    char why[160] = "";
    apex_replay_step step;
    for (uint32_t tick = 0; tick < STORE_CHUNK_TICKS_MAX; tick++) {
        ck_assert_int_eq(apex_replay_next(reader, &step, why), APEX_OK);
        ck_assert(tape_step_equal(&written, &step));
    }
    ck_assert_int_eq(apex_replay_next(reader, &step, why), APEX_ERR_CLOSED);
    ck_assert_str_eq(why, "the recording was never closed; it stops at tick 600");
    apex_replay_reader_close(reader);
    store_folder_drop();
}

TEST(a_full_disk_ends_the_recording) {
    begin();
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    tape_run(&written, STORE_CHUNK_TICKS_MAX - 1);
    apex_race_tick(written.race, written.given, NULL);
    limit.rlim_cur = 600; // room for the header and not for the chunk; check writes files, too
    apex_err set = (apex_err)setrlimit(RLIMIT_FSIZE, &limit);
    apex_err err = apex_replay_tick(written.writer, written.race);
    limit.rlim_cur = limit.rlim_max;
    apex_err reset = (apex_err)setrlimit(RLIMIT_FSIZE, &limit);
    ck_assert(set == APEX_OK && reset == APEX_OK);
    ck_assert_int_eq(err, APEX_ERR_IO);
    ck_assert_int_eq(apex_replay_tick(written.writer, written.race), APEX_ERR_IO);
    ck_assert_int_eq(apex_replay_close(written.writer), APEX_ERR_IO);
    written.writer = NULL;
    tape_end(&written);
    store_folder_drop();
}

TEST(a_killed_recording_keeps_its_whole_chunks) {
    store_folder_make();
    store_path(path, "race.replay");
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        tape_begin(&written, path);
        tape_run(&written, 2 * STORE_CHUNK_TICKS_MAX + 50);
        raise(SIGKILL);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    tape_begin(&written, NULL); // the same race again, to compare
    tape_run(&written, 2 * STORE_CHUNK_TICKS_MAX);
    tape_end(&written);
    apex_replay_reader *reader = opened();
    char why[160] = "";
    apex_replay_step step;
    for (uint32_t tick = 0; tick < 2 * STORE_CHUNK_TICKS_MAX; tick++) {
        ck_assert_int_eq(apex_replay_next(reader, &step, why), APEX_OK);
        ck_assert_msg(tape_step_equal(&written, &step), "step %u", tick);
    }
    ck_assert_int_eq(apex_replay_next(reader, &step, why), APEX_ERR_CLOSED);
    ck_assert_str_eq(why, "the recording was never closed; it stops at tick 1200");
    apex_replay_reader_close(reader);
    store_folder_drop();
}

// Killed before the first chunk was full.
TEST(a_header_is_there_from_the_start) {
    begin();
    tape_run(&written, 3);
    apex_replay_reader *reader = opened();
    ck_assert_uint_eq(apex_replay_header_of(reader)->physics_version, APEX_PHYSICS_VERSION);
    apex_replay_reader_close(reader);
    tape_end(&written);
    store_folder_drop();
}

TEST(a_recording_that_cannot_be_is_said) {
    store_folder_make();
    tape_begin(&written, NULL);
    apex_replay_header header = tape_header();
    store_path(path, "missing/race.replay");
    apex_replay_writer *writer = NULL;
    ck_assert_int_eq(apex_replay_create(path, &header, written.race, &writer), APEX_ERR_NOT_FOUND);
    store_path(path, "race.replay");
    static uint8_t much[STORE_REPLAY_HEADER_BYTES_MAX];
    header.track = (apex_replay_blob){much, sizeof much};
    ck_assert_int_eq(apex_replay_create(path, &header, written.race, &writer), APEX_ERR_RANGE);
    ck_assert_ptr_null(writer);
    ck_assert_int_eq(apex_replay_close(NULL), APEX_OK);
    tape_end(&written);
    store_folder_drop();
}

TEST(a_replay_of_no_ticks_is_whole) {
    begin();
    tape_end(&written);
    apex_replay_reader *reader = opened();
    apex_replay_step step;
    ck_assert_int_eq(apex_replay_next(reader, &step, NULL), APEX_ERR_CLOSED);
    apex_replay_reader_close(reader);
    store_folder_drop();
}

// Chunks are compressed and written in the tick.
TEST(recording_allocates_nothing) {
    if (!heap_count_works()) {
        return; // a sanitizer owns the heap
    }
    begin();
    heap_count_start();
    for (uint32_t tick = 0; tick < 2 * STORE_CHUNK_TICKS_MAX + 10; tick++) {
        apex_race_tick(written.race, written.given, NULL);
        (void)apex_replay_tick(written.writer, written.race);
    }
    heap_count calls = heap_count_stop();
    ck_assert_uint_eq(calls.allocs, 0);
    ck_assert_uint_eq(calls.frees, 0);
    tape_end(&written);
    store_folder_drop();
}

static void record_one_tick(const char *wanted, const char *expected) {
    tape_begin(&written, NULL);
    apex_replay_header header = tape_header();
    char got[STORE_PATH_BYTES];
    store_path(got, expected);
    ck_assert_int_eq(apex_replay_create(wanted, &header, written.race, &written.writer), APEX_OK);
    ck_assert_str_eq(apex_replay_path_of(written.writer), got);
    tape_end(&written);
    ck_assert_int_eq(access(got, R_OK), 0);
}

// The number stands before what the page knows recordings by; a dot of the folder is none of it.
TEST(a_recording_never_takes_the_name_of_a_file_that_is_there) {
    store_folder_make();
    char taken[STORE_PATH_BYTES];
    store_path(path, "race.apexr");
    store_path(taken, "race-2.apexr");
    store_write(path, "theirs", 6);
    ck_assert_int_eq(symlink("nowhere", taken), 0);
    record_one_tick(path, "race-3.apexr");
    record_one_tick(path, "race-4.apexr");
    size_t length = 0;
    char *text = store_read(path, &length);
    ck_assert_str_eq(text, "theirs");
    free(text);
    store_path(path, "plain");
    record_one_tick(path, "plain");
    record_one_tick(path, "plain-2");
    store_folder_drop();
}

TEST(a_recording_that_cannot_begin_leaves_no_file) {
    store_folder_make();
    store_path(path, "race.apexr");
    tape_begin(&written, NULL);
    apex_replay_header header = tape_header();
    header.track.length = STORE_REPLAY_HEADER_BYTES_MAX + 1;
    header.track.bytes = calloc(header.track.length, 1);
    ck_assert_ptr_nonnull(header.track.bytes);
    apex_replay_writer *writer = NULL;
    ck_assert_int_eq(apex_replay_create(path, &header, written.race, &writer), APEX_ERR_RANGE);
    ck_assert_uint_eq(store_files_in(store_folder), 0);
    free((void *)(uintptr_t)header.track.bytes);
    tape_end(&written);
    store_folder_drop();
}
