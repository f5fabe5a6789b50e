// All judges of rules at once: whom none of them accuses, what they remember over a save, and what
// the rules' own hand in a car's place does to it.
#include "race/rules/clear.h"
#include "race/rules/courtesy.h"
#include "unit/race/test_race_rules_drives.h"

static void all_rules(apex_rules_def *rules) {
    rules->limits = (apex_limits_rule){.on = true, .carry_m = 100.0};
    rules->start = (apex_start_rule){.on = true, .move_m = 0.25};
    rules->pits =
        (apex_pit_rule){.on = true, .tolerance_mps = 0.25, .release_gap_s = 2.0, .exit_line = true};
    rules->direction = (apex_direction_rule){.on = true, .wrong_s = 2.0};
    rules->blocking = (apex_blocking_rule){.on = true, .slow_mps = 3.0, .slow_s = 5.0};
    rules->incidents = (apex_incident_rule){
        .on = true, .off = 1, .lost = 2, .wall = 2, .heavy = 4, .heavy_mps = 8.0};
    rules->courtesy = (apex_courtesy_rule){.lapped = true, .joined_s = 10.0};
}

static void no_rules(apex_rules_def *rules) {
    all_rules(rules);
    rules->limits.on = rules->start.on = rules->pits.on = rules->direction.on = false;
    rules->blocking.on = rules->incidents.on = rules->courtesy.lapped = false;
    rules->courtesy.joined_s = 0.0;
}

// Nobody has done anything here, or nobody judges it.
static const rules_drive CLEAN[] = {
    {.name = "a stint with a stop",
     .rules = all_rules,
     .legs = {WITH(60, 0.0, LIGHTS), GO(900, 40.0), WITH(300, 20.0, LANE), WITH(300, 0.0, LANE),
              WITH(1, 5.0, LANE | RELEASED), WITH(300, 20.0, LANE), WITH(900, 40.0, ONE_WHEEL)}},
    // Before the lights are out there is one thing to do wrong.
    {.name = "spins off its box",
     .rules = all_rules,
     .legs = {TURNED(200, -9.0, LIGHTS | OFF, 40.0, 3.0)},
     .expected = {OFFENCE(3, JUMP_START, 300)}},
    {.name = "all that can be done wrong, unjudged",
     .rules = no_rules,
     .legs = {WITH(60, 1.0, LIGHTS),
              {60, 44.0, OFF, 40.0, 3.0, 0.0, 0.0, 0.5},
              WITH(300, 30.0, LANE | EXIT_LINE),
              FOLLOWED(1, 5.0, LANE | RELEASED, 1.0, 15.0),
              WITH(300, -9.0, LANE),
              WITH(300, -9.0, HIT),
              WITH(900, 0.0, WALL)},
     .joined_s = 1.0},
};

TEST_OVER(clean, 0, DRIVES_OF(CLEAN)) {
    drive_try(&CLEAN[_i]);
}

// Off the road, turned round, backwards, too fast in the lane, and stopped, all of it unsettled.
static const rules_drive UNSETTLED[] = {
    {.name = "off", .rules = all_rules, .legs = {GO(90, 40.0), PAST(9, 44.0, OFF, 40.0)}},
    {.name = "spun", .rules = all_rules, .legs = {GO(90, 40.0), TURNED(9, 9.0, HIT, 40.0, 3.0)}},
    {.name = "wrong way", .rules = all_rules, .legs = {GO(100, -9.0)}},
    {.name = "lane", .rules = all_rules, .legs = {WITH(9, 30.0, LANE), WITH(9, -1.0, LANE)}},
    {.name = "stands", .rules = all_rules, .legs = {GO(200, 0.0)}},
    {.name = "lights", .rules = all_rules, .legs = {WITH(9, 0.1, LIGHTS | TOUCHED)}},
    {.name = "exit", .rules = all_rules, .legs = {WITH(9, 9.0, LANE), WITH(9, 9.0, EXIT_LINE)}},
};

enum { WATCH_BYTES_MAX = 256 };

static size_t save(race_conduct_watch *watch, uint8_t bytes[WATCH_BYTES_MAX]) {
    race_walk io = {.out = bytes, .ok = true};
    race_conduct_walk(&io, watch);
    ck_assert_uint_le(io.at, WATCH_BYTES_MAX);
    return io.at;
}

static bool restore(race_conduct_watch *watch, const uint8_t *bytes) {
    race_walk io = {.in = bytes, .ok = true};
    race_conduct_walk(&io, watch);
    return io.ok;
}

// What comes after a restore is what would have come without one, whatever was under way.
TEST_OVER(a_restored_watch_judges_alike, 0, DRIVES_OF(UNSETTLED)) {
    static const rules_leg after[] = {WITH(30, -9.0, LANE), GO(400, -9.0),
                                      TURNED(60, 44.0, HIT, 40.0, 0.5)};
    drive_bench bench;
    drive_all(&bench, &UNSETTLED[_i]);
    uint8_t bytes[WATCH_BYTES_MAX];
    save(&bench.watch, bytes);
    drive_bench restored = bench;
    race_conduct_forget(&restored.watch);
    ck_assert(restore(&restored.watch, bytes));
    restored.facts.player = &restored.player;
    restored.facts.pose = &restored.pose;
    restored.facts.used = &restored.used;
    restored.facts.rules = &restored.rules;
    for (int i = 0; i < 3; i++) {
        drive_leg(&bench, &UNSETTLED[_i], &after[i]);
        drive_leg(&restored, &UNSETTLED[_i], &after[i]);
    }
    ck_assert_uint_eq(restored.count, bench.count);
    for (uint32_t i = 0; i < bench.count; i++) {
        ck_assert_uint_eq(restored.all[i].tick, bench.all[i].tick);
        ck_assert_int_eq(restored.all[i].kind, bench.all[i].kind);
        ck_assert_int_eq(restored.all[i].value, bench.all[i].value);
    }
    uint8_t again[WATCH_BYTES_MAX];
    ck_assert_uint_eq(save(&restored.watch, again), save(&bench.watch, bytes));
    ck_assert_mem_eq(again, bytes, save(&bench.watch, bytes));
}

// A field that the walk forgets would be missing from hashes, too.
TEST(every_field_is_saved) {
    race_conduct_watch watch;
    race_conduct_forget(&watch);
    uint8_t zero[WATCH_BYTES_MAX];
    size_t length = save(&watch, zero);
    // 5 + 3 + 4 + 1 + 1 + 2 bools, 5 + 2 + 2 doubles, 1 + 1 + 4 counts.
    ck_assert_uint_eq(length, 16 + 9 * 8 + 6 * 4);
    for (size_t i = 0; i < length; i++) {
        ck_assert_uint_eq(zero[i], 0);
    }
}

typedef struct bad_watch {
    const char *name;
    race_conduct_watch watch;
} bad_watch;

static const bad_watch BAD[] = {
    {"began slower than at rest", {.limits = {.began_mps = -0.1}}},
    {"the driver went back", {.limits = {.driven_m = -0.1}}},
    {"gained more than there is", {.limits = {.gained_m = 1e8}}},
    {"no place", {.start = {.x_m = (double)NAN}}},
    {"a negative worst", {.lane = {.worst_mps = -0.1}}},
    {"a negative way back", {.lane = {.reversed_m = -0.1}}},
    {"more points than are counted", {.incidents = {.points = 1000001}}},
    {"a chain worth more than all", {.incidents = {.points = 3, .worst = 4}}},
    {"a chain without end", {.incidents = {.chain_ticks = 721}}},
    {"a silence without end", {.incidents = {.light_ticks = 721}}},
};

TEST_OVER(a_watch_that_cannot_be_is_refused, 0, DRIVES_OF(BAD)) {
    race_conduct_watch watch = BAD[_i].watch;
    uint8_t bytes[WATCH_BYTES_MAX];
    save(&watch, bytes);
    ck_assert_msg(!restore(&watch, bytes), "%s", BAD[_i].name);
}

TEST(the_most_that_can_be_is_accepted) {
    race_conduct_watch watch = {
        .incidents = {.points = 1000000, .worst = 1000000, .chain_ticks = 720, .light_ticks = 720}};
    uint8_t bytes[WATCH_BYTES_MAX];
    save(&watch, bytes);
    ck_assert(restore(&watch, bytes));
}

// An excursion ends where the rules lift the car, and a visit to the lane where it was too fast is
// judged; points and the time that it stood in the way stay.
TEST_OVER(a_reset_ends_what_was_under_way, 0, DRIVES_OF(UNSETTLED)) {
    drive_bench bench;
    drive_all(&bench, &UNSETTLED[_i]);
    uint32_t points = bench.watch.incidents.points;
    uint32_t slow_ticks = bench.watch.blocking.slow_ticks;
    race_conduct_put_back(&bench.watch);
    ck_assert_uint_eq(bench.watch.incidents.points, points);
    ck_assert_uint_eq(bench.watch.blocking.slow_ticks, slow_ticks);
    bench.count = 0;
    drive_leg(&bench, &UNSETTLED[_i], &(rules_leg)GO(60, 40.0));
    drive_leg(&bench, &UNSETTLED[_i], &(rules_leg)GO(100, -9.0));
    if (strcmp(UNSETTLED[_i].name, "lane") == 0) {
        ck_assert_uint_eq(bench.count, 1);
        ck_assert_uint_eq(bench.all[0].what, APEX_OFFENCE_PIT_SPEED);
        ck_assert_int_eq(bench.all[0].value, 30000);
    } else {
        ck_assert_uint_eq(bench.count, 0);
    }
}

TEST(an_incident_says_who_the_other_was) {
    drive_bench bench;
    drive_begin(&bench, &CLEAN[0]);
    const apex_contact_event hit = {
        .kind = APEX_CONTACT_CAR, .began = true, .impulse_ns = 100.0, .closing_mps = 8.0};
    race_verdicts verdicts;
    verdicts.count = 0;
    bench.facts.is_race = true;
    race_judge_conduct_touch(&bench.facts, &(race_touch){&hit, DRIVE_SLOT, DRIVE_OTHER},
                             &bench.watch, &verdicts);
    ck_assert_uint_eq(verdicts.count, 1);
    ck_assert_uint_eq(verdicts.all[0].other, DRIVE_OTHER);
    bench.pose.wheels_on_road = 0;
    race_conduct_forget(&bench.watch);
    bench.rules.limits.on = false;
    bench.facts.since_joined_us = INT64_MAX;
    bench.facts.lapper_s = (double)INFINITY;
    verdicts.count = 0;
    race_judge_conduct(&bench.facts, &bench.watch, &verdicts);
    ck_assert_uint_eq(verdicts.count, 1);
    ck_assert_int_eq(verdicts.all[0].kind, RACE_VERDICT_INCIDENT);
    ck_assert_uint_eq(verdicts.all[0].other, RACE_SLOT_NONE);
}

// Where there is room for it, too.
TEST(who_is_shown_courtesy_does_not_turn_solid) {
    drive_bench bench;
    drive_begin(&bench, &CLEAN[0]);
    bench.player.ghost = true;
    bench.facts.place_is_free = bench.facts.way_is_clear = true;
    bench.facts.lapper_s = (double)INFINITY;
    bench.facts.since_joined_us = 9999999;
    ck_assert(!race_ghost_is_due(&bench.facts));
    bench.facts.since_joined_us = 10000000;
    ck_assert(race_ghost_is_due(&bench.facts));
    bench.facts.since_joined_us = 0;
    bench.facts.rules = NULL; // an event without rules knows no courtesy
    ck_assert(race_ghost_is_due(&bench.facts));
}

static void no_rules_to_judge_by(void) {
    drive_bench bench;
    drive_begin(&bench, &CLEAN[0]);
    race_verdicts verdicts;
    verdicts.count = 0;
    bench.facts.rules = NULL;
    race_judge_conduct(&bench.facts, &bench.watch, &verdicts);
}

static void touch_of_another(void) {
    drive_bench bench;
    drive_begin(&bench, &CLEAN[0]);
    race_verdicts verdicts;
    verdicts.count = 0;
    const apex_contact_event hit = {.began = true, .impulse_ns = 250.0};
    race_judge_conduct_touch(&bench.facts, &(race_touch){&hit, DRIVE_OTHER, DRIVE_SLOT},
                             &bench.watch, &verdicts);
}

TEST(facts_that_no_judge_can_have_abort) {
    check_aborts(no_rules_to_judge_by, "assertion failed");
    check_aborts(touch_of_another, "assertion failed");
}
