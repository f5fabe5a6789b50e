// The file of names that drivers hold. A line is short and reads itself, so that an operator can
// strike one out while no server runs. Races write into it from several threads, hence the second
// lock; the first covers the two ends of the queue, so that a race never waits for the disk.
#include "store/store.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/log.h"
#include "base/text_writer.h"
#include "base/utf8.h"
#include "store/disk.h"
#include "store/journal.h"

enum {
    LINE_BYTES = 128, // a line has 20 + 1 + 32 + 1 + 31 and the feed at most
    LINES_MAX = 16 * APEX_STORE_NAMES_MAX,
    QUEUE_MAX = 4096,
    PATH_BYTES = 512,
};

// How each line begins. Many a program keeps a names.txt.
static const char LINE_FORM[] = "# ";

struct apex_names {
    pthread_mutex_t lock;
    uint64_t queued, written; ///< lines that ever were
    pthread_mutex_t writing;
    store_journal journal;          ///< of who writes
    char path[PATH_BYTES];          ///< of the file
    apex_held_name ring[QUEUE_MAX]; ///< line n stands at n % QUEUE_MAX
};

static apex_err open_journal(apex_names *names) {
    store_journal_def def = {.path = names->path, .form = LINE_FORM};
    return store_journal_open(&names->journal, &def);
}

apex_err apex_names_open(const char *directory, apex_names **out) {
    apex_names *names = calloc(1, sizeof *names);
    if (names == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    names->journal.file = -1;
    pthread_mutex_init(&names->lock, NULL);
    pthread_mutex_init(&names->writing, NULL);
    int printed = snprintf(names->path, sizeof names->path, "%s/names.txt", directory);
    apex_err err = printed > 0 && (size_t)printed < sizeof names->path - sizeof ".new"
                       ? APEX_OK
                       : (apex_err)APEX_ERR_INVALID;
    if (err == APEX_OK && access(names->path, F_OK) == 0) {
        err = open_journal(names); // which cuts off what a crash left of a last line
    }
    if (err != APEX_OK) {
        apex_names_close(names);
        return err;
    }
    *out = names;
    return APEX_OK;
}

void apex_names_close(apex_names *names) {
    if (names == NULL) {
        return;
    }
    apex_err err = apex_names_work(names);
    if (err != APEX_OK) {
        apex_log(APEX_LOG_ERROR, "store", "%s: %s; the newest names are lost", names->path,
                 apex_err_text(err));
    }
    store_journal_close(&names->journal);
    pthread_mutex_destroy(&names->writing);
    pthread_mutex_destroy(&names->lock);
    free(names);
}

const char *apex_names_path(const apex_names *names) {
    return names->path;
}

static void put_line(apex_text_writer *lines, const apex_held_name *name) {
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

apex_err apex_names_read(const apex_names *names, apex_held_name **out, size_t *count) {
    *out = NULL;
    *count = 0;
    if (names->journal.file < 0) {
        return APEX_OK; // no name has been written
    }
    FILE *file = fopen(names->path, "re");
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
            names->path, (unsigned long long)list.unread);
    }
    *out = list.at;
    *count = list.count;
    return APEX_OK;
}

// What a crash left of an earlier try is no loss: the file itself was not touched.
static apex_err replace(apex_names *names, const char *lines, size_t length) {
    char fresh[PATH_BYTES + 8], part[PATH_BYTES + 16];
    snprintf(fresh, sizeof fresh, "%s.new", names->path);
    snprintf(part, sizeof part, "%s.part", fresh);
    unlink(fresh);
    unlink(part);
    apex_err err = store_write_new_file(fresh, lines, length);
    if (err != APEX_OK) {
        return err;
    }
    store_journal_close(&names->journal);
    if (rename(fresh, names->path) != 0) {
        err = apex_err_from_errno(errno);
        unlink(fresh);
    } else {
        err = store_sync_folder_of(names->path);
    }
    apex_err opened = open_journal(names);
    return err != APEX_OK ? err : opened;
}

apex_err apex_names_replace(apex_names *names, const apex_held_name list[], size_t count) {
    APEX_ASSERT(names->queued == 0);
    apex_text_writer lines = apex_text_growing();
    for (size_t i = 0; i < count; i++) {
        put_line(&lines, &list[i]);
    }
    apex_err err = lines.is_cut ? APEX_ERR_NO_MEMORY : replace(names, lines.bytes, lines.length);
    free(lines.bytes);
    return err;
}

static uint64_t read_locked(apex_names *names, const uint64_t *number) {
    pthread_mutex_lock(&names->lock);
    uint64_t value = *number;
    pthread_mutex_unlock(&names->lock);
    return value;
}

static void count_locked(apex_names *names, uint64_t *number, uint64_t value) {
    pthread_mutex_lock(&names->lock);
    *number = value;
    pthread_mutex_unlock(&names->lock);
}

bool apex_names_put(apex_names *names, const apex_held_name *name) {
    uint64_t number = names->queued + 1;
    if (number - read_locked(names, &names->written) >= QUEUE_MAX) {
        return false;
    }
    names->ring[number % QUEUE_MAX] = *name;
    count_locked(names, &names->queued, number); // from here on it may be written
    return true;
}

bool apex_names_has_work(apex_names *names) {
    pthread_mutex_lock(&names->lock);
    bool has_work = names->queued != names->written;
    pthread_mutex_unlock(&names->lock);
    return has_work;
}

// All of them together, so that a write that is made again makes nothing twice.
static apex_err append(apex_names *names, uint64_t first, uint64_t last) {
    apex_text_writer lines = apex_text_growing();
    for (uint64_t number = first; number <= last; number++) {
        put_line(&lines, &names->ring[number % QUEUE_MAX]);
    }
    apex_err err = lines.is_cut ? APEX_ERR_NO_MEMORY : APEX_OK;
    if (err == APEX_OK && names->journal.file < 0) {
        err = open_journal(names);
    }
    if (err == APEX_OK) {
        err = store_journal_append(&names->journal, lines.bytes, lines.length);
    }
    free(lines.bytes);
    return err;
}

apex_err apex_names_work(apex_names *names) {
    pthread_mutex_lock(&names->writing);
    uint64_t queued = read_locked(names, &names->queued);
    apex_err err = APEX_OK;
    if (names->written < queued) { // which only changes here
        err = append(names, names->written + 1, queued);
    }
    if (err == APEX_OK) {
        count_locked(names, &names->written, queued);
    }
    pthread_mutex_unlock(&names->writing);
    return err;
}
