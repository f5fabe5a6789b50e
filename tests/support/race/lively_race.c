// A race in which some drivers do not look: their choice, and how they steer.
#include "support/race/lively_race.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/assert.h"
#include "content/content.h"
#include "support/driver/driver_view.h"

enum { PLAYERS_MAX = 64, CAR_DEFS = 2, WHIM_TICKS = 30 };

typedef struct careless_driver {
    apex_player_id player;
    apex_driver driver;
    uint32_t car;
    int32_t whim; ///< added to the wheel
} careless_driver;

struct lively_race {
    lively_race_def def;
    apex_car_def cars[CAR_DEFS];
    apex_track *track;
    apex_race *race;
    apex_driver_plan *plans[CAR_DEFS];
    careless_driver careless[PLAYERS_MAX];
    apex_controls controls[PLAYERS_MAX];
    uint64_t random, contacts;
};

static uint64_t next_random(lively_race *lively) {
    lively->random = lively->random * 6364136223846793005u + 1442695040888963407u;
    return lively->random >> 33;
}

static void load(lively_race *lively) {
    apex_content_problem error;
    apex_track_def track;
    apex_def_problem problem = {{0}, {0}};
    for (uint32_t i = 0; i < CAR_DEFS; i++) {
        APEX_ASSERT(apex_content_load_car(lively->def.cars[i], NULL, &lively->cars[i], &error) ==
                    APEX_OK);
    }
    APEX_ASSERT(apex_content_load_track(lively->def.track, NULL, &track, &error) == APEX_OK);
    APEX_ASSERT(apex_track_create(&track, &lively->track, &problem) == APEX_OK);
    apex_track_def_free(&track);
    for (uint32_t i = 0; i < CAR_DEFS; i++) {
        APEX_ASSERT(apex_driver_plan_create(lively->track, &lively->cars[i], 9.81,
                                            &lively->plans[i]) == APEX_OK);
    }
}

static void seat(lively_race *lively, uint32_t i) {
    apex_race_command join = {.kind = APEX_RACE_JOIN, .car = i % CAR_DEFS};
    snprintf(join.name, sizeof join.name, "Driver %u", i + 1);
    APEX_ASSERT(apex_race_reserve(lively->race, &join.player));
    APEX_ASSERT(apex_race_apply(lively->race, &join) == APEX_OK);
    double skill = 0.86 + 0.01 * (double)(next_random(lively) % 13);
    double lane_m = 0.4 * ((double)(next_random(lively) % 5) - 2.0);
    if (i % (lively->def.players / lively->def.careless) == 0) {
        lively->careless[i] = (careless_driver){
            .player = join.player, .driver = apex_driver_create(1.0, lane_m), .car = join.car};
        return;
    }
    apex_race_command drive = {
        .kind = APEX_RACE_TAKEOVER, .player = join.player, .skill = skill, .lane_m = lane_m};
    APEX_ASSERT(apex_race_apply(lively->race, &drive) == APEX_OK);
}

lively_race *lively_race_create(const lively_race_def *def) {
    lively_race *lively = calloc(1, sizeof *lively);
    APEX_ASSERT(lively != NULL && def->players <= PLAYERS_MAX);
    APEX_ASSERT(def->careless > 0 && def->careless <= def->players);
    lively->def = *def;
    lively->random = def->seed;
    load(lively);
    apex_race_def race = apex_default_race_def();
    race.laps = 99;
    race.player_capacity = race.start_players = def->players;
    race.lobby_s = race.countdown_s = 0.0;
    race.world.damage = APEX_DAMAGE_VISUAL;
    APEX_ASSERT(apex_race_create(&race, lively->track, lively->cars, CAR_DEFS, &lively->race) ==
                APEX_OK);
    for (uint32_t i = 0; i < def->players; i++) {
        seat(lively, i);
    }
    while (apex_race_status_of(lively->race).phase != APEX_PHASE_RACE) {
        lively_race_tick(lively);
    }
    return lively;
}

void lively_race_destroy(lively_race *lively) {
    for (uint32_t i = 0; i < CAR_DEFS; i++) {
        apex_driver_plan_destroy(lively->plans[i]);
    }
    apex_race_destroy(lively->race);
    apex_track_destroy(lively->track);
    free(lively);
}

// He follows the line and sees nobody, and every half second has another whim at the wheel.
static void drive(lively_race *lively, uint32_t i) {
    careless_driver *careless = &lively->careless[i];
    apex_standing standing;
    apex_car_pose pose;
    if (!apex_race_player_standing(lively->race, careless->player, &standing) ||
        !apex_world_pose(apex_race_world(lively->race), standing.car_id, &pose)) {
        return;
    }
    apex_driver_view view = driver_view_alone(&pose, 1.0 / (double)apex_race_tick_hz(lively->race));
    apex_controls controls =
        apex_driver_drive(&careless->driver, lively->plans[careless->car], &view);
    if (apex_race_status_of(lively->race).tick % WHIM_TICKS == 0) {
        careless->whim = (int32_t)(next_random(lively) % 2401) - 1200;
    }
    int32_t steer = controls.steer + careless->whim;
    controls.steer = (int16_t)(steer < -32767 ? -32767 : (steer > 32767 ? 32767 : steer));
    lively->controls[careless->player.index1 - 1] = controls;
}

void lively_race_tick(lively_race *lively) {
    size_t count;
    for (uint32_t i = 0; i < lively->def.players; i++) {
        if (lively->careless[i].player.index1 != 0) {
            drive(lively, i);
        }
    }
    apex_race_tick(lively->race, lively->controls, NULL);
    (void)apex_world_contacts(apex_race_world(lively->race), &count);
    lively->contacts += count;
}

const apex_race *lively_race_of(const lively_race *lively) {
    return lively->race;
}

uint64_t lively_race_contacts(const lively_race *lively) {
    return lively->contacts;
}
