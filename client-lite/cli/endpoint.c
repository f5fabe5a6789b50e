// A colon parts host and port; digits alone are a port.
#include "client-lite/cli/endpoint.h"

#include <string.h>

static bool parse_port(const char *text, uint32_t min, uint16_t *port) {
    uint32_t value = 0;
    size_t digits = strlen(text);
    if (digits == 0 || digits > 5) {
        return false;
    }
    for (; *text; text++) {
        if (*text < '0' || *text > '9') {
            return false;
        }
        value = value * 10 + (uint32_t)(*text - '0');
    }
    if (value < min || value > UINT16_MAX) {
        return false;
    }
    *port = (uint16_t)value;
    return true;
}

static bool all_digits(const char *text) {
    return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

static bool set_host(client_endpoint *out, const char *host, size_t length, const char **why) {
    if (length >= CLIENT_HOST_BYTES) {
        *why = "the host name is too long";
        return false;
    }
    if (length > 0) {
        memcpy(out->host, host, length);
        out->host[length] = '\0';
    }
    return true;
}

static bool parse_key(const char *hex, client_endpoint *out) {
    for (size_t i = 0; i < sizeof out->key; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *high = hex[2 * i] != '\0' ? strchr(digits, hex[2 * i]) : NULL;
        const char *low =
            high != NULL && hex[2 * i + 1] != '\0' ? strchr(digits, hex[2 * i + 1]) : NULL;
        if (low == NULL) {
            return false;
        }
        out->key[i] = (uint8_t)((high - digits) << 4 | (low - digits));
    }
    out->has_key = true;
    return hex[2 * sizeof out->key] == '\0';
}

// @return where the host ends: at the colon before a port, or at the end. Brackets belong to it,
// and so do the colons of an address of IPv6 that has none.
static const char *end_of_host(const char *text, const char *end) {
    const char *bracket = text[0] == '[' ? strchr(text, ']') : NULL;
    const char *from = bracket != NULL && bracket < end ? bracket : text;
    const char *colon = memchr(from, ':', (size_t)(end - from));
    bool is_v6 = bracket == NULL && colon != NULL &&
                 memchr(colon + 1, ':', (size_t)(end - colon - 1)) != NULL;
    return colon != NULL && !is_v6 ? colon : end;
}

static bool parse_place(const char *text, uint32_t port_min, client_endpoint *out,
                        const char **why) {
    const char *end = text + strlen(text);
    const char *host_end = end_of_host(text, end);
    // A host name is never digits only, but people do type just the port.
    const char *port = host_end < end ? host_end + 1 : all_digits(text) ? text : NULL;
    if (port != NULL && !parse_port(port, port_min, &out->port)) {
        *why = port_min == 0 ? "the port must be a number from 0 to 65535"
                             : "the port must be a number from 1 to 65535";
        return false;
    }
    size_t host_length = port == text ? 0 : (size_t)(host_end - text);
    bool is_bracketed = host_length > 2 && text[0] == '[' && text[host_length - 1] == ']';
    return is_bracketed ? set_host(out, text + 1, host_length - 2, why)
                        : set_host(out, text, host_length, why);
}

static bool parse(const char *text, uint32_t port_min, client_endpoint *out, const char **why) {
    char place[CLIENT_HOST_BYTES + 16];
    const char *mark = strchr(text, '#');
    size_t length = mark != NULL ? (size_t)(mark - text) : strlen(text);
    *out = (client_endpoint){.host = "127.0.0.1", .port = CLIENT_PORT_DEFAULT};
    if (mark != NULL && !parse_key(mark + 1, out)) {
        *why = "behind # the server's key is expected, 64 digits and letters from a to f";
        return false;
    }
    if (length >= sizeof place) {
        *why = "the host name is too long";
        return false;
    }
    memcpy(place, text, length);
    place[length] = '\0';
    return parse_place(place, port_min, out, why);
}

bool client_endpoint_parse(const char *text, client_endpoint *out, const char **why) {
    return parse(text, 1, out, why);
}

bool client_endpoint_parse_own(const char *text, client_endpoint *out, const char **why) {
    return parse(text, 0, out, why);
}
