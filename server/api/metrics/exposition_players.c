// Figures of each player, for operators: what is known of somebody's line is not for everybody, and
// a series a player is more than a stranger should have written.

#include <stdio.h>

#include "api/metrics/families.h"
#include "host/figures/figures.h"
#include "host/simulation/running_order.h"

static bool gather_race(exposition_players *out, apex_server *server, uint32_t race,
                        apex_arena *arena) {
    size_t count = 0;
    const apex_standing *lines = host_running_order(apex_server_race(server), arena, &count);
    exposition_player *at = apex_arena_alloc(arena, count * sizeof *at);
    if (lines == NULL || (at == NULL && count > 0)) {
        return false;
    }
    out->of_race[race - 1].at = at;
    for (size_t i = 0; i < count; i++) {
        host_driver driver = host_driver_of(server, &lines[i]);
        if (driver.connected && !driver.lost) {
            at[out->of_race[race - 1].count++] = (exposition_player){
                .wire_id = apex_player_wire_id(lines[i].player),
                .name = lines[i].name,
                .driver = driver,
            };
        }
    }
    return true;
}

bool exposition_gather_players(exposition_players *out, const apex_api *api, apex_arena *arena) {
    *out = (exposition_players){.race_count = api->server_count};
    for (uint32_t race = 1; race <= api->server_count; race++) {
        if (!gather_race(out, api->servers[race - 1], race, arena)) {
            return false;
        }
    }
    return true;
}

static void begin_player(exposition *out, uint32_t race, const exposition_player *player) {
    char number[16];
    snprintf(number, sizeof number, "%u", player->wire_id);
    exposition_begin(out, "");
    exposition_race(out, race);
    exposition_label(out, "player", number);
    exposition_label(out, "name", player->name);
}

static void write_round_trip(exposition *out, uint32_t race, const exposition_player *player) {
    if (player->driver.has_quality) {
        begin_player(out, race, player);
        exposition_seconds(out, 1000u * (uint64_t)player->driver.quality.round_trip_ms);
    }
}

static void write_jitter(exposition *out, uint32_t race, const exposition_player *player) {
    if (player->driver.has_quality) {
        begin_player(out, race, player);
        exposition_seconds(out, 1000u * (uint64_t)player->driver.quality.jitter_ms);
    }
}

static void write_loss(exposition *out, uint32_t race, const exposition_player *player) {
    if (player->driver.knows_loss) {
        begin_player(out, race, player);
        exposition_share(out, player->driver.lost_ppm);
    }
}

static void write_controls(exposition *out, uint32_t race, const exposition_player *player) {
    begin_player(out, race, player);
    exposition_label(out, "outcome", "on_tick");
    exposition_count(out, player->driver.controls_on_tick);
    begin_player(out, race, player);
    exposition_label(out, "outcome", "repeated");
    exposition_count(out, player->driver.controls_repeated);
}

void exposition_of_players(exposition *out, const exposition_players *players) {
    static const struct {
        const char *name;
        exposition_kind kind;
        const char *help;
        void (*write)(exposition *out, uint32_t race, const exposition_player *player);
    } families[] = {
        {"apex_player_round_trip_seconds", EXPOSITION_GAUGE,
         "Round trip of a player's link, smoothed, as ENet or TCP measures it.", write_round_trip},
        {"apex_player_jitter_seconds", EXPOSITION_GAUGE, "How much that varies.", write_jitter},
        {"apex_player_loss_ratio", EXPOSITION_GAUGE,
         "Of the last 128 to 256 delta snapshots the share that the player never acknowledged.",
         write_loss},
        {"apex_player_controls_total", EXPOSITION_COUNTER,
         "Ticks for which a player's controls were there in time, and for which the last ones were "
         "repeated.",
         write_controls},
    };
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        exposition_family(out, families[i].name, families[i].kind, families[i].help);
        for (uint32_t race = 1; race <= players->race_count; race++) {
            for (size_t j = 0; j < players->of_race[race - 1].count; j++) {
                families[i].write(out, race, &players->of_race[race - 1].at[j]);
            }
        }
    }
}
