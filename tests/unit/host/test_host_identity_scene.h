// A race whose drivers come with keys, and what its tests ask of it.
#pragma once

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "api/api.h"
#include "client-lite/client.h"
#include "host/figures/figures.h"
#include "identity/identity.h"
#include "replicate/replicate.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { DRIVERS = 12 };

static race_rig *rig;
static apex_race_file file;
static apex_driver_key keys[DRIVERS], lobby;
static apex_join_token token;
static char folder[CHECK_PATH_BYTES];

static inline void open_rig(void) {
    rig = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
}

static inline void begin(void) {
    ck_assert(apex_identity_begin());
    for (uint8_t i = 0; i < DRIVERS; i++) {
        uint8_t secret[APEX_DRIVER_SECRET_BYTES] = {(uint8_t)(i + 1), 77};
        apex_driver_key_of(secret, &keys[i]);
    }
    uint8_t secret[APEX_DRIVER_SECRET_BYTES] = {200};
    apex_driver_key_of(secret, &lobby);
    file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.bots = 1;
    file.race.start_players = 20; // it stays in the lobby
    file.race.player_capacity = 20;
    file.race.late_join = true;
    file.race.countdown_s = 1.0;
    file.clients_max = 20;
    check_make_folder(folder, "identity");
    snprintf(file.results_dir, sizeof file.results_dir, "%s", folder);
    open_rig();
}

static inline void end(void) {
    race_rig_destroy(rig);
}

static inline void reopen(void) {
    race_rig_destroy(rig);
    open_rig();
}

static inline bool sign(void *context, const apex_client_sign_for *what, apex_identity *out) {
    const apex_driver_key *key = context;
    const apex_proof_for proof = {what->server_key, what->challenge, what->binding};
    out->has_key = true;
    memcpy(out->key, key->key, sizeof out->key);
    apex_prove(key, &proof, out->signature);
    if (token.expires_s != 0) {
        out->token_length = (uint32_t)apex_join_token_sign(&token, &lobby, out->token);
    }
    return true;
}

// @param key NULL: as a guest.
static inline size_t join(const char *name, const apex_driver_key *key) {
    apex_client_def def = apex_default_client_def();
    def.name = name;
    def.sign = key != NULL ? sign : NULL;
    def.sign_context = (void *)(uintptr_t)key;
    size_t client = race_rig_connect(rig, &def);
    race_rig_tick(rig, 10);
    return client;
}

static inline uint32_t player_of(size_t client) {
    return apex_client_player(race_rig_client(rig, client));
}

static inline const char *name_of(size_t client) {
    static apex_standing lines[64];
    size_t count = apex_race_standings(apex_server_race(race_rig_server(rig)), lines, 64);
    for (size_t i = 0; i < count; i++) {
        if (lines[i].present && apex_player_wire_id(lines[i].player) == player_of(client)) {
            return lines[i].name;
        }
    }
    return "";
}

static inline uint32_t players(void) {
    return apex_race_status_of(apex_server_race(race_rig_server(rig))).players;
}

static inline void leave(size_t client) {
    apex_client_leave(race_rig_client(rig, client));
    race_rig_tick(rig, 10);
}

static inline void assert_closed(size_t client, apex_reason reason) {
    const char *text = "";
    apex_client *one = race_rig_client(rig, client);
    ck_assert_int_eq(apex_client_state_of(one), APEX_CLIENT_CLOSED);
    apex_reason said = apex_client_close_reason(one, &text);
    ck_assert_msg(said == reason, "%d, not %d: %s", said, reason, text);
}

static inline const apex_roster_entry *entry_of(size_t watcher, size_t client) {
    size_t count = 0;
    const apex_roster_entry *roster = apex_client_roster(race_rig_client(rig, watcher), &count);
    for (size_t i = 0; i < count; i++) {
        if (roster[i].player == player_of(client)) {
            return &roster[i];
        }
    }
    ck_abort_msg("he is not in the roster");
    return NULL;
}

static inline void fingerprint_of(const apex_driver_key *key,
                                  char text[APEX_FINGERPRINT_TEXT_BYTES]) {
    uint8_t fingerprint[APEX_FINGERPRINT_BYTES];
    apex_fingerprint(key->key, fingerprint);
    apex_fingerprint_text(fingerprint, text);
}

static inline uint64_t refused(const char *name) {
    host_refusal refusals[HOST_REFUSALS_MAX];
    size_t count = host_refusals(race_rig_server(rig), refusals);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(refusals[i].name, name) == 0) {
            return refusals[i].count;
        }
    }
    ck_abort_msg("there is no counter %s", name);
    return 0;
}

static inline const char *console(const char *line) {
    static char answer[8192];
    memset(answer, 0, sizeof answer);
    FILE *out = fmemopen(answer, sizeof answer - 1, "w");
    apex_server_console(race_rig_server(rig), line, out);
    fclose(out);
    race_rig_tick(rig, 3);
    return answer;
}

static inline void expect_in_console(const char *expected) {
    const char *answer = console("status");
    ck_assert_msg(strstr(answer, expected) != NULL, "no \"%s\" in:\n%s", expected, answer);
}
