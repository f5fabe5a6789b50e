// Tests of drivers with keys: whose a name is, who comes from two machines, and who is told of it.
#include <jansson.h>

#include "test_host_identity_scene.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

FIXTURE(begin, end)

TEST(everybody_is_told_who_drives) {
    size_t ada = join("Ada", &keys[0]), guest = join("Gus", NULL);
    uint8_t fingerprint[APEX_FINGERPRINT_BYTES];
    apex_fingerprint(keys[0].key, fingerprint);
    for (size_t watcher = ada; watcher <= guest; watcher++) { // told in changes, and as a whole
        ck_assert(entry_of(watcher, ada)->has_driver);
        ck_assert_mem_eq(entry_of(watcher, ada)->driver, fingerprint, sizeof fingerprint);
        ck_assert(!entry_of(watcher, guest)->has_driver);
    }
    char text[APEX_FINGERPRINT_TEXT_BYTES];
    fingerprint_of(&keys[0], text);
    expect_in_console(text);
    expect_in_console("guest  10.0.0.2\n");
    const char *bot = strstr(console("status"), "Bot 1");
    ck_assert_ptr_nonnull(bot);
    ck_assert_ptr_nonnull(strstr(bot, "  bot\n"));
}

TEST(guests_are_counted_while_they_are_here) {
    ck_assert_uint_eq(host_guest_count(race_rig_server(rig)), 0); // a bot is none
    size_t first = join("Gus", NULL);
    join("Ada", &keys[0]);
    join("Gia", NULL);
    ck_assert_uint_eq(host_guest_count(race_rig_server(rig)), 2);
    leave(first);
    ck_assert_uint_eq(host_guest_count(race_rig_server(rig)), 1);
    join("Bob", &keys[1]); // has the place that Gus had
    ck_assert_uint_eq(host_guest_count(race_rig_server(rig)), 1);
}

TEST(a_name_is_its_first_drivers_for_good) {
    size_t ada = join("Ada", &keys[0]);
    ck_assert_str_eq(name_of(ada), "Ada");
    assert_closed(join("Ada", NULL), APEX_REASON_NAME_HELD);
    leave(ada);
    static const char *const copies[] = {"Ada", "\u0410da", "ADA", "  ada "}; // a Cyrillic A
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++) {
        assert_closed(join(copies[i], NULL), APEX_REASON_NAME_HELD);
        assert_closed(join(copies[i], &keys[1]), APEX_REASON_NAME_HELD);
    }
    ck_assert_uint_eq(refused("refused-name-held"), 9);
    ck_assert_uint_eq(refused("refused-taken-name"), 0);
    ck_assert_str_eq(name_of(join("ADA", &keys[0])), "ADA"); // it is hers, however she writes it
    ck_assert_uint_eq(players(), 2);
}

TEST(guests_hold_no_names) {
    size_t guest = join("Ada", NULL);
    ck_assert_str_eq(name_of(join("Ada", NULL)), "Ada (2)");
    size_t ada = join("Ada", &keys[0]);
    ck_assert_str_eq(name_of(ada), "Ada (3)");
    leave(ada);
    leave(guest);
    ck_assert_str_eq(name_of(join("Ada (3)", NULL)), "Ada (3)"); // a number holds nothing
    ck_assert_str_eq(name_of(join("Ada", &keys[0])), "Ada");
    assert_closed(join("Ada", NULL), APEX_REASON_NAME_HELD);
}

TEST(names_that_programs_give_are_held_by_nobody) {
    static const char *const names[] = {"driver", "bot-01", "load-00017", "Player 3", "b\u043Et"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t first = join(names[i], &keys[i]);
        ck_assert_str_eq(name_of(first), names[i]);
        leave(first);
        size_t second = join(names[i], &keys[i + 5]);
        ck_assert_str_eq(name_of(second), names[i]);
        leave(second);
    }
    leave(join("Driverless", &keys[0]));
    assert_closed(join("driverless", NULL), APEX_REASON_NAME_HELD);
}

// Nor can somebody hold what only looks like them, and shut out those who are called so.
TEST(names_like_those_of_programs_shut_nobody_out) {
    static const char *const copies[] = {
        "bot-\uFF10\uFF11", // full-width digits
        "bot-Ol",           // an O and an l
        "b\u043Et-O1",      // a Cyrillic o
    };
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++) {
        size_t copy = join(copies[i], &keys[0]);
        ck_assert_str_eq(name_of(copy), copies[i]);
        leave(copy);
        size_t bot = join("bot-01", NULL);
        ck_assert_str_eq(name_of(bot), "bot-01");
        leave(bot);
    }
}

TEST(names_survive_a_restart) {
    leave(join("Ada", &keys[0]));
    leave(join("高橋", &keys[1]));
    reopen();
    assert_closed(join("Ada", NULL), APEX_REASON_NAME_HELD);
    assert_closed(join("高橋", &keys[0]), APEX_REASON_NAME_HELD);
    size_t ada = join("Ada", &keys[0]);
    ck_assert_str_eq(name_of(ada), "Ada");
    char path[CHECK_PATH_BYTES + 16];
    snprintf(path, sizeof path, "%s/names.txt", folder);
    race_rig_destroy(rig);
    FILE *names = fopen(path, "a"); // as if the power had failed
    ck_assert_ptr_nonnull(names);
    fputs("1767225600 00112233445566778899aabbccddeeff Ada", names);
    fclose(names);
    open_rig();
    ck_assert_str_eq(name_of(join("Ada", &keys[0])), "Ada");
}

// Two races of a process, the second with results of its own, or none.
static void open_two_races(apex_held_names *names, const char *second_results, race_rig *races[2]) {
    race_rig_destroy(rig);
    apex_race_file second = file;
    snprintf(second.results_dir, sizeof second.results_dir, "%s", second_results);
    races[0] = race_rig_create_beside(&file, names);
    races[1] = race_rig_create_beside(&second, names);
    ck_assert(races[0] != NULL && races[1] != NULL);
}

static void close_two_races(apex_held_names *names, race_rig *races[2]) {
    race_rig_destroy(races[0]);
    race_rig_destroy(races[1]);
    apex_held_names_destroy(names);
    rig = NULL;
}

TEST(a_name_is_its_drivers_in_all_races_of_a_server) {
    apex_held_names *names = apex_held_names_create();
    race_rig *races[2];
    char path[CHECK_PATH_BYTES + 32];
    snprintf(path, sizeof path, "%s/race-2", folder);
    open_two_races(names, path, races);
    rig = races[1]; // he was in the second race only
    leave(join("Ada", &keys[0]));
    rig = races[0];
    assert_closed(join("Ada", NULL), APEX_REASON_NAME_HELD);
    assert_closed(join("ada", &keys[1]), APEX_REASON_NAME_HELD);
    ck_assert_uint_eq(refused("refused-name-held"), 2);
    ck_assert_str_eq(name_of(join("Ada", &keys[0])), "Ada");
    join("Bob", &keys[1]);
    rig = races[1];
    assert_closed(join("Bob", &keys[2]), APEX_REASON_NAME_HELD);
    ck_assert_str_eq(name_of(join("Ada", &keys[0])), "Ada"); // in both at a time
    close_two_races(names, races);
    snprintf(path, sizeof path, "%s/race-2/names.txt", folder);
    ck_assert_int_ne(access(path, F_OK), 0);
    open_rig(); // alone, with the results of the first
    assert_closed(join("Ada", &keys[3]), APEX_REASON_NAME_HELD);
    assert_closed(join("Bob", &keys[3]), APEX_REASON_NAME_HELD);
}

TEST(names_of_a_race_without_results_are_kept_with_those_of_another) {
    apex_held_names *names = apex_held_names_create();
    race_rig *races[2];
    open_two_races(names, "", races);
    rig = races[1];
    leave(join("Ada", &keys[0]));
    close_two_races(names, races);
    open_rig();
    assert_closed(join("Ada", &keys[1]), APEX_REASON_NAME_HELD);
}

TEST(a_day_of_joins_is_one_line) {
    for (int i = 0; i < 5; i++) {
        leave(join("Ada", &keys[0]));
    }
    race_rig_destroy(rig);
    char path[CHECK_PATH_BYTES + 16], text[512] = "", expected[128];
    snprintf(path, sizeof path, "%s/names.txt", folder);
    FILE *names = fopen(path, "r");
    ck_assert_ptr_nonnull(names);
    size_t length = fread(text, 1, sizeof text - 1, names);
    fclose(names);
    char fingerprint[APEX_FINGERPRINT_TEXT_BYTES];
    fingerprint_of(&keys[0], fingerprint);
    snprintf(expected, sizeof expected, " %s Ada\n", fingerprint);
    ck_assert_uint_eq(length, 10 + strlen(expected));
    ck_assert_str_eq(text + 10, expected);
    open_rig();
}

TEST(a_driver_holds_the_names_that_he_used_last) {
    char name[16];
    for (int i = 0; i <= HOST_NAMES_OF_DRIVER_MAX; i++) {
        snprintf(name, sizeof name, "Many%c", 'a' + i);
        leave(join(name, &keys[0]));
        race_rig_tick(rig, 60);
    }
    ck_assert_str_eq(name_of(join("Manya", NULL)), "Manya");
    assert_closed(join("Manyb", NULL), APEX_REASON_NAME_HELD);
    assert_closed(join("Manyi", NULL), APEX_REASON_NAME_HELD);
}

static const json_t *line_of(const json_t *root, const char *list, const char *name) {
    size_t i;
    const json_t *line;
    json_array_foreach(json_object_get(root, list), i, line) {
        if (strcmp(json_string_value(json_object_get(line, "name")), name) == 0) {
            return line;
        }
    }
    ck_abort_msg("%s has no line", name);
    return NULL;
}

static const char *driver_in(const json_t *line) {
    const json_t *driver = json_object_get(line, "driver");
    ck_assert_ptr_nonnull(driver);
    return json_is_null(driver) ? "" : json_string_value(driver);
}

TEST(results_tell_drivers_also_those_who_left) {
    size_t ada = join("Ada", &keys[0]);
    join("Gus", NULL);
    join("Bob", &keys[1]);
    console("start");
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 1200));
    leave(ada);
    join("Cid", &keys[2]); // has her place
    apex_server_stop(race_rig_server(rig), APEX_REASON_SHUTDOWN, "enough");
    race_rig_tick(rig, 120);
    json_t *root = json_load_file(apex_server_newest_results(race_rig_server(rig)), 0, NULL);
    ck_assert_ptr_nonnull(root);
    char fingerprint[APEX_FINGERPRINT_TEXT_BYTES];
    fingerprint_of(&keys[0], fingerprint);
    ck_assert_str_eq(driver_in(line_of(root, "results", "Ada")), fingerprint);
    fingerprint_of(&keys[1], fingerprint);
    ck_assert_str_eq(driver_in(line_of(root, "results", "Bob")), fingerprint);
    ck_assert(!json_is_true(json_object_get(line_of(root, "results", "Bob"), "guest")));
    ck_assert_str_eq(driver_in(line_of(root, "results", "Gus")), "");
    ck_assert(json_is_true(json_object_get(line_of(root, "results", "Gus"), "guest")));
    ck_assert_str_eq(driver_in(line_of(root, "results", "Bot 1")), "");
    ck_assert(json_is_false(json_object_get(line_of(root, "results", "Bot 1"), "guest")));
    json_decref(root);
}

static void trust_lobby(void) {
    race_rig_destroy(rig);
    file.lobby_key_count = 1;
    memcpy(file.lobby_keys[0], lobby.key, sizeof lobby.key);
    file.car_count = 2;
    snprintf(file.cars[1], sizeof file.cars[1], "micra");
    open_rig();
    uint64_t now_s = 1767225600;
    token = (apex_join_token){.issued_s = now_s + 5,
                              .not_before_s = now_s + 5,
                              .expires_s = now_s + 65,
                              .number = {1},
                              .role = APEX_TOKEN_DRIVER,
                              .car = 1,
                              .start_number = APEX_TOKEN_FREE,
                              .ballast_kg = APEX_TOKEN_FREE,
                              .restrictor_percent = APEX_TOKEN_FREE_BYTE,
                              .name = "Countess",
                              .audience = {1}}; // some other server
}

TEST(a_token_says_name_and_car) {
    file.any_audience = true;
    trust_lobby();
    memset(token.audience, 0, sizeof token.audience);
    memcpy(token.holder, keys[0].key, sizeof token.holder);
    size_t ada = join("Ada", &keys[0]);
    ck_assert_str_eq(name_of(ada), "Countess");
    ck_assert_uint_eq(race_rig_standing(rig, "Countess").car, 1);
    leave(ada);
    token.car = 2;
    token.number[0] = 2;
    assert_closed(join("Ada", &keys[0]), APEX_REASON_UNKNOWN_CAR);
    assert_closed(join("Countess", NULL), APEX_REASON_NAME_HELD);
    token.expires_s = 0;
}

// The system's clock is put right by an hour while the server runs.
TEST(the_time_of_day_is_the_one_that_was_told_last) {
    file.any_audience = true;
    trust_lobby();
    memset(token.audience, 0, sizeof token.audience);
    memcpy(token.holder, keys[0].key, sizeof token.holder);
    token.issued_s = token.not_before_s += 3600;
    token.expires_s += 3600;
    assert_closed(join("Ada", &keys[0]), APEX_REASON_TOKEN_EARLY);
    uint64_t now_us = race_rig_now_us(rig);
    apex_server_set_time_of_day(race_rig_server(rig), now_us,
                                1767225600000000u + 3600000000u + now_us);
    ck_assert_str_eq(name_of(join("Ada", &keys[0])), "Countess");
    race_rig_destroy(rig); // stores what is left
    char path[CHECK_PATH_BYTES + 16], text[512] = "";
    snprintf(path, sizeof path, "%s/names.txt", folder);
    FILE *names = fopen(path, "r");
    ck_assert_ptr_nonnull(names);
    ck_assert_ptr_nonnull(fgets(text, sizeof text, names));
    fclose(names);
    uint64_t held_s = strtoull(text, NULL, 10);
    ck_assert_uint_ge(held_s, 1767225600 + 3600);
    ck_assert_uint_lt(held_s, 1767225600 + 3600 + 60);
    token.expires_s = 0;
    open_rig();
}

TEST(a_token_for_another_server_is_refused) {
    trust_lobby();
    memcpy(token.holder, keys[0].key, sizeof token.holder);
    assert_closed(join("Ada", &keys[0]), APEX_REASON_TOKEN_AUDIENCE);
    ck_assert_uint_eq(refused("refused-token-audience"), 1);
    token.expires_s = 0;
}

TEST(guests_are_refused_where_the_file_says_so) {
    race_rig_destroy(rig);
    file.guests = false;
    open_rig();
    assert_closed(join("Gus", NULL), APEX_REASON_KEY_NEEDED);
    ck_assert_str_eq(name_of(join("Ada", &keys[0])), "Ada");
    ck_assert_uint_eq(players(), 2);
}

TEST(only_listed_drivers_drive) {
    apex_listed_driver list[1];
    apex_fingerprint(keys[1].key, list[0].fingerprint);
    size_t ada = join("Ada", &keys[0]);
    ck_assert_int_eq(apex_server_admit(race_rig_server(rig), &file, list, 1), APEX_OK);
    ck_assert_str_eq(name_of(ada), "Ada"); // who drives already goes on
    assert_closed(join("Cid", &keys[2]), APEX_REASON_NOT_LISTED);
    ck_assert_str_eq(name_of(join("Bob", &keys[1])), "Bob");
}
