// The page's place, as people write "ADDRESS:PORT", and the form of its operators' token.
#include <string.h>

#include "content/content.h"

static bool take_port(const char *text, uint16_t *port) {
    uint32_t value = 0;
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 5 || text[digits] != '\0') {
        return false;
    }
    for (size_t i = 0; i < digits; i++) {
        value = value * 10 + (uint32_t)(text[i] - '0');
    }
    *port = (uint16_t)value;
    return value <= 65535;
}

// The address of "[::1]:8080" stands in brackets, which are not part of it.
static bool take_address(const char *text, size_t length, char *out, size_t bytes) {
    bool bracketed = text[0] == '[' && text[length - 1] == ']';
    if (bracketed) {
        text++;
        length -= 2;
    } else if (memchr(text, ':', length) != NULL) {
        return false; // which of the colons is before the port?
    }
    if (length >= bytes || strcspn(text, " []") < length) {
        return false;
    }
    memcpy(out, text, length);
    out[length] = '\0';
    return true;
}

bool apex_listen_parse(const char *text, apex_listen *out) {
    apex_listen listen = {.on = true, .address = "localhost"};
    if (strcmp(text, "off") == 0) {
        *out = (apex_listen){.on = false};
        return true;
    }
    const char *colon = strrchr(text, ':');
    const char *port = colon != NULL ? colon + 1 : text;
    bool fits = colon == NULL ||
                take_address(text, (size_t)(colon - text), listen.address, sizeof listen.address);
    if (!fits || !take_port(port, &listen.port)) {
        return false;
    }
    *out = listen;
    return true;
}

const char *apex_web_token_problem(const char *token) {
    size_t length = strlen(token);
    if (length == 0) {
        return NULL;
    }
    for (size_t i = 0; i < length; i++) {
        // Only characters of a header: browsers send no other, and blanks at its ends get lost.
        if (token[i] <= ' ' || token[i] > '~') {
            return "letters, digits and signs only: no blanks, nothing beyond ASCII";
        }
    }
    if (length < APEX_WEB_TOKEN_LENGTH_MIN) {
        return "too short to be safe; 12 characters at least";
    }
    return length > APEX_WEB_TOKEN_LENGTH_MAX ? "too long; 127 characters at most" : NULL;
}
