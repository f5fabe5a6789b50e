// Races of bots as they race at home: they keep to the road, whatever the circuit and the car, and
// none is much slower than the rest.
#pragma once

#include "content/content.h"
#include "race/race.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BOTS_HZ = 60, BOTS_MAX = 24, BOTS_RACE_S_MAX = 700 };

typedef struct bots_outing {
    const char *track, *car;
    uint32_t bots, laps;
    double skill; // 0: each a little different, as the bots of the command line
    double off_s_max;
    double spread_max; // of best laps
    double lap_s_max;  // of the best
} bots_outing;

// Evenly about, and not alike for neighbours on the grid.
static inline double bots_spread(uint32_t index) {
    double turned = index * 0.6180339887498949;
    return turned - floor(turned) - 0.5;
}

static inline void bots_join(apex_race *race, const bots_outing *out, uint32_t index) {
    apex_race_command command = {.kind = APEX_RACE_JOIN};
    ck_assert(apex_race_reserve(race, &command.player));
    snprintf(command.name, sizeof command.name, "bot %u", index + 1);
    ck_assert_int_eq(apex_race_apply(race, &command), APEX_OK);
    command.kind = APEX_RACE_TAKEOVER;
    command.skill = out->skill > 0.0 ? out->skill : 0.95 + 0.02 * bots_spread(index);
    command.lane_m = out->bots > 1 ? bots_spread(index + 7) : 0.0;
    ck_assert_int_eq(apex_race_apply(race, &command), APEX_OK);
}

static inline void bots_judge(const bots_outing *out, const apex_standing lines[], size_t count) {
    double least_s = (double)INFINITY;
    double most_s = 0.0;
    ck_assert_uint_eq(count, out->bots);
    for (size_t i = 0; i < count; i++) {
        const apex_standing *line = &lines[i];
        double off_s = 1e-6 * (double)line->off_track_us_max;
        ck_assert_int_eq(line->state, APEX_STANDING_FINISHED);
        ck_assert_msg(off_s <= out->off_s_max, "%s of %s: %.1f s off the road", line->name,
                      out->track, off_s);
        ck_assert_uint_eq(line->resets, 0);
        least_s = fmin(least_s, 1e-6 * (double)line->best_lap_us);
        most_s = fmax(most_s, 1e-6 * (double)line->best_lap_us);
    }
    printf("%s, %u %s: best laps %.2f to %.2f s\n", out->track, out->bots, out->car, least_s,
           most_s);
    ck_assert_msg(least_s <= out->lap_s_max, "best lap in %.1f s", least_s);
    ck_assert_msg(most_s / least_s - 1.0 <= out->spread_max + 1e-9, "best laps %.1f to %.1f s",
                  least_s, most_s);
}

static inline void bots_race(const bots_outing *out, const apex_track_def *def) {
    static apex_car_def car;
    static const apex_controls nobody[BOTS_MAX];
    apex_content_problem problem = {{0}};
    apex_track *track = NULL;
    apex_race *race = NULL;
    ck_assert_int_eq(apex_content_load_car(out->car, NULL, &car, &problem), APEX_OK);
    ck_assert_int_eq(apex_track_create(def, &track, NULL), APEX_OK);
    apex_race_def race_def = apex_default_race_def();
    race_def.player_capacity = race_def.start_players = out->bots;
    race_def.laps = out->laps;
    race_def.races = 1;
    race_def.world.tick_hz = BOTS_HZ;
    ck_assert_int_eq(apex_race_create(&race_def, track, &car, 1, &race), APEX_OK);
    for (uint32_t i = 0; i < out->bots; i++) {
        bots_join(race, out, i);
    }
    for (int i = 0; apex_race_status_of(race).phase < APEX_PHASE_RESULTS; i++) {
        ck_assert_int_lt(i, BOTS_HZ * BOTS_RACE_S_MAX);
        apex_race_tick(race, nobody, NULL);
    }
    apex_standing lines[BOTS_MAX];
    bots_judge(out, lines, apex_race_standings(race, lines, BOTS_MAX));
    apex_race_destroy(race);
    apex_track_destroy(track);
}
