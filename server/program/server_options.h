/// The command line of apex-server.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/log.h"
#include "host/host.h"
#include "site/site.h"

/// Numbers that were not given are -1, texts NULL.
typedef struct server_options {
    uint32_t config_count;
    const char *configs[APEX_SITE_RACES_MAX]; ///< a race each
    const char *content, *track, *car, *address, *password, *results, *record, *web, *replays,
        *web_certificate, *web_key, *key_file, *password_file, *drivers;
    int64_t laps, players, bots, races, port, clients, per_address, resume_grace, wait_ms, tick_hz,
        snapshot_hz, workers, replays_mib, seed, damage, password_for, plain, guests;
    uint32_t lobby_key_count;
    const char *lobby_keys[APEX_RACE_LOBBIES_MAX];
    double speed; ///< 0: as fast as possible
    apex_log_format log_format;
    apex_log_level log_level;
    bool token_needed, invite, help, version;
    int first_argument; ///< index in argv of what is not an option
} server_options;

/// @return false after a line on stderr that says what is wrong.
bool server_options_parse(int argc, char **argv, server_options *out);
void server_options_help(FILE *out);

/// Puts what was given over a race file's values. @return false with a sentence in `why`.
bool server_options_apply(const server_options *options, apex_race_file *file,
                          char why[APEX_HOST_WHY_BYTES]);
