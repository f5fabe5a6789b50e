// A whole server and its clients over the link simulator: delay, jitter and loss in virtual time.
// Clients are updated four times a tick, as they would be by the frames they draw.
#pragma once

#include "client-lite/client.h"
#include "client-lite/pilot.h"
#include "client-lite/session.h"
#include "host/host.h"
#include "support/link_sim.h"

enum { SIM_RACE_CLIENTS_MAX = 64, SIM_RACE_FRAMES_PER_TICK = 4 };

typedef struct sim_race_client {
    apex_client *client;
    client_pilot pilot;
    bool opened, has_plan;
    bool is_piloted; // drives itself round the track
} sim_race_client;

typedef struct sim_race {
    apex_server *server;
    link_sim *links;
    apex_arena frame;
    client_plans *plans;
    uint64_t now_us;
    uint64_t frames;
    size_t client_count;
    sim_race_client clients[SIM_RACE_CLIENTS_MAX];
    // Called after each frame's updates.
    void (*on_frame)(struct sim_race *race, void *context);
    void *context;
} sim_race;

sim_race *sim_race_create(const apex_race_file *file, link_sim_def links);
void sim_race_destroy(sim_race *race);
size_t sim_race_connect(sim_race *race, const apex_client_def *def, bool is_piloted);
client_session *sim_race_session(sim_race *race, size_t client);
void sim_race_run(sim_race *race, double seconds);
// @return false if the phase is not reached within the time.
bool sim_race_until(sim_race *race, apex_race_phase phase, double seconds_max);
