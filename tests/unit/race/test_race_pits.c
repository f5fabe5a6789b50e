// The pits by themselves: what is seen of a car goes in, what happened comes out. Seconds by hand.
#include "race/pits/pit.h"
#include "race/pits/pit_boxes.h"
#include "support/base/check_main.h"

#include <math.h>
#include <string.h>

enum { HZ = 60 };

// Entry line at 20 m, exit line at 280 m, box 100 m..110 m, boxes 3 m deep, 80 km/h.
static const apex_track_pits LANE = {.exists = true,
                                     .length_m = 300.0,
                                     .line_in_m = 20.0,
                                     .line_out_m = 280.0,
                                     .width_m = 5.0,
                                     .speed_limit_mps = 80.0 / 3.6,
                                     .box_count = 4,
                                     .box_length_m = 10.0,
                                     .box_depth_m = 3.0};
static const double BOX_M = 105.0;

static race_pit pit;
static race_pit_sight sight;
static race_pit_orders orders;
static race_pit_events events;
static uint64_t tick;
static uint64_t hold_us; // that his penalties have him stand
static bool bars_work;

static void begin(void) {
    pit = (race_pit){.box1 = 1, .since_m = -30.0};
    sight = (race_pit_sight){.tick_hz = HZ, .on_road = true, .since_m = -30.0};
    orders = (race_pit_orders){.holds = false};
    hold_us = 0;
    bars_work = false;
    tick = 0;
}

static void step(void) {
    tick++;
    sight.now_us = tick * 1000000 / HZ;
    orders.holds = hold_us > 0;
    race_pit_step(&pit, &LANE, &sight, &orders, &events);
    if (race_pit_has(&events, RACE_PIT_STOPPED)) {
        race_pit_hold(&pit, hold_us, bars_work);
    }
}

// To a place in the lane, at a speed, in as many ticks as that takes.
static uint32_t go(double to_m, double mps) {
    uint32_t seen = 0;
    sight.speed_mps = mps;
    while (sight.since_m < to_m) {
        sight.since_m += mps / HZ;
        sight.on_road = sight.since_m < 10.0 || sight.since_m > 290.0;
        sight.in_pits = !sight.on_road;
        sight.past_box_m = sight.since_m - BOX_M;
        sight.near_box = sight.past_box_m < 0.0 && sight.past_box_m > -60.0;
        sight.at_box = sight.past_box_m > -7.0 && sight.past_box_m < 7.0;
        sight.in_box = sight.past_box_m > -2.5 && sight.past_box_m < 2.5;
        step();
        for (uint32_t i = 0; i < events.count; i++) {
            seen |= 1u << events.all[i].kind;
        }
    }
    return seen;
}

static void stand(void) {
    go(BOX_M, 10.0);
    ck_assert(sight.in_box);
    sight.speed_mps = 0.49;
    step();
    ck_assert_int_eq(pit.phase, APEX_PIT_STOPPED);
}

static bool came(uint32_t seen, race_pit_event_kind kind) {
    return (seen >> kind & 1u) != 0;
}

static uint64_t us_of(race_pit_event_kind kind) {
    for (uint32_t i = 0; i < events.count; i++) {
        if (events.all[i].kind == kind) {
            return events.all[i].us;
        }
    }
    ck_abort_msg("no event %d", kind);
    return 0;
}

// Ticks that he stands until something happens. @return 0: nothing did.
static uint32_t ticks_until(race_pit_event_kind kind, uint32_t ticks_max) {
    for (uint32_t i = 1; i <= ticks_max; i++) {
        step();
        if (race_pit_has(&events, kind)) {
            return i;
        }
    }
    return 0;
}

static apex_pits_def rules(apex_pit_work work) {
    return (apex_pits_def){.work = work,
                           .base_s = 2.0,
                           .tyres_axle_s = 6.0,
                           .fuel_kg_per_s = 2.0,
                           .repair_percent_s = 0.3,
                           .engine_s = 60.0};
}

static const race_pit_need HURT = {
    .fuel_kg = 15.5, .fuel_kg_max = 60.0, .axles = 2, .damage = {0.25, 0.0, 0.1, 0.0, 0.0}};

// 24.5 kg at 2 kg/s are 12.25 s; two axles 12 s; 35 % of two zones 10.5 s; an engine 60 s.
TEST(a_stop_takes_what_its_work_takes) {
    static const struct {
        apex_pit_plan plan;
        bool blown;
        uint8_t jobs;
        uint64_t parallel_us, in_turn_us;
    } stops[] = {
        {{.stop = true, .fuel_kg = 40.0}, false, RACE_PIT_FUEL, 14250000, 14250000},
        {{.stop = true, .tyres = true}, false, RACE_PIT_TYRES, 14000000, 14000000},
        {{.stop = true, .repair = true}, false, RACE_PIT_BODY, 12500000, 12500000},
        {{.stop = true, .repair = true}, true, RACE_PIT_BODY | RACE_PIT_ENGINE, 72500000, 72500000},
        {{.stop = true, .fuel_kg = 40.0, .tyres = true},
         false,
         RACE_PIT_FUEL | RACE_PIT_TYRES,
         14250000,
         26250000},
        {{.stop = true, .fuel_kg = 40.0, .tyres = true, .repair = true},
         true,
         RACE_PIT_JOBS,
         72500000,
         96750000},
        {{.stop = true, .fuel_kg = 100.0}, false, RACE_PIT_FUEL, 24250000, 24250000}, // to 60 kg
        {{.stop = true, .fuel_kg = 15.5}, false, 0, 0, 0}, // is there already
        {{.stop = true, .fuel_kg = 10.0}, true, 0, 0, 0},  // none is pumped out
        {{.stop = true}, true, 0, 0, 0},                   // nothing asked for
        {{.fuel_kg = 40.0, .tyres = true}, true, 0, 0, 0}, // no stop asked for
    };
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
        race_pit_need need = HURT;
        need.engine_blown = stops[i].blown;
        for (int work = APEX_PIT_PARALLEL; work <= APEX_PIT_FUEL_FIRST; work++) {
            apex_pits_def def = rules((apex_pit_work)work);
            race_pit_work got = race_pit_work_for(&def, &stops[i].plan, &need);
            ck_assert_uint_eq(got.jobs, stops[i].jobs);
            ck_assert_msg(got.all_us == (work == APEX_PIT_PARALLEL ? stops[i].parallel_us
                                                                   : stops[i].in_turn_us),
                          "stop %zu, %d: %lu us", i, work, (unsigned long)got.all_us);
        }
    }
}

TEST(what_cannot_be_mended_is_no_job) {
    apex_pits_def def = rules(APEX_PIT_PARALLEL);
    race_pit_need need = {.fuel_kg_max = 60.0, .axles = 3, .engine_blown = true};
    apex_pit_plan plan = {.stop = true, .fuel_kg = 60.0, .tyres = true, .repair = true};
    ck_assert_uint_eq(race_pit_work_for(&def, &plan, &need).all_us, 62000000);
    def.engine_s = 0.0;
    def.fuel_kg_per_s = 0.0;
    race_pit_work work = race_pit_work_for(&def, &plan, &need);
    ck_assert_uint_eq(work.jobs, RACE_PIT_TYRES);
    ck_assert_uint_eq(work.all_us, 20000000); // three axles
    apex_service service = race_pit_service(&plan, work.jobs);
    ck_assert(service.tyres && !service.repair && !service.engine);
    ck_assert(service.fuel_kg < 0.0 && service.ballast_kg < 0.0);
    service = race_pit_service(&plan, RACE_PIT_FUEL | RACE_PIT_BODY);
    ck_assert(!service.tyres && service.repair && !service.engine);
    ck_assert_double_eq_tol(service.fuel_kg, 60.0, 1e-12);
    plan.fuel_kg = (double)NAN;
    ck_assert(!race_pit_plan_is_sane(&plan));
    plan.fuel_kg = -0.1;
    ck_assert(!race_pit_plan_is_sane(&plan));
    plan = (apex_pit_plan){.fuel_kg = 60.0};
    ck_assert(race_pit_plan_is_sane(&plan));
    plan.compound = 1; // there are none yet
    ck_assert(!race_pit_plan_is_sane(&plan));
}

// At 20 m/s the line at 20 m is crossed 2.5 s after -30 m, the one at 280 m 13 s later, whatever
// the ticks: 1/3 m each.
TEST(the_lines_take_times_between_ticks) {
    begin();
    uint32_t seen = go(20.2, 20.0);
    ck_assert_uint_eq(seen, 1u << RACE_PIT_ENTERED);
    ck_assert_int_eq(pit.phase, APEX_PIT_LANE);
    ck_assert_uint_le(pit.entered_us - 2499990, 20);
    seen = go(279.5, 20.0);
    ck_assert_uint_eq(seen, 0);
    ck_assert(race_pit_is_inside(&pit));
    seen = go(280.1, 20.0);
    ck_assert_uint_eq(seen, 1u << RACE_PIT_LEFT | 1u << RACE_PIT_THROUGH);
    ck_assert_uint_le(pit.visit_us - 12999990, 20);
    ck_assert(!race_pit_is_inside(&pit) && race_pit_is_on_exit_road(&pit, &LANE));
    ck_assert_double_eq_tol(pit.speed_mps_max, 20.0, 1e-9);
    go(300.0, 20.0);
    ck_assert(!race_pit_is_on_exit_road(&pit, &LANE) && pit.came_out);
    go(420.0, 20.0);
    ck_assert(!pit.came_out);
}

TEST(who_passes_on_the_road_is_not_in_the_pits) {
    begin();
    for (int at_m = -30; at_m < 400; at_m++) {
        sight.since_m = at_m;
        step();
        ck_assert_uint_eq(events.count, 0);
        ck_assert_int_eq(pit.phase, APEX_PIT_ROAD);
    }
}

TEST(a_stop_is_no_drive_through) {
    begin();
    stand();
    ck_assert_uint_eq(us_of(RACE_PIT_STOPPED), 0);
    uint32_t seen = go(281.0, 10.0);
    ck_assert(came(seen, RACE_PIT_RELEASED) && came(seen, RACE_PIT_LEFT));
    ck_assert(!came(seen, RACE_PIT_THROUGH));
    ck_assert_uint_eq(pit.stops, 0); // no work was done
}

// Half a metre a second is the limit, and the whole car has to be in.
TEST(a_stop_begins_where_the_car_stands_in_its_box) {
    begin();
    go(BOX_M, 10.0);
    sight.speed_mps = 0.5;
    step();
    ck_assert_int_eq(pit.phase, APEX_PIT_LANE);
    sight.speed_mps = 0.499;
    sight.in_box = false; // half in
    step();
    ck_assert_int_eq(pit.phase, APEX_PIT_LANE);
    ck_assert_uint_eq(events.count, 1);
    ck_assert_int_eq(events.all[0].kind, RACE_PIT_REFUSED);
    ck_assert_int_eq(events.all[0].why, RACE_PIT_OUTSIDE);
    step();
    ck_assert_uint_eq(events.count, 0); // it is told once
    sight.in_box = true;
    step();
    ck_assert_int_eq(pit.phase, APEX_PIT_STOPPED);
    sight.speed_mps = 0.99; // pushed, and still there
    step();
    ck_assert_int_eq(pit.phase, APEX_PIT_STOPPED);
    sight.speed_mps = 1.0;
    step();
    ck_assert_int_eq(pit.phase, APEX_PIT_LEAVING);
    pit.box1 = 0; // without a box nobody stops
    sight.speed_mps = 0.0;
    step();
    ck_assert_int_eq(pit.phase, APEX_PIT_LEAVING);
}

// 5 s of a penalty, then 14.25 s of work: 300 ticks, and 855 more.
TEST(a_penalty_is_stood_before_the_work) {
    begin();
    apex_pits_def def = rules(APEX_PIT_PARALLEL);
    pit.plan = (apex_pit_plan){.stop = true, .fuel_kg = 40.0};
    orders.work = race_pit_work_for(&def, &pit.plan, &HURT);
    hold_us = 5000000;
    stand();
    ck_assert_uint_eq(us_of(RACE_PIT_STOPPED), 14250000);
    ck_assert_uint_eq(race_pit_stop_takes_us(&pit), 19250000);
    ck_assert(!pit.plan.stop); // the next one is not planned yet
    hold_us = 60000000;        // of a later penalty: not at this stop
    apex_pit_state told = race_pit_tell(&pit, 0, sight.now_us, HZ);
    ck_assert_uint_eq(told.left_us, 19250000);
    ck_assert_double_eq_tol(told.plan.fuel_kg, 40.0, 1e-12);
    ck_assert_uint_eq(ticks_until(RACE_PIT_HELD, 1000), 300);
    ck_assert_uint_eq(us_of(RACE_PIT_HELD), 5000000);
    ck_assert_uint_eq(race_pit_tell(&pit, 0, sight.now_us, HZ).left_us, 14250000);
    ck_assert_uint_eq(ticks_until(RACE_PIT_DONE, 1000), 855);
    ck_assert_uint_eq(us_of(RACE_PIT_DONE), 14250000);
    ck_assert_uint_eq(pit.stops, 1);
    apex_service service = race_pit_service(&pit.job, pit.jobs);
    ck_assert_double_eq_tol(service.fuel_kg, 40.0, 1e-12);
    ck_assert_uint_eq(ticks_until(RACE_PIT_DONE, 2000), 0); // once
    sight.speed_mps = 3.0;
    step();
    ck_assert_uint_eq(us_of(RACE_PIT_RELEASED), (300 + 855 + 2000) * 1000000ull / HZ);
    ck_assert(!pit.plan.stop);
}

TEST(who_leaves_early_forfeits_the_work_and_not_the_penalty) {
    begin();
    pit.plan = (apex_pit_plan){.stop = true, .tyres = true};
    orders.work = (race_pit_work){.jobs = RACE_PIT_TYRES, .all_us = 14000000};
    hold_us = 5000000;
    stand();
    ck_assert_uint_eq(ticks_until(RACE_PIT_HELD, 299), 0); // a tick too early
    sight.speed_mps = 2.0;
    step();
    ck_assert_uint_eq(events.count, 1);
    ck_assert_int_eq(events.all[0].kind, RACE_PIT_RELEASED);
    ck_assert(pit.plan.stop && pit.plan.tyres); // as he wanted it
    ck_assert_uint_eq(pit.stops, 0);
    sight.speed_mps = 0.0; // he thinks better of it: all of it again
    step();
    ck_assert_uint_eq(ticks_until(RACE_PIT_HELD, 1000), 300);
    ck_assert_uint_eq(ticks_until(RACE_PIT_DONE, 839), 0);
    sight.speed_mps = 2.0; // the penalty is stood, the tyres are not on
    uint32_t seen = go(281.0, 10.0);
    ck_assert(!came(seen, RACE_PIT_DONE) && came(seen, RACE_PIT_LEFT));
    ck_assert_uint_eq(pit.stops, 0);
    ck_assert(pit.plan.tyres);
}

TEST(a_plan_that_comes_during_a_stop_is_for_the_next) {
    begin();
    pit.plan = (apex_pit_plan){.stop = true, .tyres = true};
    orders.work = (race_pit_work){.jobs = RACE_PIT_TYRES, .all_us = 1000000};
    stand();
    pit.plan = (apex_pit_plan){.stop = true, .fuel_kg = 20.0};
    ck_assert_uint_eq(ticks_until(RACE_PIT_DONE, 100), 60);
    ck_assert(race_pit_service(&pit.job, pit.jobs).tyres);
    sight.speed_mps = 2.0;
    step();
    ck_assert(pit.plan.stop && !pit.plan.tyres);
}

TEST(a_stop_and_hold_bars_work_in_its_visit) {
    begin();
    pit.plan = (apex_pit_plan){.stop = true, .tyres = true};
    orders.work = (race_pit_work){.jobs = RACE_PIT_TYRES, .all_us = 14000000};
    hold_us = 10000000;
    bars_work = true;
    stand();
    ck_assert_uint_eq(race_pit_stop_takes_us(&pit), 10000000);
    ck_assert(pit.plan.stop && pit.plan.tyres); // for the next visit
    ck_assert_uint_eq(ticks_until(RACE_PIT_HELD, 1000), 600);
    hold_us = 0;
    bars_work = false;
    ck_assert_uint_eq(ticks_until(RACE_PIT_DONE, 2000), 0);
    sight.speed_mps = 2.0; // nor does a second stop in the same visit help
    step();
    sight.speed_mps = 0.0;
    step();
    ck_assert_int_eq(pit.phase, APEX_PIT_STOPPED);
    ck_assert_uint_eq(ticks_until(RACE_PIT_DONE, 2000), 0);
    ck_assert(pit.plan.stop && pit.plan.tyres);
    go(450.0, 10.0);
    sight.since_m = -30.0;
    step();
    hold_us = 1000000;
    stand(); // the next visit does, and each hold is told
    ck_assert_uint_eq(ticks_until(RACE_PIT_HELD, 100), 60);
    ck_assert_uint_eq(ticks_until(RACE_PIT_DONE, 2000), 840);
}

// The window of 100 s to 200 s of race time, by the beginning of the stop, both ends within.
TEST(stops_count_by_their_beginning) {
    static const struct {
        uint64_t stop_us;
        uint32_t counted;
    } stops[] = {{99999999, 0}, {100000000, 1}, {200000000, 1}, {200000001, 0}};
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
        begin();
        orders.work = (race_pit_work){.jobs = RACE_PIT_TYRES, .all_us = 14000000};
        pit.plan.stop = true;
        orders.window_from_us = 100000000;
        orders.window_to_us = 200000000;
        go(BOX_M, 10.0);
        sight.speed_mps = 0.0;
        sight.now_us = stops[i].stop_us;
        race_pit_step(&pit, &LANE, &sight, &orders, &events);
        ck_assert_uint_eq(ticks_until(RACE_PIT_DONE, 1000), 840);
        ck_assert_uint_eq(pit.stops, 1);
        ck_assert_uint_eq(pit.stops_counted, stops[i].counted);
    }
    begin();
    orders.work = (race_pit_work){.jobs = RACE_PIT_TYRES, .all_us = 14000000};
    pit.plan.stop = true;
    stand();
    ck_assert_uint_eq(ticks_until(RACE_PIT_DONE, 1000), 840);
    ck_assert_uint_eq(pit.stops_counted, 1); // without a window all do
}

TEST(a_taken_box_sends_him_round) {
    begin();
    sight.box_taken = true;
    orders.work = (race_pit_work){.jobs = RACE_PIT_TYRES, .all_us = 14000000};
    go(44.0, 10.0);
    ck_assert_uint_eq(events.count, 0);
    go(46.0, 10.0); // 59 m before it
    ck_assert_uint_eq(pit.refused, 1u << RACE_PIT_BUSY);
    apex_driver_orders driver = {.limit_mps = 0.0};
    race_pit_order_driver(&pit, true, true, &driver);
    ck_assert(driver.pits && driver.box1 == 0);
    go(BOX_M, 10.0);
    sight.speed_mps = 0.0;
    step();
    ck_assert_int_eq(pit.phase, APEX_PIT_LANE);
    uint32_t seen = go(281.0, 10.0);
    ck_assert(came(seen, RACE_PIT_REFUSED) && came(seen, RACE_PIT_THROUGH)); // told that he passed
    ck_assert_uint_eq(pit.refused, 1u << RACE_PIT_BUSY | 1u << RACE_PIT_PASSED);
    sight.since_m = -30.0;
    step();
    sight.box_taken = false; // next time round
    stand();
    race_pit_order_driver(&pit, true, true, &driver);
    ck_assert(driver.pits && driver.box1 == 1 && !driver.released);
    race_pit_order_driver(&pit, false, false, &driver);
    ck_assert(driver.pits && driver.box1 == 1 && driver.released);
}

TEST(who_comes_in_or_goes_out_beside_the_lines_is_told) {
    begin();
    sight.since_m = 90.0; // over the grass
    step();
    sight.on_road = false;
    sight.in_pits = true;
    sight.since_m = 91.0;
    step();
    ck_assert(race_pit_has(&events, RACE_PIT_ENTERED) && race_pit_has(&events, RACE_PIT_ASTRAY));
    ck_assert_uint_eq(pit.entered_us, sight.now_us);
    uint32_t seen = go(281.0, 10.0);
    ck_assert(came(seen, RACE_PIT_LEFT) && !came(seen, RACE_PIT_THROUGH));
    begin();
    go(100.0, 10.0);
    sight.in_pits = false; // on the grass between them he is still in the lane
    step();
    ck_assert(race_pit_is_inside(&pit) && events.count == 0);
    sight.on_road = true;
    step();
    ck_assert(race_pit_has(&events, RACE_PIT_LEFT) && race_pit_has(&events, RACE_PIT_ASTRAY));
    ck_assert(!pit.came_out);
    begin();
    go(30.0, 10.0);
    sight.since_m = 19.9; // backwards out again
    step();
    ck_assert(race_pit_has(&events, RACE_PIT_LEFT) && race_pit_has(&events, RACE_PIT_ASTRAY));
    ck_assert(!race_pit_has(&events, RACE_PIT_THROUGH));
}

TEST(who_is_set_down_crosses_no_line) {
    begin();
    pit.plan = (apex_pit_plan){.stop = true, .tyres = true};
    orders.work = (race_pit_work){.jobs = RACE_PIT_TYRES, .all_us = 14000000};
    stand();
    race_pit_place(&pit, false, 400.0); // put back on the road
    ck_assert(!race_pit_is_inside(&pit) && pit.plan.tyres);
    sight = (race_pit_sight){.tick_hz = HZ, .on_road = true, .since_m = 401.0, .speed_mps = 5.0};
    step();
    ck_assert_uint_eq(events.count, 0);
    begin(); // a latecomer begins in his box: he stands there, and drives out
    race_pit_place(&pit, true, BOX_M);
    sight.since_m = BOX_M;
    sight.on_road = false;
    sight.in_pits = sight.in_box = sight.at_box = true;
    ck_assert(race_pit_is_inside(&pit));
    step();
    ck_assert_int_eq(pit.phase, APEX_PIT_STOPPED);
    uint32_t seen = go(281.0, 10.0);
    ck_assert(came(seen, RACE_PIT_LEFT) && !came(seen, RACE_PIT_THROUGH));
}

TEST(boxes_go_to_teams_and_then_to_where_there_is_room) {
    race_box_holder holders[8] = {{0}};
    static const char *const teams[] = {"red", "blue", "", "red", "", "", "green", "blue"};
    static const uint32_t boxes[] = {1, 2, 3, 1, 2, 3, 1, 2};
    for (uint32_t i = 0; i < 8; i++) {
        holders[i].team = teams[i];
        holders[i].box1 = race_box_choose(3, holders, i, teams[i]);
        ck_assert_msg(holders[i].box1 == boxes[i], "%u: box %u", i, holders[i].box1);
    }
    ck_assert_uint_eq(race_box_choose(0, holders, 8, "red"), 0);
    ck_assert_uint_eq(race_box_choose(64, holders, 8, NULL), 4);
}

static race_walk walk(uint8_t *out, const uint8_t *in) {
    return (race_walk){.out = out, .in = in, .ok = true};
}

TEST(a_visit_is_saved_and_a_doctored_one_refused) {
    begin();
    pit.plan = (apex_pit_plan){.stop = true, .fuel_kg = 33.0, .tyres = true, .repair = true};
    orders.work = (race_pit_work){.jobs = RACE_PIT_TYRES, .all_us = 14000000};
    hold_us = 5000000;
    stand();
    ck_assert_uint_eq(ticks_until(RACE_PIT_HELD, 400), 300);
    uint8_t bytes[256];
    race_walk io = walk(bytes, NULL);
    race_pit_walk(&io, &pit);
    ck_assert_uint_le(io.at, sizeof bytes);
    size_t length = io.at;
    race_pit copy;
    memset(&copy, 0, sizeof copy);
    io = walk(NULL, bytes);
    race_pit_walk(&io, &copy);
    ck_assert(io.ok && io.at == length);
    uint8_t again[256];
    io = walk(again, NULL);
    race_pit_walk(&io, &copy);
    ck_assert_mem_eq(again, bytes, length);
    race_pit first = pit;
    ck_assert_uint_eq(ticks_until(RACE_PIT_DONE, 1000), 840);
    pit = copy;
    ck_assert_uint_eq(ticks_until(RACE_PIT_DONE, 1000), 840);
    const race_pit broken[] = {
        {.phase = (apex_pit_phase)APEX_PIT_PHASES},
        {.box1 = APEX_TRACK_PIT_BOXES_MAX + 1},
        {.stops_counted = 1},
        {.plan = {.fuel_kg = -1.0}},
        {.job = {.compound = 7}},
        {.jobs = RACE_PIT_JOBS + 1},
        {.hold_us = UINT64_MAX},
        {.work_us = UINT64_MAX},
        {.since_m = 1e30},
        {.refused = 8},
        {.phase = APEX_PIT_STOPPED, .stopped = true},
        {.phase = APEX_PIT_STOPPED, .box1 = 1},
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        race_pit bad = broken[i];
        io = walk(bytes, NULL);
        race_pit_walk(&io, &bad);
        io = walk(NULL, bytes);
        race_pit_walk(&io, &bad);
        ck_assert_msg(!io.ok, "case %zu", i);
    }
    io = walk(bytes, NULL);
    race_pit_walk(&io, &first);
    io = walk(NULL, bytes);
    race_pit_walk(&io, &first);
    ck_assert(io.ok);
}
