// Addresses: as text, and what of them limits go by.
#include <arpa/inet.h>
#include <string.h>

#include "udp/udp.h"

enum { V4_OFFSET = 12, SUBSCRIBER_BYTES = 8, NEIGHBOURHOOD_BYTES = 6, NEIGHBOURHOOD_V4_BYTES = 3 };

static const uint8_t v4_prefix[V4_OFFSET] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

bool apex_udp_is_v4(const apex_udp_address *address) {
    return memcmp(address->ip, v4_prefix, sizeof v4_prefix) == 0;
}

bool apex_udp_is_same(const apex_udp_address *a, const apex_udp_address *b) {
    return memcmp(a->ip, b->ip, sizeof a->ip) == 0 && a->port == b->port &&
           a->interface == b->interface;
}

bool apex_udp_parse_host(const char *text, apex_udp_address *out) {
    char inner[APEX_UDP_HOST_TEXT_BYTES];
    size_t length = strlen(text);
    bool is_bracketed = length >= 2 && text[0] == '[' && text[length - 1] == ']';
    size_t begin = is_bracketed ? 1 : 0;
    length -= 2 * begin;
    if (length >= sizeof inner) {
        return false;
    }
    memcpy(inner, text + begin, length);
    inner[length] = '\0';
    *out = (apex_udp_address){.port = 0};
    if (!is_bracketed && inet_pton(AF_INET, inner, out->ip + V4_OFFSET) == 1) {
        memcpy(out->ip, v4_prefix, sizeof v4_prefix);
        return true;
    }
    return inet_pton(AF_INET6, inner, out->ip) == 1;
}

void apex_udp_host_text(const apex_udp_address *address, char out[APEX_UDP_HOST_TEXT_BYTES]) {
    bool is_v4 = apex_udp_is_v4(address);
    const void *bytes = is_v4 ? address->ip + V4_OFFSET : address->ip;
    out[0] = '\0';
    inet_ntop(is_v4 ? AF_INET : AF_INET6, bytes, out, APEX_UDP_HOST_TEXT_BYTES);
}

static bool is_near_v4(const uint8_t ip[4]) {
    return ip[0] == 127 || ip[0] == 10 || (ip[0] == 172 && (ip[1] & 0xF0) == 16) ||
           (ip[0] == 192 && ip[1] == 168) || (ip[0] == 169 && ip[1] == 254);
}

bool apex_udp_is_near(const apex_udp_address *address) {
    static const uint8_t loopback[APEX_UDP_IP_BYTES] = {[15] = 1};
    const uint8_t *ip = address->ip;
    if (apex_udp_is_v4(address)) {
        return is_near_v4(ip + V4_OFFSET);
    }
    bool is_private = (ip[0] & 0xFE) == 0xFC;
    bool is_link_local = ip[0] == 0xFE && (ip[1] & 0xC0) == 0x80;
    return is_private || is_link_local || memcmp(ip, loopback, sizeof loopback) == 0;
}

static apex_udp_network first_bytes_of(const apex_udp_address *address, size_t bytes) {
    apex_udp_network network = {{0}};
    memcpy(network.ip, address->ip, bytes);
    return network;
}

apex_udp_network apex_udp_subscriber_of(const apex_udp_address *address) {
    return first_bytes_of(address, apex_udp_is_v4(address) ? APEX_UDP_IP_BYTES : SUBSCRIBER_BYTES);
}

apex_udp_network apex_udp_neighbourhood_of(const apex_udp_address *address) {
    return first_bytes_of(address, apex_udp_is_v4(address) ? V4_OFFSET + NEIGHBOURHOOD_V4_BYTES
                                                           : NEIGHBOURHOOD_BYTES);
}
