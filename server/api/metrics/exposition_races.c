// Figures of races: their drivers, the arrival of controls, the records that wait for the disk.

#include "api/metrics/families.h"
#include "host/figures/figures.h"

static uint64_t cars(apex_server *server) {
    uint32_t end = 0;
    const apex_car_pose *poses = apex_race_poses(apex_server_race(server), &end);
    uint64_t count = 0;
    for (uint32_t slot = 0; slot < end; slot++) {
        count += poses[slot].id.index1 != 0;
    }
    return count;
}

static uint64_t players(apex_server *server) {
    return apex_race_status_of(apex_server_race(server)).players;
}

static uint64_t player_capacity(apex_server *server) {
    return apex_race_player_capacity(apex_server_race(server));
}

static uint64_t running(apex_server *server) {
    return apex_race_status_of(apex_server_race(server)).running;
}

static uint64_t clients(apex_server *server) {
    return host_client_count(server);
}

static uint64_t nearest_sent(apex_server *server) {
    return host_nearest_sent(server);
}

static uint64_t race_number(apex_server *server) {
    return apex_race_status_of(apex_server_race(server)).race_number;
}

static uint64_t is_idle(apex_server *server) {
    return apex_server_is_idle(server);
}

static uint64_t is_locked(apex_server *server) {
    return host_is_locked(server);
}

static uint64_t guests(apex_server *server) {
    return host_guest_count(server);
}

static uint64_t store_queue(apex_server *server) {
    return host_store_figures_of(server).waiting;
}

static uint64_t store_committed(apex_server *server) {
    return host_store_figures_of(server).committed;
}

static uint64_t store_failing(apex_server *server) {
    return host_store_figures_of(server).is_failing;
}

static uint64_t never_told(apex_server *server) {
    return host_store_figures_of(server).never_told;
}

static const exposition_figure figures[] = {
    {"apex_cars", EXPOSITION_GAUGE, "Cars on the track.", cars},
    {"apex_players", EXPOSITION_GAUGE, "Players in the race, bots included.", players},
    {"apex_player_capacity", EXPOSITION_GAUGE, "Players the race has room for.", player_capacity},
    {"apex_players_running", EXPOSITION_GAUGE, "Players who race and are not home yet.", running},
    {"apex_clients", EXPOSITION_GAUGE, "Clients that were let in, players and spectators.",
     clients},
    {"apex_nearest_snapshots_total", EXPOSITION_COUNTER,
     "Snapshots of cars side by side with a driver, sent between his others.", nearest_sent},
    {"apex_race_number", EXPOSITION_GAUGE, "Which race of the event it is, from 1.", race_number},
    {"apex_race_idle", EXPOSITION_GAUGE, "1 while nobody is here and the race makes no ticks.",
     is_idle},
    {"apex_race_lockdown", EXPOSITION_GAUGE, "1 while nobody new gets in.", is_locked},
    {"apex_guests", EXPOSITION_GAUGE, "Players in the race who have proved no key; not bots.",
     guests},
    {"apex_store_queue", EXPOSITION_GAUGE, "Events and results that are not on disk yet.",
     store_queue},
    {"apex_store_committed_total", EXPOSITION_COUNTER, "Events and results written to disk.",
     store_committed},
    {"apex_store_failing", EXPOSITION_GAUGE, "1 while the disk refuses what is to be stored.",
     store_failing},
    {"apex_events_never_told_total", EXPOSITION_COUNTER,
     "Events clients were not told of, because too many waited.", never_told},
};

static void write_names(exposition *out, const apex_api *api) {
    exposition_family(out, "apex_race_info", EXPOSITION_GAUGE, "1, with what the race is called.");
    for (uint32_t race = 1; race <= api->server_count; race++) {
        const apex_server *server = api->servers[race - 1];
        exposition_begin(out, "");
        exposition_race(out, race);
        exposition_label(out, "name", host_setup_of(server)->file.race.name);
        exposition_label(out, "track", host_setup_of(server)->track_name);
        exposition_count(out, 1);
    }
}

static void write_phases(exposition *out, const apex_api *api) {
    exposition_family(out, "apex_race_phase", EXPOSITION_GAUGE, "1 for the phase it is in.");
    for (uint32_t race = 1; race <= api->server_count; race++) {
        apex_race_phase now = apex_race_phase_of(apex_server_race(api->servers[race - 1]));
        for (int phase = APEX_PHASE_LOBBY; phase <= APEX_PHASE_OVER; phase++) {
            exposition_begin(out, "");
            exposition_race(out, race);
            exposition_label(out, "phase", apex_race_phase_name((apex_race_phase)phase));
            exposition_count(out, (int)now == phase);
        }
    }
}

static void write_outcomes(exposition *out, const apex_api *api) {
    exposition_family(out, "apex_controls_total", EXPOSITION_COUNTER,
                      "Controls of players: used on their tick, repeated for want of new ones, "
                      "dropped because late or far too early.");
    for (uint32_t race = 1; race <= api->server_count; race++) {
        const apex_controls_counters counters =
            apex_server_controls_counters(api->servers[race - 1]);
        const apex_controls_counters *controls = &counters;
        const struct {
            const char *outcome;
            uint64_t count;
        } outcomes[] = {
            {"on_tick", controls->used_on_tick},
            {"repeated", controls->missed},
            {"late", controls->late},
            {"early", controls->early},
        };
        for (size_t i = 0; i < sizeof outcomes / sizeof outcomes[0]; i++) {
            exposition_begin(out, "");
            exposition_race(out, race);
            exposition_label(out, "outcome", outcomes[i].outcome);
            exposition_count(out, outcomes[i].count);
        }
    }
}

static void write_depths(exposition *out, const apex_api *api) {
    uint32_t bounds[APEX_CONTROLS_DEPTHS];
    for (uint32_t i = 0; i < APEX_CONTROLS_DEPTHS; i++) {
        bounds[i] = i;
    }
    exposition_family(out, "apex_input_depth_ticks", EXPOSITION_HISTOGRAM,
                      "Ticks of controls in hand beyond the one that was used; more than 15 are "
                      "16 in the sum.");
    for (uint32_t race = 1; race <= api->server_count; race++) {
        const apex_controls_counters counters =
            apex_server_controls_counters(api->servers[race - 1]);
        const apex_controls_counters *controls = &counters;
        exposition_buckets buckets = {
            .bounds = bounds, .counts = controls->depths, .count = APEX_CONTROLS_DEPTHS};
        for (uint32_t i = 0; i < APEX_CONTROLS_DEPTHS; i++) {
            buckets.sum += i * controls->depths[i];
        }
        exposition_counts(out, race, &buckets);
    }
}

static void write_gaps(exposition *out, const apex_api *api) {
    uint32_t bounds[APEX_CONTROLS_GAPS];
    for (uint32_t i = 0; i < APEX_CONTROLS_GAPS; i++) {
        bounds[i] = UINT32_C(1) << i;
    }
    exposition_family(out, "apex_input_gap_ticks", EXPOSITION_HISTOGRAM,
                      "Ticks in a row without controls of their own, counted when new ones come; "
                      "the sum has also those of gaps that last.");
    for (uint32_t race = 1; race <= api->server_count; race++) {
        const apex_controls_counters counters =
            apex_server_controls_counters(api->servers[race - 1]);
        const apex_controls_counters *controls = &counters;
        exposition_buckets buckets = {.bounds = bounds,
                                      .counts = controls->gaps,
                                      .count = APEX_CONTROLS_GAPS,
                                      .sum = controls->missed};
        exposition_counts(out, race, &buckets);
    }
}

void exposition_of_races(exposition *out, const apex_api *api) {
    write_names(out, api);
    write_phases(out, api);
    exposition_figures(out, api, figures, sizeof figures / sizeof figures[0]);
    write_outcomes(out, api);
    write_depths(out, api);
    write_gaps(out, api);
}
