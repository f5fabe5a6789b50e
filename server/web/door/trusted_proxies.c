// Parsing the list of trusted proxies, and X-Forwarded-For from its end.
#include "web/door/trusted_proxies.h"

#include <arpa/inet.h>
#include <string.h>

enum { ADDRESS_BYTES = 48, BITS_OF_IPV6 = 128, BITS_OF_MAPPED = 96 };

// @param[out] bits how many the family has
static bool read_address(const char *text, web_address *out, uint32_t *bits) {
    struct in_addr v4;
    *out = (web_address){{0}};
    if (inet_pton(AF_INET6, text, out->bytes) == 1) {
        *bits = BITS_OF_IPV6;
        return true;
    }
    *bits = BITS_OF_IPV6 - BITS_OF_MAPPED;
    out->bytes[10] = out->bytes[11] = 0xff;
    if (inet_pton(AF_INET, text, &v4) != 1) {
        return false;
    }
    memcpy(out->bytes + 12, &v4, sizeof v4);
    return true;
}

static bool read_bits(const char *text, uint32_t most, uint32_t *out) {
    uint32_t bits = 0;
    size_t length = strlen(text);
    for (size_t i = 0; i < length && length <= 3; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        bits = bits * 10 + (uint32_t)(text[i] - '0');
    }
    *out = bits;
    // A network that is everybody trusts everybody.
    return length >= 1 && length <= 3 && bits >= 1 && bits <= most;
}

static bool read_network(char text[ADDRESS_BYTES], web_network *out) {
    char *slash = strchr(text, '/');
    if (slash != NULL) {
        *slash = '\0';
    }
    uint32_t family_bits = 0;
    if (!read_address(text, &out->address, &family_bits)) {
        return false;
    }
    uint32_t bits = family_bits;
    if (slash != NULL && !read_bits(slash + 1, family_bits, &bits)) {
        return false;
    }
    out->bits = BITS_OF_IPV6 - family_bits + bits;
    return true;
}

bool web_proxies_parse(const char *text, web_proxies *out) {
    static const char blanks[] = " \t,";
    *out = (web_proxies){.count = 0};
    for (text += strspn(text, blanks); *text != '\0'; text += strspn(text, blanks)) {
        char word[ADDRESS_BYTES] = "";
        size_t length = strcspn(text, blanks);
        if (length >= sizeof word || out->count == WEB_PROXIES_MAX) {
            return false;
        }
        memcpy(word, text, length);
        if (!read_network(word, &out->networks[out->count++])) {
            return false;
        }
        text += length;
    }
    return true;
}

static bool is_in(const web_network *network, const web_address *address) {
    uint32_t bytes = network->bits / 8, rest = network->bits % 8;
    if (memcmp(network->address.bytes, address->bytes, bytes) != 0) {
        return false;
    }
    uint8_t mask = (uint8_t)(0xff00u >> rest);
    return rest == 0 || ((network->address.bytes[bytes] ^ address->bytes[bytes]) & mask) == 0;
}

bool web_proxies_have(const web_proxies *proxies, const web_address *address) {
    for (uint32_t i = 0; i < proxies->count; i++) {
        if (is_in(&proxies->networks[i], address)) {
            return true;
        }
    }
    return false;
}

static bool is_port(const char *text) {
    size_t digits = strspn(text, "0123456789");
    return digits >= 1 && digits <= 5 && text[digits] == '\0';
}

// "192.0.2.1", "192.0.2.1:4711", "2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:4711".
static bool read_element(web_text element, web_address *out) {
    char text[ADDRESS_BYTES] = "";
    uint32_t bits = 0;
    if (element.length == 0 || element.length >= sizeof text) {
        return false;
    }
    memcpy(text, element.at, element.length);
    if (text[0] == '[') {
        char *bracket = strchr(text, ']');
        if (bracket == NULL ||
            (bracket[1] != '\0' && !(bracket[1] == ':' && is_port(bracket + 2)))) {
            return false;
        }
        *bracket = '\0';
        return read_address(text + 1, out, &bits) && strchr(text + 1, ':') != NULL;
    }
    char *colon = strchr(text, ':');
    if (colon != NULL && strchr(colon + 1, ':') == NULL) { // one alone is no IPv6
        if (!is_port(colon + 1)) {
            return false;
        }
        *colon = '\0';
    }
    return read_address(text, out, &bits);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

// Cuts the last element off. @return false at the list's beginning.
static bool take_last(web_text *list, web_text *out) {
    if (list->at == NULL) {
        return false;
    }
    size_t begin = list->length;
    while (begin > 0 && list->at[begin - 1] != ',') {
        begin--;
    }
    *out = (web_text){list->at + begin, list->length - begin};
    while (out->length > 0 && is_blank(out->at[0])) {
        out->at++;
        out->length--;
    }
    while (out->length > 0 && is_blank(out->at[out->length - 1])) {
        out->length--;
    }
    *list = begin > 0 ? (web_text){list->at, begin - 1} : (web_text){NULL, 0};
    return true;
}

bool web_proxies_read(const web_proxies *proxies, const web_head *head, web_address *address) {
    for (uint32_t i = head->forwarded_count; i > 0; i--) {
        web_text list = head->forwarded[i - 1];
        for (web_text element; take_last(&list, &element);) {
            if (!read_element(element, address)) {
                return false;
            }
            if (!web_proxies_have(proxies, address)) {
                return true;
            }
        }
    }
    return true;
}
