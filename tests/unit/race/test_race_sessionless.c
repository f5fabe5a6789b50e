// An event without sessions and rules is what it was before there were any: the same bytes, the
// same hashes. The numbers are of the commit before sessions.
#include "test_race_scene.h"

#include "base/hash.h"
#include "support/base/check_main.h"

TEST(bytes_and_hashes_are_those_of_before) {
    apex_track *track = scene_circuit();
    apex_race_def def = scene_race_def(6);
    def.laps = 2;
    def.races = 0;
    apex_race *race = scene_race(&def, track);
    scene_join_driver(race, "ada", 1.0);
    scene_join_driver(race, "bob", 0.9);
    apex_player_id jim = scene_join_driver(race, "jim", 0.8);
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, jim), APEX_OK);
    scene_until(race, APEX_PHASE_RACE, 600);
    for (int i = 0; i < 3000; i++) {
        scene_tick(race, NULL);
    }
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, jim), APEX_OK);
    scene_join_driver(race, "eve", 1.0);
    scene_until(race, APEX_PHASE_RESULTS, 12000);
    size_t length = apex_race_save_bytes(race);
    uint8_t *bytes = malloc(length);
    ck_assert_ptr_nonnull(bytes);
    apex_race_save(race, bytes);
    ck_assert_uint_eq(length, 10048);
    ck_assert_uint_eq(apex_hash_bytes(bytes, length, 0), UINT64_C(8459112926461373223));
    ck_assert_uint_eq(apex_race_hash(race), UINT64_C(6621359016175968537));
    free(bytes);
    apex_race_destroy(race);
    apex_track_destroy(track);
}
