// A list that has one bad line counts not at all: half of it would shut out whom its author meant
// to let in.
#include "program/driver_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "identity/identity.h"

enum {
    LINE_BYTES = 512,
    FINGERPRINT_DIGITS = APEX_FINGERPRINT_TEXT_BYTES - 1,
    KEY_DIGITS = 2 * APEX_DRIVER_KEY_BYTES,
};

// @return whether the word is one; of a key the fingerprint is made.
static bool read_word(const char *line, size_t digits, apex_listed_driver *out) {
    char text[KEY_DIGITS + 1] = "";
    if (digits == FINGERPRINT_DIGITS) {
        memcpy(text, line, digits);
        return apex_fingerprint_read(text, out->fingerprint);
    }
    uint8_t key[APEX_DRIVER_KEY_BYTES];
    _Static_assert((int)APEX_DRIVER_KEY_BYTES == (int)APEX_LOBBY_KEY_BYTES, "keys of one kind");
    memcpy(text, line, digits == KEY_DIGITS ? digits : 0);
    bool is_key = apex_lobby_key_read(text, key);
    if (is_key) {
        apex_fingerprint(key, out->fingerprint);
    }
    return is_key;
}

typedef struct list_reader {
    const char *path;
    apex_listed_driver *drivers;
    uint32_t count, capacity;
    char *why;
} list_reader;

static bool fail(const list_reader *reader, uint32_t line, const char *problem) {
    snprintf(reader->why, APEX_HOST_WHY_BYTES, "%.200s:%u: %s", reader->path, line, problem);
    return false;
}

static bool add(list_reader *reader, const apex_listed_driver *driver, uint32_t line) {
    if (reader->count == DRIVER_LIST_MAX) {
        return fail(reader, line, "a list has at most 65536 drivers");
    }
    if (reader->count == reader->capacity) {
        uint32_t capacity = 2 * reader->capacity;
        apex_listed_driver *drivers = realloc(reader->drivers, capacity * sizeof *drivers);
        if (drivers == NULL) {
            return fail(reader, line, "out of memory");
        }
        reader->drivers = drivers;
        reader->capacity = capacity;
    }
    reader->drivers[reader->count++] = *driver;
    return true;
}

static bool take_line(list_reader *reader, const char *text, uint32_t line) {
    text += strspn(text, " \t\r\n");
    if (text[0] == '\0' || text[0] == '#') {
        return true;
    }
    apex_listed_driver driver;
    if (!read_word(text, strcspn(text, " \t\r\n"), &driver)) {
        return fail(reader, line,
                    "expected a driver's fingerprint or public key, 32 or 64 digits and letters a "
                    "to f, as apex-client key shows them; what follows a space is yours");
    }
    return add(reader, &driver, line);
}

static bool read_lines(list_reader *reader, FILE *file) {
    char text[LINE_BYTES];
    for (uint32_t line = 1; fgets(text, sizeof text, file) != NULL; line++) {
        if (strchr(text, '\n') == NULL && strlen(text) == sizeof text - 1) {
            return fail(reader, line, "the line is too long");
        }
        if (!take_line(reader, text, line)) {
            return false;
        }
    }
    return !ferror(file) || fail(reader, 0, "cannot be read");
}
_Static_assert(DRIVER_LIST_MAX == 65536, "the text above says so");

bool driver_list_read(const char *path, apex_listed_driver **drivers, uint32_t *count,
                      char why[APEX_HOST_WHY_BYTES]) {
    enum { FIRST = 64 };
    list_reader reader = {.path = path, .capacity = FIRST, .why = why};
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        snprintf(why, APEX_HOST_WHY_BYTES, "the list of drivers, %.200s: %s", path,
                 strerror(errno));
        return false;
    }
    reader.drivers = calloc(FIRST, sizeof *reader.drivers);
    bool is_good =
        reader.drivers != NULL ? read_lines(&reader, file) : fail(&reader, 0, "out of memory");
    fclose(file);
    if (!is_good) {
        free(reader.drivers);
        return false;
    }
    *drivers = reader.drivers;
    *count = reader.count;
    return true;
}
