// The table of addresses: each with its handler, and with those who may ask.
#include "api/api.h"

#include <stdlib.h>
#include <string.h>

#include "api/api_handlers.h"
#include "api/api_kept.h"
#include "api/api_replays.h"
#include "api/api_token.h"
#include "api/metrics/exposition.h"
#include "base/assert.h"

apex_api_memory *apex_api_memory_create(void) {
    return calloc(1, sizeof(apex_api_memory));
}

void apex_api_memory_destroy(apex_api_memory *memory) {
    if (memory != NULL) {
        api_replays_destroy(memory->replays);
        for (int kind = 0; kind < API_KEPT_KINDS; kind++) {
            api_forget_kept(memory->kept[kind], APEX_SITE_RACES_MAX + 1);
        }
        free(memory);
    }
}

static void show_metrics(const api_call *call) {
    size_t length = 0;
    const char *bytes = api_exposition(call->api, call->is_operators, call->arena, &length);
    if (bytes == NULL) {
        api_answer_too_long(call);
        return;
    }
    *call->answer = (apex_web_answer){.status = 200,
                                      .type = "text/plain; version=0.0.4; charset=utf-8",
                                      .bytes = bytes,
                                      .length = length};
}

typedef struct route {
    apex_web_method method;
    const char *pattern; ///< '#' stands for a race's number
    bool is_operators;
    void (*run)(const api_call *call);
    api_kept_kind kept;
} route;

static const route routes[] = {
    {APEX_WEB_GET, "/api/races", false, api_list_races, API_KEPT_RACES},
    {APEX_WEB_GET, "/api/races/#", false, api_show_race, API_KEPT_RACE},
    {APEX_WEB_GET, "/api/races/#/status", true, api_show_status, API_KEPT_STATUS},
    {APEX_WEB_POST, "/api/races/#/say", true, api_say, API_KEPT_NOT},
    {APEX_WEB_POST, "/api/races/#/kick", true, api_kick, API_KEPT_NOT},
    {APEX_WEB_POST, "/api/races/#/start", true, api_start, API_KEPT_NOT},
    {APEX_WEB_POST, "/api/races/#/restart", true, api_restart, API_KEPT_NOT},
    {APEX_WEB_POST, "/api/races/#/lockdown", true, api_lockdown, API_KEPT_NOT},
    {APEX_WEB_POST, "/api/races/#/session", true, api_session, API_KEPT_NOT},
    {APEX_WEB_POST, "/api/races/#/flag", true, api_flag, API_KEPT_NOT},
    {APEX_WEB_POST, "/api/races/#/penalise", true, api_penalise, API_KEPT_NOT},
    {APEX_WEB_POST, "/api/races/#/pardon", true, api_pardon, API_KEPT_NOT},
    {APEX_WEB_POST, "/api/races/#/quit", true, api_quit, API_KEPT_NOT},
    {APEX_WEB_POST, "/api/reload", true, api_reload, API_KEPT_NOT},
    {APEX_WEB_GET, "/api/replays", false, api_list_replays, API_KEPT_NOT},
    {APEX_WEB_GET, "/metrics", false, show_metrics, API_KEPT_METRICS},
    {APEX_WEB_GET, "/healthz", false, api_healthz, API_KEPT_NOT},
    {APEX_WEB_GET, "/readyz", false, api_readyz, API_KEPT_NOT},
};

// A number as we write it: no sign, no leading zero, not too long. 0: none.
static uint32_t race_number(const char *text, size_t length) {
    enum { DIGITS_MAX = 5 };
    uint32_t number = 0;
    if (length == 0 || length > DIGITS_MAX || text[0] == '0') {
        return 0;
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return 0;
        }
        number = 10 * number + (uint32_t)(text[i] - '0');
    }
    return number;
}

// @param[out] race its number; 0 for a path that names none
static bool matches(const char *pattern, const char *path, uint32_t *race) {
    *race = 0;
    const char *hole = strchr(pattern, '#');
    if (hole == NULL) {
        return strcmp(pattern, path) == 0;
    }
    size_t before = (size_t)(hole - pattern);
    if (strncmp(pattern, path, before) != 0) {
        return false;
    }
    size_t length = strcspn(path + before, "/");
    *race = race_number(path + before, length);
    return *race > 0 && strcmp(hole + 1, path + before + length) == 0;
}

static void follow(const route *way, api_call *call) {
    // A caller that sends a token asks as an operator, and is told more where there is more.
    bool asks_for_more = way->kept == API_KEPT_METRICS && call->request->token[0] != '\0';
    call->is_operators = way->is_operators || asks_for_more;
    if (call->is_operators && !api_may_operate(call)) {
        return;
    }
    if (call->race > call->api->server_count) {
        api_refuse(call, 404, "there is no race %u here; GET /api/races lists them", call->race);
        return;
    }
    call->server = call->race > 0 ? call->api->servers[call->race - 1] : NULL;
    if (way->kept != API_KEPT_NOT) {
        api_answer_kept(call, asks_for_more ? API_KEPT_METRICS_PLAYERS : way->kept, way->run);
        return;
    }
    call->api->memory->orders += way->method == APEX_WEB_POST;
    way->run(call);
}

void apex_api_answer(const apex_api *api, const apex_web_request *request, apex_arena *arena,
                     apex_web_answer *answer) {
    APEX_ASSERT(api->memory != NULL);
    *answer = (apex_web_answer){.status = 500};
    api_call call = {.api = api, .request = request, .arena = arena, .answer = answer};
    const char *allow = NULL;
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        uint32_t race = 0;
        if (!matches(routes[i].pattern, request->path, &race)) {
            continue;
        }
        if (routes[i].method == request->method) {
            call.race = race;
            follow(&routes[i], &call);
            return;
        }
        allow = routes[i].method == APEX_WEB_GET ? "GET" : "POST";
    }
    if (allow == NULL) {
        api_refuse(&call, 404,
                   "there is nothing at this address; /api/races, /api/replays, /metrics, /healthz "
                   "and /readyz are where to begin");
        return;
    }
    api_refuse(&call, 405, "this address wants %s", allow);
    answer->allow = allow;
}
