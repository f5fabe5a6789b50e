/// The figures of all races in the text format of Prometheus, 0.0.4.
#pragma once

#include "api/answer_text.h"
#include "api/api_private.h"
#include "base/histogram.h"
#include "host/figures.h"

/// @param with_players for operators
/// @return the text, on the arena; NULL if it has no room.
const char *host_exposition(const apex_api *api, bool with_players, apex_arena *arena,
                            size_t *length);

// --- Writing it ---------------------------------------------------------------------------------

/// One family after the other; each sample of it: begin, labels, value.
typedef struct exposition {
    answer_text text;
    const char *family;
    uint32_t labels; ///< of the sample under way
} exposition;

typedef enum exposition_kind {
    EXPOSITION_COUNTER,
    EXPOSITION_GAUGE,
    EXPOSITION_HISTOGRAM
} exposition_kind;

void exposition_family(exposition *out, const char *name, exposition_kind kind, const char *help);
/// @param suffix "" or, of a histogram, "_bucket", ...
void exposition_begin(exposition *out, const char *suffix);
void exposition_label(exposition *out, const char *name, const char *value);
/// race="1"
void exposition_race(exposition *out, uint32_t race);
void exposition_count(exposition *out, uint64_t value);
void exposition_seconds(exposition *out, uint64_t us);
void exposition_share(exposition *out, uint32_t ppm); ///< 0 to 1

/// A histogram of microseconds, in seconds.
void exposition_times(exposition *out, uint32_t race, const apex_histogram *times);

/// Of a histogram whose values are counted by bucket: the bounds of all but the last, which has
/// none.
typedef struct exposition_buckets {
    const uint32_t *bounds;
    const uint64_t *counts;
    size_t count; ///< of counts
    uint64_t sum;
} exposition_buckets;

void exposition_counts(exposition *out, uint32_t race, const exposition_buckets *buckets);

/// A family with one number of each race.
typedef struct exposition_figure {
    const char *name;
    exposition_kind kind;
    const char *help;
    uint64_t (*of)(apex_server *server);
} exposition_figure;

void exposition_figures(exposition *out, const apex_api *api, const exposition_figure figures[],
                        size_t count);

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

// --- Families -----------------------------------------------------------------------------------

void exposition_of_process(exposition *out, const apex_api *api); // exposition_process.c
void exposition_of_ticks(exposition *out, const apex_api *api);   // exposition_ticks.c
void exposition_of_races(exposition *out, const apex_api *api);   // exposition_races.c
void exposition_of_network(exposition *out, const apex_api *api); // exposition_network.c
void exposition_of_web(exposition *out, const apex_api *api);     // likewise
void exposition_of_players(exposition *out,
                           const exposition_players *players); // exposition_players.c
void exposition_of_playbacks(exposition *out, const apex_playback_figures *figures);
