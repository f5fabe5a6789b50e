/// The families of figures, each written by a file of its own.
#pragma once

#include "api/metrics/exposition_text.h"
#include "host/figures/figures.h"

/// Players who are connected, by race.
typedef struct exposition_player {
    uint32_t wire_id;
    const char *name;
    host_driver driver;
} exposition_player;

typedef struct exposition_players {
    uint32_t race_count;
    struct {
        exposition_player *at;
        size_t count;
    } of_race[APEX_SITE_RACES_MAX];
} exposition_players;

/// Before the text is begun, which takes the arena's room. @return false if it has none.
bool exposition_gather_players(exposition_players *out, const apex_api *api, apex_arena *arena);

void exposition_of_process(exposition *out, const apex_api *api); // exposition_process.c
void exposition_of_ticks(exposition *out, const apex_api *api);   // exposition_ticks.c
void exposition_of_races(exposition *out, const apex_api *api);   // exposition_races.c
void exposition_of_network(exposition *out, const apex_api *api); // exposition_network.c
void exposition_of_web(exposition *out, const apex_api *api);     // likewise
void exposition_of_players(exposition *out,
                           const exposition_players *players); // exposition_players.c
void exposition_of_playbacks(exposition *out, const apex_playback_figures *figures);
