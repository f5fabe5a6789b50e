// Files as they come: of another physics, damaged, cut, made up, still being written. All that can
// be played is played, and of the rest the reason is said.
#include "test_playback_cinema.h"

#include "base/hash.h"

static cinema hall;

typedef struct bytes {
    uint8_t *at;
    size_t length;
} bytes;

static bytes read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    rewind(file);
    bytes all = {.at = malloc((size_t)size), .length = (size_t)size};
    ck_assert_ptr_nonnull(all.at);
    ck_assert_uint_eq(fread(all.at, 1, all.length, file), all.length);
    fclose(file);
    return all;
}

static void write_file(const char *path, const uint8_t *at, size_t length) {
    FILE *file = fopen(path, "r+b"); // the same file, for a reader that has it open
    file = file != NULL ? file : fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(at, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(truncate(path, (off_t)length), 0);
}

static uint32_t u32_at(const bytes *all, size_t at) {
    uint32_t value;
    memcpy(&value, all->at + at, sizeof value);
    return value;
}

// The start of the chunk with this number, by replay/replay_format.h.
static size_t chunk_at(const bytes *all, uint32_t number) {
    size_t at = 24 + u32_at(all, 12);
    for (uint32_t i = 0; i < number; i++) {
        at += 32 + u32_at(all, at + 4);
    }
    ck_assert_uint_lt(at, all->length);
    return at;
}

static void flip_in_chunk(uint32_t number) {
    bytes all = read_file(tape.path);
    all.at[chunk_at(&all, number) + 100] ^= 4;
    write_file(tape.path, all.at, all.length);
    free(all.at);
}

static void assert_refused(apex_err expected, const char *text) {
    char why[APEX_HOST_WHY_BYTES] = "";
    ck_assert_int_eq(cinema_try(&hall, tape.path, why), expected);
    ck_assert_str_eq(why, text);
    ck_assert_ptr_null(hall.playback);
}

TEST(what_cannot_be_opened_is_said) {
    tape_record();
    char why[APEX_HOST_WHY_BYTES] = "";
    ck_assert_int_eq(cinema_try(&hall, "/nowhere/race.replay", why), APEX_ERR_NOT_FOUND);
    ck_assert_str_eq(why, "there is no recording of that name");
    ck_assert_int_eq(cinema_try(&hall, tape.folder, why), APEX_ERR_CORRUPT);
    bytes all = read_file(tape.path);
    write_file(tape.path, (const uint8_t *)"laps: 3\n", 8);
    assert_refused(APEX_ERR_CORRUPT, "this is not an Apex replay");
    write_file(tape.path, all.at, chunk_at(&all, 0));
    assert_refused(APEX_ERR_STATE, "nothing to play yet: a recording can be watched from its first "
                                   "keyframe on, some ten seconds after it began");
    uint32_t version = APEX_PHYSICS_VERSION + 1;
    memcpy(all.at + 24, &version, sizeof version);
    uint64_t hash = apex_hash_bytes(all.at + 24, u32_at(&all, 12), 0);
    memcpy(all.at + 16, &hash, sizeof hash);
    write_file(tape.path, all.at, all.length);
    char text[160];
    snprintf(text, sizeof text,
             "recorded with physics %d, this program has %d: only a program with the same physics "
             "can play it",
             APEX_PHYSICS_VERSION + 1, APEX_PHYSICS_VERSION);
    assert_refused(APEX_ERR_VERSION, text);
    free(all.at);
    tape_drop();
}

TEST(it_stops_where_it_is_damaged_and_goes_on_behind) {
    tape_record();
    flip_in_chunk(1);
    cinema_open(&hall);
    watcher *who = cinema_begin(&hall);
    watcher_seek(who, 560);
    cinema_run(&hall, 60);
    ck_assert_uint_eq(cinema_tick(&hall), 600);
    ck_assert(!apex_client_playback(who->client)->playing);
    ck_assert_uint_eq(who->notices, 1);
    ck_assert_str_eq(who->notice,
                     "the recording can't be played on: the chunk at tick 600 is damaged");
    ck_assert_uint_eq(apex_client_newest(who->client).tick, 600);
    // Into it there is no way.
    watcher_seek(who, 900);
    cinema_run(&hall, 30);
    ck_assert_uint_eq(cinema_tick(&hall), 600);
    ck_assert_uint_eq(who->notices, 2);
    ck_assert(!apex_client_playback(who->client)->seeking);
    // But past it.
    watcher_seek(who, 1300);
    watcher_play(who, APEX_PLAY_ON, 0);
    cinema_run(&hall, 60);
    ck_assert_uint_ge(cinema_tick(&hall), 1330);
    ck_assert_uint_eq(who->notices, 2);
    // And back, to play on into it again.
    watcher_seek(who, 590);
    cinema_run(&hall, 60);
    ck_assert_uint_eq(cinema_tick(&hall), 600);
    ck_assert_uint_eq(who->notices, 3);
    watcher_play(who, APEX_PLAY_ON, 0);
    cinema_run(&hall, 60);
    ck_assert_uint_eq(cinema_tick(&hall), 600);
    ck_assert_uint_eq(who->notices, 4);
    cinema_close(&hall);
    tape_drop();
}

// A chunk's prefix has no checksum: behind a broken one nothing can be found.
TEST(a_broken_prefix_is_the_end) {
    tape_record();
    bytes all = read_file(tape.path);
    all.at[chunk_at(&all, 2) + 1] ^= 4;
    write_file(tape.path, all.at, all.length);
    free(all.at);
    cinema_open(&hall);
    watcher *who = cinema_begin(&hall);
    ck_assert_uint_eq(apex_client_playback(who->client)->last_tick, 1200);
    watcher_seek(who, 5000);
    cinema_run(&hall, 30);
    ck_assert_uint_eq(cinema_tick(&hall), 1200);
    ck_assert_str_eq(who->notice,
                     "the file is damaged at tick 1200: the rest of it can't be played");
    cinema_close(&hall);
    tape_drop();
}

TEST(a_recording_is_watched_while_it_is_written) {
    tape_record();
    bytes all = read_file(tape.path);
    size_t half = chunk_at(&all, 1), more = chunk_at(&all, 3) + 7;
    write_file(tape.path, all.at, half);
    cinema_open(&hall);
    watcher *who = cinema_begin(&hall);
    ck_assert_uint_eq(apex_client_playback(who->client)->last_tick, 600);
    watcher_seek(who, 580);
    cinema_run(&hall, 60);
    ck_assert_uint_eq(cinema_tick(&hall), 600); // it waits there
    write_file(tape.path, all.at, more);
    cinema_run(&hall, 62);
    ck_assert_uint_eq(apex_client_playback(who->client)->last_tick, 1800);
    watcher_play(who, APEX_PLAY_ON, 0);
    cinema_run(&hall, 60);
    ck_assert_uint_ge(cinema_tick(&hall), 650);
    write_file(tape.path, all.at, all.length);
    cinema_run(&hall, 200);
    const apex_playback_state *state = apex_client_playback(who->client);
    ck_assert_uint_eq(state->last_tick, tape.ticks);
    ck_assert_int_eq(tape.phases[state->marks[state->mark_count - 1].tick], APEX_PHASE_RESULTS);
    ck_assert_ptr_null(hall.playback->scout.reader);
    ck_assert_uint_eq(who->notices, 0);
    free(all.at);
    cinema_close(&hall);
    tape_drop();
}

// A recording that is another race than it says: controls are replaced, checksums made good.
TEST(a_race_that_comes_out_otherwise_is_not_shown) {
    tape_record();
    cinema_open(&hall);
    watcher *who = cinema_begin(&hall);
    watcher_play(who, APEX_PLAY_PAUSE, 0);
    cinema_run(&hall, 3);
    apex_race_command leave = {.kind = APEX_RACE_END};
    ck_assert_int_eq(apex_race_apply(apex_playback_server(hall.playback)->simulation.race, &leave),
                     APEX_OK); // as if it were recorded
    apex_link_event none;
    for (int i = 0; i < 90; i++) {
        apex_server_feed(apex_playback_server(hall.playback), &none, 0);
        if (i == 0) {
            apex_playback_wish wish = {.play = APEX_PLAY_ON};
            playback_grant(hall.playback, &wish);
        }
        apex_playback_tick(hall.playback, hall.now_us);
        deliver(&hall);
        hall.now_us += ROUND_US;
    }
    ck_assert(!cinema_state(&hall).playing);
    ck_assert_ptr_nonnull(strstr(who->notice, "differs at or before tick 60"));
    // From a keyframe it is right again.
    watcher_seek(who, 30);
    cinema_run(&hall, 10);
    ck_assert_uint_eq(cinema_tick(&hall), 30);
    cinema_close(&hall);
    tape_drop();
}

// Flipped bits all over the file: refused, stopped or harmless, and never another race.
TEST(no_flipped_bit_shows_another_race) {
    tape_record();
    bytes all = read_file(tape.path);
    uint64_t random = 3;
    uint32_t refused = 0, stopped = 0;
    const uint32_t flips = 6 * (uint32_t)check_cases(4);
    for (uint32_t i = 0; i < flips; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        size_t at = i % 4 == 0 ? chunk_at(&all, i / 4 % 4) + (random >> 33) % 32
                               : (random >> 33) % all.length;
        all.at[at] ^= (uint8_t)(1 << i % 8);
        write_file(tape.path, all.at, all.length);
        all.at[at] ^= (uint8_t)(1 << i % 8);
        char why[APEX_HOST_WHY_BYTES] = "";
        if (cinema_try(&hall, tape.path, why) != APEX_OK) {
            ck_assert_str_ne(why, "");
            refused++;
            continue;
        }
        tape.hashes[0] = apex_race_hash(apex_server_race(apex_playback_server(hall.playback)));
        watcher *who = cinema_begin(&hall);
        watcher_seek(who, 1900);
        cinema_run(&hall, 20);
        watcher_seek(who, 100);
        watcher_play(who, APEX_PLAY_ON, 16000);
        cinema_run(&hall, tape.ticks / 16 + 20);
        stopped += who->notices > 0;
        cinema_close(&hall);
    }
    ck_assert_uint_gt(refused, 0);
    ck_assert_uint_gt(stopped, flips / 4);
    free(all.at);
    tape_drop();
}
