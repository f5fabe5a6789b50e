// The rules of a player's name, so that none passes for another.
#include "net/sessions/player_name.h"

#include <string.h>

void net_name_trim(char name[APEX_WIRE_NAME_BYTES]) {
    size_t begin = strspn(name, " ");
    size_t length = strlen(name);
    while (length > begin && name[length - 1] == ' ') {
        length--;
    }
    memmove(name, name + begin, length - begin);
    memset(name + (length - begin), 0, APEX_WIRE_NAME_BYTES - (length - begin));
}

// Characters that nothing is drawn for, or only a blank: with them a name passes for another's, or
// for none at all. The decoder has seen to it that the name is UTF-8 and does not turn its
// direction round.
static const struct {
    uint32_t first, last;
} invisible[] = {
    {0x00A0, 0x00A0}, {0x00AD, 0x00AD},   {0x034F, 0x034F}, {0x061C, 0x061C}, {0x115F, 0x1160},
    {0x17B4, 0x17B5}, {0x180B, 0x180F},   {0x2000, 0x200F}, {0x202F, 0x202F}, {0x205F, 0x206F},
    {0x2800, 0x2800}, {0x3000, 0x3000},   {0x3164, 0x3164}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0}, {0xE0000, 0xE0FFF},
};

static bool is_invisible(uint32_t character) {
    for (size_t i = 0; i < sizeof invisible / sizeof invisible[0]; i++) {
        if (character >= invisible[i].first && character <= invisible[i].last) {
            return true;
        }
    }
    return false;
}

bool net_name_has_invisible(const char *name) {
    const uint8_t *at = (const uint8_t *)name;
    while (*at) {
        size_t bytes = *at < 0x80 ? 1 : *at < 0xE0 ? 2 : *at < 0xF0 ? 3 : 4;
        uint32_t character = bytes == 1 ? *at : *at & (0x7Fu >> bytes);
        for (size_t i = 1; i < bytes; i++) {
            character = character << 6 | (at[i] & 0x3F);
        }
        if (is_invisible(character)) {
            return true;
        }
        at += bytes;
    }
    return false;
}
