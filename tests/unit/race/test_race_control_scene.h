// A field whose cars are driven by hand, seen by race control: a ring of 2 km, ten stretches of
// 200 m, 60 Hz, 60 m/s driven everywhere. Cars stand by their way from the start line.
#pragma once

#include "test_race_one.h"
#include "race/control/control.h"
#include "race/field/along.h"
#include "race/race_private.h"
#include "support/base/check_main.h"

enum { HZ = 60, CARS_MAX = 12, SAID_MAX = 64 };

typedef struct hand {
    double way_m, speed_mps;
    race_control_sight sight;
} hand;

typedef struct said {
    race_verdict verdict;
    uint32_t tick;
} said;

static apex_rules_def rules;
static race_control control;
static apex_arena arena;
static race_control_scene scene;
static hand hands[CARS_MAX];
static said all_said[SAID_MAX];
static uint32_t said_count, tick_count, car_count;
static double lap_m;

static inline void begin_cars(uint32_t count) {
    apex_race_def def = scene_race_def(CARS_MAX);
    begin_on(scene_ring(318.31), &def);
    for (uint32_t i = 0; i < count; i++) {
        scene_join(race, "somebody");
    }
    go();
    lap_m = apex_track_length_m(track);
    rules = (apex_rules_def){
        .blue = {.on = true, .notice_s = 3.0, .shown_s = 1.2, .ignored_s = 5.0},
        .yellow = {.on = true, .stretch_m = 200.0, .slow_share = 0.3, .clear_s = 2.0},
        .full_course = {.on = true, .limit_mps = 20.0, .clear_s = 10.0},
    };
    ck_assert_int_eq(apex_arena_create(&arena, race_control_bytes(CARS_MAX)), APEX_OK);
    race_control_make(&control, &race->field, &rules, &arena);
    scene = (race_control_scene){&race->field, &race->timing, true, &race->log};
    said_count = tick_count = 0;
    car_count = count;
    for (uint32_t i = 0; i < count; i++) {
        hands[i] = (hand){
            .sight = {.driven_mps = 60.0, .off_road_m = -5.0, .on_road = true, .is_upright = true}};
    }
}

static inline void end_cars(void) {
    apex_arena_destroy(&arena);
    end();
}

static inline void put(uint32_t slot, double way_m, double speed_mps) {
    hands[slot].way_m = way_m;
    hands[slot].speed_mps = speed_mps;
}

static inline void move(uint32_t slot, double step_m) {
    race_player *player = &race->field.players[slot];
    apex_car_pose *pose = &race->field.poses[player->car_id.index1 - 1];
    hands[slot].sight.step_m = step_m;
    hands[slot].way_m += step_m;
    player->way_m = hands[slot].way_m;
    player->s_m = fmod(hands[slot].way_m + 100.0 * lap_m, lap_m);
    pose->velocity_mps[0] = hands[slot].speed_mps;
    pose->velocity_mps[1] = pose->velocity_mps[2] = 0.0;
}

static inline void judge(uint32_t slot) {
    race_verdicts verdicts;
    verdicts.count = 0;
    race_control_judge(&control, &scene, slot, &verdicts);
    ck_assert_uint_le(verdicts.count, RACE_CONTROL_VERDICTS_MAX);
    for (uint32_t i = 0; i < verdicts.count; i++) {
        ck_assert_uint_lt(said_count, SAID_MAX);
        all_said[said_count++] = (said){verdicts.all[i], tick_count};
    }
}

// A tick in which everybody drives on at his speed.
static inline void tick(void) {
    race_log_begin(&race->log);
    race_along_sort(&race->field);
    tick_count++;
    for (uint32_t i = 0; i < car_count; i++) {
        move(i, hands[i].speed_mps / HZ);
    }
    for (uint32_t i = 0; i < car_count; i++) {
        race_control_see(&control, &scene, i, &hands[i].sight);
    }
    race_control_step(&control, &scene);
    for (uint32_t i = 0; i < car_count; i++) {
        judge(i);
    }
    race->log.read = true;
}

// Everybody stands where he was put, and is up to speed.
static inline void settle(void) {
    for (uint32_t i = 0; i < car_count; i++) {
        move(i, 0.0);
    }
    race_along_sort(&race->field);
}

static inline void ticks(uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        tick();
    }
}

static inline void seconds(double s) {
    ticks((uint32_t)(s * HZ + 0.5));
}

// @return how often it was said of somebody
static inline uint32_t said_of(uint32_t slot, race_verdict_kind kind, int64_t what) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < said_count; i++) {
        const race_verdict *verdict = &all_said[i].verdict;
        count +=
            verdict->slot == slot && verdict->kind == kind &&
            (kind == RACE_VERDICT_OFFENCE ? (int64_t)verdict->offence : verdict->value) == what;
    }
    return count;
}

static inline uint32_t level(uint32_t stretch) {
    return control.stretches[stretch].level;
}

// After how many ticks a stretch is first at a level; 0: not within `ticks_max`.
static inline uint32_t ticks_until_level(uint32_t stretch, uint32_t wanted, uint32_t ticks_max) {
    for (uint32_t i = 1; i <= ticks_max; i++) {
        tick();
        if (level(stretch) == wanted) {
            return i;
        }
    }
    return 0;
}
