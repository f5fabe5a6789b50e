// Tests of players whose names look alike: who gets which name, and whom a kick removes.
#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "client-lite/client.h"
#include "host/figures/figures.h"
#include "replicate/replicate.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

static race_rig *rig;

static void begin(void) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.bots = 2;
    file.race.start_players = 20; // it stays in the lobby
    file.race.player_capacity = 20;
    file.race.late_join = true;
    file.race.countdown_s = 1.0;
    file.clients_max = 20;
    rig = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
}

static void end(void) {
    race_rig_destroy(rig);
}

static size_t join(const char *name) {
    apex_client_def def = apex_default_client_def();
    def.name = name;
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

static void assert_refused(size_t client, const char *because) {
    const char *text = "";
    apex_client *one = race_rig_client(rig, client);
    ck_assert_int_eq(apex_client_state_of(one), APEX_CLIENT_CLOSED);
    ck_assert_int_eq(apex_client_close_reason(one, &text), APEX_REASON_BAD_NAME);
    ck_assert_msg(strstr(text, because) != NULL, "%s", text);
}

FIXTURE(begin, end)

TEST(who_looks_like_another_gets_a_number) {
    size_t ada = join("Ada");
    ck_assert_str_eq(name_of(ada), "Ada");
    ck_assert_str_eq(name_of(join("Ada")), "Ada (2)");
    ck_assert_str_eq(name_of(join("\u0410da")), "\u0410da (3)"); // a Cyrillic A
    ck_assert_str_eq(name_of(join("ADA")), "ADA (4)");
    ck_assert_str_eq(name_of(join("ada (2)")), "ada (2) (2)");
    ck_assert_str_eq(name_of(join("Adam")), "Adam");
    ck_assert_uint_eq(refused("refused-taken-name"), 0);
    race_rig_cut(rig, ada); // a name is free again with its player
    console("kick Ada");
    race_rig_tick(rig, 10);
    ck_assert_str_eq(name_of(join("ada")), "ada");
}

TEST(who_left_keeps_a_line_but_not_the_name) {
    join("Ada");
    console("start");
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 1200));
    console("kick Ada");
    ck_assert(!race_rig_standing(rig, "Ada").present);
    ck_assert_str_eq(name_of(join("ADA")), "ADA");
    ck_assert_str_eq(console("kick Ada"), "ADA is out\n");
}

TEST(the_number_of_a_long_name_fits) {
    join("1234567890123456789012345678901");
    ck_assert_str_eq(name_of(join("1234567890123456789012345678901")),
                     "123456789012345678901234567 (2)");
    join("a高橋高橋高橋高橋高橋"); // no letter is cut in two
    ck_assert_str_eq(name_of(join("a高橋高橋高橋高橋高橋")), "a高橋高橋高橋高橋 (2)");
}

// What is left of a name may end in a space: the number brings its own.
TEST(a_number_is_parted_by_one_space) {
    join("Ada with twentysix letters as..");
    ck_assert_str_eq(name_of(join("Ada with twentysix letters as..")),
                     "Ada with twentysix letters (2)");
}

TEST(namesakes_end_at_five) {
    for (uint32_t i = 0; i < 5; i++) {
        join("Ada");
    }
    ck_assert_uint_eq(players(), 2 + 5);
    assert_refused(join("Ada"), "choose another");
    ck_assert_uint_eq(players(), 2 + 5);
    ck_assert_uint_eq(refused("refused-taken-name"), 1);
}

TEST(nobody_takes_a_bots_name) {
    static const char *const names[] = {"Bot 1", "B\u043Et 1", "BOT I", "Bot l", "Bot 77"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_refused(join(names[i]), "server's own drivers");
        ck_assert_uint_eq(refused("refused-taken-name"), i + 1);
    }
    ck_assert_uint_eq(players(), 2);
    console("kick Bot 1"); // one that is gone keeps its name, since it may come back
    assert_refused(join("Bot 1"), "server's own drivers");
}

TEST(a_kick_by_name_removes_who_was_meant) {
    size_t ada = join("Ada"), second = join("\u0410da"), bob = join("Bob");
    ck_assert_str_eq(console("kick ada"), "Ada is out\n");
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, ada)), APEX_CLIENT_CLOSED);
    ck_assert_str_eq(name_of(second), "\u0410da (2)");
    ck_assert_str_eq(console("kick Ada"), // who is gone: and nobody else goes in his place
                     "nobody here is called \"Ada\"; status lists the names\n");
    ck_assert_str_eq(console("kick ada (2)"), "\u0410da (2) is out\n"); // as an operator types it
    ck_assert_str_eq(name_of(bob), "Bob");
    ck_assert_uint_eq(players(), 3);
}

TEST(where_several_are_meant_a_number_is_asked_for) {
    size_t lower = join("iain"), l = join("lain");
    ck_assert_str_eq(name_of(l), "lain");
    char expected[256];
    snprintf(expected, sizeof expected,
             "2 look like that; kick one by number: #%u iain, #%u lain\n", player_of(lower),
             player_of(l));
    const char *said = console("kick Iain"); // an i, or what looks like an l
    ck_assert_str_eq(said, expected);
    ck_assert_uint_eq(players(), 4);
    ck_assert_str_eq(console("kick lain"), "lain is out\n");
    ck_assert_str_eq(console("kick Iain"), "iain is out\n");
    ck_assert_uint_eq(players(), 2);
}

TEST(a_number_always_means_one) {
    size_t ada = join("Ada"), bob = join("Bob");
    char line[64];
    snprintf(line, sizeof line, "#%u", player_of(ada));
    size_t liar = join(line); // called as Ada is numbered
    ck_assert_str_eq(name_of(liar), line);
    char row[64];
    snprintf(row, sizeof row, "#%-6u Bob ", player_of(bob));
    ck_assert_ptr_nonnull(strstr(console("status"), row));
    snprintf(line, sizeof line, "kick #%u", player_of(ada));
    ck_assert_str_eq(console(line), "Ada is out\n");
    ck_assert_uint_eq(players(), 4);
    ck_assert_ptr_nonnull(strstr(console(line), "nobody here is player"));
    ck_assert_ptr_nonnull(strstr(console("kick #4294967297"), "nobody here is player 0"));
    ck_assert_ptr_nonnull(strstr(console("kick #"), "nobody here is called \"#\""));
    ck_assert_ptr_nonnull(strstr(console("kick \xff"), "nobody here is called"));
    ck_assert_uint_eq(players(), 4);
}
