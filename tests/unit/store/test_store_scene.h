// A folder of its own for each test, files as bytes, and a small race on tape.
#pragma once

#include "store/disk.h"
#include "store/journal.h"
#include "store/store.h"
#include "support/base/check_main.h"
#include "unit/race/test_race_scene.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STORE_PATH_BYTES = 320 };

static char store_folder[CHECK_PATH_BYTES];

static inline void store_folder_make(void) {
    check_make_folder(store_folder, "store");
}

static inline void store_path(char path[STORE_PATH_BYTES], const char *name) {
    snprintf(path, STORE_PATH_BYTES, "%s/%s", store_folder, name);
}

// Files, and folders that are empty.
static inline void store_folder_empty(const char *folder) {
    DIR *listing = opendir(folder);
    ck_assert_ptr_nonnull(listing);
    for (struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
        char path[STORE_PATH_BYTES * 2];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            unlink(path) != 0) {
            ck_assert_int_eq(rmdir(path), 0);
        }
    }
    closedir(listing);
}

static inline void store_folder_drop(void) {
    store_folder_empty(store_folder);
    ck_assert_int_eq(rmdir(store_folder), 0);
}

/// A whole file and a zero behind it; the caller frees it. NULL if there is none.
static inline char *store_read(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    ck_assert_int_ge(size, 0);
    rewind(file);
    char *bytes = malloc((size_t)size + 1);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_eq(fread(bytes, 1, (size_t)size, file), (size_t)size);
    bytes[size] = '\0';
    fclose(file);
    *length = (size_t)size;
    return bytes;
}

static inline void store_write(const char *path, const void *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
}

/// Of lines of any form, in one file without end.
static inline apex_err store_open_journal(store_journal *journal, const char *path) {
    store_journal_def def = {.path = path, .form = ""};
    return store_journal_open(journal, &def);
}

static inline size_t store_files_in(const char *folder) {
    size_t count = 0;
    DIR *listing = opendir(folder);
    ck_assert_ptr_nonnull(listing);
    while (readdir(listing) != NULL) {
        count++;
    }
    closedir(listing);
    return count - 2;
}
