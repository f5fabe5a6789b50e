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

static bool parse(const char *text, uint32_t port_min, client_endpoint *out, const char **why) {
    *out = (client_endpoint){.host = "127.0.0.1", .port = CLIENT_PORT_DEFAULT};
    const char *colon = strchr(text, ':');
    if (colon != NULL && strchr(colon + 1, ':') != NULL) {
        *why = "more than one colon: IPv6 addresses are not supported, give HOST:PORT";
        return false;
    }
    // A host name is never digits only, but people do type just the port.
    const char *port = colon != NULL ? colon + 1 : all_digits(text) ? text : NULL;
    if (port != NULL && !parse_port(port, port_min, &out->port)) {
        *why = port_min == 0 ? "the port must be a number from 0 to 65535"
                             : "the port must be a number from 1 to 65535";
        return false;
    }
    size_t host_length = colon != NULL ? (size_t)(colon - text) : port != NULL ? 0 : strlen(text);
    return set_host(out, text, host_length, why);
}

bool client_endpoint_parse(const char *text, client_endpoint *out, const char **why) {
    return parse(text, 1, out, why);
}

bool client_endpoint_parse_own(const char *text, client_endpoint *out, const char **why) {
    return parse(text, 0, out, why);
}
