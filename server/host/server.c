// A race on the network: the time of day that it goes by, how it stops, and what is left of it.

#include <stdlib.h>

#include "base/log.h"
#include "host/clients/definitions.h"
#include "host/host_private.h"
#include "host/seats/bots.h"
#include "host/simulation/race_commands.h"
#include "host/simulation/record.h"

static void save_what_is_left(apex_server *server) {
    if (server->news.store == NULL || !apex_store_has_work(server->news.store)) {
        return;
    }
    apex_err err = apex_store_work(server->news.store);
    if (err != APEX_OK) {
        apex_log(APEX_LOG_ERROR, "store", "%s: %s; the newest events and results are lost",
                 server->setup.file.results_dir, apex_err_text(err));
    }
}

void apex_server_destroy(apex_server *server) {
    if (server == NULL) {
        return;
    }
    host_record_end(&server->simulation.recorder);
    save_what_is_left(server);
    apex_store_destroy(server->news.store);
    apex_transport_destroy(server->network.transport);
    apex_sessions_destroy(server->network.sessions);
    host_clients_destroy(&server->clients);
    host_bots_destroy(&server->bots);
    host_defs_destroy(&server->setup);
    apex_replica_codes_destroy(server->views.codes);
    apex_replica_destroy(server->views.replica);
    host_names_destroy(&server->simulation.names);
    apex_race_destroy(server->simulation.race);
    apex_track_destroy(server->simulation.track);
    apex_jobs_destroy(server->simulation.jobs);
    apex_arena_destroy(&server->frame_arena);
    free(server->news.untold);
    free(server->news.roster.players);
    free(server->news.results.lines);
    free(server->news.results.who);
    free(server->news.results.conducts);
    host_told_order_destroy(&server->news.order);
    free(server->simulation.controls);
    free(server);
}

void apex_server_set_time_of_day(apex_server *server, uint64_t now_us, uint64_t unix_us) {
    server->clock.unix_ahead_us = unix_us - now_us;
    apex_sessions_set_unix_ahead(server->network.sessions, server->clock.unix_ahead_us);
}

void apex_server_stop(apex_server *server, apex_reason reason, const char *text) {
    if (server->ending.stopping) {
        return;
    }
    server->ending.stopping = true;
    server->ending.stop_us = server->clock.now_us;
    server->ending.stop_reason = reason;
    snprintf(server->ending.stop_text, sizeof server->ending.stop_text, "%s", text);
    apex_race_command end = {.kind = APEX_RACE_END};
    (void)host_apply(&server->simulation, &end); // refused where nothing is left to end
    apex_log(APEX_LOG_INFO, "host", "stopping: %s", text);
}

bool apex_server_finished(const apex_server *server) {
    return host_has_ended(&server->ending, server->network.sessions, server->clock.now_us);
}

void apex_server_end_record(apex_server *server) {
    host_record_end(&server->simulation.recorder);
}
