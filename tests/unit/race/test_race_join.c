// links: content
// Late joiners, cars that are put back and drivers who do not drive cost the others nothing.
#include "content/content.h"
#include "race/field/along.h"
#include "race/field/players.h"
#include "race/judging.h"
#include "race/race_private.h"

#include <math.h>

#include "test_race_scene.h"
#include "support/base/check_main.h"

enum { BOTS = 3, SLOTS = 32, LAPS = 2, TICKS_MAX = 60 * 600 };

static apex_track *track;
static apex_race *race;
static apex_controls given[SLOTS];
static apex_player_id bots[BOTS];
static apex_race_def def;

static void rules(void) {
    def = scene_race_def(SLOTS);
    def.laps = LAPS;
    def.races = 1;
    def.idle_s = 0.0;
    def.countdown_s = 1.0;
}

static apex_track_def load(const char *name) {
    apex_track_def laid;
    apex_content_problem problem = {{0}};
    apex_err err = apex_content_load_track(name, NULL, &laid, &problem);
    ck_assert_msg(err == APEX_OK, "%s", problem.text);
    return laid;
}

static void lay(const char *name) {
    apex_track_def laid = load(name);
    track = scene_lay(&laid);
}

static void begin(uint32_t bot_count) {
    apex_content_problem problem = {{0}};
    static apex_car_def car;
    ck_assert_int_eq(apex_content_load_car("boxster-s", NULL, &car, &problem), APEX_OK);
    ck_assert_int_eq(apex_race_create(&def, track, &car, 1, &race), APEX_OK);
    memset(given, 0, sizeof given);
    for (uint32_t i = 0; i < bot_count; i++) {
        bots[i] = scene_join_driver(race, "bot", 0.96 - 0.01 * i);
    }
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, (apex_player_id){0, 0}), APEX_OK);
    scene_until(race, APEX_PHASE_RACE, 600);
}

static void end(void) {
    apex_race_destroy(race);
    race = NULL;
}

static void tick(void) {
    apex_race_tick(race, given, NULL);
}

static void run_s(double seconds) {
    for (int i = 0; i < (int)(seconds * 60.0); i++) {
        tick();
    }
}

static race_player *line_of(apex_player_id player) {
    return &race->field.players[player.index1 - 1];
}

static const apex_car_pose *pose_of(apex_player_id player) {
    return race_field_pose(&race->field, player.index1 - 1u);
}

// Of the first bot, lap by lap, until it is home.
typedef struct lap_times {
    uint64_t us[BOTS][LAPS];
    uint32_t guest_resets, guest_solid_ticks, contacts;
} lap_times;

static void note_laps(lap_times *times) {
    size_t count = 0;
    const apex_race_event *events = apex_race_events(race, &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t slot = events[i].player.index1 - 1u;
        if (events[i].kind == APEX_EVENT_LAP && slot < BOTS) {
            times->us[slot][events[i].value - 1] = events[i].time_us;
        }
        times->guest_resets += events[i].kind == APEX_EVENT_RESET && slot >= BOTS;
        times->contacts += events[i].kind == APEX_EVENT_CONTACT && slot >= BOTS;
    }
}

static void race_home(lap_times *times, apex_player_id guest) {
    for (int i = 0; apex_race_status_of(race).phase < APEX_PHASE_FINISH; i++) {
        ck_assert_int_lt(i, TICKS_MAX);
        tick();
        note_laps(times);
        times->guest_solid_ticks += guest.index1 != 0 && !pose_of(guest)->ghost;
    }
}

// The shortest first: it is the one that the sanitizers run.
static const char *const circuits[] = {"oval", "highfell", "ridgeway"};

enum { CIRCUITS = sizeof circuits / sizeof circuits[0] };

// The row of boxes runs over the line.
TEST(a_guest_starts_from_a_free_box_and_his_first_lap_is_whole) {
    rules();
    apex_track_def laid = load("ridgeway");
    laid.start_m = laid.finish_m = 4160.0;
    track = scene_lay(&laid);
    begin(1);
    double length_m = apex_track_length_m(track);
    uint32_t boxes = apex_track_pits_of(track).box_count;
    run_s(10.0);
    apex_player_id guests[SLOTS];
    for (uint32_t i = 0; i < boxes; i++) {
        apex_player_id guest = guests[i] = scene_join(race, "guest");
        const double *at = pose_of(guest)->position_m;
        apex_track_place place = apex_track_find(track, at[0], at[1], at[2]);
        ck_assert(apex_track_pit_place_of(track, &place).in_boxes);
        ck_assert(race_along_is_free(&race->field, guest.index1 - 1u));
    }
    const apex_player_id late[2] = {guests[0], guests[boxes - 1]};
    ck_assert_double_gt(line_of(late[0])->s_m, 0.5 * length_m); // before the line
    ck_assert_double_lt(line_of(late[1])->s_m, 0.5 * length_m); // and past it
    ck_assert_double_lt(line_of(late[0])->way_m, -10.0);
    ck_assert_double_lt(line_of(late[1])->way_m, -0.9 * length_m);
    uint64_t bot_us = 0, first_us[2] = {0, 0};
    uint32_t resets = 0;
    for (int i = 0; i < 2; i++) {
        apex_race_command drive = {.kind = APEX_RACE_TAKEOVER, .player = late[i], .skill = 1.0};
        ck_assert_int_eq(apex_race_apply(race, &drive), APEX_OK);
    }
    for (int i = 0; i < 60 * 320 && (first_us[0] == 0 || first_us[1] == 0); i++) {
        tick();
        // Who stands in a box costs a sanitizer much.
        for (uint32_t k = 1; !check_is_whole() && i == 60 * 30 && k < boxes - 1; k++) {
            ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, guests[k]), APEX_OK);
        }
        size_t count = 0;
        const apex_race_event *events = apex_race_events(race, &count);
        for (size_t k = 0; k < count; k++) {
            bool is_lap = events[k].kind == APEX_EVENT_LAP;
            resets += events[k].kind == APEX_EVENT_RESET;
            for (int guest = 0; is_lap && guest < 2; guest++) {
                if (events[k].player.index1 == late[guest].index1 && first_us[guest] == 0) {
                    ck_assert_int_eq(events[k].value, 1);
                    first_us[guest] = events[k].time_us;
                }
            }
            if (is_lap && events[k].player.index1 == bots[0].index1 && events[k].value == 2) {
                bot_us = events[k].time_us;
            }
        }
    }
    ck_assert_uint_eq(resets, 0); // they find the way out by themselves, and along no wall
    ck_assert_uint_eq(scene_standing(race, late[0]).contacts, 0);
    ck_assert_uint_eq(scene_standing(race, late[1]).contacts, 0);
    ck_assert_uint_gt(bot_us, 0);
    for (int guest = 0; guest < 2; guest++) {
        ck_assert_uint_gt(first_us[guest], bot_us * 95 / 100); // skill 1 is a little faster
    }
    ck_assert_uint_ge(scene_standing(race, late[0]).best_lap_us, first_us[0] * 9 / 10);
    end();
    apex_track_destroy(track);
}

TEST(a_guest_is_solid_when_he_moves_and_nobody_is_near) {
    rules();
    lay("oval");
    begin(1);
    run_s(20.0);
    apex_player_id guest = scene_join(race, "guest");
    const race_player *line = line_of(guest);
    // Beside the line, not on it, and on the road.
    double line_m = apex_driver_plan_offset_m(race->field.plans[0], line->s_m);
    const double *at = pose_of(guest)->position_m;
    apex_track_place place = apex_track_find(track, at[0], at[1], at[2]);
    ck_assert(place.on_road);
    ck_assert_double_gt(fabs(place.offset_m - line_m), 2.8);
    ck_assert_uint_eq(pose_of(guest)->wheels_on_road, 4);
    // Fast, but somebody comes up behind: a ghost still. When he is past it is solid.
    bool was_near = false, was_solid = false;
    for (int i = 0; i < 60 * 60 && !was_solid; i++) {
        apex_placement go_on = apex_track_placement(track, line->s_m + 6.0 / 60.0, place.offset_m);
        double gap_m = apex_track_gap_m(track, line_of(bots[0])->s_m, line->s_m);
        if (was_near || (gap_m > 0.0 && gap_m < 120.0)) {
            go_on.speed_mps = 6.0;
            apex_world_place_car(race->field.world, line->car_id, &go_on);
        }
        tick();
        bool near = gap_m > -5.0 && gap_m < 100.0;
        was_near |= near;
        ck_assert(!near || pose_of(guest)->ghost);
        was_solid = was_near && !pose_of(guest)->ghost;
    }
    ck_assert(was_near && was_solid);
    end();
    apex_track_destroy(track);
}

TEST(a_guest_after_the_finish_waits_out_of_the_way) {
    rules();
    lay("ridgeway");
    def.laps = 1;
    begin(2);
    for (int i = 0; apex_race_status_of(race).phase != APEX_PHASE_FINISH; i++) {
        ck_assert_int_lt(i, TICKS_MAX);
        tick();
    }
    apex_player_id guest = scene_join(race, "guest");
    ck_assert_int_eq(scene_standing(race, guest).state, APEX_STANDING_WAITING);
    run_s(1.0);
    const double *at = pose_of(guest)->position_m;
    apex_track_place place = apex_track_find(track, at[0], at[1], at[2]);
    ck_assert(apex_track_pit_place_of(track, &place).in_boxes);
    ck_assert(pose_of(guest)->ghost && pose_of(guest)->held);
    end();
    apex_track_destroy(track);
}

enum { PLACES = 24 };

static void put_at(apex_player_id player, double s_m, double offset_m) {
    race_player *line = line_of(player);
    apex_placement at = apex_track_placement(track, s_m, offset_m);
    apex_world_place_car(race->field.world, line->car_id, &at);
    line->safe_s_m = line->s_m = s_m;
    race_player_refresh(&race->field, player.index1 - 1u);
}

TEST_OVER(a_reset_is_beside_the_line_on_the_road_along_it, 0, check_cases(CIRCUITS)) {
    rules();
    lay(circuits[_i]);
    begin(1);
    apex_player_id guest = scene_join(race, "guest");
    for (int i = 0; i < PLACES; i++) {
        double s_m = apex_track_length_m(track) * i / PLACES;
        put_at(guest, s_m, 0.0);
        race_reset(race, guest.index1 - 1u);
        const race_player *line = line_of(guest);
        const double *at = pose_of(guest)->position_m;
        apex_track_place place = apex_track_find(track, at[0], at[1], at[2]);
        double half_m = 0.5 * race->field.cars[0].hull.width_m;
        ck_assert_double_le(place.offset_m + half_m, place.left_m);
        ck_assert_double_ge(place.offset_m - half_m, -place.right_m);
        double turned_rad =
            pose_of(guest)->yaw_rad - apex_track_frame_at(track, place.s_m).heading_rad;
        ck_assert_double_gt(apex_cos(turned_rad), 0.99);
        for (double ahead_m = -5.0; ahead_m <= 10.0; ahead_m += 5.0) {
            double line_m = apex_driver_plan_offset_m(race->field.plans[0], place.s_m + ahead_m);
            ck_assert_msg(fabs(place.offset_m - line_m) > 2.0 * half_m + 0.9,
                          "%s at %.0f m: %.1f m from the line", circuits[_i], place.s_m,
                          fabs(place.offset_m - line_m));
        }
        double back_m = apex_track_gap_m(track, line->s_m, s_m);
        ck_assert(back_m > -0.1 && back_m < 100.0); // never ahead
        ck_assert(pose_of(guest)->ghost);
    }
    end();
    apex_track_destroy(track);
}

static void expect_nobody_lost_time(const lap_times *with, const lap_times *alone) {
    ck_assert_uint_eq(with->guest_solid_ticks, 0);
    ck_assert_mem_eq(with->us, alone->us, sizeof alone->us); // to the microsecond
}

// A guest stands still; then, all round the lap, somebody is put back before each driver that
// passes, and stays there.
TEST_OVER(nobody_loses_time_to_guests_who_stand_or_are_put_back, 0, check_cases(CIRCUITS)) {
    rules();
    def.laps = (uint32_t)check_cases(LAPS);
    lay(circuits[_i]);
    lap_times alone = {0}, with_one = {0}, with_many = {0};
    begin(BOTS);
    race_home(&alone, (apex_player_id){0, 0});
    ck_assert_uint_gt(alone.us[0][def.laps - 1], 0);
    end();
    begin(BOTS);
    run_s(15.0);
    apex_player_id guest = scene_join(race, "guest");
    ck_assert(pose_of(guest)->ghost);
    ck_assert_int_eq(scene_standing(race, guest).state, APEX_STANDING_RUNNING);
    race_home(&with_one, guest);
    ck_assert_uint_eq(with_one.guest_resets, 0);
    expect_nobody_lost_time(&with_one, &alone);
    end();
    begin(BOTS);
    for (int i = 0; i < 12; i++) {
        guest = scene_join(race, "guest");
        put_at(guest, apex_track_length_m(track) * (i + 0.5) / 12.0, 0.0);
        race_reset(race, guest.index1 - 1u);
    }
    race_home(&with_many, race->field.players[BOTS].id);
    ck_assert_uint_eq(with_many.contacts, 0);
    expect_nobody_lost_time(&with_many, &alone);
    end();
    apex_track_destroy(track);
}

TEST_OVER(a_bot_that_is_put_back_drives_off, 0, check_cases(CIRCUITS)) {
    rules();
    lay(circuits[_i]);
    begin(1);
    for (int i = 0; i < check_cases(PLACES); i++) {
        put_at(bots[0], apex_track_length_m(track) * (i + 0.3) / PLACES, 0.0);
        race_reset(race, 0);
        double from_m = race->field.players[0].s_m;
        uint32_t resets = race->field.players[0].tally.resets;
        run_s(8.0);
        double way_m = apex_track_gap_m(track, from_m, race->field.players[0].s_m);
        ck_assert_msg(way_m > 60.0, "%s at %.0f m: only %.1f m on", circuits[_i], from_m, way_m);
        ck_assert_uint_eq(race->field.players[0].tally.resets, resets);
        ck_assert(!pose_of(bots[0])->ghost);
    }
    end();
    apex_track_destroy(track);
}

TEST(who_does_not_want_to_go_is_not_put_back) {
    rules();
    def.stuck_s = 5.0;
    lay("oval");
    begin(1);
    apex_player_id guest = scene_join(race, "guest");
    lap_times times = {0};
    for (int i = 0; i < 60 * 30; i++) {
        tick();
        note_laps(&times);
    }
    given[guest.index1 - 1].brake = 255;
    given[guest.index1 - 1].steer = 20000;
    for (int i = 0; i < 60 * 10; i++) {
        tick();
        note_laps(&times);
    }
    ck_assert_uint_eq(scene_standing(race, guest).resets, 0);
    given[guest.index1 - 1] = (apex_controls){.throttle = 200}; // no gear is in
    run_s(6.0);
    ck_assert_uint_eq(scene_standing(race, guest).resets, 1);
    end();
    apex_track_destroy(track);
}

// @return the value of the last, -1 if there was none. *told counts them.
static int64_t run_for_idle(double seconds, uint32_t *told) {
    int64_t value = -1;
    for (int i = 0; i < (int)(seconds * 60.0 + 0.5); i++) {
        apex_race_event event = {0};
        tick();
        uint32_t found = scene_events(race, APEX_EVENT_IDLE, &event);
        *told += found;
        value = found > 0 ? event.value : value;
    }
    return value;
}

TEST(a_driver_who_touches_nothing_is_warned_and_out) {
    rules();
    def.idle_s = 45.0;
    def.laps = 99;
    lay("oval");
    begin(1); // it is driven by the server, and never idle
    apex_player_id guest = scene_join(race, "guest");
    uint32_t told = 0;
    ck_assert_int_eq(run_for_idle(29.9, &told), -1);
    ck_assert_int_eq(run_for_idle(0.2, &told), 15);
    ck_assert_uint_eq(told, 1);
    given[guest.index1 - 1].steer = 4000; // a touch is enough, and it may stay there
    ck_assert_int_eq(run_for_idle(29.9, &told), -1);
    ck_assert_int_eq(run_for_idle(0.2, &told), 15);
    ck_assert_uint_eq(told, 2);
    // So that a copy of the race is out in the same tick.
    size_t length = apex_race_save_bytes(race);
    uint8_t *bytes = malloc(length);
    ck_assert_ptr_nonnull(bytes);
    apex_race_save(race, bytes);
    for (int copy = 0; copy < 2; copy++) {
        uint32_t more = 0;
        ck_assert_int_eq(run_for_idle(14.8, &more), -1);
        ck_assert_int_eq(scene_standing(race, guest).state, APEX_STANDING_RUNNING);
        ck_assert_int_eq(run_for_idle(0.3, &more), 0);
        ck_assert_int_eq(scene_standing(race, guest).state, APEX_STANDING_DNF);
        ck_assert_int_eq(run_for_idle(60.0, &more), -1);
        ck_assert_uint_eq(more, 1);
        ck_assert_int_eq(scene_standing(race, bots[0]).state, APEX_STANDING_RUNNING);
        if (copy == 0) {
            ck_assert_int_eq(apex_race_restore(race, bytes, length), APEX_OK);
        }
    }
    ck_assert_int_eq(scene_command(race, APEX_RACE_RESTART, guest), APEX_OK);
    scene_until(race, APEX_PHASE_RACE, 1200); // it is his race, too, and he has as long as before
    ck_assert_int_eq(run_for_idle(44.8, &told), 15);
    ck_assert_int_eq(scene_standing(race, guest).state, APEX_STANDING_RUNNING);
    ck_assert_int_eq(run_for_idle(0.3, &told), 0);
    ck_assert_int_eq(scene_standing(race, guest).state, APEX_STANDING_DNF);
    free(bytes);
    end();
    apex_track_destroy(track);
}

TEST(who_drives_or_is_driven_or_waits_is_not_idle) {
    rules();
    def.idle_s = 10.0;
    def.laps = 99;
    def.countdown_s = 20.0;
    def.stuck_s = 0.0;
    lay("oval");
    apex_content_problem problem = {{0}};
    static apex_car_def car;
    ck_assert_int_eq(apex_content_load_car("boxster-s", NULL, &car, &problem), APEX_OK);
    ck_assert_int_eq(apex_race_create(&def, track, &car, 1, &race), APEX_OK);
    apex_player_id held = scene_join(race, "holds the throttle");
    apex_player_id lost = scene_join(race, "lost");
    apex_player_id away = scene_join(race, "away");
    uint32_t told = 0;
    ck_assert_int_eq(run_for_idle(30.0, &told), -1); // the lobby
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, held), APEX_OK);
    ck_assert_int_eq(scene_command(race, APEX_RACE_TAKEOVER, lost), APEX_OK);
    given[held.index1 - 1].throttle = 60;
    ck_assert_int_eq(run_for_idle(20.5, &told), -1); // grid and lights
    scene_until(race, APEX_PHASE_RACE, 120);
    ck_assert_int_eq(run_for_idle(11.0, &told), 0);
    ck_assert_int_eq(scene_standing(race, away).state, APEX_STANDING_DNF);
    ck_assert_int_eq(run_for_idle(30.0, &told), -1);
    ck_assert_int_eq(scene_standing(race, held).state, APEX_STANDING_RUNNING);
    ck_assert_int_eq(scene_standing(race, lost).state, APEX_STANDING_RUNNING);
    ck_assert_int_eq(scene_command(race, APEX_RACE_HANDBACK, lost), APEX_OK);
    ck_assert_int_eq(run_for_idle(9.5, &told), 5);
    ck_assert_int_eq(run_for_idle(1.0, &told), 0);
    ck_assert_int_eq(scene_standing(race, lost).state, APEX_STANDING_DNF);
    end();
    apex_track_destroy(track);
}
