// Figures of the network: what came and went, what was refused, what the gateway did.

#include <string.h>

#include "api/api_memory.h"
#include "api/metrics/families.h"
#include "host/figures/figures.h"

// A place in a transport's counters and in the gateway's.
typedef struct flow {
    const char *direction;
    apex_transport_counter udp;
    apex_web_counter web;
} flow;

static const flow packets[] = {
    {"in", APEX_TRANSPORT_PACKETS_IN, APEX_WEB_MESSAGES_IN},
    {"out", APEX_TRANSPORT_PACKETS_OUT, APEX_WEB_MESSAGES_OUT},
};
static const flow bytes[] = {
    {"in", APEX_TRANSPORT_BYTES_IN, APEX_WEB_BYTES_IN},
    {"out", APEX_TRANSPORT_BYTES_OUT, APEX_WEB_BYTES_OUT},
};

static void write_flow(exposition *out, const apex_api *api, const flow directions[2]) {
    for (uint32_t race = 1; race <= api->server_count; race++) {
        const uint64_t *udp = apex_server_transport_counters(api->servers[race - 1]);
        for (int i = 0; udp != NULL && i < 2; i++) {
            exposition_begin(out, "");
            exposition_race(out, race);
            exposition_label(out, "transport", "udp");
            exposition_label(out, "direction", directions[i].direction);
            exposition_count(out, udp[directions[i].udp]);
        }
    }
    for (int i = 0; api->web_counters != NULL && i < 2; i++) {
        exposition_begin(out, "");
        exposition_label(out, "transport", "web");
        exposition_label(out, "direction", directions[i].direction);
        exposition_count(out, api->web_counters[directions[i].web]);
    }
}

// "refused-no-link" is "no_link" as a label.
static void label_reason(exposition *out, const char *name) {
    static const char prefix[] = "refused-";
    char key[HOST_KEY_BYTES];
    size_t skipped = strncmp(name, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
    exposition_label(out, "reason", host_key_of(name + skipped, key));
}

static void write_refusals(exposition *out, const apex_api *api) {
    exposition_family(out, "apex_refusals_total", EXPOSITION_COUNTER,
                      "What was refused or closed for cause, by the layer that did it; the "
                      "gateway's belong to no race.");
    host_refusal refusals[HOST_REFUSALS_MAX];
    for (uint32_t race = 1; race <= api->server_count; race++) {
        size_t count = host_refusals(api->servers[race - 1], refusals);
        for (size_t i = 0; i < count; i++) {
            exposition_begin(out, "");
            exposition_race(out, race);
            exposition_label(out, "layer", refusals[i].layer);
            label_reason(out, refusals[i].name);
            exposition_count(out, refusals[i].count);
        }
    }
    for (int i = 0; api->web_counters != NULL && i < APEX_WEB_COUNTERS; i++) {
        apex_counter_row row = apex_web_counter_row((apex_web_counter)i);
        if (row.kind == APEX_COUNTS_REFUSALS) {
            exposition_begin(out, "");
            exposition_label(out, "layer", "web");
            label_reason(out, row.name);
            exposition_count(out, api->web_counters[i]);
        }
    }
}

static void write_sessions(exposition *out, const apex_api *api) {
    static const struct {
        const char *what;
        apex_session_counter counter;
    } counted[] = {
        {"opened", APEX_SESSION_OPENED},
        {"welcomed", APEX_SESSION_WELCOMED},
        {"closed", APEX_SESSION_CLOSED},
        {"lost", APEX_SESSION_LOST},
        {"resumed", APEX_SESSION_RESUMED},
        {"keys_proved", APEX_SESSION_KEYS_PROVED},
        {"tokens_taken", APEX_SESSION_TOKENS_TAKEN},
    };
    exposition_family(
        out, "apex_sessions_total", EXPOSITION_COUNTER,
        "What became of sessions, and who proved something in them; a lost one is held for its "
        "client to come back.");
    for (uint32_t race = 1; race <= api->server_count; race++) {
        const uint64_t *counters = apex_server_session_counters(api->servers[race - 1]);
        for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++) {
            exposition_begin(out, "");
            exposition_race(out, race);
            exposition_label(out, "event", counted[i].what);
            exposition_count(out, counters[counted[i].counter]);
        }
    }
}

static void write_trouble(exposition *out, uint32_t race, apex_counter_row row, uint64_t count) {
    if (row.kind == APEX_COUNTS_TROUBLES) {
        char key[HOST_KEY_BYTES];
        exposition_begin(out, "");
        exposition_race(out, race);
        exposition_label(out, "kind", host_key_of(row.name, key));
        exposition_count(out, count);
    }
}

static void write_troubles(exposition *out, const apex_api *api) {
    exposition_family(out, "apex_transport_troubles_total", EXPOSITION_COUNTER,
                      "What did not go as it should, and is nobody's refusal.");
    for (uint32_t race = 1; race <= api->server_count; race++) {
        const apex_server *server = api->servers[race - 1];
        const uint64_t *sessions = apex_server_session_counters(server);
        for (int i = 0; i < APEX_SESSION_COUNTERS; i++) {
            write_trouble(out, race, apex_session_counter_row((apex_session_counter)i),
                          sessions[i]);
        }
        const uint64_t *transport = apex_server_transport_counters(server);
        for (int i = 0; transport != NULL && i < APEX_TRANSPORT_COUNTERS; i++) {
            write_trouble(out, race, apex_transport_counter_row((apex_transport_counter)i),
                          transport[i]);
        }
    }
}

void exposition_of_network(exposition *out, const apex_api *api) {
    exposition_family(out, "apex_packets_total", EXPOSITION_COUNTER,
                      "Datagrams, and messages of WebSockets, which belong to no race here.");
    write_flow(out, api, packets);
    exposition_family(out, "apex_bytes_total", EXPOSITION_COUNTER,
                      "Bytes of datagrams, and of the gateway's messages, requests and answers.");
    write_flow(out, api, bytes);
    write_refusals(out, api);
    write_sessions(out, api);
    write_troubles(out, api);
}

static void write_gauge(exposition *out, const char *name, uint64_t count, const char *help) {
    exposition_family(out, name, EXPOSITION_GAUGE, help);
    exposition_begin(out, "");
    exposition_count(out, count);
}

static void write_one(exposition *out, const char *name, uint64_t count, const char *help) {
    exposition_family(out, name, EXPOSITION_COUNTER, help);
    exposition_begin(out, "");
    exposition_count(out, count);
}

static void write_certificate(exposition *out, const apex_api *api) {
    if (api->certificate == NULL) {
        return;
    }
    // Of an expired one, 0: a rule that looks for few days finds it.
    int64_t days = api->certificate->days_left;
    write_gauge(out, "apex_web_certificate_days", days > 0 ? (uint64_t)days : 0,
                "Whole days until the certificate of the page expires.");
    write_gauge(out, "apex_web_certificate_end_time_seconds",
                (uint64_t)api->certificate->ends_unix_s,
                "When the certificate of the page expires, in seconds since 1970.");
    write_one(out, "apex_web_tls_handshakes_total", api->web_counters[APEX_WEB_HANDSHAKES],
              "Handshakes of TLS completed.");
}

void exposition_of_web(exposition *out, const apex_api *api) {
    const apex_guess_limit *guesses = &api->memory->guesses;
    write_one(out, "apex_web_wrong_tokens_total", guesses->wrong, "Wrong tokens of operators.");
    write_one(out, "apex_web_refused_tries_total", guesses->refused,
              "Orders of addresses that had sent too many wrong tokens.");
    const uint64_t *counters = api->web_counters;
    if (counters == NULL) {
        return;
    }
    write_gauge(out, "apex_web_connections", api->web_connections, "TCP connections open now.");
    write_one(out, "apex_web_connections_total", counters[APEX_WEB_CONNECTIONS],
              "TCP connections accepted.");
    write_one(out, "apex_web_requests_total", counters[APEX_WEB_REQUESTS], "Requests of HTTP.");
    write_one(out, "apex_web_links_opened_total", counters[APEX_WEB_LINKS_OPENED],
              "WebSockets opened.");
    write_one(out, "apex_web_links_closed_total", counters[APEX_WEB_LINKS_CLOSED],
              "WebSockets closed.");
    write_certificate(out, api);
    write_one(out, "apex_web_snapshots_skipped_total", counters[APEX_WEB_SNAPSHOTS_SKIPPED],
              "Snapshots that slow browsers were spared.");
}

void exposition_of_playbacks(exposition *out, const apex_playback_figures *figures) {
    write_gauge(out, "apex_playbacks", figures->watched, "Recordings that are watched now.");
    write_gauge(out, "apex_playbacks_waiting", figures->waiting,
                "Recordings that somebody waits for to be opened.");
    write_one(out, "apex_playbacks_opened_total", figures->opened,
              "Recordings opened for browsers.");
    write_one(out, "apex_playbacks_failed_total", figures->failed,
              "Recordings that could not be opened.");
    write_one(out, "apex_playback_ticks_total", figures->ticks,
              "Ticks of recorded races made again, to be shown or on the way to where a viewer "
              "wants to be.");
    exposition_family(out, "apex_playback_seconds_total", EXPOSITION_COUNTER,
                      "Time that recordings took, on a thread beside the races'.");
    exposition_begin(out, "");
    exposition_seconds(out, figures->work_us);
}
