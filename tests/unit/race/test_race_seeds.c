// Tests of what makes one race of an event differ from the next: seeds of their own, and cars that
// change before the start.
#include "test_race_ring.h"
#include "support/base/check_main.h"

static apex_race *race_of_two_cars(const apex_race_def *def, const apex_track *on) {
    apex_car_def cars[2] = {apex_default_car_def(), apex_default_car_def()};
    cars[1].hull.length_m *= 1.5;
    cars[1].mass_kg *= 1.2;
    apex_race *made = NULL;
    ck_assert_int_eq(apex_race_create(def, on, cars, 2, &made), APEX_OK);
    return made;
}

static apex_err change_car(apex_player_id player, uint32_t car) {
    apex_race_command command = {.kind = APEX_RACE_CAR, .player = player, .car = car};
    return apex_race_apply(race, &command);
}

TEST(a_car_is_changed_before_the_start_only) {
    apex_race_def def = scene_race_def(2);
    begin(&def);
    apex_race_destroy(race);
    race = race_of_two_cars(&def, track);
    apex_player_id ada = scene_join(race, "ada");
    apex_player_id bob = scene_join(race, "bob"); // every place for a car is taken
    apex_car_id first = scene_standing(race, ada).car_id;
    ck_assert_int_eq(change_car(ada, 2), APEX_ERR_NOT_FOUND);
    ck_assert_int_eq(change_car((apex_player_id){9, 9}, 1), APEX_ERR_NOT_FOUND);
    ck_assert_int_eq(change_car(ada, 1), APEX_OK);
    apex_standing line = scene_standing(race, ada);
    ck_assert_uint_eq(line.car, 1);
    ck_assert(!apex_world_has_car(apex_race_world(race), first));
    ck_assert(apex_world_has_car(apex_race_world(race), line.car_id));
    apex_player_id driver = {0, 0};
    ck_assert(apex_race_player_of_car(race, line.car_id, &driver));
    ck_assert_uint_eq(driver.index1, ada.index1);
    uint64_t hash = apex_race_hash(race);
    ck_assert_int_eq(change_car(ada, 1), APEX_OK); // hers already
    ck_assert_uint_eq(apex_race_hash(race), hash);
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, ada), APEX_OK);
    apex_car_pose before, after;
    apex_world_pose(apex_race_world(race), scene_standing(race, bob).car_id, &before);
    ck_assert_int_eq(change_car(bob, 1), APEX_OK);
    apex_world_pose(apex_race_world(race), scene_standing(race, bob).car_id, &after);
    ck_assert_double_eq_tol(after.position_m[0], before.position_m[0], 0.05); // in its box
    ck_assert_double_eq_tol(after.position_m[1], before.position_m[1], 0.05);
    ck_assert(after.held);
    ck_assert_int_eq(scene_standing(race, bob).state, APEX_STANDING_WAITING);
    scene_until(race, APEX_PHASE_COUNTDOWN, 100);
    ck_assert_int_eq(change_car(bob, 0), APEX_ERR_STATE);
    scene_until(race, APEX_PHASE_RACE, 200);
    ck_assert_int_eq(change_car(bob, 0), APEX_ERR_STATE);
    end();
}

TEST(each_race_has_a_seed_of_its_own) {
    apex_race_def def = scene_race_def(2);
    def.world.seed = 7;
    def.races = 2;
    begin(&def);
    uint64_t first = apex_race_status_of(race).seed;
    ck_assert_uint_eq(first, apex_race_seed_of(7, 1));
    apex_player_id ada = scene_join(race, "ada");
    go();
    ck_assert_int_eq(scene_command(race, APEX_RACE_RESTART, ada), APEX_OK);
    ck_assert_uint_eq(apex_race_status_of(race).seed, first); // the same race again
    scene_until(race, APEX_PHASE_RACE, 1000);
    warp_home(ada);
    scene_until(race, APEX_PHASE_LOBBY, 1000);
    ck_assert_uint_eq(apex_race_status_of(race).seed, apex_race_seed_of(7, 2));
    for (uint32_t n = 1; n < 100; n++) {
        ck_assert_uint_ne(apex_race_seed_of(7, n), apex_race_seed_of(7, n + 1));
        ck_assert_uint_ne(apex_race_seed_of(n, 1), apex_race_seed_of(n + 1, 1));
        ck_assert_uint_ge(apex_race_seed_of(n, n), 1);
        ck_assert_uint_le(apex_race_seed_of(n, n), APEX_RACE_SEED_MAX);
    }
    ck_assert_uint_eq(apex_race_seed_of(7, 1), 1717198736378721); // on every machine, for ever
    end();
}
