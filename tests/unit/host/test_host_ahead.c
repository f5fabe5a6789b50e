// How far off rivals are shown, within 15 m of a driver and at the moment of his own car: as a
// while ago (apex_client_shown) and foretold (apex_client_ahead), over links of all kinds, in
// virtual time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/base/check_main.h"
#include "support/host/frame_truth.h"
#include "support/host/shared_content.h"
#include "support/host/virtual_race.h"

enum { PILOTS = 8, ROUNDS_PER_TICK = 2, CARS = 64 };

typedef struct link_kind {
    uint32_t delay_ms, jitter_ms;
    double loss;
} link_kind;

typedef struct looks {
    frame_truth *past, *ahead;
} looks;

static apex_race_file race_on(const char *track) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "%s", track);
    file.race.laps = 50;
    file.race.races = 1;
    file.race.start_players = PILOTS;
    file.race.player_capacity = PILOTS;
    file.race.countdown_s = 1.0;
    file.clients_max = PILOTS;
    return file;
}

static void watch(virtual_race *race, void *context) {
    looks *self = context;
    frame_truth_keep(self->past, virtual_race_hosted(race));
    frame_truth_keep(self->ahead, virtual_race_hosted(race));
    apex_client *client = virtual_race_client(race, 0);
    uint64_t now_us = virtual_race_now_us(race);
    apex_client_pose poses[CARS], own;
    if (!apex_client_predicted(client, now_us, &own)) {
        return;
    }
    size_t count = apex_client_shown(client, now_us, poses, CARS);
    frame_truth_show(self->past, own.car, own.tick, poses, count);
    count = apex_client_ahead(client, now_us, poses, CARS);
    frame_truth_show(self->ahead, own.car, own.tick, poses, count);
}

static netsim_def line_of(link_kind kind) {
    netsim_def line = netsim_default_def();
    line.delay_us = kind.delay_ms * 1000;
    line.jitter_us = kind.jitter_ms * 1000;
    line.loss_ppm = (uint32_t)(kind.loss * NETSIM_PPM);
    return line;
}

static void print(const char *track, link_kind kind, const char *view, frame_truth *truth) {
    frame_truth_errors e = frame_truth_errors_of(truth);
    printf(
        "%-10s %3u ms %2u ms %3.0f %% %-6s %8zu  along %6.1f %6.1f %6.1f  across %6.1f %6.1f %6.1f"
        "  off %6.1f %6.1f cm\n",
        track, kind.delay_ms, kind.jitter_ms, 100.0 * kind.loss, view, e.compared,
        100.0 * e.along_m_p50, 100.0 * e.along_m_p95, 100.0 * e.along_m_p99, 100.0 * e.across_m_p50,
        100.0 * e.across_m_p95, 100.0 * e.across_m_p99, 100.0 * e.offset_m_p50,
        100.0 * e.offset_m_p90);
    fflush(stdout);
}

static void measure(const char *track, link_kind kind, double seconds) {
    virtual_race_def def = {.file = race_on(track), .network = link_sim_default_def(PILOTS)};
    def.round_hz = def.file.race.world.tick_hz * ROUNDS_PER_TICK;
    def.network.seed = 3;
    def.network.up = def.network.down = line_of(kind);
    virtual_race *race = virtual_race_create(&def);
    looks views = {.past = frame_truth_create(), .ahead = frame_truth_create()};
    for (uint32_t i = 0; race != NULL && i < PILOTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "driver %u", i);
        apex_client_def client = apex_default_client_def();
        client.name = name;
        client.want_defs = true;
        client.ahead = i == 0;
        client.tracks = client_plans_tracks(shared_content_plans());
        virtual_race_pilot(race, virtual_race_connect(race, &client), true);
    }
    if (race == NULL || !virtual_race_until_phase(race, APEX_PHASE_RACE, 20.0)) {
        fprintf(stderr, "no race on %s\n", track);
        exit(1);
    }
    virtual_race_run(race, 4.0);
    virtual_race_on_round(race, watch, &views);
    virtual_race_run(race, 3.0);
    frame_truth_forget(views.past);
    frame_truth_forget(views.ahead);
    virtual_race_run(race, seconds);
    print(track, kind, "past", views.past);
    print(track, kind, "ahead", views.ahead);
    apex_client_prediction p = apex_client_prediction_of(virtual_race_client(race, 0));
    printf(
        "   told %llu along %.3f %.3f across %.3f %.3f horizon %.3f %.3f correction %.2f %.2f late %llu own %.3f %.3f %.3f steps %llu\n",
        (unsigned long long)p.rivals.compared, p.rivals.along_m_p50, p.rivals.along_m_p95,
        p.rivals.across_m_p50, p.rivals.across_m_p95, p.rivals.horizon_s_p50,
        p.rivals.horizon_s_p99, p.rivals.correction_mps_p99, p.rivals.correction_mps_max,
        (unsigned long long)p.rivals.late, p.error_m_p50, p.error_m_p99, p.error_m_max,
        (unsigned long long)p.steps);
    frame_truth_destroy(views.past);
    frame_truth_destroy(views.ahead);
    virtual_race_destroy(race);
}

TEST(rivals_are_shown_where_they_are) {
    static const link_kind kinds[] = {{0, 0, 0.0}, {30, 8, 0.01}, {60, 10, 0.01}, {100, 20, 0.05}};
    static const char *const tracks[] = {"wide-oval", "ridgeway", "oval"};
    const char *seconds = getenv("APEX_AHEAD_S");
    for (size_t t = 0; t < sizeof tracks / sizeof tracks[0]; t++) {
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            measure(tracks[t], kinds[k], seconds != NULL ? strtod(seconds, NULL) : 20.0);
        }
    }
}
