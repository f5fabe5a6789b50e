// Texts about the session: the own player, the others, the offers.
#include "client-lite/wasm/page.h"
#include "physics/physics.h"

static void write_reason(apex_json_writer *json, const char *key, apex_reason reason,
                         const char *text) {
    if (reason == APEX_REASON_NONE) {
        apex_json_null(json, key);
        return;
    }
    apex_json_open(json, key, '{');
    apex_json_text(json, "name", apex_reason_name(reason));
    apex_json_text(json, "text", text[0] != '\0' ? text : apex_reason_text(reason));
    apex_json_close(json);
}

void page_write_status(apex_json_writer *json, const apex_client *client) {
    const char *text;
    apex_json_open(json, NULL, '{');
    apex_json_integer(json, "player", apex_client_player(client));
    apex_json_integer(json, "car", apex_client_car(client));
    apex_json_bool(json, "demoted", apex_client_demoted(client)); // nobody drove its car
    apex_reason reason = apex_client_close_reason(client, &text);
    write_reason(json, "closeReason", reason, text);
    reason = apex_client_last_reject(client, &text);
    write_reason(json, "reject", reason, text);
    apex_json_close(json);
}

static const char *track_of(const apex_welcome *welcome) {
    for (uint32_t i = 0; i < welcome->def_count; i++) {
        if (welcome->defs[i].kind == APEX_DEF_TRACK) {
            return welcome->defs[i].name;
        }
    }
    return "";
}

// A token or a fingerprint, as hexadecimal digits.
static void write_digits(apex_json_writer *json, const char *key, const uint8_t bytes[16]) {
    _Static_assert(APEX_TOKEN_BYTES == 16 && APEX_WIRE_DRIVER_BYTES == 16, "both are 16 bytes");
    char text[2 * 16 + 1] = "";
    for (size_t i = 0; i < 16; i++) {
        text[2 * i] = "0123456789abcdef"[bytes[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[bytes[i] & 15];
    }
    apex_json_text(json, key, text);
}

// The usual of a server that does not tell, as the prediction takes it.
static double gravity_of(const apex_world_rules *world) {
    return world->substep_hz != 0 ? world->gravity_mps2 : apex_default_world_def().gravity_mps2;
}

void page_write_welcome(apex_json_writer *json, const apex_welcome *welcome) {
    apex_json_open(json, NULL, '{');
    apex_json_text(json, "server", welcome->server);
    apex_json_text(json, "race", welcome->race);
    apex_json_text(json, "track", track_of(welcome));
    apex_json_open(json, "cars", '[');
    for (uint32_t i = 0; i < welcome->def_count; i++) {
        if (welcome->defs[i].kind == APEX_DEF_CAR) {
            apex_json_text(json, NULL, welcome->defs[i].name);
        }
    }
    apex_json_close(json);
    write_digits(json, "resumeToken", welcome->resume_token);
    apex_json_number(json, "gravityMps2", gravity_of(&welcome->world), 9);
    apex_json_integer(json, "resumeGraceS", welcome->resume_grace_s);
    apex_json_integer(json, "laps", welcome->laps);
    apex_json_integer(json, "tickHz", welcome->tick_hz);
    apex_json_integer(json, "snapshotHz", welcome->snapshot_hz);
    apex_json_integer(json, "speedPermille", welcome->speed_permille);
    apex_json_integer(json, "playerCapacity", welcome->player_capacity);
    apex_json_bool(json, "passwordNeeded", welcome->password_needed);
    apex_json_bool(json, "watchingOpen", welcome->watching_open);
    apex_json_bool(json, "takesKeys", welcome->has_challenge);
    apex_json_bool(json, "keyNeeded", welcome->key_needed);
    apex_json_bool(json, "tokenNeeded", welcome->token_needed);
    apex_json_close(json);
}

void page_write_roster(apex_json_writer *json, const apex_client *client) {
    size_t count;
    const apex_roster_entry *entries = apex_client_roster(client, &count);
    apex_json_open(json, NULL, '[');
    for (size_t i = 0; i < count; i++) {
        apex_json_open(json, NULL, '{');
        apex_json_integer(json, "player", entries[i].player);
        apex_json_integer(json, "car", entries[i].car);
        apex_json_text(json, "name", entries[i].name);
        apex_json_text(json, "carDef", entries[i].car_def);
        apex_json_bool(json, "drivenByServer", entries[i].driven_by_server);
        if (entries[i].has_driver) {
            write_digits(json, "driver", entries[i].driver);
        } else {
            apex_json_text(json, "driver", "");
        }
        apex_json_close(json);
    }
    apex_json_close(json);
}

void page_write_notices(apex_json_writer *json, const apex_client *client) {
    size_t count;
    const char *const *notices = apex_client_notices(client, &count);
    apex_json_open(json, NULL, '[');
    for (size_t i = 0; i < count; i++) {
        apex_json_text(json, NULL, notices[i]);
    }
    apex_json_close(json);
}
