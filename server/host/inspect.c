// The parts of a server that others may read, its links that are fed by hand, and its blocking
// work.

#include "base/log.h"
#include "host/host_private.h"

uint32_t apex_server_tick_hz(const apex_server *server) {
    return apex_race_tick_hz(server->simulation.race);
}

uint16_t apex_server_port(const apex_server *server) {
    return server->network.transport != NULL ? apex_transport_port(server->network.transport) : 0;
}

const uint8_t *apex_server_seal_key(const apex_server *server) {
    const apex_transport *transport = server->network.transport;
    return transport != NULL ? apex_transport_seal_key(transport) : NULL;
}

size_t apex_server_sockets(const apex_server *server, int sockets[APEX_SOCKETS_MAX]) {
    return server->network.transport != NULL
               ? apex_transport_sockets(server->network.transport, sockets)
               : 0;
}

const apex_race *apex_server_race(const apex_server *server) {
    return server->simulation.race;
}

uint16_t apex_server_fed_links_base(const apex_server *server) {
    return (uint16_t)server->network.own_links_max;
}

void apex_server_set_fed_quality(apex_server *server,
                                 bool (*fed_quality)(const void *context, apex_link link,
                                                     apex_link_quality *out),
                                 const void *context) {
    server->network.fed_quality = fed_quality;
    server->network.fed_quality_context = context;
}

void apex_server_feed(apex_server *server, const apex_link_event events[], size_t count) {
    server->network.fed = events;
    server->network.fed_count = count;
}

size_t apex_server_outbox(const apex_server *server, const apex_link_packet **packets) {
    return apex_sessions_outbox(server->network.sessions, packets);
}

size_t apex_server_closing(const apex_server *server, const apex_link **links) {
    return apex_sessions_closing(server->network.sessions, links);
}

bool apex_server_is_idle(const apex_server *server) {
    return server->idle.on;
}

uint64_t apex_server_leisure_us(const apex_server *server) {
    return host_idle_leisure_us(&server->idle, server->clock.now_us, apex_server_tick_hz(server));
}

apex_controls_counters apex_server_controls_counters(const apex_server *server) {
    return server->clients.controls_counters;
}

const uint64_t *apex_server_session_counters(const apex_server *server) {
    return apex_sessions_counters(server->network.sessions);
}

const uint64_t *apex_server_transport_counters(const apex_server *server) {
    return host_transport_counters(&server->network);
}

const char *apex_server_newest_results(apex_server *server) {
    return apex_store_newest_results(server->news.store);
}

bool apex_server_has_blocking_work(apex_server *server) {
    apex_names *names = server->simulation.names.held->file;
    return apex_store_has_work(server->news.store) || (names != NULL && apex_names_has_work(names));
}

bool apex_server_do_blocking_work(apex_server *server) {
    const char *where = server->setup.file.results_dir;
    apex_names *names = server->simulation.names.held->file;
    apex_err err = apex_store_work(server->news.store);
    if (err == APEX_OK && names != NULL) {
        where = apex_names_path(names);
        err = apex_names_work(names);
    }
    if (err != APEX_OK && !server->news.store_failing) {
        apex_log(APEX_LOG_ERROR, "store", "%s: %s; trying again until it works", where,
                 apex_err_text(err));
    } else if (err == APEX_OK && server->news.store_failing) {
        apex_log(APEX_LOG_INFO, "store", "%s: works again", where);
    }
    server->news.store_failing = err != APEX_OK;
    return err == APEX_OK;
}
