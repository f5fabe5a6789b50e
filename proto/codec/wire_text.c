// Names and texts of other people end up in terminals, logs and web pages, so what could garble
// those never enters: broken UTF-8, control characters, and characters that break a line or turn
// its direction round.
#include "proto/proto.h"

#include <assert.h>
#include <string.h>

static size_t sequence_bytes(uint8_t lead) {
    if (lead < 0x80) {
        return 1;
    }
    if (lead < 0xC2) { // a continuation, or an overlong form
        return 0;
    }
    return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
}

static bool is_printable(uint32_t c) {
    bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
    bool line_or_direction = (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    return !control && !line_or_direction;
}

// @return bytes of the first character, or 0 if it is none that may stand in a text.
static size_t character_bytes(const char *text, size_t length) {
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    const uint8_t *bytes = (const uint8_t *)text;
    size_t count = sequence_bytes(bytes[0]);
    if (count == 0 || count > length) {
        return 0;
    }
    uint32_t c = count == 1 ? bytes[0] : bytes[0] & (0x7Fu >> count);
    for (size_t i = 1; i < count; i++) {
        if ((bytes[i] & 0xC0) != 0x80) {
            return 0;
        }
        c = c << 6 | (bytes[i] & 0x3F);
    }
    bool surrogate = c >= 0xD800 && c <= 0xDFFF;
    bool legal = c >= least[count] && c <= 0x10FFFF && !surrogate && is_printable(c);
    return legal ? count : 0;
}

bool apex_wire_text_ok(const char *text, size_t length) {
    while (length > 0) {
        size_t bytes = character_bytes(text, length);
        if (bytes == 0) {
            return false;
        }
        text += bytes;
        length -= bytes;
    }
    return true;
}

void apex_wire_text(char *out, size_t size, const char *text) {
    assert(size > 0);
    size_t left = strlen(text);
    size_t used = 0;
    while (left > 0) {
        size_t bytes = character_bytes(text, left);
        size_t needed = bytes > 0 ? bytes : 1;
        if (needed > size - 1 - used) {
            break;
        }
        if (bytes > 0) {
            memcpy(out + used, text, bytes);
        } else {
            out[used] = '?';
        }
        used += needed;
        text += needed;
        left -= needed;
    }
    memset(out + used, 0, size - used);
}
