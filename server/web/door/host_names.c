// Comparing Host and Origin of a request with the names that this server goes by.
#include "web/door/host_names.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

bool web_is_loopback_name(const char *name) {
    return strcasecmp(name, "localhost") == 0 || strcmp(name, "::1") == 0 ||
           strncmp(name, "127.", 4) == 0;
}

// "[::1]:8080" and "localhost:8080" without their ports, and the first without brackets.
static web_text name_of(web_text host) {
    if (host.length > 0 && host.at[0] == '[') {
        const char *bracket = memchr(host.at, ']', host.length);
        size_t length = bracket != NULL ? (size_t)(bracket - host.at) - 1 : host.length - 1;
        return (web_text){host.at + 1, length};
    }
    const char *colon = host.at != NULL ? memchr(host.at, ':', host.length) : NULL;
    return colon != NULL ? (web_text){host.at, (size_t)(colon - host.at)} : host;
}

// "https://a.example:8443" without its scheme. @return false without one.
static bool authority_of(web_text origin, web_text *out) {
    for (size_t i = 0; i + 3 <= origin.length; i++) {
        if (memcmp(origin.at + i, "://", 3) == 0) {
            *out = (web_text){origin.at + i + 3, origin.length - i - 3};
            return out->length > 0;
        }
    }
    return false;
}

static bool is_same(web_text a, web_text b) {
    return a.length == b.length && strncasecmp(a.at, b.at, a.length) == 0;
}

// The next of the origins that blanks separate. @return false after the last.
static bool take_origin(const char **rest, web_text *out) {
    *rest += strspn(*rest, " \t,");
    *out = (web_text){*rest, strcspn(*rest, " \t,")};
    *rest += out->length;
    return out->length > 0;
}

// Digits and dots, or colons: no page can be of an address that is not its own.
static bool is_literal(web_text name) {
    char text[48] = "";
    uint8_t bytes[16];
    if (name.length == 0 || name.length >= sizeof text) {
        return false;
    }
    memcpy(text, name.at, name.length);
    return inet_pton(AF_INET, text, bytes) == 1 || inet_pton(AF_INET6, text, bytes) == 1;
}

bool web_host_is_ours(const web_head *head, const char *address, const char *hosts,
                      const char *origins) {
    bool is_local = web_is_loopback_name(address);
    if (!is_local && hosts[0] == '\0') {
        return true; // nobody has said what it is called
    }
    if (!head->has_host) {
        return false;
    }
    web_text name = name_of(head->host);
    if (name.length == 0) {
        return false;
    }
    if (web_text_is(name, "localhost") || web_text_is(name, "127.0.0.1") ||
        web_text_is(name, "::1") || web_text_is(name, address) || (!is_local && is_literal(name))) {
        return true;
    }
    for (web_text host; take_origin(&hosts, &host);) {
        if (is_same(host, name)) {
            return true;
        }
    }
    for (web_text origin; take_origin(&origins, &origin);) {
        web_text authority;
        if (authority_of(origin, &authority) && is_same(name_of(authority), name)) {
            return true;
        }
    }
    return false;
}

bool web_origin_is_ours(const web_head *head, const char *origins) {
    if (!head->has_origin) {
        return true;
    }
    web_text authority;
    if (!authority_of(head->origin, &authority)) {
        return false; // "null": a page without an origin, for instance a sandboxed one
    }
    if (head->has_host && is_same(authority, head->host)) {
        return true;
    }
    for (web_text origin; take_origin(&origins, &origin);) {
        if (is_same(origin, head->origin)) {
            return true;
        }
    }
    return false;
}
