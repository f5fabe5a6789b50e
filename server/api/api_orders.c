// Orders over the web: a body is read strictly, then it is the console's order (operate.h).

#include <string.h>

#include "api/api_body.h"
#include "api/api_handlers.h"
#include "base/log.h"
#include "host/operate.h"

static bool is_among(const char *key, const char *const keys[], size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(key, keys[i]) == 0) {
            return true;
        }
    }
    return false;
}

json_t *api_read_body(const api_call *call, const char *const keys[], size_t count) {
    const apex_web_request *request = call->request;
    if (request->body_length == 0) {
        return json_object();
    }
    json_error_t error;
    json_t *body = json_loadb((const char *)request->body, request->body_length,
                              JSON_REJECT_DUPLICATES, &error);
    if (body == NULL) {
        api_refuse(call, 400, "the body is not the JSON it should be: %s (byte %d)", error.text,
                   error.position);
        return NULL;
    }
    if (!json_is_object(body)) {
        api_refuse(call, 400, "the body should be a JSON object: {...}");
        json_decref(body);
        return NULL;
    }
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(body, key, value) {
        if (!is_among(key, keys, count)) {
            api_refuse(call, 400, "this order has no key \"%.64s\"%s%s%s%s", key,
                       count > 0 ? "; it takes " : "; it takes none", count > 0 ? keys[0] : "",
                       count > 1 ? " or " : "", count > 1 ? keys[1] : "");
            json_decref(body);
            return NULL;
        }
    }
    return body;
}

static uint32_t status_of(apex_err err) {
    switch (err) {
    case APEX_OK:
        return 200;
    case APEX_ERR_INVALID:
    case APEX_ERR_RANGE:
        return 400;
    case APEX_ERR_NOT_FOUND:
        return 404;
    case APEX_ERR_STATE:
    case APEX_ERR_UNSUPPORTED:
        return 409;
    case APEX_ERR_FULL:
        return 503;
    default:
        return 500;
    }
}

// @param text the sentence that people were told, for those who ask later; the log escapes it, and
// it is no longer than the wire lets it be. NULL: nothing was
static void answer_of(const api_call *call, apex_err err, const char *said, const char *text) {
    if (err != APEX_OK) {
        api_refuse(call, status_of(err), "%s", said);
        return;
    }
    apex_log(APEX_LOG_INFO, "web", text != NULL ? "%s from %s: %s: \"%s\"" : "%s from %s: %s",
             call->request->path, call->request->address, said, text);
    apex_json_writer json = answer_json_begin(call->arena);
    apex_json_open(&json, NULL, '{');
    answer_json_text(&json, "done", said);
    apex_json_close(&json);
    api_answer_json(call, 200, &json);
}

void api_answer_order(const api_call *call, apex_err err, const char *said) {
    answer_of(call, err, said, NULL);
}

void api_say(const api_call *call) {
    static const char *const keys[] = {"text"};
    json_t *body = api_read_body(call, keys, 1);
    if (body == NULL) {
        return;
    }
    const char *text = json_string_value(json_object_get(body, "text"));
    if (text == NULL) {
        api_refuse(call, 400, "say what? for example: {\"text\": \"five minutes to go\"}");
    } else {
        char said[HOST_SAID_BYTES];
        apex_err err = host_operate_say(call->server, text, said);
        answer_of(call, err, said, text);
    }
    json_decref(body);
}

static void kick(const api_call *call, const json_t *name, const json_t *player,
                 const json_t *driver) {
    char said[HOST_SAID_BYTES];
    uint8_t fingerprint[APEX_FINGERPRINT_BYTES];
    bool is_driver =
        json_is_string(driver) && apex_fingerprint_read(json_string_value(driver), fingerprint);
    bool is_number = json_is_integer(player) && json_integer_value(player) > 0 &&
                     json_integer_value(player) <= (json_int_t)UINT32_MAX;
    if (is_driver && name == NULL && player == NULL) {
        apex_err err = host_operate_kick_driver(call->server, fingerprint, said);
        api_answer_order(call, err, said);
    } else if (json_is_string(name) && player == NULL && driver == NULL) {
        apex_err err =
            host_operate_kick(call->server, (host_whom){.name = json_string_value(name)}, said);
        api_answer_order(call, err, said);
    } else if (is_number && name == NULL && driver == NULL) {
        host_whom whom = {.player = (uint32_t)json_integer_value(player)};
        apex_err err = host_operate_kick(call->server, whom, said);
        api_answer_order(call, err, said);
    } else {
        api_refuse(call, 400,
                   "kick whom? either {\"name\": \"Ada\"} or {\"player\": 65537}, the "
                   "number that the order lists, or {\"driver\": \"FINGERPRINT\"}");
    }
}

void api_kick(const api_call *call) {
    static const char *const keys[] = {"name", "player", "driver"};
    json_t *body = api_read_body(call, keys, 3);
    if (body == NULL) {
        return;
    }
    kick(call, json_object_get(body, "name"), json_object_get(body, "player"),
         json_object_get(body, "driver"));
    json_decref(body);
}

void api_lockdown(const api_call *call) {
    static const char *const keys[] = {"on"};
    json_t *body = api_read_body(call, keys, 1);
    if (body == NULL) {
        return;
    }
    const json_t *on = json_object_get(body, "on");
    if (json_is_boolean(on)) {
        char said[HOST_SAID_BYTES];
        apex_err err = host_operate_lockdown(call->server, json_is_true(on), said);
        api_answer_order(call, err, said);
    } else {
        api_refuse(call, 400, "lock or open? either {\"on\": true} or {\"on\": false}");
    }
    json_decref(body);
}

typedef apex_err simple_order(apex_server *server, char said[HOST_SAID_BYTES]);

static void carry_out(const api_call *call, simple_order *order) {
    json_t *body = api_read_body(call, NULL, 0);
    if (body == NULL) {
        return;
    }
    json_decref(body);
    char said[HOST_SAID_BYTES];
    apex_err err = order(call->server, said);
    api_answer_order(call, err, said);
}

void api_start(const api_call *call) {
    carry_out(call, host_operate_start);
}

void api_restart(const api_call *call) {
    carry_out(call, host_operate_restart);
}

void api_reload(const api_call *call) {
    json_t *body = api_read_body(call, NULL, 0);
    if (body == NULL) {
        return;
    }
    json_decref(body);
    char said[APEX_WEB_WHY_BYTES] = "there is nothing to be read anew";
    bool is_read = call->api->reload != NULL && call->api->reload(call->api->reload_context, said);
    api_answer_order(call, is_read ? APEX_OK : APEX_ERR_STATE, said);
}

static apex_err quit(apex_server *server, char said[HOST_SAID_BYTES]) {
    host_operate_quit(server, said);
    return APEX_OK;
}

void api_quit(const api_call *call) {
    carry_out(call, quit);
}
