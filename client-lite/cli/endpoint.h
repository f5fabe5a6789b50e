/// "HOST:PORT" as people write it.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "client-lite/client.h"

enum { CLIENT_PORT_DEFAULT = 26000, CLIENT_HOST_BYTES = 256 };

typedef struct client_endpoint {
    char host[CLIENT_HOST_BYTES];
    uint16_t port;
    bool has_key;
    uint8_t key[APEX_CLIENT_KEY_BYTES]; ///< by which the server is known
} client_endpoint;

/// "HOST:PORT", "HOST", ":PORT" or "PORT"; what is missing is 127.0.0.1 and 26000. An address of
/// IPv6 stands in brackets if a port follows. "#" and 64 hexadecimal digits behind it all are the
/// server's key, as the server prints it.
/// @return false with *why a sentence for people.
bool client_endpoint_parse(const char *text, client_endpoint *out, const char **why);
/// The same for what is to listen itself: port 0 is any free one.
bool client_endpoint_parse_own(const char *text, client_endpoint *out, const char **why);
