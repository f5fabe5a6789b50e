/// Servers that the user has been at, and their keys: a file of lines "HOST:PORT KEY". The first
/// key of a place is trusted; another one there later is somebody else, or the server's new one,
/// and only the user can tell which.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "client-lite/cli/endpoint.h"
#include "client-lite/keyring/user_file.h"

enum { CLI_PLACE_BYTES = CLIENT_HOST_BYTES + 16 };

typedef struct cli_known_server {
    char path[CLI_PATH_BYTES];   ///< of the file; "": nothing is kept
    char place[CLI_PLACE_BYTES]; ///< as in the file: "host:port", "[::1]:26000"
    uint32_t line;               ///< counted from 1; 0: it is not in the file
    uint8_t key[APEX_CLIENT_KEY_BYTES];
} cli_known_server;

/// Looks a server up. One on this machine is not kept: who can pretend to be it has the machine.
/// Nor is any where the user's folder is out of his reach, which is complained about.
/// @return false after a complaint: the file is no list, or has a wrong line.
bool cli_known_servers_find(const client_endpoint *server, cli_known_server *out);

/// Puts this key into the file for that server, in place of the one that it had.
/// @return an error of the system; APEX_ERR_FULL; APEX_ERR_PARSE: the file has become something
/// else.
apex_err cli_known_servers_keep(cli_known_server *known, const uint8_t key[APEX_CLIENT_KEY_BYTES]);
