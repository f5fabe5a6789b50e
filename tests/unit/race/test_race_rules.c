// Phases, joining and leaving, classification. Cars are moved on by hand so that races are short.
#include "test_race_ring.h"
#include "race/timing/lap.h"
#include "race/timing/order.h"
#include "support/base/check_main.h"

TEST(the_phases_follow_each_other) {
    apex_race_def def = scene_race_def(4);
    def.laps = 1;
    def.races = 2;
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    for (int i = 0; i < 200; i++) {
        scene_tick(race, NULL);
    }
    ck_assert_int_eq(apex_race_status_of(race).phase, APEX_PHASE_LOBBY); // by command only
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, ada), APEX_OK);
    ck_assert_int_eq(apex_race_status_of(race).phase, APEX_PHASE_GRID);
    ck_assert_int_eq(apex_race_status_of(race).race_time_us, -3000000);
    ck_assert_uint_eq(scene_until(race, APEX_PHASE_COUNTDOWN, 100), 60);
    ck_assert_int_eq(apex_race_status_of(race).race_time_us, -3000000);
    apex_race_event light = {0};
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_LIGHTS, &light), 1);
    ck_assert_int_eq(light.value, 3);
    int64_t seen = 3;
    for (uint32_t i = 1; i <= 180; i++) {
        scene_tick(race, NULL);
        if (scene_events(race, APEX_EVENT_LIGHTS, &light) > 0) {
            ck_assert_uint_eq(i % 60, 0);
            ck_assert_int_eq(light.value, --seen);
        }
    }
    ck_assert_int_eq(seen, 0);
    ck_assert_int_eq(apex_race_status_of(race).phase, APEX_PHASE_RACE);
    ck_assert_int_eq(apex_race_status_of(race).race_time_us, 0);
    scene_tick(race, NULL);
    ck_assert_int_eq(apex_race_status_of(race).race_time_us, 16666);
    warp_home(ada); // the only one: the race is over when she is home
    ck_assert_int_eq(apex_race_status_of(race).phase, APEX_PHASE_RESULTS);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_FINISHED, NULL), 1);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_PHASE, NULL), 2); // finish, results
    ck_assert_uint_eq(scene_until(race, APEX_PHASE_LOBBY, 100), 60);
    ck_assert_uint_eq(apex_race_status_of(race).race_number, 2);
    go();
    warp_home(ada);
    scene_until(race, APEX_PHASE_OVER, 100);
    ck_assert_uint_eq(apex_race_status_of(race).race_number, 2);
    end();
}

TEST(the_lobby_waits_for_players_or_time) {
    apex_race_def def = scene_race_def(4);
    def.start_players = 3;
    def.lobby_s = 2.0;
    begin(&def);
    for (int i = 0; i < 300; i++) {
        scene_tick(race, NULL); // an empty lobby's time does not run
    }
    scene_join(race, "ada");
    scene_join(race, "bob");
    ck_assert_uint_eq(scene_until(race, APEX_PHASE_GRID, 300), 120);
    end();

    begin(&def);
    scene_join(race, "ada");
    scene_join(race, "bob");
    scene_tick(race, NULL);
    ck_assert_int_eq(apex_race_status_of(race).phase, APEX_PHASE_LOBBY);
    scene_join(race, "eve");
    scene_tick(race, NULL);
    ck_assert_int_eq(apex_race_status_of(race).phase, APEX_PHASE_GRID);
    end();
}

TEST(the_lobby_says_what_it_waits_for) {
    apex_race_def def = scene_race_def(4);
    def.start_players = 3;
    def.lobby_s = 2.0;
    begin(&def);
    scene_tick(race, NULL);
    ck_assert_uint_eq(apex_race_status_of(race).start_players, 3);
    ck_assert_int_eq(apex_race_status_of(race).lobby_left_us, 0); // nobody is there, no time runs
    scene_join(race, "ada");
    ck_assert_int_eq(apex_race_status_of(race).lobby_left_us, 2000000);
    for (int i = 0; i < 30; i++) {
        scene_tick(race, NULL);
    }
    ck_assert_int_eq(apex_race_status_of(race).lobby_left_us, 1500000);
    scene_join(race, "bob"); // takes no time from it, and adds none
    ck_assert_int_eq(apex_race_status_of(race).lobby_left_us, 1500000);
    for (int i = 0; i < 89; i++) {
        scene_tick(race, NULL);
    }
    ck_assert_int_eq(apex_race_status_of(race).lobby_left_us, 16666); // and the grid forms
    scene_tick(race, NULL);
    ck_assert_int_eq(apex_race_status_of(race).phase, APEX_PHASE_GRID);
    ck_assert_uint_eq(apex_race_status_of(race).start_players, 0);
    ck_assert_int_eq(apex_race_status_of(race).lobby_left_us, 0);
    end();

    begin(&def); // begun by command, it waits no more
    apex_player_id ada = scene_join(race, "ada");
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, ada), APEX_OK);
    ck_assert_int_eq(apex_race_status_of(race).lobby_left_us, 0);
    end();

    def.start_players = 0; // by command only: no time does it
    begin(&def);
    scene_join(race, "ada");
    scene_tick(race, NULL);
    ck_assert_uint_eq(apex_race_status_of(race).start_players, 0);
    ck_assert_int_eq(apex_race_status_of(race).lobby_left_us, 0);
    end();
}

TEST(the_grid_is_held_until_the_lights_go_out) {
    apex_race_def def = scene_race_def(2);
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    apex_controls full[2] = {{.throttle = 255, .gear = APEX_GEAR_AUTOMATIC},
                             {.throttle = 255, .gear = APEX_GEAR_AUTOMATIC}};
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, ada), APEX_OK);
    apex_placement box = apex_track_grid_placement(track, 0);
    apex_car_pose pose;
    while (apex_race_status_of(race).phase != APEX_PHASE_RACE) {
        apex_race_tick(race, full, NULL);
        ck_assert(apex_world_pose(race->field.world, race->field.players[0].car_id, &pose));
        ck_assert_double_eq_tol(pose.position_m[0], box.x_m, 0.01);
        ck_assert_double_eq_tol(pose.position_m[1], box.y_m, 0.01);
    }
    ck_assert(!pose.held ||
              apex_world_pose(race->field.world, race->field.players[0].car_id, &pose));
    ck_assert(!pose.held);
    for (int i = 0; i < 120; i++) {
        apex_race_tick(race, full, NULL);
    }
    ck_assert_double_gt(race->field.players[0].way_m,
                        race_lap_way_m(&race->timing, &race->field, &race->field.players[0]) - 1.0);
    ck_assert_double_gt(
        race->field.poses[0].velocity_mps[0] * race->field.poses[0].velocity_mps[0] +
            race->field.poses[0].velocity_mps[1] * race->field.poses[0].velocity_mps[1],
        9.0);
    end();
}

TEST(a_full_race_refuses_and_stale_ids_are_nobody) {
    apex_race_def def = scene_race_def(2);
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    apex_player_id bob = scene_join(race, "bob");
    ck_assert_uint_eq(ada.index1, 1);
    ck_assert_uint_eq(bob.index1, 2);
    apex_race_command join = {.kind = APEX_RACE_JOIN};
    ck_assert(!apex_race_reserve(race, &join.player));
    ck_assert_uint_eq(join.player.index1, 0);
    uint64_t hash = apex_race_hash(race);
    ck_assert_int_eq(apex_race_apply(race, &join), APEX_ERR_FULL);
    ck_assert_uint_eq(apex_race_hash(race), hash);
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, ada), APEX_OK);
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, ada), APEX_ERR_NOT_FOUND);
    ck_assert_int_eq(scene_command(race, APEX_RACE_TAKEOVER, ada), APEX_ERR_NOT_FOUND);
    ck_assert_int_eq(scene_command(race, APEX_RACE_HANDBACK, ada), APEX_ERR_NOT_FOUND);
    apex_player_id eve = scene_join(race, "eve");
    ck_assert_uint_eq(eve.index1, 1);
    ck_assert_uint_ne(eve.generation, ada.generation);
    apex_standing line;
    ck_assert(!apex_race_player_standing(race, ada, &line));
    ck_assert(apex_race_player_standing(race, eve, &line));
    ck_assert_str_eq(line.name, "eve");
    const apex_player_id nobody[] = {{0, 0}, {3, 1}, {65535, 1}, {0, 1}};
    for (size_t i = 0; i < sizeof nobody / sizeof nobody[0]; i++) {
        ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, nobody[i]), APEX_ERR_NOT_FOUND);
        ck_assert(!apex_race_player_standing(race, nobody[i], &line));
    }
    end();
}

TEST(a_join_names_its_car_and_its_id) {
    apex_race_def def = scene_race_def(4);
    begin(&def);
    apex_race_command join = {.kind = APEX_RACE_JOIN, .car = 1};
    ck_assert(apex_race_reserve(race, &join.player));
    ck_assert_int_eq(apex_race_apply(race, &join), APEX_ERR_NOT_FOUND);
    join.car = 0;
    apex_race_command other = join;
    other.player.generation++;
    ck_assert_int_eq(apex_race_apply(race, &other), APEX_ERR_INVALID);
    memset(join.name, 'x', sizeof join.name); // no zero: cut, not overrun
    ck_assert_int_eq(apex_race_apply(race, &join), APEX_OK);
    ck_assert_uint_eq(strlen(scene_standing(race, join.player).name), APEX_NAME_BYTES - 1);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_JOINED, NULL), 1);
    end();
}

TEST(commands_in_the_wrong_phase_change_nothing) {
    apex_race_def def = scene_race_def(4);
    begin(&def);
    apex_player_id nobody = {0, 0};
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, nobody), APEX_ERR_STATE);
    apex_player_id ada = scene_join(race, "ada");
    uint64_t hash = apex_race_hash(race);
    ck_assert_int_eq(scene_command(race, APEX_RACE_RESTART, nobody), APEX_ERR_STATE);
    apex_race_command unknown = {.kind = (apex_race_command_kind)99};
    ck_assert_int_eq(apex_race_apply(race, &unknown), APEX_ERR_INVALID);
    ck_assert_uint_eq(apex_race_hash(race), hash);
    go();
    hash = apex_race_hash(race);
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, nobody), APEX_ERR_STATE);
    ck_assert_uint_eq(apex_race_hash(race), hash);
    ck_assert_int_eq(scene_command(race, APEX_RACE_END, nobody), APEX_OK);
    ck_assert_int_eq(apex_race_status_of(race).phase, APEX_PHASE_OVER);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_DNF, NULL), 1);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_PHASE, NULL), 2); // results, over
    ck_assert_int_eq(scene_standing(race, ada).state, APEX_STANDING_DNF);
    hash = apex_race_hash(race);
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, nobody), APEX_ERR_STATE);
    ck_assert_int_eq(scene_command(race, APEX_RACE_RESTART, nobody), APEX_ERR_STATE);
    ck_assert_int_eq(scene_command(race, APEX_RACE_END, nobody), APEX_ERR_STATE);
    apex_race_command join = {.kind = APEX_RACE_JOIN};
    ck_assert(apex_race_reserve(race, &join.player));
    ck_assert_int_eq(apex_race_apply(race, &join), APEX_ERR_STATE);
    ck_assert_uint_eq(apex_race_hash(race), hash);
    end();
}

TEST(finishers_stand_by_time_and_the_rest_below) {
    apex_race_def def = scene_race_def(8);
    def.laps = 1;
    def.finish_wait_s = 2.0;
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    apex_player_id bob = scene_join(race, "bob");
    apex_player_id eve = scene_join(race, "eve");
    apex_player_id jim = scene_join(race, "jim");
    apex_player_id kim = scene_join(race, "kim");
    go();
    for (int i = 0; i < 10; i++) {
        warp(eve, 30.0);
        warp(jim, 20.0);
        scene_tick(race, NULL);
    }
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, jim), APEX_OK);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_DNF, NULL), 1);
    apex_race_event left = {0};
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_LEFT, &left), 1);
    ck_assert_int_eq(left.value, 1);
    warp_home(bob);
    ck_assert_int_eq(apex_race_status_of(race).phase, APEX_PHASE_FINISH);
    warp_home(eve);
    apex_race_event home = {0};
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_FINISHED, &home), 1);
    ck_assert_int_eq(home.value, 2);
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, bob), APEX_OK);
    uint32_t waited = scene_until(race, APEX_PHASE_RESULTS, 200);
    ck_assert_uint_lt(waited, 121); // two seconds after the winner, some of them gone already
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_DNF, NULL), 2);
    apex_standing lines[16];
    ck_assert_uint_eq(apex_race_standings(race, lines, 16), 5);
    const apex_player_id order[] = {bob, eve, jim, ada, kim};
    const bool present[] = {false, true, false, true, true};
    for (uint32_t i = 0; i < 5; i++) {
        ck_assert_uint_eq(lines[i].player.index1, order[i].index1);
        ck_assert_uint_eq(lines[i].position, i + 1);
        ck_assert_int_eq(lines[i].present, present[i]);
        ck_assert_int_eq(lines[i].state, i < 2 ? APEX_STANDING_FINISHED : APEX_STANDING_DNF);
    }
    ck_assert_uint_eq(lines[1].gap_us, lines[1].total_us - lines[0].total_us);
    ck_assert_str_eq(lines[2].name, "jim");
    ck_assert_uint_eq(apex_race_standings(race, lines, 3), 3);
    end();
}

TEST(a_line_says_why_its_player_left) {
    apex_race_def def = scene_race_def(8);
    begin(&def);
    const apex_leave_why whys[] = {APEX_LEAVE_GONE, APEX_LEAVE_KICKED, APEX_LEAVE_REPLACED,
                                   APEX_LEAVE_IDLE};
    apex_player_id players[4];
    for (int i = 0; i < 4; i++) {
        players[i] = scene_join(race, "somebody");
    }
    scene_join(race, "who stays");
    go();
    apex_race_command leave = {.kind = APEX_RACE_LEAVE, .player = players[0]};
    leave.why = (apex_leave_why)(APEX_LEAVE_IDLE + 1);
    uint64_t hash = apex_race_hash(race);
    ck_assert_int_eq(apex_race_apply(race, &leave), APEX_ERR_INVALID);
    ck_assert_uint_eq(apex_race_hash(race), hash);
    for (int i = 0; i < 4; i++) {
        leave.player = players[i];
        leave.why = whys[i];
        ck_assert_int_eq(apex_race_apply(race, &leave), APEX_OK);
    }
    for (int i = 0; i < 4; i++) {
        apex_standing line;
        if (whys[i] == APEX_LEAVE_REPLACED) { // as if it had never been
            ck_assert(!apex_race_player_standing(race, players[i], &line));
            continue;
        }
        ck_assert(!scene_standing(race, players[i]).present);
        ck_assert_int_eq(scene_standing(race, players[i]).left_why, whys[i]);
    }
    end();
}

TEST(equal_times_stand_by_the_grid) {
    apex_race_def def = scene_race_def(4);
    def.laps = 1;
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    apex_player_id bob = scene_join(race, "bob");
    go();
    race->field.players[0].state = race->field.players[1].state = APEX_STANDING_FINISHED;
    race->field.players[0].lap.total_us = race->field.players[1].lap.total_us = 5000000;
    race->field.players[0].grid = 2;
    race->field.players[1].grid = 1;
    race_order_update(&race->timing, &race->field);
    race_order_finish(&race->timing, &race->field, &race->log);
    ck_assert_uint_eq(scene_standing(race, bob).position, 1);
    ck_assert_uint_eq(scene_standing(race, ada).position, 2);
    race->field.players[0].lap.finish_rank = race->field.players[1].lap.finish_rank = 0;
    race->field.players[0].lap.total_us--;
    race_order_update(&race->timing, &race->field);
    ck_assert_uint_eq(scene_standing(race, ada).position, 1);
    // Running cars: by way, then by grid.
    race->field.players[0].state = race->field.players[1].state = APEX_STANDING_RUNNING;
    race->field.players[0].way_m = race->field.players[1].way_m = 250.0;
    race_order_update(&race->timing, &race->field);
    ck_assert_uint_eq(scene_standing(race, bob).position, 1);
    race->field.players[0].way_m = 250.001;
    race_order_update(&race->timing, &race->field);
    ck_assert_uint_eq(scene_standing(race, ada).position, 1);
    // A player who has finished stands above one who runs, however far.
    race->field.players[1].state = APEX_STANDING_FINISHED;
    race_order_update(&race->timing, &race->field);
    ck_assert_uint_eq(scene_standing(race, bob).position, 1);
    end();
}

TEST(a_race_nobody_finishes_has_a_hard_end) {
    apex_race_def def = scene_race_def(2);
    def.race_s_max = 3.0;
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    go();
    ck_assert_uint_eq(scene_until(race, APEX_PHASE_RESULTS, 300), 180);
    ck_assert_int_eq(scene_standing(race, ada).state, APEX_STANDING_DNF);
    end();
}

TEST(when_all_have_left_the_race_is_over) {
    apex_race_def def = scene_race_def(2);
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    go();
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, ada), APEX_OK);
    scene_tick(race, NULL);
    ck_assert_int_eq(apex_race_status_of(race).phase, APEX_PHASE_RESULTS);
    ck_assert_int_eq(scene_standing(race, ada).state, APEX_STANDING_DNF);
    ck_assert(!scene_standing(race, ada).present);
    end();

    begin(&def); // in the countdown there is no race to end yet
    ada = scene_join(race, "ada");
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, ada), APEX_OK);
    scene_until(race, APEX_PHASE_COUNTDOWN, 100);
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, ada), APEX_OK);
    scene_tick(race, NULL);
    ck_assert_int_eq(apex_race_status_of(race).phase, APEX_PHASE_LOBBY);
    apex_standing lines[4];
    ck_assert_uint_eq(apex_race_standings(race, lines, 4), 0);
    end();
}

TEST(a_restart_brings_back_the_same_grid) {
    apex_race_def def = scene_race_def(4);
    def.reverse_grid = true;
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    apex_player_id bob = scene_join(race, "bob");
    apex_player_id eve = scene_join(race, "eve");
    go();
    ck_assert_uint_eq(scene_standing(race, eve).grid, 1);
    ck_assert_uint_eq(scene_standing(race, ada).grid, 3);
    for (int i = 0; i < 20; i++) {
        warp(ada, 30.0);
        scene_tick(race, NULL);
    }
    ck_assert_uint_gt(race->field.players[0].lap.gates_passed, 1);
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, bob), APEX_OK);
    ck_assert_int_eq(scene_command(race, APEX_RACE_RESTART, bob), APEX_OK);
    ck_assert_int_eq(apex_race_status_of(race).phase, APEX_PHASE_GRID);
    ck_assert_uint_eq(apex_race_status_of(race).race_number, 1);
    apex_standing lines[4];
    ck_assert_uint_eq(apex_race_standings(race, lines, 4), 2); // one who left is no part of it
    ck_assert_uint_eq(scene_standing(race, eve).grid, 1);
    ck_assert_uint_eq(scene_standing(race, ada).grid, 2);
    ck_assert_uint_eq(race->field.players[0].lap.gates_passed, 0);
    scene_until(race, APEX_PHASE_RACE, 600);
    ck_assert_double_lt(race->field.players[0].way_m, 0.0);
    end();
}

TEST(the_next_grid_follows_the_last_result) {
    apex_race_def def = scene_race_def(4);
    def.laps = 1;
    def.races = 0;
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    apex_player_id bob = scene_join(race, "bob");
    go();
    warp_home(bob);
    warp_home(ada);
    ck_assert_int_eq(apex_race_status_of(race).phase, APEX_PHASE_RESULTS);
    apex_player_id eve = scene_join(race, "eve"); // waits for the next
    ck_assert_int_eq(scene_standing(race, eve).state, APEX_STANDING_WAITING);
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, ada), APEX_OK);
    ck_assert_uint_eq(apex_race_status_of(race).race_number, 2);
    ck_assert_uint_eq(scene_standing(race, bob).grid, 1);
    ck_assert_uint_eq(scene_standing(race, ada).grid, 2);
    ck_assert_uint_eq(scene_standing(race, eve).grid, 3);
    ck_assert_uint_eq(scene_standing(race, bob).total_us, 0);
    end();
}

TEST(late_joiners_start_behind_the_grid_where_allowed) {
    apex_race_def def = scene_race_def(4);
    def.late_join = false;
    begin(&def);
    scene_join(race, "ada");
    go();
    apex_race_command join = {.kind = APEX_RACE_JOIN};
    ck_assert(apex_race_reserve(race, &join.player));
    ck_assert_int_eq(apex_race_apply(race, &join), APEX_ERR_UNSUPPORTED);
    end();

    def.late_join = true;
    begin(&def);
    scene_join(race, "ada");
    apex_player_id bob = scene_join(race, "bob");
    go();
    for (int i = 0; i < 60; i++) {
        scene_tick(race, NULL);
    }
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, bob), APEX_OK);
    apex_player_id eve = scene_join(race, "eve");
    apex_standing line = scene_standing(race, eve);
    ck_assert_int_eq(line.state, APEX_STANDING_RUNNING);
    ck_assert_uint_eq(line.grid, 3); // not bob's box: that was ahead of others
    ck_assert_double_lt(line.lap_m, 0.0);
    apex_car_pose pose;
    ck_assert(apex_world_pose(race->field.world, line.car_id, &pose));
    ck_assert(!pose.held);
    end();
}

TEST(a_storm_of_commands_is_refused_before_events_are_lost) {
    apex_race_def def = scene_race_def(2);
    begin(&def);
    scene_join(race, "ada");
    go();
    apex_player_id nobody = {0, 0};
    uint32_t done = 0;
    while (scene_command(race, APEX_RACE_RESTART, nobody) == APEX_OK) {
        ck_assert_uint_lt(++done, 100000);
    }
    ck_assert_uint_gt(done, 50);
    ck_assert_int_eq(scene_command(race, APEX_RACE_RESTART, nobody), APEX_ERR_FULL);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_PHASE, NULL), done);
    scene_tick(race, NULL);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_PHASE, NULL), done);
    scene_tick(race, NULL);
    ck_assert_int_eq(scene_command(race, APEX_RACE_RESTART, nobody), APEX_OK);
    end();
}

TEST(definitions_out_of_range_are_refused) {
    track = scene_ring(60.0);
    apex_car_def car = apex_default_car_def();
    apex_race_def good = scene_race_def(4);
    apex_race_def bad[15];
    enum { BAD = sizeof bad / sizeof bad[0] };
    for (int i = 0; i < BAD; i++) {
        bad[i] = good;
    }
    bad[0].laps = 0;
    bad[1].laps = 1000;
    bad[2].player_capacity = 0;
    bad[3].player_capacity = APEX_CARS_MAX + 1;
    bad[4].countdown_s = -1.0;
    bad[5].world.tick_hz = 7;
    bad[6].lobby_s = APEX_RACE_SECONDS_MAX + 1.0;
    bad[7].countdown_s = 601.0;
    bad[8].finish_wait_s = bad[9].results_s = bad[10].idle_s = 86401.0;
    bad[11].race_s_max = 604801.0;
    bad[12].stuck_s = (double)NAN;
    bad[13].races = 100001;
    bad[14].start_players = 5;
    race = NULL;
    for (int i = 0; i < BAD; i++) {
        ck_assert_int_eq(apex_race_create(&bad[i], track, &car, 1, &race), APEX_ERR_INVALID);
        ck_assert_ptr_null(race);
    }
    ck_assert_int_eq(apex_race_create(&good, track, &car, 0, &race), APEX_ERR_INVALID);
    car.mass_kg = -1.0;
    ck_assert_int_eq(apex_race_create(&good, track, &car, 1, &race), APEX_ERR_INVALID);
    apex_track_destroy(track);
}

TEST(rules_between_the_numbers_of_a_definition_are_told) {
    apex_race_def def = scene_race_def(4);
    apex_race_def_problem problems[APEX_RACE_DEF_PROBLEMS_MAX];
    ck_assert_uint_eq(apex_race_def_check(&def, problems), 0);
    def.idle_s = 9.9;
    ck_assert_uint_eq(apex_race_def_check(&def, problems), 1);
    ck_assert_str_eq(problems[0].key, "idle_s");
    def.start_players = 5;
    def.world.seed = APEX_RACE_SEED_MAX + 1;
    ck_assert_uint_eq(apex_race_def_check(&def, problems), 3);
    ck_assert_str_eq(problems[1].key, "start_players");
    ck_assert_str_eq(problems[2].key, "seed");
}

TEST(a_driver_that_there_is_not_is_refused) {
    apex_race_def def = scene_race_def(2);
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    const double drivers[][2] = {
        {0.49, 0.0}, {1.01, 0.0}, {(double)NAN, 0.0}, {1.0, -25.01}, {1.0, (double)NAN}};
    uint64_t before = apex_race_hash(race);
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++) {
        apex_race_command drive = {.kind = APEX_RACE_TAKEOVER,
                                   .player = ada,
                                   .skill = drivers[i][0],
                                   .lane_m = drivers[i][1]};
        ck_assert_int_eq(apex_race_apply(race, &drive), APEX_ERR_RANGE);
        ck_assert_uint_eq(apex_race_hash(race), before);
    }
    apex_race_command drive = {.kind = APEX_RACE_TAKEOVER,
                               .player = ada,
                               .skill = 0.5,
                               .lane_m = -25.0,
                               .patience_s = 7.0};
    ck_assert_int_eq(apex_race_apply(race, &drive), APEX_OK);
    const apex_driver *driver = &race->field.players[0].driver;
    ck_assert_double_eq(driver->skill, 0.5);
    ck_assert_double_eq(driver->lane_m, -25.0);
    ck_assert_double_eq(driver->patience_s, 7.0);
    ck_assert_double_eq(driver->s_m, race->field.players[0].s_m);
    ck_assert(driver->placed); // it knows where it is
    drive.patience_s = -1.0;
    ck_assert_int_eq(apex_race_apply(race, &drive), APEX_OK);
    ck_assert_double_eq(driver->patience_s, 0.0);
    end();
}
