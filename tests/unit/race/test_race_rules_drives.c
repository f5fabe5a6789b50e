// Drives that just break the rules of where a car may be, and drives that just do not: track limits
// and the start. Ticks are 1/60 s, the lap is 1000 m. Numbers of the expected verdicts are worked
// out by hand, in the comment before them where they need one.
#include "unit/race/test_race_rules_drives.h"

static void lenient(apex_rules_def *rules) {
    rules->limits = (apex_limits_rule){.on = true, .lenient = true, .carry_m = 100.0};
}

static void strict(apex_rules_def *rules) {
    rules->limits = (apex_limits_rule){.on = true, .carry_m = 100.0};
}

static void strict_last_tenth(apex_rules_def *rules) {
    rules->limits = (apex_limits_rule){.on = true};
}

static void start(apex_rules_def *rules) {
    rules->start = (apex_start_rule){.on = true, .move_m = 0.25};
}

// The first leg of most gives him a pace: here the driver's own, 40 m/s.
#define PACE GO(600, 40.0)

static const rules_drive LIMITS[] = {
    // An excursion of 60 ticks and the tick of the return: 61/60 s at 0.1 m/s more than his pace
    // are 0.102 m, and 0.1 m/s carried on for 2 s are 0.2 m.
    {.name = "wide, a little faster",
     .rules = lenient,
     .legs = {PACE, PAST(60, 40.1, OFF, 40.0), PAST(60, 40.1, 0, 40.0)},
     .expected = {OFFENCE(661, TRACK_LIMITS, 302), VOID(661, CUT)}},
    {.name = "wide, a little slower",
     .rules = lenient,
     .legs = {PACE, PAST(60, 39.9, OFF, 40.0), PAST(60, 39.9, 0, 40.0)}},
    // A cut of 4 m; at 38.1 m/s he gives 1.9 m/s x 2.0167 s = 3.832 m of it back, at 38 4.033 m.
    {.name = "cut, and lifts too little",
     .rules = lenient,
     .legs = {PACE, PAST(60, 44.0, OFF, 40.0), PAST(60, 38.1, 0, 40.0)},
     .expected = {OFFENCE(661, TRACK_LIMITS, 168), VOID(661, CUT)}},
    {.name = "cut, and lifts enough",
     .rules = lenient,
     .legs = {PACE, PAST(60, 44.0, OFF, 40.0), PAST(60, 38.0, 0, 40.0)}},
    // 30 ticks at 20 m/s more than the driver are 10 m; then one at 10 less, 0.167 m.
    {.name = "comes to just half of his speed",
     .rules = lenient,
     .legs = {PACE, PAST(30, 60.0, OFF, 40.0), PAST(1, 30.0, OFF, 40.0), PAST(60, 40.0, 0, 40.0)},
     .expected = {OFFENCE(632, TRACK_LIMITS, 9833), VOID(632, CUT)}},
    {.name = "comes to less than half of it",
     .rules = lenient,
     .legs = {PACE, PAST(30, 60.0, OFF, 40.0), PAST(1, 29.9, OFF, 40.0), PAST(60, 40.0, 0, 40.0)}},
    {.name = "slides, but does not spin",
     .rules = lenient,
     .legs = {PACE, TURNED(30, 60.0, OFF, 40.0, 1.57), PAST(60, 40.0, 0, 40.0)},
     .expected = {OFFENCE(631, TRACK_LIMITS, 10000), VOID(631, CUT)}},
    {.name = "spins",
     .rules = lenient,
     .legs = {PACE, TURNED(30, 60.0, OFF, 40.0, 1.58), PAST(60, 40.0, 0, 40.0)}},
    // His pace is 0.8 of the driver's: 32 m/s. 1 m/s more for 61/60 s and 2 s is 3.017 m.
    {.name = "slow, faster than his own pace",
     .rules = lenient,
     .legs = {PAST(600, 32.0, 0, 40.0), PAST(60, 33.0, OFF, 40.0), PAST(60, 33.0, 0, 40.0)},
     .expected = {OFFENCE(661, TRACK_LIMITS, 3017), VOID(661, CUT)}},
    {.name = "slow, slower than his own pace",
     .rules = lenient,
     .legs = {PAST(600, 32.0, 0, 40.0), PAST(60, 31.9, OFF, 40.0), PAST(60, 31.9, 0, 40.0)}},
    // Half of the driver's is no pace: 0.7 of it is 28 m/s. 1.2 is none either: 1.1 is 44.
    {.name = "crawled, above the least pace",
     .rules = lenient,
     .legs = {PAST(600, 20.0, 0, 40.0), PAST(60, 28.1, OFF, 40.0), PAST(60, 28.1, 0, 40.0)},
     .expected = {OFFENCE(661, TRACK_LIMITS, 302), VOID(661, CUT)}},
    {.name = "crawled, below the least pace",
     .rules = lenient,
     .legs = {PAST(600, 20.0, 0, 40.0), PAST(60, 27.9, OFF, 40.0), PAST(60, 27.9, 0, 40.0)}},
    {.name = "flew, above the greatest pace",
     .rules = lenient,
     .legs = {PAST(600, 48.0, 0, 40.0), PAST(60, 44.1, OFF, 40.0), PAST(60, 44.1, 0, 40.0)},
     .expected = {OFFENCE(661, TRACK_LIMITS, 302), VOID(661, CUT)}},
    {.name = "flew, below the greatest pace",
     .rules = lenient,
     .legs = {PAST(600, 48.0, 0, 40.0), PAST(60, 43.9, OFF, 40.0), PAST(60, 43.9, 0, 40.0)}},
    // Nor is standing on the grid, the pit lane, or a full course any pace: his is 40 m/s still.
    {.name = "after the lights",
     .rules = lenient,
     .legs = {PAST(600, 0.0, LIGHTS, 40.0), PACE, PAST(60, 39.9, OFF, 40.0),
              PAST(60, 39.9, 0, 40.0)}},
    {.name = "after a stop",
     .rules = lenient,
     .legs = {PAST(600, 20.0, LANE, 40.0), PACE, PAST(60, 39.9, OFF, 40.0),
              PAST(60, 39.9, 0, 40.0)}},
    {.name = "after a full course",
     .rules = lenient,
     .legs = {PAST(600, 20.0, FULL_COURSE, 40.0), PACE, PAST(60, 39.9, OFF, 40.0),
              PAST(60, 39.9, 0, 40.0)}},
    {.name = "one wheel stays on the road",
     .rules = lenient,
     .legs = {PACE, PAST(60, 44.0, ONE_WHEEL, 40.0), PAST(60, 44.0, 0, 40.0)}},
    {.name = "jumps over the grass",
     .rules = strict,
     .legs = {PACE, PAST(30, 50.0, OFF | AIR, 40.0), PACE}},
    {.name = "jumps off the grass",
     .rules = strict,
     .legs = {PACE, WITH(1, 40.0, OFF), WITH(30, 40.0, OFF | AIR), PACE},
     .expected = {VOID(601, CUT), OFFENCE(632, TRACK_LIMITS, 0)}},
    {.name = "two excursions",
     .rules = strict,
     .legs = {PACE, WITH(1, 40.0, OFF), GO(1, 40.0), WITH(1, 40.0, OFF), PACE},
     .expected = {VOID(601, CUT), OFFENCE(602, TRACK_LIMITS, 0), VOID(603, CUT),
                  OFFENCE(604, TRACK_LIMITS, 0)}},
    {.name = "strict, but he spins",
     .rules = strict,
     .legs = {PACE, TURNED(30, 40.0, OFF, 0, 3.0), PACE},
     .expected = {VOID(601, CUT)}},
    {.name = "off in the lane", .rules = strict, .legs = {PACE, WITH(60, 40.0, OFF | LANE), PACE}},
    {.name = "cuts into the lane",
     .rules = lenient,
     .legs = {PACE, PAST(60, 44.0, OFF, 40.0), WITH(60, 40.0, OFF | LANE)},
     .expected = {OFFENCE(661, TRACK_LIMITS, 4000), VOID(661, CUT)}},

    // At 60 m/s a tick is a metre. He leaves at tick 11 and is back at 16.
    {.name = "ends 100 m before the line",
     .rules = strict,
     .legs = {GO(10, 60.0), WITH(5, 60.0, OFF), GO(10, 60.0)},
     .expected = {VOID(11, CUT), VOID_NEXT(16), OFFENCE(16, TRACK_LIMITS, 0)},
     .line_left_m = 116.0},
    {.name = "ends 101 m before it",
     .rules = strict,
     .legs = {GO(10, 60.0), WITH(5, 60.0, OFF), GO(10, 60.0)},
     .expected = {VOID(11, CUT), OFFENCE(16, TRACK_LIMITS, 0)},
     .line_left_m = 117.0},
    {.name = "within the last tenth",
     .rules = strict_last_tenth,
     .legs = {GO(10, 60.0), WITH(5, 60.0, OFF), GO(10, 60.0)},
     .expected = {VOID(11, CUT), VOID_NEXT(11), OFFENCE(16, TRACK_LIMITS, 0)},
     .line_left_m = 111.0},
    {.name = "before the last tenth",
     .rules = strict_last_tenth,
     .legs = {GO(10, 60.0), WITH(5, 60.0, OFF), GO(10, 60.0)},
     .expected = {VOID(11, CUT), OFFENCE(16, TRACK_LIMITS, 0)},
     .line_left_m = 117.0},
    // 600 ticks at 55 m/s are 550 m. 1.5 m before the line it is judged, after 49 ticks at 5 m/s
    // more: 4.083 m, and 10 m of carried speed. That he comes back later is no second one.
    {.name = "off over the line",
     .rules = lenient,
     .legs = {GO(600, 55.0), PAST(120, 60.0, OFF, 55.0), PAST(60, 60.0, 0, 55.0)},
     .expected = {OFFENCE(649, TRACK_LIMITS, 14083), VOID(649, CUT), VOID_NEXT(649)},
     .line_left_m = 600.5},
    // He loses 30 x 5/60 = 2.5 m, and gains 0.25 m and 15 m/s x 2 s as he is back, on the next lap.
    {.name = "gains past the line alone",
     .rules = lenient,
     .legs = {GO(600, 55.0), PAST(30, 50.0, OFF, 55.0), PAST(60, 70.0, 0, 55.0)},
     .expected = {OFFENCE(631, TRACK_LIMITS, 27750), VOID(631, CUT)},
     .line_left_m = 560.5},

    {.name = "under red", .rules = strict, .legs = {PACE, PAST(30, 50.0, OFF | RED, 40.0), PACE}},
    {.name = "under full course",
     .rules = strict,
     .legs = {PACE, PAST(30, 50.0, OFF | FULL_COURSE, 40.0), PACE}},
    {.name = "before green again",
     .rules = strict,
     .legs = {PACE, PAST(30, 50.0, OFF | ENDING, 40.0), PACE}},
    {.name = "forming", .rules = strict, .legs = {PACE, PAST(30, 50.0, OFF | FORMING, 40.0), PACE}},
    {.name = "red comes while he is off",
     .rules = strict,
     .legs = {PACE, PAST(30, 50.0, OFF, 40.0), WITH(30, 40.0, RED)},
     .expected = {VOID(601, CUT)}},
    {.name = "against the clock",
     .rules = lenient,
     .legs = {PACE, PAST(60, 40.1, OFF | CLOCK, 40.0), PAST(60, 40.1, CLOCK, 40.0)},
     .expected = {OFFENCE(661, TRACK_LIMITS, 302), VOID(661, CUT)}},
};

static const rules_drive STARTS[] = {
    // 0.66 m/s is 11 mm a tick: 22 are 242 mm, 23 are 253.
    {.name = "creeps too far",
     .rules = start,
     .legs = {WITH(10, 0.0, LIGHTS), WITH(23, 0.66, LIGHTS), GO(60, 20.0)},
     .expected = {OFFENCE(33, JUMP_START, 253)}},
    {.name = "creeps not too far",
     .rules = start,
     .legs = {WITH(10, 0.0, LIGHTS), WITH(22, 0.66, LIGHTS), GO(60, 20.0)}},
    {.name = "rolls back too far",
     .rules = start,
     .legs = {WITH(10, 0.0, LIGHTS), WITH(23, -0.66, LIGHTS), GO(60, 20.0)},
     .expected = {OFFENCE(33, JUMP_START, 253)}},
    {.name = "goes on, and is told once",
     .rules = start,
     .legs = {WITH(10, 0.0, LIGHTS), WITH(60, 6.6, LIGHTS), GO(60, 20.0)},
     .expected = {OFFENCE(13, JUMP_START, 330)}},
    {.name = "creeps at each of two starts",
     .rules = start,
     .legs = {WITH(10, 0.0, LIGHTS), WITH(23, 0.66, LIGHTS), GO(60, 20.0), WITH(10, 0.0, LIGHTS),
              WITH(23, 0.66, LIGHTS)},
     .expected = {OFFENCE(33, JUMP_START, 253), OFFENCE(126, JUMP_START, 253)}},
    {.name = "is pushed",
     .rules = start,
     .legs = {WITH(10, 0.0, LIGHTS), WITH(1, 0.66, LIGHTS | TOUCHED), WITH(60, 0.66, LIGHTS)}},
    {.name = "is pushed, revving in neutral",
     .rules = start,
     .legs = {WITH(10, 0.0, LIGHTS), WITH(60, 0.66, LIGHTS | TOUCHED | THROTTLE | NEUTRAL)}},
    {.name = "is pushed, revving with the clutch down",
     .rules = start,
     .legs = {WITH(10, 0.0, LIGHTS), WITH(60, 0.66, LIGHTS | TOUCHED | THROTTLE | CLUTCH)}},
    // From where he was pushed to: the 23rd tick of driving.
    {.name = "is pushed, and drives",
     .rules = start,
     .legs = {WITH(10, 0.0, LIGHTS), WITH(30, 0.66, LIGHTS | TOUCHED),
              WITH(60, 0.66, LIGHTS | THROTTLE)},
     .expected = {OFFENCE(63, JUMP_START, 253)}},
    {.name = "runs into the wall",
     .rules = start,
     .legs = {WITH(10, 0.0, LIGHTS), WITH(23, 0.66, LIGHTS | WALL)},
     .expected = {OFFENCE(33, JUMP_START, 253)}},
    {.name = "a rolling start has no lights",
     .rules = start,
     .legs = {WITH(60, 10.0, FORMING), GO(60, 20.0)}},
};

TEST_OVER(limits, 0, DRIVES_OF(LIMITS)) {
    drive_try(&LIMITS[_i]);
}

TEST_OVER(starts, 0, DRIVES_OF(STARTS)) {
    drive_try(&STARTS[_i]);
}
