// What a race file says of drivers, as sessions are told it.
#include "host/entry_rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "host/host_private.h"

_Static_assert((int)APEX_RACE_LOBBIES_MAX == (int)APEX_LOBBIES_MAX, "a file names as many");
_Static_assert((int)APEX_LOBBY_KEY_BYTES == (int)APEX_DRIVER_KEY_BYTES, "of the same kind");

static void fill_rules(const apex_race_file *file, apex_entry_def *out) {
    out->key_needed = !file->guests;
    out->token_needed = file->token_needed;
    out->any_audience = file->any_audience;
    out->lobby_count = file->lobby_key_count;
    memcpy(out->lobbies, file->lobby_keys, sizeof out->lobbies);
}

void host_fill_entry(const apex_server_def *def, const uint8_t *server_key, apex_entry_def *out) {
    *out = (apex_entry_def){0};
    apex_seal_door door;
    if (server_key == NULL && def->has_seal_secret) {
        apex_seal_door_init(&door, def->seal_secret);
        server_key = door.key;
    }
    if (server_key == NULL) {
        return;
    }
    out->has_server_key = true;
    memcpy(out->server_key, server_key, sizeof out->server_key);
    fill_rules(&def->file, out);
    out->race = def->race > 0 ? def->race : 1;
    out->unix_ahead_us = def->unix_us - def->now_us;
    out->began_us = def->now_us;
    out->used = def->used_tokens;
}

apex_held_names *apex_held_names_create(void) {
    apex_held_names *held = calloc(1, sizeof *held);
    if (held != NULL && host_held_names_create(held, APEX_STORE_NAMES_MAX) != APEX_OK) {
        apex_held_names_destroy(held);
        return NULL;
    }
    return held;
}

void apex_held_names_destroy(apex_held_names *held) {
    if (held != NULL) {
        host_held_names_destroy(held);
        free(held);
    }
}

apex_err apex_server_admit(apex_server *server, const apex_race_file *file,
                           const apex_listed_driver drivers[], uint32_t count) {
    APEX_ASSERT(server->setup.holds_names);
    apex_entry_def entry = {0};
    fill_rules(file, &entry);
    bool is_watching_open = file->password_for == APEX_PASSWORD_FOR_DRIVE;
    apex_sessions *sessions = server->network.sessions;
    apex_err err = apex_sessions_ask(sessions, &entry, file->password, is_watching_open);
    if (err != APEX_OK) {
        return err;
    }
    apex_race_file *told = &server->setup.file; // the page asks it for the password
    memcpy(told->password, file->password, sizeof told->password);
    told->password_for = file->password_for;
    return apex_sessions_list(sessions, drivers, count);
}
