// Texts about the session: who one is, who else is there, what is offered.
#include "client-lite/wasm/page.h"

static void write_reason(page_json *json, const char *key, apex_reason reason, const char *text) {
    if (reason == APEX_REASON_NONE) {
        page_json_null(json, key);
        return;
    }
    page_json_open(json, key, '{');
    page_json_text(json, "name", apex_reason_name(reason));
    page_json_text(json, "text", text[0] != '\0' ? text : apex_reason_text(reason));
    page_json_close(json, '}');
}

void page_write_status(page_json *json, const apex_client *client) {
    const char *text;
    page_json_open(json, NULL, '{');
    page_json_whole(json, "player", apex_client_player(client));
    page_json_whole(json, "car", apex_client_car(client));
    page_json_flag(json, "demoted", apex_client_demoted(client)); // nobody drove its car
    apex_reason reason = apex_client_close_reason(client, &text);
    write_reason(json, "closeReason", reason, text);
    reason = apex_client_last_reject(client, &text);
    write_reason(json, "reject", reason, text);
    page_json_close(json, '}');
}

static const char *track_of(const apex_welcome *welcome) {
    for (uint32_t i = 0; i < welcome->def_count; i++) {
        if (welcome->defs[i].kind == APEX_DEF_TRACK) {
            return welcome->defs[i].name;
        }
    }
    return "";
}

static void write_token(page_json *json, const uint8_t token[APEX_TOKEN_BYTES]) {
    char text[2 * APEX_TOKEN_BYTES + 1] = "";
    for (size_t i = 0; i < APEX_TOKEN_BYTES; i++) {
        text[2 * i] = "0123456789abcdef"[token[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[token[i] & 15];
    }
    page_json_text(json, "resumeToken", text);
}

void page_write_welcome(page_json *json, const apex_welcome *welcome) {
    page_json_open(json, NULL, '{');
    page_json_text(json, "server", welcome->server);
    page_json_text(json, "race", welcome->race);
    page_json_text(json, "track", track_of(welcome));
    page_json_open(json, "cars", '[');
    for (uint32_t i = 0; i < welcome->def_count; i++) {
        if (welcome->defs[i].kind == APEX_DEF_CAR) {
            page_json_text(json, NULL, welcome->defs[i].name);
        }
    }
    page_json_close(json, ']');
    write_token(json, welcome->resume_token);
    page_json_whole(json, "resumeGraceS", welcome->resume_grace_s);
    page_json_whole(json, "laps", welcome->laps);
    page_json_whole(json, "tickHz", welcome->tick_hz);
    page_json_whole(json, "snapshotHz", welcome->snapshot_hz);
    page_json_whole(json, "speedPermille", welcome->speed_permille);
    page_json_whole(json, "playerCapacity", welcome->player_capacity);
    page_json_flag(json, "passwordNeeded", welcome->password_needed);
    page_json_flag(json, "watchingOpen", welcome->watching_open);
    page_json_close(json, '}');
}

void page_write_roster(page_json *json, const apex_client *client) {
    size_t count;
    const apex_roster_entry *entries = apex_client_roster(client, &count);
    page_json_open(json, NULL, '[');
    for (size_t i = 0; i < count; i++) {
        page_json_open(json, NULL, '{');
        page_json_whole(json, "player", entries[i].player);
        page_json_whole(json, "car", entries[i].car);
        page_json_text(json, "name", entries[i].name);
        page_json_text(json, "carDef", entries[i].car_def);
        page_json_flag(json, "drivenByServer", entries[i].driven_by_server);
        page_json_close(json, '}');
    }
    page_json_close(json, ']');
}

void page_write_notices(page_json *json, const apex_client *client) {
    size_t count;
    const char *const *notices = apex_client_notices(client, &count);
    page_json_open(json, NULL, '[');
    for (size_t i = 0; i < count; i++) {
        page_json_text(json, NULL, notices[i]);
    }
    page_json_close(json, ']');
}
