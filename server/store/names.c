// The file of names that drivers hold. A line is short and reads itself, so that an operator can
// strike one out while no server runs.
#include "store/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/log.h"
#include "base/utf8.h"
#include "store/disk.h"

enum {
    LINE_BYTES = 128, // a line has 20 + 1 + 32 + 1 + 31 and the feed at most
    LINES_MAX = 16 * APEX_STORE_NAMES_MAX,
};

// How each line begins. Many a program keeps a names.txt.
static const char LINE_FORM[] = "# ";

static void names_path(const apex_store *store, char path[STORE_FILE_PATH_BYTES]) {
    snprintf(path, STORE_FILE_PATH_BYTES, "%s/names.txt", store->directory);
}

bool store_has_names(const apex_store *store) {
    char path[STORE_FILE_PATH_BYTES];
    names_path(store, path);
    return access(path, F_OK) == 0;
}

apex_err store_open_names(apex_store *store) {
    char path[STORE_FILE_PATH_BYTES];
    names_path(store, path);
    store_journal_def def = {.path = path, .form = LINE_FORM};
    return store_journal_open(&store->names, &def);
}

bool store_is_guest(const apex_store_who *who) {
    return !who->is_server && !who->has_driver;
}

void store_put_driver(apex_json_writer *json, const apex_store_who *who) {
    char text[APEX_FINGERPRINT_TEXT_BYTES];
    if (who->has_driver) {
        apex_fingerprint_text(who->driver, text);
        apex_json_text(json, "driver", text);
    } else {
        apex_json_null(json, "driver");
    }
}

void store_put_name(apex_text_writer *lines, const apex_held_name *name) {
    char text[APEX_FINGERPRINT_TEXT_BYTES], line[LINE_BYTES];
    apex_fingerprint_text(name->driver, text);
    int length = snprintf(line, sizeof line, "%llu %s %.*s\n", (unsigned long long)name->unix_s,
                          text, APEX_NAME_BYTES - 1, name->name);
    apex_text_put(lines, line, (size_t)length);
}

static bool read_seconds(const char **text, uint64_t *out) {
    size_t digits = strspn(*text, "0123456789");
    if (digits == 0 || digits > 12 || (*text)[digits] != ' ') {
        return false;
    }
    *out = strtoull(*text, NULL, 10);
    *text += digits + 1;
    return true;
}

static bool is_name(const char *text) {
    size_t left = strlen(text);
    bool is_good = left > 0 && left < APEX_NAME_BYTES;
    while (is_good && left > 0) {
        size_t length = apex_utf8_length(text, left);
        is_good = length > 0 && !apex_utf8_is_hidden(text, length);
        text += length;
        left -= length;
    }
    return is_good;
}

// Without its feed.
static bool read_line(const char *line, apex_held_name *out) {
    enum { DIGITS = APEX_FINGERPRINT_TEXT_BYTES - 1 };
    char fingerprint[APEX_FINGERPRINT_TEXT_BYTES] = "";
    *out = (apex_held_name){0};
    if (!read_seconds(&line, &out->unix_s) || strnlen(line, DIGITS + 2) < DIGITS + 2 ||
        line[DIGITS] != ' ') {
        return false;
    }
    memcpy(fingerprint, line, DIGITS);
    const char *name = line + DIGITS + 1;
    if (!apex_fingerprint_read(fingerprint, out->driver) || !is_name(name)) {
        return false;
    }
    memcpy(out->name, name, strlen(name));
    return true;
}

typedef struct name_list {
    apex_held_name *at;
    size_t count, capacity;
    uint64_t unread; // lines that are none
} name_list;

static bool add(name_list *list, const apex_held_name *name) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 64 : 2 * list->capacity;
        apex_held_name *at = realloc(list->at, capacity * sizeof *at);
        if (at == NULL) {
            return false;
        }
        list->at = at;
        list->capacity = capacity;
    }
    list->at[list->count++] = *name;
    return true;
}

// @return false: no memory.
static bool take_line(name_list *list, const char *line, size_t length) {
    apex_held_name name;
    bool is_good = length < LINE_BYTES && strlen(line) == length && list->count < LINES_MAX &&
                   read_line(line, &name);
    list->unread += !is_good;
    return !is_good || add(list, &name);
}

static apex_err read_lines(FILE *file, name_list *list) {
    char line[LINE_BYTES];
    size_t length = 0; // of the whole line, however much of it there is room for
    for (int byte = getc(file); byte != EOF; byte = getc(file)) {
        if (byte != '\n') {
            if (length < LINE_BYTES - 1) {
                line[length] = (char)byte;
            }
            length++;
            continue;
        }
        line[length < LINE_BYTES ? length : LINE_BYTES - 1] = '\0';
        if (!take_line(list, line, length)) {
            return APEX_ERR_NO_MEMORY;
        }
        length = 0;
    }
    return ferror(file) ? APEX_ERR_IO : APEX_OK;
}

apex_err apex_store_read_names(const apex_store *store, apex_held_name **out, size_t *count) {
    *out = NULL;
    *count = 0;
    if (store->names.file < 0) {
        return APEX_OK; // nothing is written, or no name has been
    }
    char path[STORE_FILE_PATH_BYTES];
    names_path(store, path);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return apex_err_from_errno(errno);
    }
    name_list list = {0};
    apex_err err = read_lines(file, &list);
    fclose(file);
    if (err != APEX_OK) {
        free(list.at);
        return err;
    }
    if (list.unread > 0) {
        apex_log(
            APEX_LOG_WARN, "store",
            "%s: %llu lines cannot be read and are left out; each is: SECONDS FINGERPRINT NAME",
            path, (unsigned long long)list.unread);
    }
    *out = list.at;
    *count = list.count;
    return APEX_OK;
}

// What a crash left of an earlier try is no loss: the file itself was not touched.
static apex_err replace(apex_store *store, const char *lines, size_t length) {
    char path[STORE_FILE_PATH_BYTES], fresh[STORE_FILE_PATH_BYTES + 8];
    char part[sizeof fresh + 8];
    names_path(store, path);
    snprintf(fresh, sizeof fresh, "%s.new", path);
    snprintf(part, sizeof part, "%s.part", fresh);
    unlink(fresh);
    unlink(part);
    apex_err err = store_write_new_file(fresh, lines, length);
    if (err != APEX_OK) {
        return err;
    }
    store_journal_close(&store->names);
    if (rename(fresh, path) != 0) {
        err = apex_err_from_errno(errno);
        unlink(fresh);
    } else {
        err = store_sync_folder_of(path);
    }
    apex_err opened = store_open_names(store);
    return err != APEX_OK ? err : opened;
}

apex_err apex_store_write_names(apex_store *store, const apex_held_name names[], size_t count) {
    APEX_ASSERT(store->queued == 0);
    if (store->directory[0] == '\0') {
        return APEX_OK;
    }
    apex_text_writer lines = apex_text_growing();
    for (size_t i = 0; i < count; i++) {
        store_put_name(&lines, &names[i]);
    }
    apex_err err = lines.is_cut ? APEX_ERR_NO_MEMORY : replace(store, lines.bytes, lines.length);
    free(lines.bytes);
    return err;
}
