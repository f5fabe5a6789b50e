// The table of well-formed UTF-8, and the controls among its characters.
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

bool apex_utf8_is_control(const char *character, size_t length) {
    const unsigned char *s = (const unsigned char *)character;
    return (length == 1 && (s[0] < 0x20 || s[0] == 0x7f)) ||
           (length == 2 && s[0] == 0xc2 && s[1] < 0xa0);
}
