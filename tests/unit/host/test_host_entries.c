// An event with a list of entries: who may drive, called what and in which car, and who is told why
// not.
#include "test_host_identity_scene.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

static void add_entry(const char *name, const apex_driver_key *key, uint32_t car1) {
    apex_entry_list_def *list = &file.race.weekend.entries;
    apex_race_entry_def *entry = &list->all[list->count++];
    *entry = (apex_race_entry_def){.car1 = car1, .number = list->count};
    snprintf(entry->name, sizeof entry->name, "%s", name);
    if (key != NULL) {
        fingerprint_of(key, entry->key);
    }
}

static void list_three(void) {
    begin();
    file.race.weekend = apex_default_weekend_def();
    file.race.weekend.entries.only_listed = true;
    add_entry("Ada Lovelace", &keys[0], 0);
    add_entry("Bob", NULL, 2);
    add_entry("Cleo", &keys[2], 1);
    file.car_count = 2;
    snprintf(file.cars[0], sizeof file.cars[0], "boxster-s");
    snprintf(file.cars[1], sizeof file.cars[1], "corvette-c5");
    reopen();
}

FIXTURE(list_three, end)

static const char *why_of(size_t client) {
    const char *text = "";
    (void)apex_client_close_reason(race_rig_client(rig, client), &text);
    return text;
}

TEST(who_is_not_listed_may_only_watch) {
    size_t stranger = join("Zoe", NULL);
    assert_closed(stranger, APEX_REASON_NOT_LISTED);
    ck_assert_str_eq(why_of(stranger),
                     "Zoe is not on the list of entries of this event, and nobody else drives in "
                     "it; you may watch");
    assert_closed(join("Zoe", &keys[5]), APEX_REASON_NOT_LISTED);
    apex_client_def def = apex_default_client_def();
    def.spectate = true;
    size_t watcher = race_rig_connect(rig, &def);
    race_rig_tick(rig, 10);
    ck_assert_int_eq(apex_client_state_of(race_rig_client(rig, watcher)), APEX_CLIENT_SPECTATING);
}

TEST(a_key_is_known_under_any_name) {
    size_t ada = join("speedy", &keys[0]);
    ck_assert_uint_ne(player_of(ada), 0);
    ck_assert_str_eq(name_of(ada), "Ada Lovelace");
}

TEST(nobody_comes_under_the_name_of_a_key) {
    assert_closed(join("Ada Lovelace", NULL), APEX_REASON_NOT_LISTED);
    assert_closed(join("ada lovelace", &keys[1]), APEX_REASON_NOT_LISTED);
    size_t other = join("Cleo", &keys[0]); // his own entry, whatever he says
    ck_assert_str_eq(name_of(other), "Ada Lovelace");
}

TEST(a_name_without_a_key_is_for_the_first_who_comes) {
    size_t bob = join("bob", NULL);
    ck_assert_str_eq(name_of(bob), "Bob");
    size_t again = join("Bob", NULL);
    assert_closed(again, APEX_REASON_NAME_HELD);
    ck_assert_str_eq(why_of(again), "this entry of the event drives already");
    leave(bob);
    ck_assert_uint_ne(player_of(join("Bob", NULL)), 0);
}

TEST(the_list_says_the_car) {
    apex_client_def def = apex_default_client_def();
    def.name = "Bob";
    def.car = "boxster-s";
    size_t bob = race_rig_connect(rig, &def);
    race_rig_tick(rig, 10);
    ck_assert_uint_eq(race_rig_standing(rig, "Bob").car, 1);
    def.name = "Ada Lovelace";
    def.car = "corvette-c5";
    def.sign = sign;
    def.sign_context = &keys[0];
    (void)race_rig_connect(rig, &def); // her choice
    race_rig_tick(rig, 10);
    ck_assert_uint_eq(race_rig_standing(rig, "Ada Lovelace").car, 1);
    size_t cleo = join("Cleo", &keys[2]);
    ck_assert_uint_eq(race_rig_standing(rig, "Cleo").car, 0);
    ck_assert_uint_ne(player_of(cleo), player_of(bob));
}

TEST(where_others_may_drive_too_a_key_keeps_its_name) {
    file.race.weekend.entries.only_listed = false;
    reopen();
    ck_assert_uint_ne(player_of(join("Zoe", NULL)), 0);
    assert_closed(join("Cleo", NULL), APEX_REASON_NAME_HELD);
    size_t cleo = join("C", &keys[2]);
    ck_assert_str_eq(name_of(cleo), "Cleo");
}
