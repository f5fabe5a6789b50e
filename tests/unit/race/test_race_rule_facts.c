// The facts that rules ask for: of the lane, and of a car's way along the lap.
#include "test_race_weekend.h"

#include "race/field/along.h"
#include "race/rule_facts.h"
#include "support/base/check_main.h"

#include <math.h>

static apex_player_id ada, bob;

// A ring whose lane runs from 100 to 400 m, outside.
static void begin_lane(void) {
    apex_track_def def = apex_default_track_def();
    snprintf(def.name, sizeof def.name, "lane");
    scene_points(&def, SCENE_POINTS);
    for (uint32_t i = 0; i < SCENE_POINTS; i++) {
        double angle_rad = 2.0 * APEX_PI * i / SCENE_POINTS;
        def.points[i] = (apex_track_point){.x_m = 120.0 * apex_cos(angle_rad),
                                           .y_m = 120.0 * apex_sin(angle_rad),
                                           .left_m = 6.0,
                                           .right_m = 6.0};
    }
    def.verge_m = 8.0;
    def.pit_lane = apex_default_track_pit_lane();
    def.pit_lane.side = APEX_SIDE_RIGHT;
    def.pit_lane.entry_m = 100.0;
    def.pit_lane.exit_m = 400.0;
    def.pit_lane.box_count = 4;
    def.pit_lane.speed_limit_mps = 22.0;
    snprintf(def.pit_lane.surface, sizeof def.pit_lane.surface, "asphalt");
    snprintf(def.pit_lane.wall_material, sizeof def.pit_lane.wall_material, "tyre-wall");
    apex_race_def race_def = scene_race_def(4);
    race_def.stuck_s = race_def.idle_s = 0.0;
    race_def.weekend.rules.pits.on = true;
    begin_on(scene_lay(&def), &race_def);
    ada = scene_join(race, "ada");
    bob = scene_join(race, "bob");
    go();
}

// Where she is after the next tick; her facts then.
static race_facts facts_at(apex_placement at) {
    apex_world_place_car(race->field.world, line_of(ada)->car_id, &at);
    race->field.poses[0].yaw_rad = at.yaw_rad;
    race->field.poses[0].position_m[0] = at.x_m;
    race->field.poses[0].position_m[1] = at.y_m;
    race_player *line = line_of(ada);
    line->s_m = apex_track_find(track, at.x_m, at.y_m, at.z_m).s_m;
    race->field.places[0] = apex_track_find(track, at.x_m, at.y_m, at.z_m);
    race_along_sort(&race->field);
    race_facts facts = {.player = line, .pose = &race->field.poses[0], .slot = 0};
    race_find_rule_facts(&race->field, &facts, (race_advance){.line_left_m = 12.0});
    return facts;
}

TEST(heading_and_speed_are_those_of_the_lap) {
    begin_lane();
    apex_placement at = apex_track_placement(track, 300.0, 0.0);
    race_facts facts = facts_at(at);
    ck_assert_double_eq_tol(facts.heading_off_rad, 0.0, 0.01);
    ck_assert_double_eq_tol(facts.line_left_m, 12.0, 1e-12);
    ck_assert_double_eq_tol(facts.driven_mps,
                            apex_driver_plan_speed_mps(race->field.plans[0], 300.0), 0.5);
    ck_assert_double_gt(facts.driven_mps, 15.0);
    at.yaw_rad += APEX_PI;
    ck_assert_double_eq_tol(facts_at(at).heading_off_rad, APEX_PI, 0.01);
    at.yaw_rad += 0.5 * APEX_PI;
    ck_assert_double_eq_tol(facts_at(at).heading_off_rad, 0.5 * APEX_PI, 0.01);
    end();
}

// The way left to the line, also of one who has not been there yet.
TEST(the_way_to_the_line_is_that_of_the_lap) {
    begin_lane();
    warp(ada, -line_of(ada)->s_m + race->timing.length_m - 20.0);
    tick();
    double length_m = race->timing.length_m;
    race_player *line = line_of(ada);
    line->way_m = -20.0;
    line->lap = (race_lap){0};
    race_advance here = race_lap_advance(&race->timing, &race->field, line, &race->log);
    ck_assert_double_eq_tol(here.line_left_m, -line->way_m, 1e-9);
    ck_assert_double_eq_tol(here.line_left_m, length_m - line->s_m, 0.01);
    drive_lap(ada, 5.0);
    here = race_lap_advance(&race->timing, &race->field, line, &race->log);
    ck_assert_double_eq_tol(here.line_left_m, length_m - line->s_m, 0.01);
    end();
}
