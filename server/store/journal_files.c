// The files of a journal: whether one is ours, and what becomes of full ones. Folders of results
// may be shared, and nothing of a stranger's is to be cut, renamed or removed (DECISIONS 62).
#include "store/journal_files.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "store/disk.h"

enum { HEAD_BYTES = 256, NAMES_MAX = 1000, NUMBER_DIGITS_MAX = 9 };

bool store_has_form(const char *bytes, size_t length, const char *form) {
    size_t at = 0;
    for (const char *c = form; *c != '\0' && at < length; c++) {
        if (*c != '#') {
            if (bytes[at++] != (*c == '\'' ? '"' : *c)) {
                return false;
            }
            continue;
        }
        size_t first = at;
        while (at < length && isdigit((unsigned char)bytes[at])) {
            at++;
        }
        if (at == first) {
            return false;
        }
    }
    return true;
}

apex_err store_prove_ours(int file, const char *form) {
    struct stat info;
    if (fstat(file, &info) != 0) {
        return apex_err_from_errno(errno);
    }
    if (!S_ISREG(info.st_mode)) {
        return APEX_ERR_EXISTS;
    }
    if (info.st_size == 0 || form[0] == '\0') {
        return APEX_OK;
    }
    char head[HEAD_BYTES];
    ssize_t got = 0;
    do {
        got = pread(file, head, sizeof head, 0);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
        return apex_err_from_errno(errno);
    }
    return store_has_form(head, (size_t)got, form) ? APEX_OK : APEX_ERR_EXISTS;
}

// Where the parts of a path are: "results/", "events", ".jsonl".
typedef struct path_parts {
    char folder[STORE_JOURNAL_PATH_BYTES];
    const char *stem;
    int stem_length;
    const char *ending;
} path_parts;

static path_parts parts_of(const char *path) {
    path_parts parts = {.folder = "."};
    const char *slash = strrchr(path, '/');
    if (slash != NULL) {
        int length = slash == path ? 1 : (int)(slash - path);
        snprintf(parts.folder, sizeof parts.folder, "%.*s", length, path);
    }
    parts.stem = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(parts.stem, '.');
    parts.ending = dot != NULL ? dot : parts.stem + strlen(parts.stem);
    parts.stem_length = (int)(parts.ending - parts.stem);
    return parts;
}

// @return the number of a full file's name; 0: it is none. Names that we would not write are none.
static uint32_t number_of(const path_parts *parts, const char *name) {
    size_t stem = (size_t)parts->stem_length;
    if (strncmp(name, parts->stem, stem) != 0 || name[stem] != '-') {
        return 0;
    }
    const char *digits = name + stem + 1;
    size_t count = strspn(digits, "0123456789");
    bool is_one = count > 0 && count <= NUMBER_DIGITS_MAX && digits[0] != '0' &&
                  strcmp(digits + count, parts->ending) == 0;
    return is_one ? (uint32_t)strtoul(digits, NULL, 10) : 0;
}

typedef struct full_files {
    uint32_t count, highest;
    uint32_t lowest; ///< of those above the one that was asked for; 0: there is none
} full_files;

static apex_err look(const path_parts *parts, uint32_t above, full_files *out) {
    *out = (full_files){0};
    DIR *folder = opendir(parts->folder);
    if (folder == NULL) {
        return apex_err_from_errno(errno);
    }
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        uint32_t number = number_of(parts, entry->d_name);
        out->count += number > 0;
        out->highest = number > out->highest ? number : out->highest;
        if (number > above && (out->lowest == 0 || number < out->lowest)) {
            out->lowest = number;
        }
    }
    closedir(folder);
    return APEX_OK;
}

static bool name_full(const path_parts *parts, uint32_t number,
                      char path[STORE_JOURNAL_PATH_BYTES]) {
    int length = snprintf(path, STORE_JOURNAL_PATH_BYTES, "%s/%.*s-%u%s", parts->folder,
                          parts->stem_length, parts->stem, number, parts->ending);
    return length >= 0 && length < STORE_JOURNAL_PATH_BYTES;
}

apex_err store_put_aside(const char *path) {
    path_parts parts = parts_of(path);
    full_files full;
    apex_err err = look(&parts, 0, &full);
    if (err != APEX_OK) {
        return err;
    }
    char aside[STORE_JOURNAL_PATH_BYTES];
    err = APEX_ERR_EXISTS;
    for (uint32_t i = 1; err == APEX_ERR_EXISTS && i <= NAMES_MAX; i++) {
        if (!name_full(&parts, full.highest + i, aside)) {
            return APEX_ERR_INVALID;
        }
        err = store_put_in_place(path, aside);
    }
    return err;
}

static bool remove_ours(const path_parts *parts, const char *form, uint32_t number) {
    char path[STORE_JOURNAL_PATH_BYTES];
    if (!name_full(parts, number, path)) {
        return false;
    }
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) {
        return false;
    }
    bool is_gone = store_prove_ours(file, form) == APEX_OK && unlink(path) == 0;
    close(file);
    if (is_gone) {
        apex_log(APEX_LOG_INFO, "store", "removed %s, the oldest of the journal", path);
    }
    return is_gone;
}

void store_remove_oldest(const char *path, const char *form, uint32_t keep) {
    path_parts parts = parts_of(path);
    full_files full;
    uint32_t tried = 0;
    while (look(&parts, tried, &full) == APEX_OK && full.count > keep && full.lowest > 0) {
        (void)remove_ours(&parts, form, full.lowest);
        tried = full.lowest;
    }
}
