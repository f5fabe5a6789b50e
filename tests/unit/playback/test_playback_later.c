// Recordings that go on from others: each can be watched and verified without those before it.
#include "test_playback_cinema.h"

static cinema hall;

static void begin(double countdown_s) {
    apex_log_set_level(APEX_LOG_ERROR);
    check_make_folder(tape.folder, "playback");
    snprintf(tape.path, sizeof tape.path, "%s/race.replay", tape.folder);
    tape_bytes_max = 1; // 600 ticks in each
    tape_countdown_s = countdown_s;
    tape_run();
}

static void name_part(unsigned number, char path[CHECK_PATH_BYTES + 16]) {
    if (number == 1) {
        snprintf(path, CHECK_PATH_BYTES + 16, "%s", tape.path);
    } else {
        snprintf(path, CHECK_PATH_BYTES + 16, "%s/race-%u.replay", tape.folder, number);
    }
}

static void end(void) {
    char path[CHECK_PATH_BYTES + 16];
    for (unsigned number = 1;; number++) {
        name_part(number, path);
        if (unlink(path) != 0) {
            break;
        }
    }
    ck_assert_int_eq(rmdir(tape.folder), 0);
}

static void open_part(unsigned number) {
    char path[CHECK_PATH_BYTES + 16], why[APEX_HOST_WHY_BYTES] = "";
    name_part(number, path);
    apex_err err = cinema_try(&hall, path, why);
    ck_assert_msg(err == APEX_OK, "%s", why);
}

TEST(each_part_is_the_race_that_it_was) {
    char path[CHECK_PATH_BYTES + 16], expected[160];
    begin(2.0);
    unsigned parts = tape.ticks / 600 + 1;
    ck_assert_uint_ge(parts, 4);
    for (unsigned number = 1; number <= parts; number++) {
        char *text = NULL;
        size_t length = 0;
        FILE *out = open_memstream(&text, &length);
        name_part(number, path);
        apex_err err = apex_replay_verify(path, 0, out);
        fclose(out);
        ck_assert_msg(err == APEX_OK, "part %u: %s", number, text);
        unsigned end_tick = number < parts ? 600 * number : tape.ticks;
        unsigned first_tick = 600 * (number - 1);
        int begun = number == 1 ? 0
                                : snprintf(expected, sizeof expected,
                                           "goes on from tick %u, state %016llx\n", first_tick,
                                           (unsigned long long)tape.hashes[first_tick]);
        snprintf(expected + begun, sizeof expected - (size_t)begun,
                 "verified: %u ticks, %u hashes, state %016llx\n", end_tick - first_tick,
                 end_tick / 60 - 10 * (number - 1), (unsigned long long)tape.hashes[end_tick]);
        ck_assert_str_eq(text, expected);
        free(text);
    }
    end();
}

// Ticks count from the race's beginning; who comes is told at once where the race is.
TEST(a_part_is_watched_from_where_it_begins) {
    begin(2.0);
    open_part(3);
    ck_assert_uint_eq(cinema_tick(&hall), 1200);
    ck_assert_uint_eq(hall.playback->scout.tick, 1200);
    watcher *who = cinema_begin(&hall);
    cinema_run(&hall, 300);
    ck_assert_uint_ge(cinema_tick(&hall), 1490);
    ck_assert_uint_lt(cinema_tick(&hall), 1520 + 60);
    ck_assert_uint_gt(who->compared, 60 * TAPE_BOTS);
    ck_assert_int_eq(apex_client_race_state(who->client)->phase, tape.phases[cinema_tick(&hall)]);
    ck_assert_uint_eq(apex_client_standings(who->client)->line_count, TAPE_BOTS);
    ck_assert_uint_eq(cinema_state(&hall).last_tick, 1800);
    size_t count = 0;
    (void)apex_client_roster(who->client, &count);
    ck_assert_uint_eq(count, TAPE_BOTS);
    cinema_close(&hall);
    end();
}

// A wish for what was before it goes to its beginning, as does play at its end.
TEST(a_part_is_entered_where_it_is_whole) {
    begin(2.0);
    open_part(2);
    watcher *who = cinema_begin(&hall);
    static const struct {
        uint32_t wish, tick;
    } cases[] = {{0, 600},     {599, 600}, {600, 600},   {601, 601},
                 {1100, 1100}, {660, 660}, {1200, 1200}, {5000, 1200}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        watcher_play(who, APEX_PLAY_PAUSE, 0);
        watcher_seek(who, cases[i].wish);
        cinema_run(&hall, 40);
        ck_assert_uint_eq(cinema_tick(&hall), cases[i].tick);
        ck_assert_uint_eq(apex_race_hash(apex_server_race(apex_playback_server(hall.playback))),
                          tape.hashes[cases[i].tick]);
    }
    watcher_play(who, APEX_PLAY_ON, 0);
    cinema_run(&hall, 20);
    ck_assert_uint_lt(cinema_tick(&hall), 640);
    ck_assert_uint_ge(cinema_tick(&hall), 600);
    cinema_close(&hall);
    end();
}

// The last one tells of the end; its marks are those of its own ticks.
TEST(the_last_part_has_the_results) {
    begin(2.0);
    open_part(tape.ticks / 600 + 1);
    watcher *who = cinema_begin(&hall);
    watcher_play(who, APEX_PLAY_ON, 16000);
    cinema_run(&hall, 120);
    ck_assert_uint_eq(cinema_tick(&hall), tape.ticks);
    const apex_results *results = apex_client_results(who->client);
    ck_assert_ptr_nonnull(results);
    ck_assert_uint_eq(results->line_count, tape.result_count);
    ck_assert_uint_eq(results->lines[0].total_us, tape.results[0].total_us);
    apex_playback_state state = cinema_state(&hall);
    for (uint32_t i = 0; i < state.mark_count; i++) {
        ck_assert_uint_gt(state.marks[i].tick, tape.ticks / 600 * 600);
    }
    cinema_close(&hall);
    end();
}

// A part that begins after the finish tells the results at once, which were told before it.
TEST(a_part_that_begins_with_the_results_tells_them) {
    begin(6.5);
    unsigned last = tape.ticks / 600;
    ck_assert_int_eq(tape.phases[last * 600], APEX_PHASE_RESULTS);
    open_part(last + 1);
    watcher *who = cinema_begin(&hall);
    watcher_play(who, APEX_PLAY_PAUSE, 0);
    cinema_run(&hall, 30);
    const apex_results *results = apex_client_results(who->client);
    ck_assert_ptr_nonnull(results);
    ck_assert_uint_eq(results->line_count, tape.result_count);
    ck_assert_str_eq(results->lines[0].name, tape.results[0].name);
    cinema_close(&hall);
    end();
}
