// A lobby's key is 64 hexadecimal digits, as "apex-server token key" prints it.
#include "content/race_file/lobby_keys.h"

#include <string.h>

#include "content/document/problem.h"
#include "content/document/value.h"

static int digit_of(char character) {
    static const char digits[] = "0123456789abcdef";
    char small = character >= 'A' && character <= 'F' ? (char)(character - 'A' + 'a') : character;
    const char *at = small != '\0' ? strchr(digits, small) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

bool apex_lobby_key_read(const char *text, uint8_t out[APEX_LOBBY_KEY_BYTES]) {
    if (strlen(text) != (size_t)2 * APEX_LOBBY_KEY_BYTES) {
        return false;
    }
    for (size_t i = 0; i < APEX_LOBBY_KEY_BYTES; i++) {
        int high = digit_of(text[2 * i]), low = digit_of(text[2 * i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        out[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

static bool read_key(content_reader *reader, const yaml_node_t *item, size_t index, void *base) {
    (void)index;
    apex_race_file *file = base;
    char text[APEX_CONTENT_PATH_BYTES];
    if (!content_read_text(reader, item, text, sizeof text)) {
        return false;
    }
    uint8_t *key = file->lobby_keys[file->lobby_key_count];
    if (!apex_lobby_key_read(text, key)) {
        return content_fail(reader, item->start_mark, APEX_ERR_PARSE,
                            "'%.80s' is no lobby's key: expected 64 digits and letters a to f, as "
                            "apex-server token key prints them; with only digits it needs quotes",
                            text);
    }
    for (uint32_t i = 0; i < file->lobby_key_count; i++) {
        if (memcmp(file->lobby_keys[i], key, APEX_LOBBY_KEY_BYTES) == 0) {
            return content_fail(reader, item->start_mark, APEX_ERR_PARSE,
                                "'%.80s' is in the list already", text);
        }
    }
    file->lobby_key_count++;
    return true;
}

bool content_read_lobby_keys(content_reader *reader, const yaml_node_t *node, void *base) {
    apex_race_file *file = base;
    file->lobby_key_count = 0;
    return content_need_list(reader, node, 0, APEX_RACE_LOBBIES_MAX) &&
           content_read_items(reader, node, read_key, file);
}

void content_write_lobby_keys(content_writer *writer, const void *base) {
    (void)base; // the default has none, and nothing else is written
    fprintf(writer->out, "%*s[]\n", writer->indent + 2, "");
}
