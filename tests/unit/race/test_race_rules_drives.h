// Drives for the judges of rules: a script of legs goes in, and every verdict of it comes out, with
// the tick at which it was given. There is no race round them.
#pragma once

#include "race/rules/conduct.h"
#include "support/base/check_main.h"

#include <math.h>
#include <string.h>

enum { DRIVE_SLOT = 3, DRIVE_OTHER = 5, DRIVE_HZ = 60, DRIVE_LEGS = 8, DRIVE_VERDICTS = 8 };

static const double DRIVE_LAP_M = 1000.0;

// What is true in a leg beside the numbers.
enum {
    OFF = 1 << 0, // no wheel on the road
    AIR = 1 << 1,
    LANE = 1 << 2,
    RELEASED = 1 << 3,
    EXIT_LINE = 1 << 4,
    LIGHTS = 1 << 5,
    FORMING = 1 << 6,
    RED = 1 << 7,
    FULL_COURSE = 1 << 8,
    ENDING = 1 << 9,
    GHOST = 1 << 10,
    CLOCK = 1 << 11, // no race, but a session against the clock
    THROTTLE = 1 << 12,
    CLUTCH = 1 << 13,
    NEUTRAL = 1 << 14,
    TOUCHED = 1 << 15, // another car, at 7.9 m/s of closing speed, in each tick
    HIT = 1 << 16,     // the same at 8
    WALL = 1 << 17,
    BRUSHED = 1 << 18, // the wall, with less than counts
    ONE_WHEEL = 1 << 19,
};

typedef struct rules_leg {
    uint32_t ticks;
    double mps; // along the lap
    unsigned what;
    double driven_mps; // 0: as fast as he drives
    double heading_off_rad;
    double behind_m, behind_mps; // in the lane
    double lapper_s;             // 0: nobody laps him
} rules_leg;

typedef struct rules_said {
    uint32_t tick; // from 1
    race_verdict_kind kind;
    uint32_t what; // the offence
    int64_t value;
} rules_said;

typedef struct rules_drive {
    const char *name;
    void (*rules)(apex_rules_def *rules); // switches on the one that it is about
    rules_leg legs[DRIVE_LEGS];
    rules_said expected[DRIVE_VERDICTS]; // up to the first of tick 0
    double line_left_m;                  // at its beginning; 0: 900 m
    double time_s;                       // of the race at its beginning; 0: a minute
    double joined_s;                     // a latecomer's, at its beginning; 0: he is none
} rules_drive;

typedef struct drive_bench {
    apex_rules_def rules;
    race_player player;
    apex_car_pose pose;
    apex_controls used;
    race_facts facts;
    race_conduct_watch watch;
    uint32_t tick, count;
    rules_said all[64];
} drive_bench;

static inline void drive_begin(drive_bench *bench, const rules_drive *drive) {
    memset(bench, 0, sizeof *bench);
    const apex_car_id car = {7, 1};
    drive->rules(&bench->rules);
    bench->player =
        (race_player){.id = {DRIVE_SLOT + 1, 1}, .car_id = car, .state = APEX_STANDING_RUNNING};
    bench->pose = (apex_car_pose){.id = car, .wheel_count = 4};
    bench->facts = (race_facts){.player = &bench->player,
                                .pose = &bench->pose,
                                .used = &bench->used,
                                .slot = DRIVE_SLOT,
                                .tick_hz = DRIVE_HZ,
                                .is_upright = true,
                                .rules = &bench->rules,
                                .lap_m = DRIVE_LAP_M};
    bench->facts.line_left_m = drive->line_left_m > 0.0 ? drive->line_left_m : 0.9 * DRIVE_LAP_M;
}

static inline void drive_keep(drive_bench *bench, race_verdicts *verdicts) {
    for (uint32_t i = 0; i < verdicts->count; i++) {
        const race_verdict *verdict = &verdicts->all[i];
        ck_assert_uint_eq(verdict->slot, DRIVE_SLOT);
        ck_assert_uint_lt(bench->count, 64);
        bench->all[bench->count++] =
            (rules_said){bench->tick, verdict->kind, (uint32_t)verdict->offence, verdict->value};
        bench->player.ghost = bench->player.ghost || verdict->kind == RACE_VERDICT_GHOST;
    }
    verdicts->count = 0;
}

static inline void drive_touch(drive_bench *bench, const rules_leg *leg, race_verdicts *verdicts) {
    bool is_car = (leg->what & (TOUCHED | HIT)) != 0;
    const apex_contact_event contact = {.kind = is_car ? APEX_CONTACT_CAR : APEX_CONTACT_WALL,
                                        .began = true,
                                        .impulse_ns = leg->what & BRUSHED ? 99.0 : 100.0,
                                        .closing_mps = leg->what & HIT ? 8.0 : 7.9};
    const race_touch touch = {&contact, DRIVE_SLOT, is_car ? DRIVE_OTHER : RACE_SLOT_NONE};
    race_judge_conduct_touch(&bench->facts, &touch, &bench->watch, verdicts);
    drive_keep(bench, verdicts);
}

static inline void drive_facts(drive_bench *bench, const rules_drive *drive, const rules_leg *leg) {
    race_facts *facts = &bench->facts;
    unsigned what = leg->what;
    facts->step_m = leg->mps / DRIVE_HZ;
    facts->line_left_m -= facts->step_m;
    facts->line_left_m += facts->line_left_m < 0.0 ? DRIVE_LAP_M : 0.0;
    double time_s = drive->time_s > 0.0 ? drive->time_s : 60.0;
    facts->race_time_us = (int64_t)(time_s * 1e6) + bench->tick * INT64_C(1000000) / DRIVE_HZ;
    facts->since_joined_us = drive->joined_s > 0.0 ? (int64_t)(drive->joined_s * 1e6) +
                                                         bench->tick * INT64_C(1000000) / DRIVE_HZ
                                                   : INT64_MAX;
    facts->is_race = !(what & CLOCK);
    facts->flag = what & RED           ? APEX_FLAG_RED
                  : what & FULL_COURSE ? APEX_FLAG_FULL_COURSE
                  : what & ENDING      ? APEX_FLAG_ENDING
                                       : APEX_FLAG_GREEN;
    facts->lights_on = what & LIGHTS;
    facts->forming = what & FORMING;
    facts->heading_off_rad = leg->heading_off_rad;
    facts->driven_mps = leg->driven_mps > 0.0 ? leg->driven_mps : fabs(leg->mps);
    facts->lapper_s = leg->lapper_s > 0.0 ? leg->lapper_s : (double)INFINITY;
    facts->lane =
        (race_lane_facts){.inside = what & LANE,
                          .released = what & RELEASED,
                          .limit_mps = 20.0,
                          .behind_m = leg->behind_mps > 0.0 ? leg->behind_m : (double)INFINITY,
                          .behind_mps = leg->behind_mps,
                          .over_exit_line = what & EXIT_LINE};
    bench->pose.position_m[0] += facts->step_m;
    bench->pose.velocity_mps[0] = leg->mps;
    bench->pose.wheels_on_road = what & OFF ? 0 : what & ONE_WHEEL ? 1 : 4;
    bench->pose.airborne = what & AIR;
    bench->pose.gear = what & NEUTRAL ? 0 : 1;
    bench->used.throttle = what & THROTTLE ? UINT8_MAX : 0;
    bench->used.clutch = what & CLUTCH ? UINT8_MAX : 0;
    bench->player.ghost = bench->player.ghost || (what & GHOST);
}

static inline void drive_leg(drive_bench *bench, const rules_drive *drive, const rules_leg *leg) {
    race_verdicts verdicts;
    verdicts.count = 0;
    for (uint32_t i = 0; i < leg->ticks; i++) {
        bench->tick++;
        drive_facts(bench, drive, leg);
        if (leg->what & (TOUCHED | HIT | WALL | BRUSHED)) {
            drive_touch(bench, leg, &verdicts);
        }
        race_judge_conduct(&bench->facts, &bench->watch, &verdicts);
        drive_keep(bench, &verdicts);
    }
}

static inline void drive_all(drive_bench *bench, const rules_drive *drive) {
    drive_begin(bench, drive);
    for (uint32_t i = 0; i < DRIVE_LEGS; i++) {
        drive_leg(bench, drive, &drive->legs[i]);
    }
}

static inline void drive_expect(const drive_bench *bench, const rules_drive *drive) {
    uint32_t count = 0;
    while (count < DRIVE_VERDICTS && drive->expected[count].tick > 0) {
        count++;
    }
    for (uint32_t i = 0; i < bench->count && i < count; i++) {
        const rules_said *is = &bench->all[i];
        const rules_said *wanted = &drive->expected[i];
        ck_assert_msg(is->tick == wanted->tick && is->kind == wanted->kind &&
                          is->what == wanted->what && is->value == wanted->value,
                      "%s: verdict %u is of tick %u, kind %d, offence %u, value %lld", drive->name,
                      i, is->tick, (int)is->kind, is->what, (long long)is->value);
    }
    ck_assert_msg(bench->count == count, "%s: %u verdicts, not %u; the last of tick %u",
                  drive->name, bench->count, count,
                  bench->count > 0 ? bench->all[bench->count - 1].tick : 0);
}

static inline void drive_try(const rules_drive *drive) {
    drive_bench bench;
    drive_all(&bench, drive);
    drive_expect(&bench, drive);
}

#define DRIVES_OF(table) (int)(sizeof(table) / sizeof((table)[0]))

// Legs, by what is told of them.
#define GO(ticks, mps)                     TURNED(ticks, mps, 0, 0.0, 0.0)
#define WITH(ticks, mps, what)             TURNED(ticks, mps, what, 0.0, 0.0)
#define PAST(ticks, mps, what, driven_mps) TURNED(ticks, mps, what, driven_mps, 0.0)
#define TURNED(ticks, mps, what, driven, turn) \
    { ticks, mps, what, driven, turn, 0.0, 0.0, 0.0 }
#define LAPPED(ticks, mps, what, driven, gap) \
    { ticks, mps, what, driven, 0.0, 0.0, 0.0, gap }
#define FOLLOWED(ticks, mps, what, by_m, by_mps) \
    { ticks, mps, what, 0.0, 0.0, by_m, by_mps, 0.0 }

#define OFFENCE(tick, offence, value) \
    { tick, RACE_VERDICT_OFFENCE, APEX_OFFENCE_##offence, value }
#define VOID(tick, why) \
    { tick, RACE_VERDICT_VOID, 0, APEX_VOID_##why }
#define VOID_NEXT(tick) \
    { tick, RACE_VERDICT_VOID_NEXT, 0, APEX_VOID_CUT }
#define INCIDENT(tick, points) \
    { tick, RACE_VERDICT_INCIDENT, 0, points }
