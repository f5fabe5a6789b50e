// Players who are classified, those noted apart, and those who are nowhere.
#include "test_race_ring.h"
#include "race/field/event_log.h"
#include "support/base/check_main.h"

enum { LINES = 32 };

static apex_err leave(apex_player_id player, apex_leave_why why) {
    apex_race_command command = {.kind = APEX_RACE_LEAVE, .player = player, .why = why};
    return apex_race_apply(race, &command);
}

static const apex_standing *line_of(const apex_standing lines[], size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(lines[i].name, name) == 0) {
            return &lines[i];
        }
    }
    return NULL;
}

// Past at least one gate of the lap.
static void drive_on(apex_player_id player) {
    for (int i = 0; i < 8; i++) {
        warp(player, 20.0);
        scene_tick(race, NULL);
    }
}

TEST(who_never_took_the_start_is_noted_apart) {
    apex_race_def def = scene_race_def(12);
    def.laps = 1;
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    apex_player_id bob = scene_join(race, "bob");
    apex_player_id kim = scene_join(race, "kim");
    apex_player_id robot = scene_join_driver(race, "robot", 0.9);
    apex_player_id shy = scene_join(race, "shy");
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, ada), APEX_OK);
    ck_assert_int_eq(leave(shy, APEX_LEAVE_GONE), APEX_OK); // from the grid
    scene_until(race, APEX_PHASE_RACE, 600);
    apex_player_id late = scene_join(race, "late");
    apex_player_id idle = scene_join(race, "idle");
    apex_player_id passer = scene_join(race, "passer");
    ck_assert(scene_standing(race, late).not_started);
    drive_on(late);
    ck_assert(!scene_standing(race, late).not_started);
    ck_assert_int_eq(leave(passer, APEX_LEAVE_KICKED), APEX_OK);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_DNF, NULL), 0); // it never began
    apex_standing gone;
    ck_assert(!apex_race_player_standing(race, passer, &gone));
    drive_on(kim);
    ck_assert_int_eq(leave(kim, APEX_LEAVE_KICKED), APEX_OK);
    ck_assert_int_eq(leave(robot, APEX_LEAVE_REPLACED), APEX_OK);
    warp_home(ada);
    scene_join(race, "flag"); // after it
    warp_home(bob);
    scene_until(race, APEX_PHASE_RESULTS, 60 * 70);
    apex_standing lines[LINES];
    size_t classified = 0;
    size_t count = apex_race_results(race, lines, LINES, &classified);
    ck_assert_uint_eq(classified, 4);
    ck_assert_uint_eq(count, 8);
    for (size_t i = 0; i < classified; i++) {
        ck_assert_uint_eq(lines[i].position, i + 1);
        ck_assert(!lines[i].not_started);
    }
    ck_assert_str_eq(lines[0].name, "ada");
    ck_assert_str_eq(lines[1].name, "bob");
    const apex_standing *out = line_of(lines, classified, "kim");
    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(out->left_why, APEX_LEAVE_KICKED);
    ck_assert_int_eq(line_of(lines, classified, "late")->state, APEX_STANDING_DNF);
    const char *const apart[] = {"shy", "idle", "passer", "flag"};
    for (int i = 0; i < 4; i++) {
        const apex_standing *line = line_of(lines + classified, count - classified, apart[i]);
        ck_assert_msg(line != NULL, "%s is not apart", apart[i]);
        ck_assert(line->not_started && line->position == 0);
    }
    ck_assert_int_eq(line_of(lines, count, "passer")->left_why, APEX_LEAVE_KICKED);
    ck_assert_ptr_null(line_of(lines, count, "robot"));
    (void)idle;
    end();
}

// In the race a guest on his way to the line stands above those who are out; classified he is not.
TEST(positions_of_the_classified_have_no_gap) {
    apex_race_def def = scene_race_def(4);
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    apex_player_id bob = scene_join(race, "bob");
    go();
    apex_player_id late = scene_join(race, "late");
    ck_assert_int_eq(leave(bob, APEX_LEAVE_GONE), APEX_OK);
    ck_assert_uint_eq(scene_standing(race, late).position, 2);
    ck_assert_uint_eq(scene_standing(race, bob).position, 3);
    apex_standing lines[LINES];
    size_t classified = 0;
    ck_assert_uint_eq(apex_race_results(race, lines, LINES, &classified), 3);
    ck_assert_uint_eq(classified, 2);
    ck_assert_uint_eq(lines[0].player.index1, ada.index1);
    ck_assert_uint_eq(lines[0].position, 1);
    ck_assert_uint_eq(lines[1].player.index1, bob.index1);
    ck_assert_uint_eq(lines[1].position, 2);
    ck_assert_uint_eq(lines[2].position, 0);
    ck_assert_int_eq(lines[2].state, APEX_STANDING_WAITING);
    end();
}

// Four for each player, and as many again in the next tick.
TEST(a_pile_up_crowds_out_no_lap) {
    apex_race_def def = scene_race_def(2);
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    for (int tick = 0; tick < 2; tick++) {
        race->log.read = true;
        race_log_begin(&race->log);
        for (int i = 0; i < 100; i++) {
            race_log_contact(&race->log, ada, (apex_player_id){0, 0}, 200);
        }
        ck_assert_uint_eq(scene_events(race, APEX_EVENT_CONTACT, NULL), 8);
        race_log_add(&race->log, APEX_EVENT_LAP, ada, 1, 60000000);
        ck_assert_uint_eq(scene_events(race, APEX_EVENT_LAP, NULL), 1);
    }
    end();
}

TEST(nobody_s_controls_are_used_where_nobody_is) {
    apex_race_def def = scene_race_def(2);
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    const apex_controls controls[2] = {{.throttle = 200, .steer = 100}};
    apex_race_tick(race, controls, NULL);
    ck_assert_uint_eq(apex_race_controls_used(race)[0].throttle, 200);
    ck_assert_int_eq(leave(ada, APEX_LEAVE_GONE), APEX_OK);
    const apex_controls none = {0};
    ck_assert_mem_eq(&apex_race_controls_used(race)[0], &none, sizeof none);
    end();
}

TEST(who_took_the_start_is_saved_with_the_race) {
    apex_race_def def = scene_race_def(6);
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    scene_join(race, "bob");
    go();
    apex_player_id passer = scene_join(race, "passer");
    ck_assert_int_eq(leave(passer, APEX_LEAVE_KICKED), APEX_OK);
    size_t bytes = apex_race_save_bytes(race);
    uint8_t *saved = malloc(bytes);
    ck_assert_ptr_nonnull(saved);
    apex_race_save(race, saved);
    uint64_t hash = apex_race_hash(race);
    apex_race *again = scene_race(&def, track);
    ck_assert_int_eq(apex_race_restore(again, saved, bytes), APEX_OK);
    ck_assert_uint_eq(apex_race_hash(again), hash);
    apex_standing lines[LINES];
    size_t classified = 0;
    ck_assert_uint_eq(apex_race_results(again, lines, LINES, &classified), 3);
    ck_assert_uint_eq(classified, 2);
    ck_assert_str_eq(lines[2].name, "passer");
    ck_assert_uint_eq(apex_race_standings(again, lines, LINES), 2);
    race->field.players[ada.index1 - 1].started = false;
    ck_assert_uint_ne(apex_race_hash(race), hash);
    apex_race_destroy(again);
    free(saved);
    end();
}

// Three have come, gone, and taken every line there is; the fourth never took the start.
TEST(passers_by_cost_nobody_his_line) {
    apex_race_def def = scene_race_def(3);
    def.laps = 1;
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    apex_player_id bob = scene_join(race, "bob");
    apex_player_id kim = scene_join(race, "kim");
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, ada), APEX_OK);
    scene_until(race, APEX_PHASE_RACE, 600);
    drive_on(bob);
    drive_on(kim);
    ck_assert_int_eq(leave(bob, APEX_LEAVE_GONE), APEX_OK);
    ck_assert_int_eq(leave(kim, APEX_LEAVE_GONE), APEX_OK);
    apex_player_id late = scene_join(race, "late");
    drive_on(late);
    ck_assert_int_eq(leave(late, APEX_LEAVE_GONE), APEX_OK);
    ck_assert_int_eq(leave(scene_join(race, "passer"), APEX_LEAVE_GONE), APEX_OK);
    warp_home(ada);
    scene_until(race, APEX_PHASE_RESULTS, 60 * 70);
    apex_standing lines[LINES];
    size_t classified = 0;
    size_t count = apex_race_results(race, lines, LINES, &classified);
    ck_assert_uint_eq(classified, 4);
    ck_assert_ptr_null(line_of(lines, count, "passer"));
    end();
}

// Nobody is left on the grid, or at the lights: it is a lobby again, of the same race.
TEST_OVER(a_grid_that_all_have_left_is_a_lobby, 0, 2) {
    apex_race_def def = scene_race_def(2);
    begin_on(scene_ring(80.0), &def);
    apex_player_id ada = scene_join(race, "ada"), bob = scene_join(race, "bob");
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, ada), APEX_OK);
    scene_until(race, _i == 0 ? APEX_PHASE_GRID : APEX_PHASE_COUNTDOWN, 600);
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, ada), APEX_OK);
    scene_tick(race, NULL);
    ck_assert_int_ne(apex_race_status_of(race).phase, APEX_PHASE_LOBBY);
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, bob), APEX_OK);
    scene_tick(race, NULL);
    ck_assert_int_eq(apex_race_status_of(race).phase, APEX_PHASE_LOBBY);
    ck_assert_uint_eq(apex_race_status_of(race).race_number, 1);
    end();
}

// An id is good for as long as its player is in.
TEST(who_has_left_is_nobody) {
    apex_race_def def = scene_race_def(2);
    begin_on(scene_ring(80.0), &def);
    apex_player_id ada = scene_join(race, "ada");
    scene_join(race, "bob");
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, ada), APEX_OK);
    ck_assert_int_ne(scene_command(race, APEX_RACE_LEAVE, ada), APEX_OK);
    ck_assert_int_ne(scene_command(race, APEX_RACE_TAKEOVER, ada), APEX_OK);
    apex_player_id eve = scene_join(race, "eve"); // in the same place
    ck_assert_uint_eq(eve.index1, ada.index1);
    ck_assert_int_ne(scene_command(race, APEX_RACE_LEAVE, ada), APEX_OK);
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, eve), APEX_OK);
    end();
}
