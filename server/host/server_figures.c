// A server's figures of itself, gathered for those who show them.

#include "host/figures/figures.h"
#include "host/host_private.h"
#include "host/news/session_news.h"

static bool find_quality(const host_network *network, const host_client *client,
                         apex_link_quality *out) {
    apex_link link = apex_session_link(network->sessions, client->session);
    if (link.index1 > network->own_links_max) {
        return network->fed_quality != NULL &&
               network->fed_quality(network->fed_quality_context, link, out);
    }
    return network->transport != NULL && apex_transport_quality(network->transport, link, out);
}

host_driver host_driver_of(const apex_server *server, const apex_standing *line) {
    const host_client *client = host_client_of_player(&server->clients, line->player);
    if (client == NULL) {
        return (host_driver){.address = ""};
    }
    if (client->lost) {
        return (host_driver){.lost = true, .address = ""};
    }
    host_driver driver = {.connected = true,
                          .address =
                              apex_session_address(server->network.sessions, client->session)};
    driver.has_quality = find_quality(&server->network, client, &driver.quality);
    const apex_viewer_memory *memory = host_client_has(&server->clients, client);
    driver.knows_loss =
        client->wants_deltas && memory != NULL && apex_viewer_lost_ppm(memory, &driver.lost_ppm);
    driver.controls_on_tick = client->controls.used;
    driver.controls_repeated = client->controls.missed;
    return driver;
}

apex_store_who host_who_is(const apex_server *server, apex_player_id player) {
    return host_names_who(&server->simulation.names, player);
}

const apex_standing *host_told_lines(const apex_server *server, size_t *count) {
    *count = server->news.order.told.count;
    return server->news.order.told.lines;
}

const host_line_conduct *host_told_conduct(const apex_server *server, const apex_standing *line) {
    const host_order *order = &server->news.order.told;
    bool is_line = line >= order->lines && line < order->lines + order->count;
    return is_line && order->conducts != NULL ? &order->conducts[line - order->lines] : NULL;
}

bool host_told_session(const apex_server *server, apex_race_session *out) {
    *out = server->news.session;
    if (server->setup.has_control) {
        host_list_sessions(&server->setup.file.race.weekend, out);
    }
    return server->setup.has_control;
}

const host_penalties *host_told_penalties(const apex_server *server) {
    return &server->news.penalties;
}

size_t host_refusals(const apex_server *server, host_refusal out[HOST_REFUSALS_MAX]) {
    size_t used = 0;
    size_t all = host_list_refusals(&server->clients, &server->network, out);
    for (size_t i = 0; i < all; i++) {
        if (out[i].is_refusal) {
            out[used++] = out[i];
        }
    }
    return used;
}

bool host_is_ready(const apex_server *server, const char **why) {
    *why = "";
    if (server->ending.stopping) {
        *why = "the race is being closed";
    } else if (apex_race_phase_of(server->simulation.race) == APEX_PHASE_OVER) {
        *why = "the event is over";
    } else if (server->news.store_failing) {
        *why = "results cannot be stored; look at the disk of the results directory";
    } else if (server->load.overload.strain >= HOST_STRAIN_NO_NEWCOMERS) {
        *why = "ticks take longer than they may, so nobody new gets in";
    }
    return (*why)[0] == '\0';
}

bool host_is_alive(const apex_server *server, uint64_t now_us, const char **why) {
    enum { SILENT_US_MAX = 2000000 };
    bool is_recent = now_us < server->clock.now_us || now_us - server->clock.now_us < SILENT_US_MAX;
    bool is_alive = is_recent ||
                    host_has_ended(&server->ending, server->network.sessions, server->clock.now_us);
    *why = is_alive ? "" : "it has made no tick for 2 s";
    return is_alive;
}

const host_setup *host_setup_of(const apex_server *server) {
    return &server->setup;
}

const host_load *host_load_of(const apex_server *server) {
    return &server->load;
}

const host_results *host_results_of(const apex_server *server) {
    return &server->news.results;
}

uint64_t host_uptime_us(const apex_server *server) {
    return server->clock.now_us - server->clock.start_us;
}

uint64_t host_rounds(const apex_server *server) {
    return server->clock.rounds;
}

bool host_is_locked(const apex_server *server) {
    return apex_sessions_are_locked(server->network.sessions);
}

bool host_is_stopping(const apex_server *server) {
    return server->ending.stopping;
}

uint32_t host_client_count(const apex_server *server) {
    return apex_sessions_welcomed(server->network.sessions);
}

uint32_t host_guest_count(const apex_server *server) {
    return host_names_guests(&server->simulation.names, server->simulation.race);
}

uint64_t host_nearest_sent(const apex_server *server) {
    return server->clients.nearest_sent;
}

uint64_t (*host_clock_of(const apex_server *server))(void) {
    return server->clock.clock_us;
}

host_store_figures host_store_figures_of(const apex_server *server) {
    return (host_store_figures){
        .waiting = apex_store_waiting(server->news.store),
        .committed = apex_store_committed(server->news.store),
        .never_told = server->news.never_told,
        .is_failing = server->news.store_failing,
    };
}
