// Bots take their seats, draw their lots before each race (DECISIONS 46), and make room for people.

#include "host/seats/bots.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/assert.h"
#include "base/log.h"
#include "host/news/roster.h"
#include "host/simulation/race_commands.h"

static const double LANE_M = 0.8; // of a road of some ten metres: equal ones do not drive in line

apex_err host_bots_create(host_bots *bots, uint32_t bots_wanted) {
    size_t room = bots_wanted > 0 ? bots_wanted : 1;
    bots->players = calloc(room, sizeof *bots->players);
    bots->lots = calloc(room, sizeof *bots->lots);
    bots->made_room = calloc(room, sizeof *bots->made_room);
    bool complete = bots->players != NULL && bots->lots != NULL && bots->made_room != NULL;
    return complete ? APEX_OK : APEX_ERR_NO_MEMORY;
}

void host_bots_destroy(host_bots *bots) {
    free(bots->players);
    free(bots->lots);
    free(bots->made_room);
}

// Lots are dealt to all who were asked for: who leaves changes nothing for the others.
static void deal(host_bots *bots, const host_setup *setup, const apex_race_status *status) {
    apex_driver_field field = {
        .seed = status->seed,
        .count = setup->file.bots,
        .skill = setup->file.bot_skill,
        .skill_spread = setup->file.bot_skill_spread,
        .lane_m = LANE_M,
        .car_count = setup->car_count,
    };
    apex_driver_deal(&field, bots->lots);
    bots->drawn_race = status->race_number;
}

static apex_err take_wheel(host_simulation *simulation, apex_player_id player,
                           const apex_driver_lot *lot) {
    apex_race_command drive = {.kind = APEX_RACE_TAKEOVER,
                               .player = player,
                               .skill = lot->skill,
                               .lane_m = lot->lane_m,
                               .patience_s = lot->patience_s};
    return host_apply(simulation, &drive);
}

static bool seat(host_bots *bots, host_simulation *simulation, uint32_t bot) {
    apex_race_command join = {.kind = APEX_RACE_JOIN, .car = bots->lots[bot].car};
    snprintf(join.name, sizeof join.name, "Bot %u", bot + 1);
    if (host_seat(simulation, &join) != APEX_OK) {
        return false;
    }
    host_names_know(&simulation->names, join.player, &(apex_store_who){.is_server = true});
    bots->players[bot] = join.player;
    bots->made_room[bot] = false;
    apex_err err = take_wheel(simulation, join.player, &bots->lots[bot]);
    APEX_ASSERT(err == APEX_OK);
    return true;
}

void host_bots_seat(host_bots *bots, host_simulation *simulation, const host_setup *setup) {
    apex_race_status status = apex_race_status_of(simulation->race);
    deal(bots, setup, &status);
    while (bots->count < setup->file.bots && seat(bots, simulation, bots->count)) {
        bots->count++;
    }
    if (bots->count < setup->file.bots) {
        apex_log(APEX_LOG_WARN, "host", "room for %u of %u bots only", bots->count,
                 setup->file.bots);
    }
}

static bool would_help(const apex_race *race, const host_setup *setup) {
    apex_player_id next;
    if (apex_race_reserve(race, &next)) {
        return false; // it is not the places that are missing
    }
    switch (apex_race_phase_of(race)) {
    case APEX_PHASE_RACE:
    case APEX_PHASE_FINISH:
        return setup->file.race.late_join;
    case APEX_PHASE_OVER:
        return false;
    default:
        return true;
    }
}

bool host_bots_make_room(host_bots *bots, host_simulation *simulation, const host_setup *setup) {
    if (!would_help(simulation->race, setup)) {
        return false;
    }
    uint32_t last = bots->count;
    apex_standing last_line = {.position = 0}, line;
    for (uint32_t bot = 0; bot < bots->count; bot++) {
        if (apex_race_player_standing(simulation->race, bots->players[bot], &line) &&
            line.present && line.position > last_line.position) {
            last = bot;
            last_line = line;
        }
    }
    if (last == bots->count) {
        return false;
    }
    apex_log_limited(APEX_LOG_INFO, "race", "%s makes room", last_line.name);
    host_drop_player(simulation, bots->players[last], APEX_LEAVE_REPLACED);
    bots->made_room[last] = true;
    return true;
}

void host_bots_draw(const host_frame *frame, host_bots *bots, host_simulation *simulation,
                    host_roster_news *roster, host_clients *clients) {
    APEX_ASSERT(bots->count <= frame->setup->file.bots && roster->count <= roster->capacity);
    apex_race_phase phase = apex_race_phase_of(simulation->race);
    if (bots->count == 0 || (phase != APEX_PHASE_LOBBY && phase != APEX_PHASE_GRID)) {
        return;
    }
    apex_race_status status = apex_race_status_of(simulation->race);
    // Who qualified is who races: lots are dealt once a round of sessions.
    if (status.race_number == bots->drawn_race ||
        apex_race_session_of(simulation->race).index > 0) {
        return;
    }
    deal(bots, frame->setup, &status);
    for (uint32_t bot = 0; bot < bots->count; bot++) {
        if (bots->made_room[bot]) {
            (void)seat(bots, simulation, bot); // once more, if there is a place
            continue;
        }
        apex_race_command change = {
            .kind = APEX_RACE_CAR, .player = bots->players[bot], .car = bots->lots[bot].car};
        apex_standing before;
        bool is_here =
            apex_race_player_standing(simulation->race, change.player, &before) && before.present;
        if (!is_here || take_wheel(simulation, change.player, &bots->lots[bot]) != APEX_OK) {
            continue;
        }
        if (before.car != change.car && host_apply(simulation, &change) == APEX_OK) {
            host_note_in_roster(roster, clients, change.player);
        }
    }
}
