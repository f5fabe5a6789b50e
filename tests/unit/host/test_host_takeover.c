// Tests of drivers with keys who sit down elsewhere, come back, and are put out.
#include "test_host_identity_scene.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

FIXTURE(begin, end)

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
