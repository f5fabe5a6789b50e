/// Tests of what a race file says of drivers: guests, a list, lobbies, a password in a file.
#include <stdio.h>
#include <string.h>

#include "content/content.h"
#include "support/base/check_main.h"

#define KEY_A "0123456789abcdef0123456789ABCDEF0123456789abcdef0123456789abcdef"
#define KEY_B "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"

static apex_race_file file;
static char said[APEX_CONTENT_TEXT_BYTES];

static apex_err parse(const char *server) {
    char text[4096];
    apex_content_problem problem = {{0}};
    snprintf(text, sizeof text, "kind: race\nserver:\n%s", server);
    apex_err err = apex_content_parse_race(text, strlen(text), "f.yaml", &file, &problem);
    snprintf(said, sizeof said, "%s", problem.text);
    return err;
}

static void expect_refused(const char *server, apex_err err, const char *because) {
    ck_assert_msg(parse(server) == err, "%s", server);
    ck_assert_msg(strstr(said, because) != NULL, "%s", said);
}

TEST(everybody_may_drive_unless_the_file_says_otherwise) {
    ck_assert_int_eq(parse("  port: 1\n"), APEX_OK);
    ck_assert(file.guests && !file.token_needed && !file.any_audience);
    ck_assert_uint_eq(file.lobby_key_count, 0);
    ck_assert_str_eq(file.drivers, "");
    ck_assert_str_eq(file.drivers_at, "");
}

TEST(each_key_is_read) {
    ck_assert_int_eq(parse("  guests: false\n  drivers: who.txt\n  password_file: secret\n"
                           "  lobby_keys: [" KEY_A ", " KEY_B "]\n"
                           "  token_needed: true\n  any_audience: true\n"),
                     APEX_OK);
    ck_assert(!file.guests && file.token_needed && file.any_audience);
    ck_assert_str_eq(file.drivers, "who.txt");
    ck_assert_str_eq(file.drivers_at, "f.yaml:4:12: ");
    ck_assert_str_eq(file.password_file, "secret");
    ck_assert_uint_eq(file.lobby_key_count, 2);
    ck_assert_uint_eq(file.lobby_keys[0][0], 0x01);
    ck_assert_uint_eq(file.lobby_keys[0][15], 0xEF);
    ck_assert_uint_eq(file.lobby_keys[1][31], 0xFF);
}

TEST(what_is_no_key_is_refused_where_it_stands) {
    expect_refused("  lobby_keys: [abc]\n", APEX_ERR_PARSE, "f.yaml:3:16");
    expect_refused("  lobby_keys: [abc]\n", APEX_ERR_PARSE, "64 digits");
    expect_refused("  lobby_keys: [" KEY_A "0]\n", APEX_ERR_PARSE, "64 digits");
    expect_refused("  lobby_keys:\n    - " KEY_A "\n    - g123456789abcdef0123456789abcdef"
                   "0123456789abcdef0123456789abcdef\n",
                   APEX_ERR_PARSE, "f.yaml:5:7");
    expect_refused("  lobby_keys: [" KEY_A ", " KEY_A "]\n", APEX_ERR_PARSE, "already");
}

TEST(no_more_lobbies_than_a_server_trusts) {
    char list[4096] = "  lobby_keys:\n";
    for (unsigned i = 0; i < APEX_RACE_LOBBIES_MAX; i++) {
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "    - \"%064x\"\n", i);
    }
    ck_assert_int_eq(parse(list), APEX_OK);
    ck_assert_uint_eq(file.lobby_key_count, APEX_RACE_LOBBIES_MAX);
    size_t length = strlen(list);
    snprintf(list + length, sizeof list - length, "    - \"%064x\"\n", 99u);
    ck_assert_int_ne(parse(list), APEX_OK);
}

TEST(what_does_not_go_together_is_refused) {
    expect_refused("  token_needed: true\n", APEX_ERR_RANGE, "lobby_keys");
    expect_refused("  any_audience: true\n", APEX_ERR_RANGE, "lobby_keys");
    expect_refused("  password: a\n  password_file: b\n", APEX_ERR_RANGE, "keep one");
}
