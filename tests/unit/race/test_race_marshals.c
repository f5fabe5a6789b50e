// Marshals: stuck cars, resets, the wrong way, off the road, contacts, handovers.
#include "test_race_ring.h"
#include "race/field/berth.h"
#include "race/judging.h"
#include "support/base/check_main.h"

// All want to go, and no gear is in.
static void tick_in_vain(void) {
    apex_controls controls[4];
    for (int i = 0; i < 4; i++) {
        controls[i] = (apex_controls){.throttle = 200};
    }
    apex_race_tick(race, controls, NULL);
}

TEST(a_stuck_car_is_put_back_not_ahead) {
    apex_race_def def = scene_race_def(4);
    def.stuck_s = 2.0;
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    go();
    for (int i = 0; i < 10; i++) {
        warp(ada, 20.0);
        scene_tick(race, NULL);
    }
    double way_m = race->field.players[0].way_m;
    apex_placement off = apex_track_placement(track, race->field.players[0].s_m + 8.0, 40.0);
    apex_world_place_car(race->field.world, race->field.players[0].car_id, &off);
    scene_tick(race, NULL);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_OFF_TRACK, NULL), 1);
    ck_assert_uint_eq(race->field.poses[0].wheels_on_road, 0);
    uint32_t ticks = 1;
    while (scene_events(race, APEX_EVENT_RESET, NULL) == 0) {
        ck_assert_uint_lt(ticks, 400);
        tick_in_vain();
        ticks++;
    }
    ck_assert_uint_le(ticks, 240);
    ck_assert_uint_ge(ticks, 118);
    ck_assert_double_le(race->field.players[0].way_m, way_m + 0.05);
    ck_assert_double_gt(race->field.players[0].way_m, way_m - 3.0);
    scene_tick(race, NULL);
    ck_assert_uint_eq(race->field.poses[0].wheels_on_road, race->field.poses[0].wheel_count);
    ck_assert(race->field.poses[0].ghost);
    apex_standing line = scene_standing(race, ada);
    ck_assert_uint_eq(line.resets, 1);
    ck_assert_uint_eq(line.off_track_count, 1);
    ck_assert_uint_gt(line.off_track_us_max, 1500000);
    for (int i = 0; i < 125; i++) {
        warp_at(ada, 6.0, 20.0);
        scene_tick(race, NULL);
    }
    ck_assert(!race->field.poses[0].ghost);
    end();
}

TEST(short_patience_lets_a_car_get_going) {
    apex_race_def def = scene_race_def(1);
    def.stuck_s = 1.5;
    begin(&def);
    apex_player_id ada = scene_join_driver(race, "ada", 1.0);
    go();
    for (int i = 0; i < 600; i++) {
        scene_tick(race, NULL);
    }
    apex_standing line = scene_standing(race, ada);
    ck_assert_uint_eq(line.resets, 0);
    ck_assert_double_gt(line.lap_m, 50.0);
    end();
}

TEST(a_reset_finds_a_free_place_behind) {
    apex_race_def def = scene_race_def(4);
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    apex_player_id bob = scene_join(race, "bob");
    go();
    for (int i = 0; i < 8; i++) {
        warp(ada, 20.0);
        warp(bob, 20.0);
        scene_tick(race, NULL);
    }
    // Bob parks where Ada would be put.
    apex_placement there = race_berth_beside(&race->field, 0, race->field.players[0].s_m).at;
    apex_world_place_car(race->field.world, race->field.players[1].car_id, &there);
    apex_placement off = apex_track_placement(track, race->field.players[0].s_m, 30.0);
    apex_world_place_car(race->field.world, race->field.players[0].car_id, &off);
    scene_tick(race, NULL);
    double way_m = race->field.players[0].way_m;
    apex_controls controls[4] = {{.reset_count = 0}};
    apex_race_tick(race, controls, NULL);
    controls[0].reset_count = 1;
    apex_race_tick(race, controls, NULL);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_RESET, NULL), 1);
    double x_m = race->field.poses[0].position_m[0] - race->field.poses[1].position_m[0];
    double y_m = race->field.poses[0].position_m[1] - race->field.poses[1].position_m[1];
    ck_assert_double_gt(x_m * x_m + y_m * y_m, 4.0 * 4.0);
    ck_assert_double_lt(race->field.players[0].way_m, way_m);
    apex_race_tick(race, controls, NULL); // a counter that stays is no new wish
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_RESET, NULL), 0);
    end();
}

// @return how often the car was put back in so many ticks, in each of which its driver asks for it
static uint32_t ask_each_tick(apex_controls controls[], uint32_t ticks) {
    uint32_t given = 0;
    for (uint32_t i = 0; i < ticks; i++) {
        controls[0].reset_count++;
        apex_race_tick(race, controls, NULL);
        given += scene_events(race, APEX_EVENT_RESET, NULL);
    }
    return given;
}

TEST(a_reset_is_given_once_in_a_while) {
    apex_race_def def = scene_race_def(2);
    def.stuck_s = 0.0;
    ck_assert_double_eq(def.reset_wait_s, 3.0);
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    apex_controls controls[2] = {{.reset_count = 0}};
    ck_assert_uint_eq(ask_each_tick(controls, 1), 0);   // the first sample only sets the count
    ck_assert_uint_eq(ask_each_tick(controls, 180), 1); // in the lobby as in the race
    ck_assert_uint_eq(ask_each_tick(controls, 180), 1);
    go();
    for (int i = 0; i < 200; i++) {
        apex_race_tick(race, controls, NULL);
    }
    uint32_t before = scene_standing(race, ada).resets;
    ck_assert_uint_eq(ask_each_tick(controls, 180), 1);
    // What was asked for in vain does not come later.
    for (int i = 0; i < 200; i++) {
        apex_race_tick(race, controls, NULL);
        ck_assert_uint_eq(scene_events(race, APEX_EVENT_RESET, NULL), 0);
    }
    ck_assert_uint_eq(ask_each_tick(controls, 1), 1);
    ck_assert_uint_eq(scene_standing(race, ada).resets, before + 2);
    end();
}

TEST(a_race_of_before_gives_each_reset) {
    apex_race_def def = scene_race_def(2);
    def.stuck_s = def.reset_wait_s = 0.0;
    begin(&def);
    scene_join(race, "ada");
    size_t bytes = apex_race_save_bytes(race);
    go();
    apex_controls controls[2] = {{.reset_count = 0}};
    apex_race_tick(race, controls, NULL);
    ck_assert_uint_eq(ask_each_tick(controls, 20), 20);
    end();
    def.reset_wait_s = 1.0; // a count more in each of four lines, of players and of those who left
    begin(&def);
    ck_assert_uint_eq(apex_race_save_bytes(race), bytes + 4 * sizeof(uint32_t));
    end();
}

// A race that is restored while somebody waits goes on as the one that was saved.
TEST(the_wait_for_a_reset_is_saved) {
    apex_race_def def = scene_race_def(2);
    def.stuck_s = 0.0;
    begin(&def);
    scene_join(race, "ada");
    go();
    apex_controls controls[2] = {{.reset_count = 0}};
    apex_race_tick(race, controls, NULL);
    ck_assert_uint_eq(ask_each_tick(controls, 100), 1);
    uint8_t *saved = malloc(apex_race_save_bytes(race));
    ck_assert_ptr_nonnull(saved);
    apex_race_save(race, saved);
    apex_controls again[2] = {controls[0]};
    ck_assert_uint_eq(ask_each_tick(controls, 80), 0);
    ck_assert_uint_eq(ask_each_tick(controls, 1), 1);
    uint64_t hash = apex_race_hash(race);
    ck_assert_int_eq(apex_race_restore(race, saved, apex_race_save_bytes(race)), APEX_OK);
    ck_assert_uint_eq(ask_each_tick(again, 80), 0);
    ck_assert_uint_eq(ask_each_tick(again, 1), 1);
    ck_assert_uint_eq(apex_race_hash(race), hash);
    free(saved);
    end();
}

TEST(going_the_wrong_way_is_told_once) {
    apex_race_def def = scene_race_def(2);
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    go();
    uint32_t told = 0;
    uint32_t first = 0;
    for (uint32_t i = 1; i <= 240; i++) {
        warp(ada, -0.5); // 30 m/s
        scene_tick(race, NULL);
        if (scene_events(race, APEX_EVENT_WRONG_WAY, NULL) > 0) {
            told++;
            first = i;
        }
    }
    ck_assert_uint_eq(told, 1);
    ck_assert_uint_ge(first, 120);
    ck_assert_uint_le(first, 125);
    end();
}

TEST(a_handover_does_not_look_like_a_reset) {
    apex_race_def def = scene_race_def(2);
    def.reset_wait_s = 0.0;
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    go();
    apex_controls controls[2] = {{.reset_count = 3, .shift_up_count = 40}};
    for (int i = 0; i < 5; i++) {
        apex_race_tick(race, controls, NULL);
    }
    ck_assert_int_eq(scene_command(race, APEX_RACE_TAKEOVER, ada), APEX_OK);
    for (int i = 0; i < 30; i++) {
        apex_race_tick(race, controls, NULL);
        ck_assert_uint_eq(scene_events(race, APEX_EVENT_RESET, NULL), 0);
    }
    ck_assert(scene_standing(race, ada).driven_by_server);
    ck_assert_uint_gt(apex_race_controls_used(race)[0].throttle, 0);
    ck_assert_int_eq(scene_command(race, APEX_RACE_HANDBACK, ada), APEX_OK);
    controls[0].reset_count = 9;
    controls[0].throttle = 40; // or it would be parked, where the reset before has put it
    for (int i = 0; i < 5; i++) {
        apex_race_tick(race, controls, NULL);
        ck_assert_uint_eq(scene_events(race, APEX_EVENT_RESET, NULL), 0);
    }
    ck_assert_mem_eq(&apex_race_controls_used(race)[0], &controls[0], sizeof controls[0]);
    controls[0].reset_count = 10;
    apex_race_tick(race, controls, NULL);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_RESET, NULL), 1);
    end();
}

TEST(a_jump_is_no_excursion) {
    apex_race_def def = scene_race_def(2);
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    go();
    race->field.poses[0].wheels_on_road = 0;
    race->field.poses[0].airborne = true;
    race_judge_player(race, 0, (race_advance){.step_m = 0.5});
    ck_assert_uint_eq(scene_standing(race, ada).off_track_count, 0);
    race->field.poses[0].airborne = false;
    race_judge_player(race, 0, (race_advance){.step_m = 0.5});
    race->field.poses[0].airborne = true; // hopping over the grass is still off the road
    race_judge_player(race, 0, (race_advance){.step_m = 0.5});
    ck_assert_uint_eq(scene_standing(race, ada).off_track_count, 1);
    ck_assert_uint_eq(scene_standing(race, ada).off_track_us_max, 2 * 1000000 / 60);
    end();
}

TEST(touching_cars_are_told_and_counted) {
    apex_race_def def = scene_race_def(4);
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    apex_player_id bob = scene_join(race, "bob");
    go();
    apex_placement ahead = apex_track_placement(track, 200.0, 0.0);
    apex_placement behind = apex_track_placement(track, 194.0, 0.0);
    behind.speed_mps = 12.0;
    apex_world_place_car(race->field.world, race->field.players[0].car_id, &ahead);
    apex_world_place_car(race->field.world, race->field.players[1].car_id, &behind);
    uint32_t told = 0;
    apex_race_event contact = {0};
    for (int i = 0; i < 60; i++) {
        scene_tick(race, NULL);
        told += scene_events(race, APEX_EVENT_CONTACT, told == 0 ? &contact : NULL);
    }
    ck_assert_uint_ge(told, 1);
    ck_assert_uint_eq(contact.player.index1, ada.index1);
    ck_assert_uint_eq(contact.other.index1, bob.index1);
    // 12 m/s between two equal cars that hardly bounce: about half of m v.
    double mass_kg = race->field.cars[0].mass_kg + race->field.cars[0].fuel_kg_max;
    ck_assert_double_gt((double)contact.value, 0.2 * mass_kg * 12.0);
    ck_assert_double_lt((double)contact.value, 1.0 * mass_kg * 12.0);
    ck_assert_uint_eq(scene_standing(race, ada).contacts, told);
    ck_assert_uint_eq(scene_standing(race, bob).contacts, told);
    end();
}

TEST(a_car_that_cannot_go_on_retires_instead_of_being_put_back) {
    apex_race_def def = scene_race_def(4);
    def.stuck_s = 2.0;
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    scene_join(race, "bob");
    go();
    race->field.players[0].watch.crippled = true;
    uint32_t retired = 0;
    uint32_t reset = 0;
    for (int i = 0; i < 200; i++) {
        tick_in_vain();
        retired += scene_events(race, APEX_EVENT_DNF, NULL);
        reset += scene_events(race, APEX_EVENT_RESET, NULL);
    }
    ck_assert_uint_eq(retired, 1);
    ck_assert_uint_eq(reset, 1); // bob's
    ck_assert_int_eq(scene_standing(race, ada).state, APEX_STANDING_DNF);
    ck_assert(race->field.poses[0].ghost);
    end();
}

TEST(who_is_home_is_in_nobody_s_way) {
    apex_race_def def = scene_race_def(4);
    def.laps = 1;
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    apex_player_id bob = scene_join(race, "bob");
    go();
    warp_home(ada);
    scene_tick(race, NULL);
    ck_assert(race->field.poses[0].ghost);
    ck_assert(!race->field.poses[1].ghost);
    for (int i = 0; i < 200; i++) { // and stays so, free of others or not
        warp(bob, 0.5);
        scene_tick(race, NULL);
    }
    ck_assert(race->field.poses[0].ghost);
    ck_assert_uint_eq(scene_standing(race, bob).contacts, 0);
    end();
}
