/// What an operator may have read anew while races run: who may come, and the page's certificate.
#pragma once

#include "program/given_race.h"
#include "site/site.h"

/// Borrows all that it points to.
typedef struct server_reload {
    const server_options *options;
    apex_site *site; ///< NULL before there is one
    uint32_t count;
    apex_server *servers[APEX_SITE_RACES_MAX];
    bool has_entry_files; ///< some race names a list of drivers, a password file or lobbies
} server_reload;

/// A further race with its rules, which the server is told.
/// @return false with a sentence in `why`.
bool server_reload_add(server_reload *reload, apex_server *server, const given_race *given,
                       char why[APEX_HOST_WHY_BYTES]);

/// Reads race files, lists of drivers, password files and the certificate anew (apex_server_admit
/// says what counts of a race file). If one of them is not fit nothing changes, and the log says
/// why as well. @param context a server_reload
bool server_reload_all(void *context, char said[APEX_WEB_WHY_BYTES]);
/// SIGHUP may ask for that: there is something besides race files to be read.
bool server_reload_has_files(const server_reload *reload);
