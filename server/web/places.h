/// Addresses of interfaces as addresses of a page, for the module and its tests.
#pragma once

#include <uv.h>

#include "web/web.h"

typedef struct web_places_def {
    const uv_interface_address_t *found; ///< of all interfaces
    int found_count;
    const char *first; ///< the address that comes first, if it is among them
    uint16_t port;
    bool ipv4_only, is_tls;
} web_places_def;

size_t web_places_of(const web_places_def *def, apex_web_place out[APEX_WEB_PLACES_MAX]);
