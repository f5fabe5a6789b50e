// links: content
// A driver of the server's in the pits of the tracks that ship, in each car that ships: in over the
// line below the limit, a stop inside his box, out again, and through without a stop.
#include "content/content.h"
#include "race/pits/pit_sight.h"
#include "race/race_private.h"

#include <math.h>
#include <stdio.h>

#include "test_race_scene.h"
#include "support/base/check_main.h"
#include "support/driver/driver_view.h"

enum { HZ = 60, CARDS = 4, TICKS_MAX = HZ * 600 };

static const char *const CARS[] = {"boxster-s", "cbr1000rr", "corvette-c5", "formula",
                                   "micra",     "minibus",   "mp4-12c",     "truck-6x4"};
static const uint64_t HOLD_US = 2000000;

static apex_track *track;
static apex_track_pits lane;
static apex_race *race;
static apex_car_def car;
static apex_driver driver;
static apex_controls given[CARDS];
static race_card cards[CARDS];
static race_pit_events events;
static race_pit_orders orders;
static bool wants, stops;

// What a visit has shown.
typedef struct visit {
    double in_mps, worst_mps; // at the entry line; between the lines
    double aside_m, along_m;  // from the middle of the box, where he stood
    uint64_t lane_us, stood_us;
    uint32_t walls;
    bool stopped, held, through, astray;
} visit;

static visit seen;

// Parks the other car in a box, a ghost as it stands from the grid.
static void put_other(uint32_t box) {
    race_player *other = &race->field.players[1];
    apex_placement at = apex_track_pit_box_placement(track, box);
    apex_world_place_car(race->field.world, other->car_id, &at);
    other->s_m = other->safe_s_m = apex_track_find(track, at.x_m, at.y_m, at.z_m).s_m;
}

// On the line, 700 m before the entry.
static void put_before_entry(void) {
    race_player *one = &race->field.players[0];
    double s_m = lane.entry_s_m - 700.0;
    double offset_m = apex_driver_plan_offset_m(race->field.plans[0], s_m);
    apex_placement at = apex_track_placement(track, s_m, offset_m);
    at.speed_mps = 20.0;
    apex_world_place_car(race->field.world, one->car_id, &at);
    one->s_m = one->safe_s_m = s_m;
    apex_world_poses_by_slot(race->field.world, race->field.poses);
}

static void begin(const char *track_name, const char *car_name, double skill) {
    apex_content_problem problem = {{0}};
    apex_track_def laid;
    ck_assert_int_eq(apex_content_load_track(track_name, NULL, &laid, &problem), APEX_OK);
    track = scene_lay(&laid);
    lane = apex_track_pits_of(track);
    ck_assert_int_eq(apex_content_load_car(car_name, NULL, &car, &problem), APEX_OK);
    apex_race_def def = scene_race_def(CARDS);
    def.laps = 99;
    def.idle_s = def.stuck_s = 0.0;
    def.countdown_s = 1.0;
    ck_assert_int_eq(apex_race_create(&def, track, &car, 1, &race), APEX_OK);
    scene_join(race, "one");
    scene_join(race, "other");
    ck_assert_int_eq(scene_command(race, APEX_RACE_START, (apex_player_id){0, 0}), APEX_OK);
    scene_until(race, APEX_PHASE_RACE, 600);
    put_other(lane.box_count - 1);
    put_before_entry();
    driver = apex_driver_create(skill, 0.0);
    memset(given, 0, sizeof given);
    memset(cards, 0, sizeof cards);
    given[1].brake = UINT8_MAX;
    orders = (race_pit_orders){.holds = false};
    wants = stops = false;
    seen = (visit){.worst_mps = 0.0};
}

static void end(void) {
    apex_race_destroy(race);
    apex_track_destroy(track);
}

static race_pit_sight see(void) {
    race_pit_sight sight =
        race_pit_see(&race->field, &lane, cards, 0, (uint64_t)apex_race_time_us(race));
    race_pit_step(&cards[0].pit, &lane, &sight, &orders, &events);
    if (race_pit_has(&events, RACE_PIT_STOPPED)) {
        race_pit_hold(&cards[0].pit, HOLD_US, false);
    }
    return sight;
}

static void note_stand(void) {
    const apex_car_pose *pose = race_field_pose(&race->field, 0);
    apex_placement box = apex_track_pit_box_placement(track, cards[0].pit.box1 - 1);
    double c = apex_cos(box.yaw_rad);
    double s = apex_sin(box.yaw_rad);
    double hull_m = car.hull.centre_x_m;
    double x_m = pose->position_m[0] + hull_m * apex_cos(pose->yaw_rad) - box.x_m;
    double y_m = pose->position_m[1] + hull_m * apex_sin(pose->yaw_rad) - box.y_m;
    seen.along_m = x_m * c + y_m * s;
    seen.aside_m = y_m * c - x_m * s;
}

static void note(const race_pit_sight *sight) {
    if (race_pit_has(&events, RACE_PIT_ENTERED)) {
        seen.in_mps = sight->speed_mps;
    }
    if (race_pit_is_inside(&cards[0].pit)) {
        seen.worst_mps = fmax(seen.worst_mps, sight->speed_mps);
    }
    if (race_pit_has(&events, RACE_PIT_HELD)) {
        note_stand();
        seen.held = true;
        stops = false;
    }
    for (uint32_t i = 0; i < events.count; i++) {
        const race_pit_event *event = &events.all[i];
        seen.stopped |= event->kind == RACE_PIT_STOPPED;
        seen.through |= event->kind == RACE_PIT_THROUGH;
        seen.astray |= event->kind == RACE_PIT_ASTRAY;
        seen.lane_us = event->kind == RACE_PIT_LEFT ? event->us : seen.lane_us;
        seen.stood_us = event->kind == RACE_PIT_RELEASED ? event->us : seen.stood_us;
    }
    size_t count = 0;
    const apex_contact_event *contacts = apex_world_contacts(race->field.world, &count);
    seen.walls += (uint32_t)count;
    ck_assert_msg(count == 0, "%s touches kind %d at since %.1f", car.name, contacts[0].kind,
                  sight->since_m);
}

static void tick(void) {
    const apex_car_pose *pose = race_field_pose(&race->field, 0);
    apex_driver_view view = driver_view_alone(pose, 1.0 / HZ);
    const apex_car_pose *other = race_field_pose(&race->field, 1);
    double x_m = other->position_m[0] - pose->position_m[0];
    double y_m = other->position_m[1] - pose->position_m[1];
    if (x_m * x_m + y_m * y_m < 80.0 * 80.0) {
        view.neighbours[view.neighbour_count++] = driver_view_neighbour(pose, other);
    }
    race_pit_order_driver(&cards[0].pit, wants, stops, &view.orders);
    given[0] = apex_driver_drive(&driver, race->field.plans[0], &view);
    apex_race_tick(race, given, NULL);
    race_pit_sight sight = see();
    note(&sight);
}

static void until_out(void) {
    int ticks = 0;
    do {
        tick();
        ck_assert_msg(++ticks < TICKS_MAX, "%s never comes out: at %.1f m, phase %d", car.name,
                      cards[0].pit.since_m, cards[0].pit.phase);
    } while (!race_pit_has(&events, RACE_PIT_LEFT));
}

// Never off the road with all wheels; the lane is paved, too.
static void race_on(double seconds) {
    for (int i = 0; i < (int)(seconds * HZ); i++) {
        tick();
        ck_assert_msg(race_field_pose(&race->field, 0)->wheels_on_road > 0,
                      "%s: off the road at %.1f m, %.2f s later", car.name, driver.s_m,
                      (double)i / HZ);
    }
}

static void expect_below_limit(void) {
    ck_assert_msg(seen.worst_mps < lane.speed_limit_mps, "%s: %.2f m/s of %.2f", car.name,
                  seen.worst_mps, lane.speed_limit_mps);
    ck_assert_msg(seen.in_mps > lane.speed_limit_mps - 4.0, "%s: slow at the line, %.2f m/s",
                  car.name, seen.in_mps);
    ck_assert(!seen.astray);
}

// A box in the middle of the row; two of the cars also try the first and the last.
TEST_OVER(a_driver_stops_in_his_box_and_comes_out, 0, 8) {
    int boxes_tried = _i == 0 || _i == 7 ? 3 : 1;
    for (int i = 0; i < boxes_tried; i++) {
        begin("ridgeway", CARS[_i], 0.95);
        const uint32_t boxes[3] = {lane.box_count / 2, 1, lane.box_count};
        put_other(lane.box_count / 4);
        cards[0].pit.box1 = boxes[i];
        orders.holds = true;
        race_on(5.0);
        wants = stops = true;
        until_out();
        ck_assert(seen.stopped && seen.held && !seen.through);
        expect_below_limit();
        ck_assert_msg(fabs(seen.along_m) < 0.5 && fabs(seen.aside_m) < 0.5,
                      "%s: %.2f m along, %.2f m aside", car.name, seen.along_m, seen.aside_m);
        ck_assert_uint_ge(seen.stood_us, HOLD_US);
        ck_assert_uint_lt(seen.stood_us, HOLD_US + 1500000);
        printf("%s box %u: %.1f s in the lane, %.2f s stood, %.1f m/s at most, %+.2f m along, "
               "%+.2f m aside\n",
               car.name, boxes[i], 1e-6 * (double)seen.lane_us, 1e-6 * (double)seen.stood_us,
               seen.worst_mps, seen.along_m, seen.aside_m);
        wants = false;
        race_on(30.0);
        ck_assert_int_eq(cards[0].pit.phase, APEX_PIT_ROAD);
        ck_assert_uint_eq(driver.resets, 0);
        end();
    }
}

TEST_OVER(a_driver_goes_through_without_a_stop, 0, 8) {
    begin("ridgeway", CARS[_i], 0.9);
    race_on(5.0);
    cards[0].pit.box1 = 5;
    wants = true;
    until_out();
    wants = false;
    expect_below_limit();
    ck_assert(seen.through && !seen.stopped);
    printf("%s: %.1f s through the lane\n", car.name, 1e-6 * (double)seen.lane_us);
    race_on(30.0);
    end();
}

// Somebody stands in the box that they share: he goes through, and stops a lap later.
TEST(a_driver_whose_box_is_taken_comes_again) {
    begin("ridgeway", "boxster-s", 0.95);
    put_other(9);
    race_on(5.0);
    cards[0].pit.box1 = cards[1].pit.box1 = 10;
    orders.holds = true;
    wants = stops = true;
    until_out();
    ck_assert_uint_eq(cards[0].pit.refused, 1u << RACE_PIT_BUSY | 1u << RACE_PIT_PASSED);
    ck_assert(seen.through && !seen.stopped);
    expect_below_limit();
    put_other(14);
    until_out();
    ck_assert(seen.stopped && seen.held);
    ck_assert_uint_eq(cards[0].pit.refused, 0);
    race_on(10.0);
    end();
}

// He asks too late to slow down for it: he goes on, and comes in a lap later.
TEST(an_entry_that_is_too_near_is_for_the_next_lap) {
    begin("ridgeway", "boxster-s", 0.95);
    race_on(5.0);
    while (race_pit_since_m(track, &lane, race->field.players[0].s_m) < -45.0 ||
           race_pit_since_m(track, &lane, race->field.players[0].s_m) > 0.0) {
        tick();
    }
    double from_mps = see().speed_mps;
    wants = true;
    race_on(4.0);
    ck_assert_int_eq(cards[0].pit.phase, APEX_PIT_ROAD);
    ck_assert_double_gt(race_field_pose(&race->field, 0)->velocity_mps[0] *
                                race_field_pose(&race->field, 0)->velocity_mps[0] +
                            race_field_pose(&race->field, 0)->velocity_mps[1] *
                                race_field_pose(&race->field, 0)->velocity_mps[1],
                        from_mps * from_mps);
    until_out();
    ck_assert(seen.through);
    expect_below_limit();
    end();
}

// Served, with somebody 55 m behind who comes along the lane at 20 m/s: he lets him go by first.
TEST(nobody_moves_out_of_his_box_in_front_of_another) {
    begin("ridgeway", "boxster-s", 0.95);
    race_on(5.0);
    cards[0].pit.box1 = 10;
    orders.holds = true;
    wants = stops = true;
    while (!seen.held) {
        tick();
    }
    apex_placement at = apex_track_pit_lane_placement(track, cards[0].pit.since_m - 55.0);
    at.speed_mps = 20.0;
    apex_world_place_car(race->field.world, race->field.players[1].car_id, &at);
    race->field.players[1].s_m = apex_track_find(track, at.x_m, at.y_m, at.z_m).s_m;
    apex_world_poses_by_slot(race->field.world, race->field.poses);
    given[1] = (apex_controls){.gear = APEX_GEAR_NEUTRAL};
    double gap_m = -55.0;
    int ticks = 0;
    while (!race_pit_has(&events, RACE_PIT_RELEASED)) {
        tick();
        ck_assert_int_lt(++ticks, 10 * HZ);
        gap_m = apex_track_gap_m(track, race->field.players[0].s_m, race->field.players[1].s_m);
    }
    ck_assert_double_gt(gap_m, 4.0);
    ck_assert_double_lt(gap_m, 30.0); // and no longer than that
    end();
}
