// Small tracks and a race on them, shared by the tests of race and driver.
#pragma once

#include "base/trig.h"
#include "race/race.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCENE_POINTS = 72 };

static inline apex_track *scene_lay(apex_track_def *def) {
    apex_track *track = NULL;
    apex_def_problem problem = {{0}, {0}};
    apex_err err = apex_track_create(def, &track, &problem);
    ck_assert_msg(err == APEX_OK, "%s: %s", problem.field, problem.reason);
    apex_track_def_free(def);
    return track;
}

static inline void scene_points(apex_track_def *def, uint32_t count) {
    def->point_count = count;
    def->points = calloc(count, sizeof *def->points);
    ck_assert_ptr_nonnull(def->points);
}

/// A wavy lap of about 980 m with bends both ways between 50 and 70 m radius, three sectors.
static inline apex_track *scene_circuit(void) {
    apex_track_def def = apex_default_track_def();
    snprintf(def.name, sizeof def.name, "clover");
    scene_points(&def, SCENE_POINTS);
    for (uint32_t i = 0; i < SCENE_POINTS; i++) {
        double angle_rad = 2.0 * APEX_PI * i / SCENE_POINTS;
        double radius_m = 140.0 + 35.0 * apex_cos(3.0 * angle_rad);
        def.points[i] = (apex_track_point){
            .x_m = radius_m * apex_cos(angle_rad),
            .y_m = radius_m * apex_sin(angle_rad),
            .left_m = 6.0,
            .right_m = 6.0,
        };
    }
    def.sector_count = 2;
    def.sector_m[0] = 300.0;
    def.sector_m[1] = 640.0;
    return scene_lay(&def);
}

/// A circle, counter-clockwise, with one sector.
static inline apex_track *scene_ring(double radius_m) {
    apex_track_def def = apex_default_track_def();
    snprintf(def.name, sizeof def.name, "ring");
    scene_points(&def, SCENE_POINTS);
    for (uint32_t i = 0; i < SCENE_POINTS; i++) {
        double angle_rad = 2.0 * APEX_PI * i / SCENE_POINTS;
        def.points[i] = (apex_track_point){
            .x_m = radius_m * apex_cos(angle_rad),
            .y_m = radius_m * apex_sin(angle_rad),
            .left_m = 6.0,
            .right_m = 6.0,
        };
    }
    return scene_lay(&def);
}

/// A straight along x: its start line at x = 60, its finish line at x = 460, tarmac from 0 to 800.
static inline apex_track *scene_strip(void) {
    apex_track_def def = apex_default_track_def();
    snprintf(def.name, sizeof def.name, "strip");
    def.closed = false;
    scene_points(&def, 41);
    for (uint32_t i = 0; i < 41; i++) {
        def.points[i] = (apex_track_point){.x_m = 20.0 * i, .left_m = 8.0, .right_m = 8.0};
    }
    def.start_m = 60.0;
    def.finish_m = 460.0;
    def.sector_count = 1;
    def.sector_m[0] = 200.0;
    def.grid.columns = 2;
    def.grid.column_gap_m = 6.0;
    return scene_lay(&def);
}

static inline apex_race_def scene_race_def(uint32_t capacity) {
    apex_race_def def = apex_default_race_def();
    def.player_capacity = capacity;
    def.races = 1;
    def.start_players = 0;
    def.countdown_s = 3.0;
    def.results_s = 1.0;
    return def;
}

static inline apex_race *scene_race(const apex_race_def *def, const apex_track *track) {
    apex_car_def car = apex_default_car_def();
    apex_race *race = NULL;
    ck_assert_int_eq(apex_race_create(def, track, &car, 1, &race), APEX_OK);
    return race;
}

static inline apex_err scene_command(apex_race *race, apex_race_command_kind kind,
                                     apex_player_id player) {
    apex_race_command command = {.kind = kind, .player = player, .skill = 1.0};
    return apex_race_apply(race, &command);
}

static inline apex_player_id scene_join(apex_race *race, const char *name) {
    apex_race_command command = {.kind = APEX_RACE_JOIN};
    ck_assert(apex_race_reserve(race, &command.player));
    snprintf(command.name, sizeof command.name, "%s", name);
    ck_assert_int_eq(apex_race_apply(race, &command), APEX_OK);
    return command.player;
}

static inline apex_player_id scene_join_driver(apex_race *race, const char *name, double skill) {
    apex_player_id player = scene_join(race, name);
    apex_race_command command = {.kind = APEX_RACE_TAKEOVER, .player = player, .skill = skill};
    ck_assert_int_eq(apex_race_apply(race, &command), APEX_OK);
    return player;
}

static inline void scene_tick(apex_race *race, apex_jobs *jobs) {
    apex_controls idle[64] = {{0}};
    ck_assert_uint_le(apex_race_player_capacity(race), 64);
    apex_race_tick(race, idle, jobs);
}

/// Ticks until the phase comes; fails past the limit. @return ticks taken.
static inline uint32_t scene_until(apex_race *race, apex_race_phase phase, uint32_t ticks_max) {
    uint32_t ticks = 0;
    while (apex_race_status_of(race).phase != phase) {
        ck_assert_msg(ticks < ticks_max, "no %s after %u ticks, but %s",
                      apex_race_phase_name(phase), ticks,
                      apex_race_phase_name(apex_race_status_of(race).phase));
        scene_tick(race, NULL);
        ticks++;
    }
    return ticks;
}

/// The number of the last tick's events that are of a kind; *out is the last of them.
static inline uint32_t scene_events(const apex_race *race, apex_race_event_kind kind,
                                    apex_race_event *out) {
    size_t count = 0;
    const apex_race_event *events = apex_race_events(race, &count);
    uint32_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (events[i].kind == kind) {
            found++;
            if (out != NULL) {
                *out = events[i];
            }
        }
    }
    return found;
}

static inline apex_standing scene_standing(const apex_race *race, apex_player_id player) {
    apex_standing standing;
    memset(&standing, 0, sizeof standing);
    ck_assert(apex_race_player_standing(race, player, &standing));
    return standing;
}
