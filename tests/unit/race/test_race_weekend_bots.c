// A weekend driven by the server's drivers: out of the boxes, to the flag, onto the grid that they
// earned, and home.
#include "test_race_weekend.h"

#include "race/race_validator.h"
#include "support/base/check_main.h"

enum { BOTS = 6 };

static apex_track *circuit_with_pits(void) {
    apex_track_def def = apex_default_track_def();
    snprintf(def.name, sizeof def.name, "pits");
    scene_points(&def, SCENE_POINTS);
    for (uint32_t i = 0; i < SCENE_POINTS; i++) {
        double angle_rad = 2.0 * APEX_PI * i / SCENE_POINTS;
        double radius_m = 140.0 + 10.0 * apex_cos(3.0 * angle_rad);
        def.points[i] = (apex_track_point){.x_m = radius_m * apex_cos(angle_rad),
                                           .y_m = radius_m * apex_sin(angle_rad),
                                           .left_m = 6.0,
                                           .right_m = 6.0};
    }
    def.sector_count = 1;
    def.sector_m[0] = 400.0;
    def.verge_m = 8.0;
    def.pit_lane = apex_default_track_pit_lane();
    def.pit_lane.side = APEX_SIDE_RIGHT;
    def.pit_lane.entry_m = 700.0;
    def.pit_lane.exit_m = 150.0;
    def.pit_lane.box_count = BOTS;
    snprintf(def.pit_lane.surface, sizeof def.pit_lane.surface, "asphalt");
    snprintf(def.pit_lane.wall_material, sizeof def.pit_lane.wall_material, "tyre-wall");
    return scene_lay(&def);
}

static apex_race_def bots_def(void) {
    apex_race_def def = weekend_def();
    def.weekend.sessions[0].duration_s = 60.0;
    def.weekend.sessions[1].duration_s = 120.0;
    def.weekend.sessions[1].overtime_s = def.weekend.sessions[0].overtime_s = 60.0;
    def.weekend.sessions[2].laps = 0;
    def.weekend.sessions[2].duration_s = 60.0;
    def.weekend.sessions[2].extra_lap = true;
    def.weekend.sessions[2].finish_wait_s = 60.0;
    def.races = 1;
    return def;
}

static void begin_bots(void) {
    apex_race_def def = bots_def();
    begin_on(circuit_with_pits(), &def);
    for (uint32_t i = 0; i < BOTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "bot %u", i);
        scene_join_driver(race, name, 0.8 + 0.03 * i);
    }
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, (apex_player_id){0, 0}), APEX_OK);
}

static void to_phase(uint32_t session, apex_race_phase phase) {
    for (uint32_t i = 0; i < 400 * 60; i++) {
        if (session_now() == session && apex_race_phase_of(race) == phase) {
            return;
        }
        tick();
        ck_assert_ptr_null(i % 60 == 0 ? race_validate(race) : NULL);
    }
    ck_abort_msg("session %u: no %s", session, apex_race_phase_name(phase));
}

static void expect_rising_bests(void) {
    uint64_t before_us = 0;
    for (uint32_t i = 0; i < BOTS; i++) {
        uint64_t best_us = race->field.cards[race->timing.order[i]].lap.best_us;
        ck_assert_uint_gt(best_us, before_us);
        before_us = best_us;
    }
}

TEST(they_qualify_and_race) {
    begin_bots();
    to_phase(0, APEX_PHASE_RESULTS);
    for (uint32_t i = 0; i < BOTS; i++) {
        ck_assert_uint_ge(race->field.players[i].lap.laps, 1);
        ck_assert(race->field.cards[i].lap.flagged);
    }
    to_phase(1, APEX_PHASE_RESULTS);
    expect_rising_bests();
    uint32_t order[BOTS];
    memcpy(order, race->timing.order, sizeof order);
    uint64_t pole_us = race->field.cards[order[0]].lap.best_us;
    to_phase(2, APEX_PHASE_GRID);
    for (uint32_t i = 0; i < BOTS; i++) {
        ck_assert_uint_eq(race->field.players[order[i]].grid, i + 1);
    }
    const race_book *book = &race->event.weekend->book;
    uint32_t pole1 = race->field.cards[order[0]].competitor1;
    ck_assert_uint_eq(race_book_outcome(book, pole1, 1)->place, 1);
    ck_assert_uint_eq(race_book_outcome(book, pole1, 1)->best_us, pole_us);
    to_phase(2, APEX_PHASE_RESULTS);
    const race_player *winner = &race->field.players[race->timing.order[0]];
    // The lap in which 60 s ran out and one more: at least a lap of more than 15 s past them.
    ck_assert_uint_gt(winner->lap.total_us, 60000000 + 15000000);
    ck_assert_uint_eq(winner->lap.total_us, race->event.weekend->chequered.out_us);
    for (uint32_t i = 0; i < BOTS; i++) {
        const race_player *line = &race->field.players[race->timing.order[i]];
        ck_assert_int_eq(line->state, APEX_STANDING_FINISHED);
        ck_assert(race->field.cards[race->timing.order[i]].lap.flagged);
        ck_assert_uint_ge(line->lap.total_us, winner->lap.total_us);
    }
    to_phase(2, APEX_PHASE_OVER);
    end();
}

// The same, saved and taken on by another race at each of many places.
TEST(it_goes_on_alike_from_anywhere) {
    begin_bots();
    apex_race_def def = bots_def();
    apex_race *other = scene_race(&def, track);
    size_t length = apex_race_save_bytes(race);
    uint8_t *bytes = malloc(length);
    ck_assert_ptr_nonnull(bytes);
    for (int i = 0; i < 300 * 60; i++) {
        if (i % 997 == 0) {
            apex_race_save(race, bytes);
            ck_assert_int_eq(apex_race_restore(other, bytes, length), APEX_OK);
        }
        scene_tick(race, NULL);
        scene_tick(other, NULL);
        if (i % 97 == 0) {
            ck_assert_uint_eq(apex_race_hash(other), apex_race_hash(race));
        }
    }
    ck_assert_int_eq(apex_race_phase_of(race), apex_race_phase_of(other));
    free(bytes);
    apex_race_destroy(other);
    end();
}
