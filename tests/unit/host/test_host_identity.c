// Tests of drivers with keys: whose a name is, who comes from two machines, and who is told of it.
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "api/api.h"
#include "client-lite/client.h"
#include "host/figures/figures.h"
#include "identity/identity.h"
#include "replicate/replicate.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { DRIVERS = 12 };

static race_rig *rig;
static apex_race_file file;
static apex_driver_key keys[DRIVERS], lobby;
static apex_join_token token;
static char folder[CHECK_PATH_BYTES];

static void open_rig(void) {
    rig = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
}

static void begin(void) {
    ck_assert(apex_identity_begin());
    for (uint8_t i = 0; i < DRIVERS; i++) {
        uint8_t secret[APEX_DRIVER_SECRET_BYTES] = {(uint8_t)(i + 1), 77};
        apex_driver_key_of(secret, &keys[i]);
    }
    uint8_t secret[APEX_DRIVER_SECRET_BYTES] = {200};
    apex_driver_key_of(secret, &lobby);
    file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.bots = 1;
    file.race.start_players = 20; // it stays in the lobby
    file.race.player_capacity = 20;
    file.race.late_join = true;
    file.race.countdown_s = 1.0;
    file.clients_max = 20;
    check_make_folder(folder, "identity");
    snprintf(file.results_dir, sizeof file.results_dir, "%s", folder);
    open_rig();
}

static void end(void) {
    race_rig_destroy(rig);
}

static void reopen(void) {
    race_rig_destroy(rig);
    open_rig();
}

static bool sign(void *context, const apex_client_sign_for *what, apex_identity *out) {
    const apex_driver_key *key = context;
    const apex_proof_for proof = {what->server_key, what->challenge, what->binding};
    out->has_key = true;
    memcpy(out->key, key->key, sizeof out->key);
    apex_prove(key, &proof, out->signature);
    if (token.expires_s != 0) {
        out->token_length = (uint32_t)apex_join_token_sign(&token, &lobby, out->token);
    }
    return true;
}

// @param key NULL: as a guest.
static size_t join(const char *name, const apex_driver_key *key) {
    apex_client_def def = apex_default_client_def();
    def.name = name;
    def.sign = key != NULL ? sign : NULL;
    def.sign_context = (void *)(uintptr_t)key;
    size_t client = race_rig_connect(rig, &def);
    race_rig_tick(rig, 10);
    return client;
}

static uint32_t player_of(size_t client) {
    return apex_client_player(race_rig_client(rig, client));
}

static const char *name_of(size_t client) {
    static apex_standing lines[64];
    size_t count = apex_race_standings(apex_server_race(race_rig_server(rig)), lines, 64);
    for (size_t i = 0; i < count; i++) {
        if (lines[i].present && apex_player_wire_id(lines[i].player) == player_of(client)) {
            return lines[i].name;
        }
    }
    return "";
}

static uint32_t players(void) {
    return apex_race_status_of(apex_server_race(race_rig_server(rig))).players;
}

static void leave(size_t client) {
    apex_client_leave(race_rig_client(rig, client));
    race_rig_tick(rig, 10);
}

static void assert_closed(size_t client, apex_reason reason) {
    const char *text = "";
    apex_client *one = race_rig_client(rig, client);
    ck_assert_int_eq(apex_client_state_of(one), APEX_CLIENT_CLOSED);
    apex_reason said = apex_client_close_reason(one, &text);
    ck_assert_msg(said == reason, "%d, not %d: %s", said, reason, text);
}

static const apex_roster_entry *entry_of(size_t watcher, size_t client) {
    size_t count = 0;
    const apex_roster_entry *roster = apex_client_roster(race_rig_client(rig, watcher), &count);
    for (size_t i = 0; i < count; i++) {
        if (roster[i].player == player_of(client)) {
            return &roster[i];
        }
    }
    ck_abort_msg("he is not in the roster");
    return NULL;
}

static void fingerprint_of(const apex_driver_key *key, char text[APEX_FINGERPRINT_TEXT_BYTES]) {
    uint8_t fingerprint[APEX_FINGERPRINT_BYTES];
    apex_fingerprint(key->key, fingerprint);
    apex_fingerprint_text(fingerprint, text);
}

static uint64_t refused(const char *name) {
    host_refusal refusals[HOST_REFUSALS_MAX];
    size_t count = host_refusals(race_rig_server(rig), refusals);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(refusals[i].name, name) == 0) {
            return refusals[i].count;
        }
    }
    ck_abort_msg("there is no counter %s", name);
    return 0;
}

static const char *console(const char *line) {
    static char answer[8192];
    memset(answer, 0, sizeof answer);
    FILE *out = fmemopen(answer, sizeof answer - 1, "w");
    apex_server_console(race_rig_server(rig), line, out);
    fclose(out);
    race_rig_tick(rig, 3);
    return answer;
}

static void expect_in_console(const char *expected) {
    const char *answer = console("status");
    ck_assert_msg(strstr(answer, expected) != NULL, "no \"%s\" in:\n%s", expected, answer);
}

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

TEST(a_driver_goes_on_from_another_machine) {
    size_t first = join("Ada", &keys[0]);
    uint32_t player = player_of(first);
    size_t second = join("ada", &keys[0]);
    assert_closed(first, APEX_REASON_RESUMED);
    ck_assert_uint_eq(player_of(second), player);
    ck_assert(apex_client_resumed(race_rig_client(rig, second)));
    ck_assert_str_eq(name_of(second), "Ada");
    ck_assert_uint_eq(players(), 2);
    race_rig_tick(rig, 300); // the old session ends, and takes nobody along
    ck_assert_uint_eq(players(), 2);
    ck_assert(!race_rig_standing(rig, "Ada").driven_by_server);
    size_t guest = join("Gus", NULL);
    ck_assert(entry_of(guest, second)->has_driver);
    ck_assert(!entry_of(guest, second)->driven_by_server);
}

TEST(a_driver_has_a_second_car_under_another_name) {
    size_t first = join("Ada", &keys[0]);
    size_t second = join("Bea", &keys[0]);
    ck_assert(!apex_client_resumed(race_rig_client(rig, second)));
    ck_assert_uint_ne(player_of(first), player_of(second));
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, first)), APEX_CLIENT_DRIVING);
    ck_assert_uint_eq(players(), 3);
    size_t third = join("Bea", &keys[0]);
    assert_closed(second, APEX_REASON_RESUMED);
    ck_assert_str_eq(name_of(third), "Bea");
    ck_assert_str_eq(name_of(first), "Ada");
    ck_assert_uint_eq(players(), 3);
}

// Who starts two bots and names neither wants two cars; one that was broken off wants its own.
TEST(a_name_that_programs_give_takes_nobody_over_who_drives) {
    size_t first = join("bot", &keys[0]);
    size_t second = join("bot", &keys[0]);
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, first)), APEX_CLIENT_DRIVING);
    ck_assert_str_eq(name_of(second), "bot (2)");
    ck_assert_uint_eq(players(), 3);
    uint32_t player = player_of(first);
    race_rig_break(rig, first, true);
    race_rig_tick(rig, 30);
    size_t third = join("bot", &keys[0]);
    ck_assert_uint_eq(player_of(third), player);
    ck_assert_uint_eq(players(), 3);
}

TEST(a_driver_whose_link_broke_comes_back_by_the_key) {
    size_t first = join("Ada", &keys[0]);
    uint32_t player = player_of(first);
    race_rig_break(rig, first, true);
    race_rig_tick(rig, 30);
    ck_assert(race_rig_standing(rig, "Ada").driven_by_server);
    size_t second = join("Ada", &keys[0]);
    ck_assert_uint_eq(player_of(second), player);
    race_rig_tick(rig, 300);
    ck_assert(!race_rig_standing(rig, "Ada").driven_by_server);
    // The old machine's token is worth nothing any more.
    race_rig_mend(rig, first);
    race_rig_tick(rig, 300);
    ck_assert_uint_eq(player_of(second), player);
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, second)), APEX_CLIENT_DRIVING);
    ck_assert_uint_eq(players(), 2);
    // That of the new one is good.
    race_rig_break(rig, second, true);
    race_rig_tick(rig, 30);
    race_rig_mend(rig, second);
    race_rig_tick(rig, 300);
    ck_assert_uint_eq(player_of(second), player);
    ck_assert_str_eq(name_of(second), "Ada");
}

// A driver sits down at another machine, and the first one's link breaks so many ticks after that.
static void sit_down_elsewhere(const char *name, uint32_t ticks, bool server_knows) {
    apex_client_def def = apex_default_client_def();
    def.name = name;
    def.sign = sign;
    def.sign_context = &keys[ticks];
    def.reconnect = true;
    uint32_t before = players();
    size_t first = race_rig_connect(rig, &def);
    race_rig_tick(rig, 10);
    uint32_t player = player_of(first);
    size_t second = race_rig_connect(rig, &def);
    race_rig_tick(rig, ticks);
    race_rig_break(rig, first, server_knows);
    race_rig_mend(rig, first);
    race_rig_tick(rig, 20);
    ck_assert_uint_eq(player_of(second), player);
    assert_closed(first, APEX_REASON_RESUMED);
    ck_assert_uint_eq(players(), before + 1);
}

TEST(a_link_may_break_while_its_driver_sits_down_elsewhere) {
    char name[16];
    for (uint32_t ticks = 0; ticks <= 4; ticks++) { // it joins in one of these
        snprintf(name, sizeof name, "Ada%c", 'a' + ticks);
        sit_down_elsewhere(name, ticks, true);
    }
    race_rig_turn_round(rig); // the first comes back after the second is heard
    for (uint32_t ticks = 0; ticks <= 4; ticks++) {
        snprintf(name, sizeof name, "Bea%c", 'a' + ticks);
        sit_down_elsewhere(name, ticks, false);
    }
}

TEST(another_key_takes_nobody_over) {
    size_t ada = join("Ada", &keys[0]);
    size_t bob = join("Bob", &keys[1]);
    ck_assert_uint_ne(player_of(ada), player_of(bob));
    size_t first = join("Gus", NULL), second = join("Gus", NULL);
    ck_assert_uint_ne(player_of(first), player_of(second));
    ck_assert_uint_eq(players(), 5);
}

TEST(who_left_is_not_taken_over) {
    size_t first = join("Ada", &keys[0]);
    leave(first);
    size_t second = join("Ada", &keys[0]);
    ck_assert(!apex_client_resumed(race_rig_client(rig, second)));
    ck_assert_str_eq(name_of(second), "Ada");
}

TEST(a_driver_is_kicked_by_his_fingerprint) {
    size_t ada = join("Ada", &keys[0]);
    char line[64], fingerprint[APEX_FINGERPRINT_TEXT_BYTES];
    fingerprint_of(&keys[1], fingerprint);
    snprintf(line, sizeof line, "kick %s", fingerprint);
    ck_assert_ptr_nonnull(strstr(console(line), "no driver with this fingerprint"));
    ck_assert_uint_eq(players(), 2);
    fingerprint_of(&keys[0], fingerprint);
    snprintf(line, sizeof line, "kick %s", fingerprint);
    ck_assert_str_eq(console(line), "Ada is out\n");
    race_rig_tick(rig, 10);
    assert_closed(ada, APEX_REASON_KICKED);
}

TEST(a_driver_with_two_cars_is_kicked_out_of_both) {
    size_t first = join("Ada", &keys[0]), second = join("Bea", &keys[0]), other = join("Cid", NULL);
    char line[64], fingerprint[APEX_FINGERPRINT_TEXT_BYTES];
    fingerprint_of(&keys[0], fingerprint);
    snprintf(line, sizeof line, "kick %s", fingerprint);
    ck_assert_str_eq(console(line), "2 cars of this driver are out\n");
    race_rig_tick(rig, 10);
    assert_closed(first, APEX_REASON_KICKED);
    assert_closed(second, APEX_REASON_KICKED);
    ck_assert_str_eq(name_of(other), "Cid");
    ck_assert_uint_eq(players(), 2);
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
