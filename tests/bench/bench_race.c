// links: race content replicate
// A benchmark of what a tick costs for a car beside its physics: in the rules of the race, in race
// control, and in being captured for viewers. A crowd on a round road of 25 km, driven as by
// clients; their controls are those with which the server's drivers drive the same race beside it,
// so that cars change lanes and overtake.
//
// The road is so long because a queue starts row by row: on half the lap of the Wide Oval, 8.4 m
// from row to row, the last of 2000 cars would wait for minutes.

#include "windows.h"

#include <math.h>
#include <stdio.h>

#include "base/assert.h"
#include "content/content.h"
#include "race/control/control.h"
#include "race/race_private.h"
#include "replicate/replicate.h"
#include "support/track/track_scenes.h"

enum { CARS = 2000, CAPACITY = 4000, WARM_TICKS = 600, TICK_HZ = 60, WINDOWS = 9 };

static const double RADIUS_M = 4000.0, HALF_ROAD_M = 27.0;

static double world_ms; // in apex_world_step, of all worlds

// The linker puts this in front of the world's step: what it takes is the physics' own.
void __real_apex_world_step(apex_world *world, const apex_controls controls[], apex_jobs *jobs);
void __wrap_apex_world_step(apex_world *world, const apex_controls controls[], apex_jobs *jobs);

void __wrap_apex_world_step(apex_world *world, const apex_controls controls[], apex_jobs *jobs) {
    double begin_ms = windows_thread_ms();
    __real_apex_world_step(world, controls, jobs);
    world_ms += windows_thread_ms() - begin_ms;
}

typedef struct scene {
    apex_car_def car;
    apex_track *track;
    apex_race *leading; ///< driven by the server
    apex_race *race;    ///< by the same controls, one tick later
    apex_replica *replica;
    apex_arena arena;
    apex_rules_def rules;
    race_control control;
    apex_car_pose poses[CARS];
} scene;

static void lay_track(scene *in) {
    apex_content_problem error;
    apex_track_def track = track_scene_circle(RADIUS_M, 256, 0.0);
    for (uint32_t i = 0; i < track.point_count; i++) {
        track.points[i].left_m = track.points[i].right_m = HALF_ROAD_M;
    }
    // Boxes go back half a lap: 50 m from row to row.
    track.grid = (apex_track_grid){.first_m = 4.0,
                                   .spacing_m = 6.2,
                                   .columns = 8,
                                   .column_gap_m = 6.5,
                                   .pole_side = APEX_SIDE_LEFT};
    APEX_ASSERT(apex_content_load_car("boxster-s", NULL, &in->car, &error) == APEX_OK);
    APEX_ASSERT(apex_track_create(&track, &in->track, NULL) == APEX_OK);
    apex_track_def_free(&track);
}

static apex_race *create_race(const scene *in, bool is_leading) {
    apex_race_def def = apex_default_race_def();
    apex_race *race = NULL;
    def.laps = 999;
    def.player_capacity = CAPACITY;
    def.start_players = CARS;
    def.lobby_s = def.countdown_s = 0.0;
    APEX_ASSERT(apex_race_create(&def, in->track, &in->car, 1, &race) == APEX_OK);
    for (uint32_t i = 0; i < CARS; i++) {
        apex_race_command command = {
            .kind = APEX_RACE_JOIN, .skill = 0.9 + 0.001 * (i % 97), .lane_m = i % 31 - 15.0};
        snprintf(command.name, sizeof command.name, "%u", i);
        APEX_ASSERT(apex_race_reserve(race, &command.player));
        APEX_ASSERT(apex_race_apply(race, &command) == APEX_OK);
        command.kind = APEX_RACE_TAKEOVER;
        APEX_ASSERT(!is_leading || apex_race_apply(race, &command) == APEX_OK);
    }
    return race;
}

// @return what the tick took beside the world's step.
static double tick(scene *in) {
    static const apex_controls NONE[CAPACITY];
    apex_race_tick(in->leading, NONE, NULL);
    world_ms = 0.0;
    double begin_ms = windows_thread_ms();
    apex_race_tick(in->race, apex_race_controls_used(in->leading), NULL);
    return windows_thread_ms() - begin_ms - world_ms;
}

static double capture(scene *in) {
    double begin_ms = windows_thread_ms();
    apex_replica_capture(in->replica, in->race);
    return windows_thread_ms() - begin_ms;
}

// Every flag is judged.
static void make_control(scene *in) {
    in->rules = (apex_rules_def){
        .blue = {.on = true, .notice_s = 3.0, .shown_s = 1.2, .ignored_s = 15.0},
        .yellow = {.on = true, .stretch_m = 200.0, .slow_share = 0.3, .clear_s = 2.0},
        .full_course = {.on = true, .limit_mps = 22.0, .auto_s = 20.0, .clear_s = 10.0},
    };
    APEX_ASSERT(apex_arena_create(&in->arena, race_control_bytes(CAPACITY)) == APEX_OK);
    race_control_make(&in->control, &in->race->field, &in->rules, &in->arena);
}

// The sight of a car costs the race what it costs whoever needs it; here it is the same for all.
static double control_race(scene *in) {
    static const race_control_sight SIGHT = {
        .driven_mps = 40.0, .off_road_m = -3.0, .on_road = true, .is_upright = true};
    const race_control_scene at = {&in->race->field, &in->race->timing, true, &in->race->log};
    double begin_ms = windows_thread_ms();
    for (uint32_t i = 0; i < at.field->pool.live_count; i++) {
        race_control_see(&in->control, &at, at.field->live[i], &SIGHT);
    }
    race_control_step(&in->control, &at);
    for (uint32_t i = 0; i < at.field->pool.live_count; i++) {
        race_verdicts verdicts;
        verdicts.count = 0;
        race_control_judge(&in->control, &at, at.field->live[i], &verdicts);
    }
    return windows_thread_ms() - begin_ms;
}

static scene *create(void) {
    scene *in = calloc(1, sizeof *in);
    APEX_ASSERT(in != NULL);
    lay_track(in);
    in->leading = create_race(in, true);
    in->race = create_race(in, false);
    in->replica = apex_replica_create(CAPACITY, TICK_HZ);
    APEX_ASSERT(in->replica != NULL);
    make_control(in);
    while (apex_race_status_of(in->race).phase != APEX_PHASE_RACE) {
        (void)tick(in);
    }
    for (uint32_t i = 0; i < WARM_TICKS; i++) {
        (void)tick(in);
    }
    return in;
}

static void destroy(scene *in) {
    apex_replica_destroy(in->replica);
    apex_race_destroy(in->race);
    apex_race_destroy(in->leading);
    apex_track_destroy(in->track);
    apex_arena_destroy(&in->arena);
    free(in);
}

// Figures of cars that stand would be figures of something else.
static void check(scene *in) {
    uint32_t moving = 0;
    size_t count = apex_world_poses(apex_race_world(in->race), in->poses, CARS);
    for (size_t i = 0; i < count; i++) {
        const double *mps = in->poses[i].velocity_mps;
        moving += hypot(mps[0], mps[1]) > 10.0;
    }
    if (apex_race_status_of(in->race).running != CARS || moving < CARS * 9 / 10) {
        fprintf(stderr, "bench_race: %u of %u cars move\n", moving, CARS);
        exit(EXIT_FAILURE);
    }
}

int main(int argc, char **argv) {
    if (!windows_is_wanted(argc, argv, "server.rules_us_per_car") &&
        !windows_is_wanted(argc, argv, "server.race_control_us_per_car") &&
        !windows_is_wanted(argc, argv, "server.capture_us_per_car")) {
        return EXIT_SUCCESS;
    }
    const double US_PER_CAR = 1e3 / ((double)CARS * TICK_HZ);
    double rules_us[WINDOWS], control_us[WINDOWS], captures_us[WINDOWS];
    scene *in = create();
    for (uint32_t w = 0; w < WINDOWS; w++) {
        rules_us[w] = control_us[w] = captures_us[w] = 0.0;
        for (uint32_t i = 0; i < TICK_HZ; i++) {
            rules_us[w] += tick(in) * US_PER_CAR;
            control_us[w] += control_race(in) * US_PER_CAR;
            captures_us[w] += capture(in) * US_PER_CAR;
        }
    }
    check(in);
    printf("server.rules_us_per_car %.3f us\n", windows_median(rules_us, WINDOWS));
    printf("server.race_control_us_per_car %.3f us\n", windows_median(control_us, WINDOWS));
    printf("server.capture_us_per_car %.3f us\n", windows_median(captures_us, WINDOWS));
    destroy(in);
    return EXIT_SUCCESS;
}
