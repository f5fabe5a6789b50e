// A request is put together, answered by the API, and its answer parsed, all within one call.
#include "support/api/api_rig.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/host/race_rig.h"

apex_race_file api_rig_race_file(void) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.results_dir[0] = '\0';
    file.race.player_capacity = 6;
    file.race.start_players = 0;
    file.race.countdown_s = 1.0;
    return file;
}

void api_rig_begin(api_rig *rig, const apex_race_file *file) {
    memset(rig, 0, sizeof *rig);
    rig->race = race_rig_create(file, 0, NULL);
    ck_assert_ptr_nonnull(rig->race);
    ck_assert_int_eq(apex_arena_create(&rig->arena, APEX_API_ARENA_BYTES), APEX_OK);
    rig->servers[0] = race_rig_server(rig->race);
    rig->api = (apex_api){.servers = rig->servers,
                          .server_count = 1,
                          .token = API_RIG_TOKEN,
                          .replays_dir = "",
                          .memory = apex_api_memory_create()};
    ck_assert_ptr_nonnull(rig->api.memory);
}

void api_rig_end(api_rig *rig) {
    json_decref(rig->json);
    free(rig->body);
    apex_api_memory_destroy(rig->api.memory);
    apex_arena_destroy(&rig->arena);
    race_rig_destroy(rig->race);
}

static uint32_t ask(api_rig *rig, const char *path, const char *token) {
    apex_web_request *request = &rig->request;
    snprintf(request->path, sizeof request->path, "%s", path);
    snprintf(request->token, sizeof request->token, "%s", token);
    if (request->address[0] == '\0') {
        snprintf(request->address, sizeof request->address, API_RIG_ADDRESS);
    }
    if (rig->api.now_us < race_rig_now_us(rig->race)) {
        rig->api.now_us = race_rig_now_us(rig->race);
    }
    apex_arena_reset(&rig->arena);
    apex_api_answer(&rig->api, request, &rig->arena, &rig->answer);
    free(rig->body);
    rig->body = calloc(1, rig->answer.length + 1);
    ck_assert_ptr_nonnull(rig->body);
    memcpy(rig->body, rig->answer.bytes, rig->answer.length);
    ck_assert_uint_eq(strlen(rig->body), rig->answer.length);
    json_decref(rig->json);
    rig->json = NULL;
    if (strcmp(rig->answer.type, "application/json") == 0) {
        json_error_t error;
        rig->json =
            json_loadb(rig->answer.bytes, rig->answer.length, JSON_REJECT_DUPLICATES, &error);
        ck_assert_msg(rig->json != NULL, "%s: %s in %s", path, error.text, rig->body);
    }
    return rig->answer.status;
}

uint32_t api_rig_get_as(api_rig *rig, const char *path, const char *token) {
    rig->request.method = APEX_WEB_GET;
    rig->request.body_length = 0;
    return ask(rig, path, token);
}

uint32_t api_rig_get(api_rig *rig, const char *path) {
    return api_rig_get_as(rig, path, API_RIG_TOKEN);
}

uint32_t api_rig_post_as(api_rig *rig, const char *path, const char *body, const char *token) {
    rig->request.method = APEX_WEB_POST;
    rig->request.body_length = strlen(body);
    ck_assert_uint_le(rig->request.body_length, sizeof rig->request.body);
    memset(rig->request.body, '!', sizeof rig->request.body); // what follows is not the body's
    memcpy(rig->request.body, body, rig->request.body_length);
    return ask(rig, path, token);
}

uint32_t api_rig_post(api_rig *rig, const char *path, const char *body) {
    return api_rig_post_as(rig, path, body, API_RIG_TOKEN);
}

const json_t *api_rig_at(const api_rig *rig, const char *where) {
    const json_t *value = rig->json;
    char key[64];
    for (const char *at = where; *at != '\0' && value != NULL;) {
        size_t length = strcspn(at, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, at);
        value = json_is_array(value) ? json_array_get(value, strtoul(key, NULL, 10))
                                     : json_object_get(value, key);
        at += length + (at[length] == '.');
    }
    ck_assert_msg(value != NULL, "no \"%s\" in %s", where, rig->body);
    return value;
}

const char *api_rig_text(const api_rig *rig, const char *where) {
    const json_t *value = api_rig_at(rig, where);
    ck_assert_msg(json_is_string(value), "\"%s\" is no text", where);
    return json_string_value(value);
}

double api_rig_number(const api_rig *rig, const char *where) {
    const json_t *value = api_rig_at(rig, where);
    ck_assert_msg(json_is_number(value), "\"%s\" is no number", where);
    return json_number_value(value);
}

bool api_rig_is(const api_rig *rig, const char *where) {
    const json_t *value = api_rig_at(rig, where);
    ck_assert_msg(json_is_boolean(value), "\"%s\" is neither true nor false", where);
    return json_is_true(value);
}
