// An event of sessions: practice, qualifying, race, and the next round.
#include "test_race_weekend.h"
#include "race/timing/points.h"

#include "race/race_validator.h"
#include "support/base/check_main.h"
#include "support/track/track_scenes.h"

static apex_player_id ada, bob;

static void begin_two(const apex_race_def *def) {
    begin_weekend(def);
    ada = scene_join(race, "ada");
    bob = scene_join(race, "bob");
    go();
}

static apex_race_event wait_for(apex_race_event_kind kind, uint32_t ticks_max) {
    apex_race_event event = {0};
    for (uint32_t i = 0; i < ticks_max; i++) {
        tick();
        if (scene_events(race, kind, &event) > 0) {
            return event;
        }
    }
    ck_abort_msg("no %s", apex_race_event_name(kind));
}

static apex_race_conduct conduct_of(apex_player_id player) {
    apex_race_conduct conduct;
    ck_assert(apex_race_conduct_of(race, player, &conduct));
    return conduct;
}

TEST(sessions_follow_each_other_without_a_lobby) {
    apex_race_def def = weekend_def();
    begin_two(&def);
    ck_assert_uint_eq(session_now(), 0);
    ck_assert_int_eq(line_of(ada)->state, APEX_STANDING_RUNNING);
    // No lights: the second on the grid is all that there is before it.
    apex_race_event flag = wait_for(APEX_EVENT_CHEQUERED, 20 * 60 + 1);
    ck_assert_uint_eq(flag.time_us, 20000000);
    // Nobody has a lap under way: it is over at once.
    scene_until(race, APEX_PHASE_RESULTS, 2);
    apex_race_event begun = wait_for(APEX_EVENT_SESSION, 61);
    ck_assert_int_eq(begun.value, 1);
    ck_assert_int_eq(apex_race_phase_of(race), APEX_PHASE_GRID);
    ck_assert_uint_eq(apex_race_status_of(race).race_number, 2);
    wait_for(APEX_EVENT_CHEQUERED, 22 * 60);
    begun = wait_for(APEX_EVENT_SESSION, 70);
    ck_assert_int_eq(begun.value, 2);
    scene_until(race, APEX_PHASE_COUNTDOWN, 61);
    ck_assert_uint_eq(scene_until(race, APEX_PHASE_RACE, 181), 180); // 3 s of lights
    warp_home(ada);
    ck_assert_int_eq(apex_race_phase_of(race), APEX_PHASE_FINISH);
    warp_home(bob);
    scene_until(race, APEX_PHASE_LOBBY, 70); // the next round
    ck_assert_uint_eq(apex_race_status_of(race).race_number, 4);
    ck_assert_uint_eq(session_now(), 0);
    ck_assert_uint_eq(race_book_points(&race->event.weekend->book, 1), 11 * RACE_POINT_PARTS);
    ck_assert_uint_eq(race_book_points(&race->event.weekend->book, 2), 6 * RACE_POINT_PARTS);
    end();
}

// The grid of the race is the order of qualifying: by best lap that counts.
TEST(qualifying_sets_the_grid_by_best_lap) {
    apex_race_def def = weekend_def();
    begin_two(&def);
    ck_assert_int_eq(scene_command(race, APEX_RACE_SESSION_SKIP, ada), APEX_OK);
    ck_assert_uint_eq(session_now(), 1);
    scene_until(race, APEX_PHASE_RACE, 70);
    drive_lap(ada, 4.0); // to the line
    drive_lap(bob, 4.0);
    ck_assert_uint_eq(line_of(ada)->lap.laps, 0);
    drive_lap(ada, 4.0);
    ck_assert_uint_eq(scene_standing(race, ada).position, 1);
    ck_assert_uint_gt(scene_standing(race, ada).best_lap_us, 3000000);
    drive_lap(bob, 8.0); // began long ago, and is slower
    ck_assert_uint_eq(scene_standing(race, bob).position, 2);
    drive_lap(bob, 8.0);
    ck_assert_uint_eq(scene_standing(race, bob).position, 1);
    apex_race_conduct best = conduct_of(bob);
    ck_assert_uint_eq(best.best_counting_us, scene_standing(race, bob).best_lap_us);
    ck_assert_uint_eq(scene_standing(race, ada).gap_us,
                      conduct_of(ada).best_counting_us - best.best_counting_us);
    scene_until(race, APEX_PHASE_RESULTS, 20 * 60);
    scene_until(race, APEX_PHASE_GRID, 70);
    ck_assert_uint_eq(line_of(bob)->grid, 1);
    ck_assert_uint_eq(line_of(ada)->grid, 2);
    ck_assert_uint_eq(conduct_of(bob).best_counting_us, 0); // a new session, a blank card
    end();
}

// A lap begun before T counts when it ends in overtime; a car that stands holds nobody up.
TEST(overtime_waits_for_laps_that_may_count) {
    apex_race_def def = weekend_def();
    begin_two(&def);
    drive_lap(ada, 4.0);
    drive_lap(bob, 4.0);
    ticks(19 * 60 - (uint32_t)(apex_race_time_us(race) * 60 / 1000000));
    while (apex_race_time_us(race) < 20100000) {
        warp_at(ada, 1.0, 30.0);
        tick();
    }
    ck_assert_int_eq(apex_race_phase_of(race), APEX_PHASE_FINISH);
    ck_assert_int_lt(apex_race_session_of(race).left_us, 0);
    for (uint32_t laps = line_of(ada)->lap.laps; line_of(ada)->lap.laps == laps;) {
        warp_at(ada, 8.0, 30.0);
        tick();
    }
    ck_assert_int_eq(line_of(ada)->state, APEX_STANDING_FINISHED);
    ck_assert(card_of(ada)->lap.flagged);
    ck_assert_uint_gt(conduct_of(ada).best_counting_us, 0);
    // Bob began in time, too, but stands.
    scene_until(race, APEX_PHASE_RESULTS, 2);
    ck_assert_int_eq(line_of(bob)->state, APEX_STANDING_FINISHED);
    ck_assert(!card_of(bob)->lap.flagged);
    end();
}

TEST(overtime_is_not_for_ever) {
    apex_race_def def = weekend_def();
    begin_two(&def);
    drive_lap(ada, 4.0);
    double s_m = 50.0;
    for (uint32_t i = 0; i < 40 * 60 && apex_race_phase_of(race) != APEX_PHASE_RESULTS; i++) {
        // On a place beside the line for ever, at speed: under way, and never home.
        warp_at(ada, s_m - line_of(ada)->s_m, 30.0);
        tick();
    }
    ck_assert_int_eq(apex_race_phase_of(race), APEX_PHASE_RESULTS);
    uint64_t over_us = (race->event.phase_tick - race->timing.records.go_tick) * 1000000 / 60;
    ck_assert_uint_ge(over_us, 30000000);
    ck_assert_uint_le(over_us, 30050000);
    end();
}

// Practice is open whatever late_join says; a race is not.
TEST(practice_may_be_joined_at_any_time) {
    apex_race_def def = weekend_def();
    begin_two(&def);
    ticks(60);
    apex_player_id eve = scene_join(race, "eve");
    ck_assert_int_eq(line_of(eve)->state, APEX_STANDING_RUNNING);
    ck_assert(line_of(eve)->started);
    ck_assert_int_eq(scene_command(race, APEX_RACE_SESSION_SKIP, ada), APEX_OK);
    ck_assert_int_eq(scene_command(race, APEX_RACE_SESSION_SKIP, ada), APEX_OK);
    scene_until(race, APEX_PHASE_RACE, 400);
    apex_race_command late = {.kind = APEX_RACE_JOIN, .name = "max"};
    ck_assert(apex_race_reserve(race, &late.player));
    ck_assert_int_eq(apex_race_apply(race, &late), APEX_ERR_UNSUPPORTED);
    end();
}

// Who left in practice and comes back has his laps and times again, under another id.
TEST(who_comes_back_has_his_laps) {
    apex_race_def def = weekend_def();
    begin_two(&def);
    drive_lap(ada, 6.0);
    drive_lap(ada, 6.0);
    drive_lap(ada, 6.0);
    apex_race_conduct before = conduct_of(ada);
    ck_assert_uint_gt(before.best_counting_us, 0);
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, ada), APEX_OK);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_DNF, NULL), 0);
    ticks(300);
    ck_assert_uint_eq(race->field.counts.kept, 1);
    ada = scene_join(race, "ada");
    ck_assert_uint_eq(race->field.counts.kept, 0);
    ck_assert_uint_eq(line_of(ada)->lap.laps, 2);
    ck_assert_uint_eq(conduct_of(ada).best_counting_us, before.best_counting_us);
    ck_assert_uint_eq(scene_standing(race, ada).position, 1);
    ck_assert_uint_eq(card_of(ada)->competitor1, 1);
    // The lap that he left is not his any more: from the line he begins another, which counts.
    drive_lap(ada, 6.0);
    ck_assert_uint_eq(line_of(ada)->lap.laps, 3);
    ck_assert_uint_lt(line_of(ada)->lap.last_lap_us, 2 * before.best_counting_us);
    ck_assert_ptr_null(race_validate(race));
    end();
}

TEST(in_a_race_he_comes_back_behind_with_his_laps) {
    apex_race_def def = weekend_def();
    def.weekend.session_count = 1;
    def.weekend.sessions[0] = def.weekend.sessions[2];
    def.weekend.sessions[0].laps = 5;
    def.late_join = true;
    begin_two(&def);
    drive_lap(ada, 6.0);
    drive_lap(bob, 6.0);
    drive_lap(ada, 6.0);
    drive_lap(bob, 6.0);
    drive_lap(ada, 6.0);
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, ada), APEX_OK);
    ck_assert_uint_eq(scene_standing(race, bob).position, 2); // 1 lap, behind the one who retired
    ticks(30);
    ada = scene_join(race, "ada");
    ck_assert_uint_eq(line_of(ada)->lap.laps, 2);
    ck_assert_int_eq(line_of(ada)->state, APEX_STANDING_RUNNING);
    uint64_t line_us = line_of(ada)->lap.lap_from_us;
    drive_lap(ada, 6.0);
    ck_assert_uint_eq(line_of(ada)->lap.laps, 3);
    ck_assert_uint_gt(line_of(ada)->lap.last_lap_us, 0);
    ck_assert_uint_eq(line_of(ada)->lap.lap_from_us, line_us + line_of(ada)->lap.last_lap_us);
    end();
}

// The race is by time here: after 10 s whoever takes the lead over the line ends it.
TEST(a_race_by_time_is_ended_over_the_line) {
    apex_race_def def = weekend_def();
    def.weekend.session_count = 1;
    def.weekend.sessions[0] = def.weekend.sessions[2];
    def.weekend.sessions[0].laps = 0;
    def.weekend.sessions[0].duration_s = 10.0;
    def.weekend.sessions[0].finish_wait_s = 2.0;
    begin_two(&def);
    ck_assert_uint_eq(apex_race_status_of(race).laps, 0);
    drive_lap(ada, 5.0);
    drive_lap(bob, 5.0);
    drive_lap(ada, 5.0);
    while (apex_race_time_us(race) < 10000000) {
        tick();
    }
    ck_assert_int_eq(apex_race_phase_of(race), APEX_PHASE_RACE);
    drive_lap(bob, 5.0); // a lap as well, but not the lead
    ck_assert_int_eq(apex_race_phase_of(race), APEX_PHASE_RACE);
    drive_lap(ada, 5.0);
    ck_assert_int_eq(apex_race_phase_of(race), APEX_PHASE_FINISH);
    ck_assert_int_eq(line_of(ada)->state, APEX_STANDING_FINISHED);
    ck_assert_uint_eq(line_of(ada)->lap.total_us, line_of(ada)->lap.lap_from_us);
    ck_assert_uint_eq(apex_race_session_of(race).lead_laps, 2);
    // Bob does not come home in 2 s: he has his lap, and is no retirement.
    scene_until(race, APEX_PHASE_RESULTS, 122);
    ck_assert_int_eq(line_of(bob)->state, APEX_STANDING_FINISHED);
    ck_assert(!card_of(bob)->lap.flagged);
    apex_standing lines[12];
    size_t classified = 0;
    apex_race_results(race, lines, 12, &classified);
    ck_assert_uint_eq(classified, 2);
    ck_assert_uint_eq(lines[1].laps, 1);
    end();
}

TEST(sessions_are_extended_ended_and_begun_again) {
    apex_race_def def = weekend_def();
    begin_two(&def);
    apex_race_command extend = {.kind = APEX_RACE_SESSION_EXTEND, .seconds = 5.0};
    ck_assert_int_eq(apex_race_apply(race, &extend), APEX_OK);
    extend.seconds = 0.5;
    ck_assert_int_eq(apex_race_apply(race, &extend), APEX_ERR_RANGE);
    tick();
    ck_assert_int_gt(apex_race_session_of(race).left_us, 24900000);
    apex_race_event flag = wait_for(APEX_EVENT_CHEQUERED, 25 * 60 + 1);
    ck_assert_uint_eq(flag.time_us, 25000000);
    extend.seconds = 5.0;
    ck_assert_int_eq(apex_race_apply(race, &extend), APEX_ERR_STATE);
    ck_assert_int_eq(scene_command(race, APEX_RACE_RESTART, ada), APEX_OK);
    ck_assert_int_eq(apex_race_phase_of(race), APEX_PHASE_GRID);
    ck_assert_uint_eq(session_now(), 0);
    ck_assert(!apex_race_session_of(race).chequered);
    scene_until(race, APEX_PHASE_RACE, 70);
    ticks(60);
    ck_assert_int_eq(scene_command(race, APEX_RACE_SESSION_END, ada), APEX_OK);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_CHEQUERED, &flag), 1);
    ck_assert_uint_eq(flag.time_us, (uint64_t)apex_race_time_us(race));
    ck_assert_int_eq(scene_command(race, APEX_RACE_SESSION_END, ada), APEX_ERR_STATE);
    scene_until(race, APEX_PHASE_RESULTS, 2);
    end();
}

// A race that is ended by order was over when the lead was last taken at the line: who was there
// since has ended there, and the others go on to it.
TEST(a_race_is_ended_by_order_as_of_the_last_lead) {
    apex_race_def def = weekend_def();
    def.weekend.session_count = 1;
    def.weekend.sessions[0] = def.weekend.sessions[2];
    def.weekend.sessions[0].laps = 9;
    begin_weekend(&def);
    ada = scene_join(race, "ada");
    bob = scene_join(race, "bob");
    apex_player_id eve = scene_join(race, "eve");
    go();
    for (int i = 0; i < 2; i++) {
        drive_lap(eve, 5.0);
    }
    for (int i = 0; i < 3; i++) {
        drive_lap(ada, 5.0);
    }
    for (int i = 0; i < 3; i++) {
        drive_lap(bob, 5.0);
    }
    uint64_t ada_us = line_of(ada)->lap.lap_from_us;
    ck_assert_int_eq(scene_command(race, APEX_RACE_SESSION_END, ada), APEX_OK);
    ck_assert_uint_eq(race->event.weekend->chequered.out_us, ada_us);
    ck_assert_int_eq(line_of(ada)->state, APEX_STANDING_FINISHED);
    ck_assert_int_eq(line_of(bob)->state, APEX_STANDING_FINISHED);
    ck_assert_int_eq(line_of(eve)->state, APEX_STANDING_RUNNING);
    tick();
    ck_assert_uint_eq(scene_standing(race, ada).position, 1);
    ck_assert_uint_eq(scene_standing(race, bob).position, 2);
    drive_lap(eve, 5.0);
    ck_assert_int_eq(line_of(eve)->state, APEX_STANDING_FINISHED);
    ck_assert_uint_eq(line_of(eve)->lap.laps, 2);
    end();
}

// Two over the line in one tick, in the other order than their slots: the lapped one first has a
// lap to go, and after the winner has none.
TEST(crossings_of_a_tick_are_looked_at_in_time) {
    for (int lapped_first = 0; lapped_first < 2; lapped_first++) {
        apex_race_def def = weekend_def();
        def.weekend.session_count = 1;
        def.weekend.sessions[0] = def.weekend.sessions[2];
        begin_two(&def);
        apex_player_id winner = lapped_first ? ada : bob, lapped = lapped_first ? bob : ada;
        drive_lap(winner, 5.0);
        drive_lap(lapped, 5.0);
        drive_lap(winner, 5.0);
        // Both to 2 m before the line by small steps, then over it.
        apex_player_id both[2] = {winner, lapped};
        for (int k = 0; k < 2; k++) {
            double left_m = race->timing.length_m - 2.0 - line_of(both[k])->s_m;
            for (int i = 0; i < 200; i++) {
                warp(both[k], left_m / 200.0);
                tick();
            }
        }
        warp(winner, lapped_first ? 4.0 : 8.0);
        warp(lapped, lapped_first ? 8.0 : 4.0);
        tick();
        ck_assert_int_eq(line_of(winner)->state, APEX_STANDING_FINISHED);
        ck_assert_int_eq(line_of(lapped)->state,
                         lapped_first ? APEX_STANDING_RUNNING : APEX_STANDING_FINISHED);
        ck_assert_uint_eq(line_of(lapped)->lap.laps, 1);
        end();
    }
}

TEST(nobody_there_within_a_round_waits_on_the_grid) {
    apex_race_def def = weekend_def();
    begin_two(&def);
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, ada), APEX_OK);
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, bob), APEX_OK);
    ticks(600); // the practice goes on without them
    ck_assert_int_eq(apex_race_phase_of(race), APEX_PHASE_RACE);
    ticks(700);
    ck_assert_uint_eq(session_now(), 1);
    ck_assert_int_eq(apex_race_phase_of(race), APEX_PHASE_GRID);
    ticks(600);
    ck_assert_int_eq(apex_race_phase_of(race), APEX_PHASE_GRID);
    scene_join(race, "eve");
    scene_until(race, APEX_PHASE_RACE, 70);
    end();
}

// Whom no feed takes watches, in a session that does not take the rest.
TEST(who_is_not_taken_watches) {
    apex_race_def def = weekend_def();
    def.weekend.session_count = 2;
    def.weekend.sessions[1] = def.weekend.sessions[2];
    def.weekend.sessions[1].feed_count = 1;
    def.weekend.sessions[1].feeds[0] = (apex_session_feed){.session = 0, .from = 1, .to = 1};
    begin_two(&def);
    drive_lap(bob, 6.0);
    drive_lap(bob, 6.0);
    scene_until(race, APEX_PHASE_RESULTS, 32 * 60);
    scene_until(race, APEX_PHASE_RACE, 400);
    ck_assert_int_eq(line_of(bob)->state, APEX_STANDING_RUNNING);
    ck_assert_int_eq(line_of(ada)->state, APEX_STANDING_WAITING);
    ticks(200);
    ck_assert(line_of(ada)->ghost && race->field.poses[ada.index1 - 1].held);
    end();
}

// Results that are driven again are not in the book twice.
TEST(a_race_that_is_begun_again_scores_once) {
    apex_race_def def = weekend_def();
    def.weekend.session_count = 1;
    def.weekend.sessions[0] = def.weekend.sessions[2];
    begin_two(&def);
    warp_home(ada);
    warp_home(bob);
    scene_until(race, APEX_PHASE_RESULTS, 2);
    ck_assert_uint_eq(conduct_of(ada).points, 11 * RACE_POINT_PARTS);
    ck_assert_int_eq(scene_command(race, APEX_RACE_RESTART, ada), APEX_OK);
    ck_assert_uint_eq(conduct_of(ada).points, 0 * RACE_POINT_PARTS);
    scene_until(race, APEX_PHASE_RACE, 300);
    warp_home(bob);
    warp_home(ada);
    scene_until(race, APEX_PHASE_RESULTS, 2);
    ck_assert_uint_eq(conduct_of(bob).points, 11 * RACE_POINT_PARTS);
    ck_assert_uint_eq(conduct_of(ada).points, 6 * RACE_POINT_PARTS);
    scene_until(race, APEX_PHASE_LOBBY, 70);
    ck_assert_uint_eq(conduct_of(bob).points, 11 * RACE_POINT_PARTS); // carried into the next round
    end();
}

// On an open track the flag is at the finish, and whoever passes the start line after it goes on.
TEST(an_open_track_ends_at_its_finish) {
    apex_race_def def = weekend_def();
    def.weekend.session_count = 1;
    def.weekend.sessions[0] = def.weekend.sessions[2];
    begin_on(scene_strip(), &def);
    ada = scene_join(race, "ada");
    bob = scene_join(race, "bob");
    go();
    warp_home(ada);
    ck_assert_int_eq(apex_race_phase_of(race), APEX_PHASE_FINISH);
    ck_assert_uint_eq(line_of(ada)->lap.laps, 1);
    while (line_of(bob)->lap.gates_passed < 2) {
        warp(bob, 10.0);
        tick();
        ck_assert_int_eq(line_of(bob)->state, APEX_STANDING_RUNNING);
    }
    warp_home(bob);
    ck_assert_uint_eq(line_of(bob)->lap.laps, 1);
    scene_until(race, APEX_PHASE_RESULTS, 2);
    end();
}

static apex_track *terrain(void) {
    apex_track_def def = track_scene_terrain(61, 51, 2);
    def.terrain.box_count = 1;
    def.terrain.boxes[0] = (apex_terrain_box){20.0, 20.0, 0.0};
    return scene_lay(&def);
}

// An open session has no line: its time ends it.
TEST(a_session_on_a_terrain_ends_by_its_time) {
    apex_race_def def = weekend_def();
    def.laps = 0;
    def.weekend.session_count = 2;
    def.weekend.sessions[1] = def.weekend.sessions[2];
    def.weekend.sessions[1].laps = 0;
    def.weekend.sessions[1].duration_s = 5.0;
    begin_on(terrain(), &def);
    ada = scene_join(race, "ada");
    go();
    scene_until(race, APEX_PHASE_RESULTS, 20 * 60 + 3);
    ck_assert_int_eq(line_of(ada)->state, APEX_STANDING_FINISHED);
    scene_until(race, APEX_PHASE_RACE, 400);
    ck_assert_uint_eq(scene_until(race, APEX_PHASE_RESULTS, 5 * 60 + 3), 300);
    ck_assert_ptr_null(race_validate(race));
    end();
}

TEST(races_counts_rounds) {
    apex_race_def def = weekend_def();
    def.races = 2;
    begin_two(&def);
    for (uint32_t i = 1; i < 6; i++) {
        ck_assert_uint_eq(apex_race_status_of(race).race_number, i);
        ck_assert_int_eq(scene_command(race, APEX_RACE_SESSION_SKIP, ada), APEX_OK);
    }
    ck_assert_uint_eq(session_now(), 2);
    scene_until(race, APEX_PHASE_RACE, 400);
    ck_assert_int_eq(scene_command(race, APEX_RACE_SESSION_SKIP, ada), APEX_OK);
    ck_assert_int_eq(apex_race_phase_of(race), APEX_PHASE_OVER);
    tick();
    ck_assert_ptr_null(race_validate(race));
    ck_assert_int_eq(scene_command(race, APEX_RACE_SESSION_SKIP, ada), APEX_ERR_STATE);
    end();
}
