// Addresses of the page for the log: for this machine, and for friends. A log is read by others,
// and kept: a password stands in it where it is a terminal, and the operator has asked for that.

#include "program/announce.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "program/qr.h"
#include "web/web.h"

static bool is_every_address(const char *address) {
    return address[0] == '\0' || strcmp(address, "::") == 0 || strcmp(address, "0.0.0.0") == 0;
}

enum { INVITATION_BYTES = APEX_WEB_PLACE_BYTES + 32 + 3 * APEX_NAME_BYTES };

// Behind the #, which browsers send to no server. What a link cannot have is written as %25.
static void put_password(char out[INVITATION_BYTES], const char *password) {
    size_t length = strlen(out);
    for (const unsigned char *c = (const unsigned char *)password; *c != '\0'; c++) {
        bool is_plain = *c < 0x80 && (isalnum(*c) || strchr("-._~", *c) != NULL);
        length += (size_t)snprintf(out + length, INVITATION_BYTES - length,
                                   is_plain ? "%c" : "%%%02X", *c);
    }
}

// A password is a race's: of several races each has a link of its own.
static void invite(const apex_web_place *place, const page_passwords *passwords, uint32_t race,
                   char out[INVITATION_BYTES]) {
    char path[16] = "";
    if (passwords->race_count > 1) {
        snprintf(path, sizeof path, "race/%u", race + 1);
    }
    snprintf(out, INVITATION_BYTES, "%s%s#password=", place->url, path);
    put_password(out, passwords->of_races[race]);
}

static bool has_any(const page_passwords *passwords) {
    bool has = false;
    for (uint32_t i = 0; i < passwords->race_count; i++) {
        has = has || passwords->of_races[i][0] != '\0';
    }
    return has;
}

// @param[out] first of the links, for the picture
static void announce_invitations(const apex_web_place *place, const page_passwords *passwords,
                                 char first[INVITATION_BYTES]) {
    for (uint32_t race = 0; race < passwords->race_count; race++) {
        char link[INVITATION_BYTES];
        if (passwords->of_races[race][0] == '\0') {
            continue;
        }
        invite(place, passwords, race, link);
        apex_log(APEX_LOG_INFO, "main", "with the password: %s", link);
        if (first[0] == '\0') {
            memcpy(first, link, sizeof link);
        }
    }
}

static void announce_passwords(const apex_web_place *place, const page_passwords *passwords,
                               char first[INVITATION_BYTES]) {
    if (!has_any(passwords)) {
        return;
    }
    if (!passwords->are_shown) {
        apex_log(APEX_LOG_INFO, "main",
                 "they are asked for the password; --invite puts it into the link, on a terminal");
    } else if (isatty(STDERR_FILENO) != 1) {
        apex_log(APEX_LOG_WARN, "main",
                 "--invite: the password is not put into a log that is no terminal");
    } else {
        announce_invitations(place, passwords, first);
    }
}

// To be typed into a browser on another machine, or read from a terminal by a telephone's camera.
static void announce_places(const apex_listen *listen, uint16_t port, bool is_tls,
                            const page_passwords *passwords) {
    apex_web_place places[APEX_WEB_PLACES_MAX];
    size_t count = apex_web_places(listen->address, port, is_tls, places);
    if (count == 0) {
        apex_log(APEX_LOG_WARN, "main", "this machine has no address that others could reach");
        return;
    }
    for (size_t i = 0; i < count; i++) {
        apex_log(APEX_LOG_INFO, "main", "for friends: %s (%s)", places[i].url, places[i].name);
    }
    char invitation[INVITATION_BYTES] = "";
    announce_passwords(&places[0], passwords, invitation);
    if (qr_fits(stderr)) {
        (void)qr_draw(invitation[0] != '\0' ? invitation : places[0].url, stderr);
    }
}

void announce_page(const apex_listen *listen, uint16_t port, bool is_tls,
                   const page_passwords *passwords) {
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
        announce_places(listen, port, is_tls, passwords);
    }
}
