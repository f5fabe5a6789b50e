#include "host/figures/figures.h"

#include <stdio.h>

#include "base/assert.h"
#include "host/host_private.h"

const apex_standing *host_order(const apex_server *server, apex_arena *arena, size_t *count) {
    size_t capacity = apex_race_standings_max(server->race);
    apex_standing *lines = apex_arena_alloc(arena, capacity * sizeof *lines);
    *count = lines != NULL ? apex_race_standings(server->race, lines, capacity) : 0;
    return lines;
}

static bool find_line(const apex_server *server, const host_client *client, apex_link_line *out) {
    apex_link link = apex_session_link(server->sessions, client->session);
    if (link.index1 > server->own_links_max) {
        return server->fed_line != NULL && server->fed_line(server->fed_line_context, link, out);
    }
    return server->transport != NULL && apex_transport_line(server->transport, link, out);
}

host_driver host_driver_of(apex_server *server, const apex_standing *line) {
    const host_client *client = host_client_of_player(&server->clients, line->player);
    if (client == NULL) {
        return (host_driver){.address = ""};
    }
    if (client->lost) {
        return (host_driver){.lost = true, .address = ""};
    }
    host_driver driver = {.connected = true,
                          .address = apex_session_address(server->sessions, client->session)};
    driver.has_line = find_line(server, client, &driver.line);
    const apex_viewer_memory *memory = host_client_memory(&server->clients, client);
    driver.knows_loss =
        client->wants_deltas && memory != NULL && apex_viewer_lost_ppm(memory, &driver.lost_ppm);
    driver.controls_on_tick = client->controls.used;
    driver.controls_repeated = client->controls.missed;
    return driver;
}

const char *host_key_of(const char *name, char out[HOST_KEY_BYTES]) {
    size_t length = 0;
    for (; name[length] != '\0' && length < HOST_KEY_BYTES - 1; length++) {
        out[length] = name[length] == '-' ? '_' : name[length];
    }
    out[length] = '\0';
    return out;
}

static void add(host_refusal out[HOST_REFUSALS_MAX], size_t *used, host_refusal refusal) {
    APEX_ASSERT(*used < HOST_REFUSALS_MAX);
    out[(*used)++] = refusal;
}

bool host_is_refusal(apex_transport_counter counter) {
    return counter >= APEX_TRANSPORT_REFUSED_MALFORMED &&
           counter <= APEX_TRANSPORT_REFUSED_STRANGER;
}

size_t host_refusals(const apex_server *server, host_refusal out[HOST_REFUSALS_MAX]) {
    size_t used = 0;
    const uint64_t *transport = apex_server_transport_counters(server);
    for (int i = 0; i < APEX_TRANSPORT_COUNTERS; i++) {
        if (!host_is_refusal((apex_transport_counter)i)) {
            continue;
        }
        add(out, &used,
            (host_refusal){"transport", apex_transport_counter_name((apex_transport_counter)i),
                           transport != NULL ? transport[i] : 0});
    }
    const uint64_t *sessions = apex_sessions_counters(server->sessions);
    for (int i = APEX_SESSION_REFUSED_VERSION; i <= APEX_SESSION_CLOSED_SILENT; i++) {
        add(out, &used,
            (host_refusal){"session", apex_session_counter_name((apex_session_counter)i),
                           sessions[i]});
    }
    add(out, &used, (host_refusal){"race", "refused-unknown-car", server->refused_unknown_car});
    add(out, &used, (host_refusal){"race", "refused-race", server->refused_race});
    add(out, &used, (host_refusal){"race", "refused-busy", server->refused_busy});
    return used;
}

uint32_t host_controls_depth_quantile(const apex_controls_counters *controls, double share) {
    double wanted = share * (double)controls->used_on_tick;
    double seen = 0.0;
    uint32_t depth = 0;
    for (; depth < APEX_CONTROLS_DEPTHS - 1; depth++) {
        seen += (double)controls->depths[depth];
        if (seen >= wanted) {
            break;
        }
    }
    return depth;
}

apex_race_status host_race_status(const apex_server *server) {
    apex_race_status status = apex_race_status_of(server->race);
    if (server->speed_permille > 0) { // as fast as possible it has a lobby in real time
        status.lobby_left_us = status.lobby_left_us * 1000 / server->speed_permille;
    }
    return status;
}

const char *host_waiting(const apex_race_status *status, char out[HOST_WAITING_BYTES]) {
    out[0] = '\0';
    if (status->phase == APEX_PHASE_LOBBY) {
        uint64_t left_us = status->lobby_left_us > 0 ? (uint64_t)status->lobby_left_us : 0;
        (void)apex_lobby_text(status->start_players, status->players, left_us, out);
    }
    return out;
}

bool host_is_ready(const apex_server *server, const char **why) {
    *why = "";
    if (server->stopping) {
        *why = "the race is being closed";
    } else if (apex_race_phase_of(server->race) == APEX_PHASE_OVER) {
        *why = "the event is over";
    } else if (server->store_failing) {
        *why = "results cannot be stored; look at the disk of the results directory";
    } else if (server->overload.strain >= HOST_STRAIN_NO_NEWCOMERS) {
        *why = "ticks take longer than they may, so nobody new gets in";
    }
    return (*why)[0] == '\0';
}

bool host_is_alive(const apex_server *server, uint64_t now_us, const char **why) {
    enum { SILENT_US_MAX = 2000000 };
    bool is_recent = now_us < server->now_us || now_us - server->now_us < SILENT_US_MAX;
    bool is_alive = is_recent || apex_server_finished(server);
    *why = is_alive ? "" : "it has made no tick for 2 s";
    return is_alive;
}
