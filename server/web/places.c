// URLs by which others reach a page that listens on every address.
#include "web/places.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static bool is_ipv6(const uv_interface_address_t *found) {
    return found->address.address4.sin_family == AF_INET6;
}

static bool is_for_others(const uv_interface_address_t *found) {
    if (found->is_internal) {
        return false;
    }
    // A link-local address needs the name of an interface, which no browser takes.
    return !is_ipv6(found) || !IN6_IS_ADDR_LINKLOCAL(&found->address.address6.sin6_addr);
}

static bool write_address(const uv_interface_address_t *found, char out[INET6_ADDRSTRLEN]) {
    int failed = is_ipv6(found) ? uv_ip6_name(&found->address.address6, out, INET6_ADDRSTRLEN)
                                : uv_ip4_name(&found->address.address4, out, INET6_ADDRSTRLEN);
    return failed == 0;
}

// Of `first`, or of all others.
static size_t add_places(const web_places_def *def, bool wants_first, size_t count,
                         apex_web_place out[APEX_WEB_PLACES_MAX]) {
    for (int i = 0; i < def->found_count && count < APEX_WEB_PLACES_MAX; i++) {
        const uv_interface_address_t *found = &def->found[i];
        char address[INET6_ADDRSTRLEN];
        if (!is_for_others(found) || (def->ipv4_only && is_ipv6(found)) ||
            !write_address(found, address) || (strcmp(address, def->first) == 0) != wants_first) {
            continue;
        }
        apex_web_place *place = &out[count++];
        snprintf(place->url, sizeof place->url, is_ipv6(found) ? "%s://[%s]:%u/" : "%s://%s:%u/",
                 def->is_tls ? "https" : "http", address, (unsigned)def->port);
        snprintf(place->name, sizeof place->name, "%.*s", (int)sizeof place->name - 1, found->name);
    }
    return count;
}

size_t web_places_of(const web_places_def *def, apex_web_place out[APEX_WEB_PLACES_MAX]) {
    return add_places(def, false, add_places(def, true, 0, out), out);
}

// The address from which this machine speaks to the world: of several networks the one that most
// people share with it, and no container's bridge. A UDP socket that is connected sends nothing;
// the address is one for documents (RFC 5737).
static void find_first(char out[INET_ADDRSTRLEN]) {
    struct sockaddr_in far, own = {0};
    socklen_t length = sizeof own;
    out[0] = '\0';
    int file = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (file < 0) {
        return;
    }
    bool is_known = uv_ip4_addr("198.51.100.1", 9, &far) == 0 &&
                    connect(file, (const struct sockaddr *)&far, sizeof far) == 0 &&
                    getsockname(file, (struct sockaddr *)&own, &length) == 0;
    if (is_known) {
        (void)uv_ip4_name(&own, out, INET_ADDRSTRLEN);
    }
    close(file);
}

size_t apex_web_places(const char *address, uint16_t port, bool is_tls,
                       apex_web_place out[APEX_WEB_PLACES_MAX]) {
    bool is_any = address[0] == '\0' || strcmp(address, "::") == 0;
    bool is_any_ipv4 = strcmp(address, "0.0.0.0") == 0;
    uv_interface_address_t *found = NULL;
    int found_count = 0;
    if ((!is_any && !is_any_ipv4) || uv_interface_addresses(&found, &found_count) != 0) {
        return 0;
    }
    char first[INET_ADDRSTRLEN];
    find_first(first);
    const web_places_def def = {.found = found,
                                .found_count = found_count,
                                .first = first,
                                .port = port,
                                .ipv4_only = is_any_ipv4,
                                .is_tls = is_tls};
    size_t count = web_places_of(&def, out);
    uv_free_interface_addresses(found, found_count);
    return count;
}
