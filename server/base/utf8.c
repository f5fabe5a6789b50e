// The table of well-formed UTF-8, and the characters of it that nobody sees.
#include "base/utf8.h"

static bool are_continuations(const unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if ((bytes[i] & 0xc0) != 0x80) {
            return false;
        }
    }
    return true;
}

size_t apex_utf8_length(const char *text, size_t left) {
    static const struct {
        unsigned char first_min, first_max, second_min, second_max;
        size_t length;
    } rows[] = {
        {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    const unsigned char *s = (const unsigned char *)text;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        size_t length = rows[row].length;
        if (s[0] < rows[row].first_min || s[0] > rows[row].first_max) {
            continue;
        }
        bool is_whole =
            length == 1 || (length <= left && s[1] >= rows[row].second_min &&
                            s[1] <= rows[row].second_max && are_continuations(s + 2, length - 2));
        return is_whole ? length : 0;
    }
    return 0;
}

uint32_t apex_utf8_code(const char *character, size_t length) {
    const unsigned char *s = (const unsigned char *)character;
    uint32_t code = length == 1 ? s[0] : s[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        code = code << 6 | (s[i] & 0x3fu);
    }
    return code;
}

bool apex_utf8_is_hidden(const char *character, size_t length) {
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x0, 0x1f},        {0x7f, 0x9f},       {0xad, 0xad},       {0x34f, 0x34f},
        {0x61c, 0x61c},     {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180b, 0x180f},
        {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},   {0x3164, 0x3164},
        {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},   {0xfff0, 0xfff8},
        {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
    };
    if (length == 1 && *character >= ' ' && *character < 0x7f) {
        return false; // nearly always
    }
    uint32_t code = apex_utf8_code(character, length);
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (code >= ranges[i].first && code <= ranges[i].last) {
            return true;
        }
    }
    return false;
}
