// Health is two answers: that the races tick, for those who start processes, and that one of them
// takes players, for those who send people to them.

#include "api/api_handlers.h"
#include "host/figures/figures.h"

static void write_race(apex_json_writer *json, uint32_t race, const char *why) {
    apex_json_open(json, NULL, '{');
    apex_json_count(json, "id", race);
    apex_json_bool(json, "ok", why[0] == '\0');
    if (why[0] != '\0') {
        answer_json_text(json, "why", why);
    }
    apex_json_close(json);
}

typedef bool is_well_fn(const apex_server *server, uint64_t now_us, const char **why);

// @return the number of races that are well.
static uint32_t count_well(const api_call *call, is_well_fn *is_well) {
    uint32_t well = 0;
    for (uint32_t i = 0; i < call->api->server_count; i++) {
        const char *why = "";
        well += is_well(call->api->servers[i], call->api->now_us, &why);
    }
    return well;
}

static void answer_with(const api_call *call, uint32_t status, const char *text,
                        is_well_fn *is_well) {
    apex_json_writer json = answer_json_begin(call->arena);
    apex_json_open(&json, NULL, '{');
    answer_json_text(&json, "status", text);
    apex_json_open(&json, "races", '[');
    for (uint32_t i = 0; i < call->api->server_count; i++) {
        const char *why = "";
        (void)is_well(call->api->servers[i], call->api->now_us, &why);
        write_race(&json, i + 1, why);
    }
    apex_json_close(&json);
    apex_json_close(&json);
    api_answer_json(call, status, &json);
}

static bool is_ready(const apex_server *server, uint64_t now_us, const char **why) {
    return host_is_alive(server, now_us, why) && host_is_ready(server, why);
}

// One race that stands still is enough for the process to be started again.
void api_healthz(const api_call *call) {
    bool all = count_well(call, host_is_alive) == call->api->server_count;
    answer_with(call, all ? 200 : 503, all ? "ok" : "a race stands still", host_is_alive);
}

// One race that takes players is enough to send some here: of several, one may be over.
void api_readyz(const api_call *call) {
    bool any = count_well(call, is_ready) > 0;
    answer_with(call, any ? 200 : 503, any ? "ready" : "no race takes players", is_ready);
}
