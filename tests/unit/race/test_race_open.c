// An open session: a race on a terrain without a course.
#include "test_race_one.h"
#include "race/field/along.h"
#include "race/field/players.h"
#include "race/field/stood.h"
#include "race/field/way_clear.h"
#include "race/race_private.h"
#include "support/base/check_main.h"
#include "support/track/track_scenes.h"

#include <math.h>

// 120 by 100 m of level concrete with a wall round it, four boxes in the south-west.
static apex_track *lay_yard(void) {
    apex_track_def def = track_scene_terrain(61, 51, 2);
    def.terrain.box_count = 4;
    for (uint32_t i = 0; i < 4; i++) {
        def.terrain.boxes[i] = (apex_terrain_box){20.0 + 10.0 * i, 20.0, 0.25 * i};
    }
    def.free_wall_count = 1;
    def.free_walls = calloc(1, sizeof *def.free_walls);
    ck_assert_ptr_nonnull(def.free_walls);
    def.free_walls[0] = (apex_track_free_wall){.material = "concrete",
                                               .point_count = 4,
                                               .x_m = {2, 118, 118, 2},
                                               .y_m = {2, 2, 98, 98},
                                               .height_m = 1,
                                               .closed = true};
    return scene_lay(&def);
}

static apex_race_def session_def(void) {
    apex_race_def def = scene_race_def(4);
    def.laps = 0;
    def.race_s_max = 30.0;
    def.stuck_s = 2.0;
    def.reset_wait_s = 0.0;
    return def;
}

static void begin(const apex_race_def *def) {
    begin_on(lay_yard(), def);
}

static void put(uint32_t slot, double x_m, double y_m, double yaw_rad) {
    apex_placement at = {.x_m = x_m, .y_m = y_m, .yaw_rad = yaw_rad};
    apex_world_place_car(race->field.world, race->field.players[slot].car_id, &at);
    scene_tick(race, NULL);
}

static void expect_at(uint32_t slot, double x_m, double y_m, double yaw_rad) {
    race_player_refresh(&race->field, slot);
    const apex_car_pose *pose = &race->field.poses[slot];
    ck_assert_double_eq_tol(pose->position_m[0], x_m, 0.05);
    ck_assert_double_eq_tol(pose->position_m[1], y_m, 0.05);
    ck_assert_double_eq_tol(pose->yaw_rad, yaw_rad, 0.01);
}

TEST(laps_and_tracks_must_fit) {
    apex_car_def car = apex_default_car_def();
    apex_race *made = NULL;
    apex_race_def def = session_def();
    track = lay_yard();
    def.laps = 1;
    ck_assert_int_eq(apex_race_create(&def, track, &car, 1, &made), APEX_ERR_INVALID);
    def.laps = 0;
    ck_assert_int_eq(apex_race_create(&def, track, &car, 1, &made), APEX_OK);
    apex_race_destroy(made);
    apex_track_destroy(track);
    track = scene_ring(60.0);
    ck_assert_int_eq(apex_race_create(&def, track, &car, 1, &made), APEX_ERR_INVALID);
    apex_track_destroy(track);
}

TEST(it_starts_in_boxes_and_ends_by_the_clock) {
    apex_race_def def = session_def();
    begin(&def);
    apex_player_id ada = scene_join(race, "ada");
    apex_player_id bob = scene_join_driver(race, "bob", 1.0);
    go();
    expect_at(0, 20, 20, 0);
    expect_at(1, 30, 20, 0.25);
    ck_assert_uint_eq(apex_race_status_of(race).laps, 0);
    apex_sector_times sectors;
    uint64_t best_us[APEX_TRACK_SECTORS_MAX];
    ck_assert(apex_race_player_sectors(race, ada, &sectors));
    ck_assert_uint_eq(sectors.count + sectors.current, 0);
    ck_assert_uint_eq(apex_race_best_sectors(race, best_us), 0);
    // Half a minute, and the tick in which it is over.
    uint32_t ticks = scene_until(race, APEX_PHASE_RESULTS, 1900);
    ck_assert_uint_ge(ticks, 1799);
    ck_assert_uint_le(ticks, 1801);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_FINISHED, NULL), 2);
    ck_assert_uint_eq(scene_events(race, APEX_EVENT_DNF, NULL), 0);
    apex_standing first = scene_standing(race, ada), second = scene_standing(race, bob);
    ck_assert_int_eq(first.state, APEX_STANDING_FINISHED);
    ck_assert_uint_eq(first.position, 1);
    ck_assert_uint_eq(second.position, 2);
    ck_assert_uint_eq(second.laps, 0);
    ck_assert_uint_eq(second.total_us, 30000000);
    ck_assert_uint_eq(second.best_lap_us, 0);
    end();
}

// Nothing but the clock and a command ends it: standing still is no offence, and where a gate of a
// lap would be nobody is told of a sector, a wrong way or an excursion.
TEST(nobody_is_told_of_laps) {
    apex_race_def def = session_def();
    def.race_s_max = 0.0;
    begin(&def);
    scene_join(race, "ada");
    go();
    uint32_t told = 0;
    for (int i = 0; i < 400; i++) {
        double x_m = i < 200 ? 5.0 + 0.5 * i : 105.0 - 0.5 * (i - 200);
        put(0, x_m, 50.0, 0.0);
        told += scene_events(race, APEX_EVENT_SECTOR, NULL) +
                scene_events(race, APEX_EVENT_LAP, NULL) +
                scene_events(race, APEX_EVENT_WRONG_WAY, NULL) +
                scene_events(race, APEX_EVENT_OFF_TRACK, NULL);
    }
    for (int i = 0; i < 600; i++) {
        scene_tick(race, NULL);
        told += scene_events(race, APEX_EVENT_RESET, NULL);
    }
    ck_assert_uint_eq(told, 0);
    ck_assert_int_eq(apex_race_status_of(race).phase, APEX_PHASE_RACE);
    ck_assert_int_eq(scene_command(race, APEX_RACE_END, (apex_player_id){0, 0}), APEX_OK);
    ck_assert_int_eq(race->field.players[0].state, APEX_STANDING_FINISHED);
    end();
}

static void ask_reset(uint8_t count) {
    apex_controls controls[4] = {{0}};
    controls[0].reset_count = count;
    for (int i = 0; i < 3; i++) {
        apex_race_tick(race, controls, NULL);
    }
}

// @return whether the way of a car at (40, 50) that goes east is clear of one at (`x_m`, 50).
static bool is_clear_of(double x_m, double own_mps, double other_mps) {
    const double x[] = {40.0, x_m}, speed_mps[] = {own_mps, other_mps};
    for (uint32_t slot = 0; slot < 2; slot++) {
        apex_placement at = {.x_m = x[slot], .y_m = 50.0, .speed_mps = speed_mps[slot]};
        apex_world_place_car(race->field.world, race->field.players[slot].car_id, &at);
        race_player_refresh(&race->field, slot);
        race->field.players[slot].s_m = x[slot];
    }
    race_along_sort(&race->field);
    return race_way_is_clear(&race->field, 0);
}

// Without a road cars meet if they come to each other's place within 4 s, going on as they do.
TEST(the_way_is_clear_of_whoever_is_not_met_soon) {
    apex_race_def def = session_def();
    begin(&def);
    scene_join(race, "ada");
    scene_join(race, "bob");
    go();
    ck_assert(!is_clear_of(80.0, 12.0, 2.0)); // 40 m at 10 m/s
    ck_assert(is_clear_of(80.0, 8.0, 2.0));   // 24 m nearer at the end, and 16 m away
    ck_assert(is_clear_of(80.0, 2.0, 12.0));  // gets away
    ck_assert(!is_clear_of(15.0, 2.0, 10.0)); // comes up from behind
    ck_assert(is_clear_of(15.0, 10.0, 2.0));
    ck_assert(!is_clear_of(44.0, 5.0, 5.0)); // too near at any speed
    race->field.players[1].ghost = true;
    ck_assert(is_clear_of(44.0, 5.0, 5.0));
    end();
}

// A reset goes back to where the car stood, as it stood; from there again, in its box; and after
// driving on, to the new place.
TEST(a_reset_goes_back_to_where_it_stood) {
    apex_race_def def = session_def();
    begin(&def);
    scene_join(race, "ada");
    go();
    put(0, 60, 40, 1.0);
    put(0, 62, 41, 2.0); // not far enough to count
    ask_reset(1);
    expect_at(0, 60, 40, 1.0);
    ck_assert(race->field.poses[0].ghost);
    ask_reset(2);
    expect_at(0, 20, 20, 0);
    put(0, 80, 60, -1.5);
    ask_reset(3);
    expect_at(0, 80, 60, -1.5);
    ck_assert_uint_eq(race->field.players[0].tally.resets, 3);
    end();
}

TEST(in_the_air_is_no_place_to_stand) {
    apex_race_def def = session_def();
    begin(&def);
    scene_join(race, "ada");
    go();
    put(0, 60, 40, 1.0);
    race->field.poses[0].position_m[0] = 80.0;
    race->field.poses[0].airborne = true;
    race_stood_follow(&race->field, 0);
    ck_assert_double_eq_tol(race->field.players[0].stood.x_m, 60.0, 0.05);
    race->field.poses[0].airborne = false;
    race_stood_follow(&race->field, 0);
    ck_assert_double_eq(race->field.players[0].stood.x_m, 80.0);
    end();
}

// Nobody can come back to the start of an open track.
TEST(boxes_past_an_open_start_are_none_to_begin_from) {
    const double starts_m[] = {100.0, 500.0};
    for (int i = 0; i < 2; i++) {
        apex_track_def laid = track_scene_drag();
        laid.start_m = starts_m[i];
        laid.finish_m = 700.0;
        laid.pit_lane = apex_default_track_pit_lane();
        laid.pit_lane.entry_m = 150.0;
        laid.pit_lane.exit_m = 450.0;
        apex_race_def def = scene_race_def(2);
        begin_on(scene_lay(&laid), &def);
        ck_assert_uint_eq(race->field.pit_box_count, i == 0 ? 0 : 12);
        end();
    }
}

TEST(beyond_the_terrain_is_no_place_to_stand) {
    apex_race_def def = session_def();
    begin(&def);
    scene_join(race, "ada");
    go();
    put(0, 60, 40, 1.0);
    put(0, 60, 130, 1.0);
    ask_reset(1);
    expect_at(0, 60, 40, 1.0);
    end();
}

TEST(a_car_on_its_roof_is_put_back) {
    apex_race_def def = session_def();
    begin(&def);
    scene_join(race, "ada");
    go();
    put(0, 60, 40, 1.0);
    for (int i = 0; i < 30; i++) {
        scene_tick(race, NULL);
    }
    apex_car_state state;
    ck_assert(apex_world_get_car(race->field.world, race->field.players[0].car_id, &state));
    state.orientation[0] = 0.0;
    state.orientation[1] = 1.0;
    state.orientation[2] = state.orientation[3] = 0.0;
    state.position_m[2] += 0.5;
    apex_world_set_car(race->field.world, race->field.players[0].car_id, &state);
    uint32_t ticks = 0;
    do {
        ck_assert_uint_lt(++ticks, 1200);
        scene_tick(race, NULL);
    } while (scene_events(race, APEX_EVENT_RESET, NULL) == 0);
    ck_assert_uint_ge(ticks, 119); // after stuck_s at rest
    expect_at(0, 60, 40, 1.0);
    end();
}

// A car that stands in the way, anywhere on the terrain: the driver who is on his way past it to
// the far side of the yard sees it and does not run into it.
TEST(drivers_see_who_stands_in_their_way) {
    for (int row = 0; row < 2; row++) {
        apex_race_def def = session_def();
        def.race_s_max = 0.0;
        begin(&def);
        scene_join_driver(race, "ada", 1.0);
        scene_join(race, "bob");
        go();
        double y_m = row == 0 ? 25.0 : 75.0;
        put(1, 50, y_m, 1.5);
        put(0, 15, y_m, 0.0);
        apex_driver *driver = &race->field.players[0].driver;
        driver->has_goal = true;
        driver->goal_x_m = 105.0;
        driver->goal_y_m = y_m;
        for (int i = 0; i < 480; i++) {
            scene_tick(race, NULL);
            ck_assert_uint_eq(scene_events(race, APEX_EVENT_CONTACT, NULL), 0);
        }
        ck_assert_double_gt(race->field.poses[0].position_m[0], 35.0);
        end();
    }
}

// Four wander about for two minutes: they keep moving, all over the yard, off the walls.
TEST(drivers_wander) {
    apex_race_def def = session_def();
    def.race_s_max = 0.0;
    begin(&def);
    for (int i = 0; i < 4; i++) {
        scene_join_driver(race, "wanderer", 1.0 - 0.1 * i);
    }
    go();
    double way_m[4] = {0, 0, 0, 0};
    bool seen[4][12] = {{false}};
    uint32_t wall_hits = 0;
    for (int i = 0; i < 7200; i++) {
        scene_tick(race, NULL);
        for (uint32_t k = 0; k < 4; k++) {
            const apex_car_pose *pose = &race->field.poses[k];
            way_m[k] += hypot(pose->velocity_mps[0], pose->velocity_mps[1]) / 60.0;
            uint32_t column = (uint32_t)(pose->position_m[0] / 30.0);
            uint32_t row = (uint32_t)(pose->position_m[1] / 34.0);
            ck_assert_uint_lt(column, 4);
            ck_assert_uint_lt(row, 3);
            seen[k][row * 4 + column] = true;
        }
        size_t count = 0;
        const apex_race_event *events = apex_race_events(race, &count);
        for (size_t e = 0; e < count; e++) {
            wall_hits += events[e].kind == APEX_EVENT_CONTACT && events[e].other.index1 == 0;
        }
    }
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t places = 0;
        for (uint32_t i = 0; i < 12; i++) {
            places += seen[k][i];
        }
        ck_assert_double_gt(way_m[k], 300);
        ck_assert_uint_ge(places, 6);
        ck_assert_uint_eq(race->field.players[k].tally.resets, 0);
    }
    ck_assert_uint_le(wall_hits, 4);
    end();
}

// Cliffs of up to 8 m every 2 m, at full throttle and with the server's driver: cars tumble, but
// stay on this earth, and each can be put back.
TEST(rugged_ground_loses_nobody) {
    apex_track_def ground = track_scene_terrain(61, 51, 2);
    for (uint32_t i = 0; i < 61 * 51; i++) {
        ground.terrain.heights[i] = (uint16_t)(i * 2654435761u >> 20) % 800;
    }
    apex_race_def def = session_def();
    def.race_s_max = 0.0;
    begin_on(scene_lay(&ground), &def);
    for (int i = 0; i < 3; i++) {
        scene_join(race, "ada");
    }
    scene_join_driver(race, "bob", 1.0);
    go();
    apex_controls controls[4] = {{0}};
    for (int i = 0; i < 1800; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            controls[k] = (apex_controls){.throttle = 255,
                                          .gear = APEX_GEAR_AUTOMATIC,
                                          .steer = (int16_t)(k * 300),
                                          .reset_count = (uint8_t)(i / 600)};
        }
        apex_race_tick(race, controls, NULL);
        for (uint32_t k = 0; k < 4; k++) {
            const double *at = race->field.poses[k].position_m;
            ck_assert(isfinite(at[0]) && isfinite(at[1]));
            ck_assert(at[2] > -2.0 && at[2] < 60.0); // the ground goes from -1 to 7 m
        }
    }
    for (uint32_t k = 0; k < 3; k++) {
        ck_assert_uint_ge(race->field.players[k].tally.resets, 2);
    }
    end();
}

// A session survives a save: both go on to the same hash.
TEST(a_saved_session_goes_on_the_same) {
    apex_race_def def = session_def();
    begin(&def);
    for (int i = 0; i < 3; i++) {
        scene_join_driver(race, "wanderer", 1.0);
    }
    go();
    for (int i = 0; i < 500; i++) {
        scene_tick(race, NULL);
    }
    uint8_t *bytes = malloc(apex_race_save_bytes(race));
    ck_assert_ptr_nonnull(bytes);
    apex_race_save(race, bytes);
    apex_race *other = scene_race(&def, track);
    ck_assert_int_eq(apex_race_restore(other, bytes, apex_race_save_bytes(race)), APEX_OK);
    ck_assert_uint_eq(apex_race_hash(other), apex_race_hash(race));
    for (int i = 0; i < 600; i++) {
        scene_tick(race, NULL);
        scene_tick(other, NULL);
    }
    ck_assert_uint_eq(apex_race_hash(other), apex_race_hash(race));
    free(bytes);
    apex_race_destroy(other);
    end();
}
