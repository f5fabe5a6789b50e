// Orders of race control and stewards over the web.

#include <string.h>

#include "api/api_body.h"
#include "api/api_handlers.h"
#include "host/operate.h"

void api_session(const api_call *call) {
    static const char *const keys[] = {"do", "seconds"};
    json_t *body = api_read_body(call, keys, 2);
    if (body == NULL) {
        return;
    }
    const char *what = json_string_value(json_object_get(body, "do"));
    const json_t *seconds = json_object_get(body, "seconds");
    char said[HOST_SAID_BYTES];
    what = what != NULL ? what : "";
    if (strcmp(what, "end") == 0 && seconds == NULL) {
        api_answer_order(call, host_operate_session_end(call->server, said), said);
    } else if (strcmp(what, "skip") == 0 && seconds == NULL) {
        api_answer_order(call, host_operate_session_skip(call->server, said), said);
    } else if (strcmp(what, "extend") == 0 && json_is_number(seconds)) {
        apex_err err = host_operate_session_extend(call->server, json_number_value(seconds), said);
        api_answer_order(call, err, said);
    } else {
        api_refuse(call, 400,
                   "do what? {\"do\": \"end\"}, {\"do\": \"skip\"} or {\"do\": \"extend\", "
                   "\"seconds\": 300}");
    }
    json_decref(body);
}

static bool read_flag(const json_t *value, apex_race_flag *out) {
    static const apex_race_flag flags[] = {APEX_FLAG_GREEN, APEX_FLAG_FULL_COURSE, APEX_FLAG_RED};
    for (size_t i = 0; json_is_string(value) && i < sizeof flags / sizeof flags[0]; i++) {
        if (strcmp(json_string_value(value), apex_wire_flag_name((uint32_t)flags[i])) == 0) {
            *out = flags[i];
            return true;
        }
    }
    return false;
}

void api_flag(const api_call *call) {
    static const char *const keys[] = {"flag"};
    json_t *body = api_read_body(call, keys, 1);
    if (body == NULL) {
        return;
    }
    apex_race_flag flag;
    if (read_flag(json_object_get(body, "flag"), &flag)) {
        char said[HOST_SAID_BYTES];
        apex_err err = host_operate_flag(call->server, flag, said);
        api_answer_order(call, err, said);
    } else {
        api_refuse(call, 400, "which flag? {\"flag\": \"green\"}, \"full-course\" or \"red\"");
    }
    json_decref(body);
}

// A number of the wire by its name. @return whether there is one; none is given: it stays
static bool read_name(const json_t *value, const char *(*name_of)(uint32_t), uint32_t count,
                      uint32_t *out) {
    for (uint32_t i = 0; json_is_string(value) && i < count; i++) {
        if (strcmp(json_string_value(value), name_of(i)) == 0) {
            *out = i;
            return true;
        }
    }
    return value == NULL;
}

static bool read_count(const json_t *value, uint32_t *out) {
    json_int_t number = json_is_integer(value) ? json_integer_value(value) : 0;
    *out = number > 0 && number <= (json_int_t)UINT32_MAX ? (uint32_t)number : 0;
    return *out != 0;
}

static bool read_penalty(const json_t *body, apex_penalty *out) {
    uint32_t kind = APEX_WIRE_PENALTY_KINDS, offence = APEX_WIRE_OFFENCE_STEWARDS;
    const json_t *amount = json_object_get(body, "amount");
    bool is_read = read_name(json_object_get(body, "penalty"), apex_wire_penalty_name,
                             APEX_WIRE_PENALTY_KINDS, &kind) &&
                   read_name(json_object_get(body, "offence"), apex_wire_offence_name,
                             APEX_WIRE_OFFENCES, &offence) &&
                   (amount == NULL || json_is_number(amount)) && kind < APEX_WIRE_PENALTY_KINDS;
    out->kind = is_read ? (apex_penalty_kind)kind : APEX_PENALTY_WARNING;
    out->offence = (apex_offence)offence;
    out->amount = json_number_value(amount);
    return is_read;
}

static void penalise(const api_call *call, const json_t *body) {
    const json_t *name = json_object_get(body, "name"), *player = json_object_get(body, "player");
    const json_t *number = json_object_get(body, "number");
    char said[HOST_SAID_BYTES];
    apex_penalty penalty = {.number = 0};
    host_whom whom = {.name = json_string_value(name)};
    bool is_read = read_penalty(body, &penalty);
    if (is_read && read_count(number, &penalty.number) && name == NULL && player == NULL) {
        bool keeps = json_object_get(body, "offence") == NULL;
        apex_err err = host_operate_change(call->server, &penalty, keeps, said);
        api_answer_order(call, err, said);
    } else if (is_read && number == NULL &&
               ((whom.name != NULL && player == NULL) ||
                (name == NULL && read_count(player, &whom.player)))) {
        apex_err err = host_operate_penalise(call->server, whom, &penalty, said);
        api_answer_order(call, err, said);
    } else {
        api_refuse(
            call, 400,
            "whom, and how? a name or a player or, to change one, its number, with a penalty, "
            "its amount and an offence; API.md lists their names");
    }
}

void api_penalise(const api_call *call) {
    static const char *const keys[] = {"name", "player", "number", "penalty", "amount", "offence"};
    json_t *body = api_read_body(call, keys, 6);
    if (body != NULL) {
        penalise(call, body);
        json_decref(body);
    }
}

void api_pardon(const api_call *call) {
    static const char *const keys[] = {"number"};
    json_t *body = api_read_body(call, keys, 1);
    if (body == NULL) {
        return;
    }
    uint32_t number;
    if (read_count(json_object_get(body, "number"), &number)) {
        char said[HOST_SAID_BYTES];
        apex_err err = host_operate_pardon(call->server, number, said);
        api_answer_order(call, err, said);
    } else {
        api_refuse(call, 400, "pardon which? {\"number\": 7}, the number of a penalty");
    }
    json_decref(body);
}
