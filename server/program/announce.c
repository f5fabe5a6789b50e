// Addresses of the page for the log: for this machine, and for friends.

#include "program/announce.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "program/qr.h"
#include "web/web.h"

static bool is_every_address(const char *address) {
    return address[0] == '\0' || strcmp(address, "::") == 0 || strcmp(address, "0.0.0.0") == 0;
}

// To be typed into a browser on another machine, or read from a terminal by a telephone's camera.
static void announce_places(const apex_listen *listen, uint16_t port, bool is_tls) {
    apex_web_place places[APEX_WEB_PLACES_MAX];
    size_t count = apex_web_places(listen->address, port, is_tls, places);
    if (count == 0) {
        apex_log(APEX_LOG_WARN, "main", "this machine has no address that others could reach");
        return;
    }
    for (size_t i = 0; i < count; i++) {
        apex_log(APEX_LOG_INFO, "main", "for friends: %s (%s)", places[i].url, places[i].name);
    }
    if (qr_fits(stderr)) {
        (void)qr_draw(places[0].url, stderr);
    }
}

void announce_page(const apex_listen *listen, uint16_t port, bool is_tls) {
    const char *address = listen->address;
    if (!listen->on) {
        apex_log(APEX_LOG_INFO, "main", "no page: it is off");
        return;
    }
    bool is_every = is_every_address(address);
    bool is_ipv6 = !is_every && strchr(address, ':') != NULL;
    apex_log(APEX_LOG_INFO, "main", is_ipv6 ? "page: %s://[%s]:%u/" : "page: %s://%s:%u/",
             is_tls ? "https" : "http", is_every ? "localhost" : address, (unsigned)port);
    if (is_every) {
        announce_places(listen, port, is_tls);
    }
}
