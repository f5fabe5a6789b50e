/// Tests of what a race file may just still say, and what is one too many.
#include <string.h>

#include "content/content.h"
#include "support/base/check_main.h"

static apex_err parse(const char *text, apex_race_file *file) {
    apex_content_problem problem;
    return apex_content_parse_race(text, strlen(text), "f.yaml", file, &problem);
}

TEST(the_last_value_before_a_refusal_is_read) {
    static const struct {
        const char *good, *bad;
    } pairs[] = {
        {"player_capacity: 8\nbots: 8\n", "player_capacity: 8\nbots: 9\n"},
        {"server: {clients_max: 4, clients_per_address_max: 4}\n",
         "server: {clients_max: 4, clients_per_address_max: 5}\n"},
        {"world: {tick_hz: 60, substep_hz: 240}\n", "world: {tick_hz: 50, substep_hz: 240}\n"},
        {"world: {tick_hz: 50, substep_hz: 200}\nserver: {snapshot_hz: 25}\n",
         "world: {tick_hz: 60, substep_hz: 200}\nserver: {snapshot_hz: 20}\n"},
        {"world: {tick_hz: 60, substep_hz: 240}\nserver: {snapshot_hz: 60}\n",
         "world: {tick_hz: 60, substep_hz: 240}\nserver: {snapshot_hz: 40}\n"},
        {"world: {tick_hz: 30, substep_hz: 240}\nserver: {snapshot_hz: 30}\n",
         "world: {tick_hz: 30, substep_hz: 240}\nserver: {snapshot_hz: 60}\n"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char good[256], bad[256];
        snprintf(good, sizeof good, "kind: race\n%s", pairs[i].good);
        snprintf(bad, sizeof bad, "kind: race\n%s", pairs[i].bad);
        apex_race_file file;
        ck_assert_msg(parse(good, &file) == APEX_OK, "%s", good);
        ck_assert_msg(parse(bad, &file) == APEX_ERR_RANGE, "%s", bad);
    }
}

TEST(the_world_has_room_for_as_many_cars_as_players) {
    apex_race_file file;
    ck_assert_int_eq(parse("kind: race\nplayer_capacity: 33\n", &file), APEX_OK);
    ck_assert_uint_eq(file.race.world.car_capacity, 33);
}

TEST(laps_are_given_only_where_the_file_has_them) {
    apex_race_file file;
    ck_assert_int_eq(parse("kind: race\nlaps: 3\n", &file), APEX_OK);
    ck_assert(file.laps_given);
    ck_assert_int_eq(parse("kind: race\n", &file), APEX_OK);
    ck_assert(!file.laps_given);
}

static apex_err fit(const char *text, uint32_t points, apex_race_file *file, char *said) {
    apex_track_def track = {.name = "here", .point_count = points};
    apex_content_problem problem = {""};
    ck_assert_int_eq(parse(text, file), APEX_OK);
    apex_err err = apex_race_file_fit(file, &track, &problem);
    strcpy(said, problem.text);
    return err;
}

TEST(laps_are_for_tracks_that_have_one) {
    apex_race_file file;
    char said[APEX_CONTENT_TEXT_BYTES];
    ck_assert_int_eq(fit("kind: race\nlaps: 3\n", 100, &file, said), APEX_OK);
    ck_assert_uint_eq(file.race.laps, 3);
    ck_assert_int_eq(fit("kind: race\nlaps: 0\n", 0, &file, said), APEX_OK);
    ck_assert_int_eq(fit("kind: race\n", 0, &file, said), APEX_OK);
    ck_assert_uint_eq(file.race.laps, 0);
    ck_assert_int_eq(fit("kind: race\n", 100, &file, said), APEX_OK);
    ck_assert_uint_eq(file.race.laps, 3);
    ck_assert_int_eq(fit("kind: race\nlaps: 0\n", 100, &file, said), APEX_ERR_RANGE);
    ck_assert_str_eq(said, "laps: 0 is for a track without a lap; here has one");
    ck_assert_int_eq(fit("kind: race\nlaps: 3\n", 0, &file, said), APEX_ERR_RANGE);
    ck_assert_str_eq(said, "laps: here is a terrain without a course, so there is no lap to race; "
                           "leave laps out for an open session, or give the track points");
}

// What holds of a port holds of it with an address before it, too.
TEST(ports_have_16_bits_and_at_most_five_digits) {
    apex_listen listen;
    ck_assert(apex_listen_parse("65535", &listen));
    ck_assert_uint_eq(listen.port, 65535);
    ck_assert(apex_listen_parse("00080", &listen));
    ck_assert_uint_eq(listen.port, 80);
    static const char *const bad[] = {"65536", "99999", "000080", "4294967376", "", "h:", "h:x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(!apex_listen_parse(bad[i], &listen), "%s", bad[i]);
    }
}

TEST(an_address_has_brackets_on_both_ends_or_on_none) {
    apex_listen listen;
    ck_assert(apex_listen_parse("[::]:80", &listen));
    ck_assert_str_eq(listen.address, "::");
    static const char *const bad[] = {"[h:80", "h]:80", "[::1:80", "::1]:80", "[:80", "]:80"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(!apex_listen_parse(bad[i], &listen), "%s", bad[i]);
    }
}

TEST(an_address_fits_with_its_end) {
    apex_listen listen;
    char text[80];
    int longest = (int)sizeof listen.address - 1;
    snprintf(text, sizeof text, "%0*d:80", longest, 7);
    ck_assert(apex_listen_parse(text, &listen));
    ck_assert_uint_eq(strlen(listen.address), sizeof listen.address - 1);
    snprintf(text, sizeof text, "%0*d:80", longest + 1, 7);
    ck_assert(!apex_listen_parse(text, &listen));
}

static const char *problem_of(size_t length, char somewhere) {
    static char token[256];
    memset(token, 'x', length);
    token[length] = '\0';
    token[length / 2] = somewhere;
    return apex_web_token_problem(token);
}

TEST(a_token_has_12_to_127_characters_of_a_header) {
    ck_assert_ptr_null(apex_web_token_problem(""));
    ck_assert_str_eq(problem_of(APEX_WEB_TOKEN_LENGTH_MIN - 1, 'y'),
                     "too short to be safe; 12 characters at least");
    ck_assert_ptr_null(problem_of(APEX_WEB_TOKEN_LENGTH_MIN, 'y'));
    ck_assert_ptr_null(problem_of(APEX_WEB_TOKEN_LENGTH_MAX, 'y'));
    ck_assert_str_eq(problem_of(APEX_WEB_TOKEN_LENGTH_MAX + 1, 'y'),
                     "too long; 127 characters at most");
    for (int character = 1; character < 256; character++) {
        bool is_fine = character > ' ' && character < 0x7F;
        ck_assert_msg((problem_of(20, (char)character) == NULL) == is_fine, "%d", character);
    }
}
