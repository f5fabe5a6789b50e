// A file of lines that only grows, and files that are put in place whole: POSIX calls, and what
// they leave undone when a machine stops.
#define _GNU_SOURCE // renameat2
#include "store/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assert.h"

enum { PATH_BYTES = 4096 };

static apex_err write_all(int file, const char *bytes, size_t length, int64_t at) {
    while (length > 0) {
        ssize_t written = pwrite(file, bytes, length, (off_t)at);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return apex_err_from_errno(errno);
        }
        bytes += written;
        length -= (size_t)written;
        at += written;
    }
    return APEX_OK;
}

static apex_err read_all(int file, char *bytes, size_t length, int64_t at) {
    while (length > 0) {
        ssize_t got = pread(file, bytes, length, (off_t)at);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got < 0 ? apex_err_from_errno(errno) : APEX_ERR_IO;
        }
        bytes += got;
        length -= (size_t)got;
        at += got;
    }
    return APEX_OK;
}

// The place after the last line feed, looking back from the end a block at a time. A block that
// can't be read is an error and no missing line feed: what follows cuts the file.
static apex_err find_end_of_last_line(int file, int64_t size, int64_t *end) {
    char block[4096];
    *end = 0;
    while (size > 0) {
        int64_t start = size > (int64_t)sizeof block ? size - (int64_t)sizeof block : 0;
        size_t length = (size_t)(size - start);
        apex_err err = read_all(file, block, length, start);
        if (err != APEX_OK) {
            return err;
        }
        for (size_t i = length; i > 0; i--) {
            if (block[i - 1] == '\n') {
                *end = start + (int64_t)i;
                return APEX_OK;
            }
        }
        size = start;
    }
    return APEX_OK;
}

apex_err store_sync_folder_of(const char *path) {
    char copy[PATH_BYTES];
    snprintf(copy, sizeof copy, "%s", path);
    int directory = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) {
        return apex_err_from_errno(errno);
    }
    apex_err err = fsync(directory) == 0 ? APEX_OK : apex_err_from_errno(errno);
    close(directory);
    return err;
}

static apex_err cut_unfinished_line(store_journal *journal) {
    struct stat info;
    if (fstat(journal->file, &info) != 0) {
        return apex_err_from_errno(errno);
    }
    apex_err err = find_end_of_last_line(journal->file, info.st_size, &journal->length);
    if (err == APEX_OK && journal->length < info.st_size &&
        ftruncate(journal->file, (off_t)journal->length) != 0) {
        err = apex_err_from_errno(errno);
    }
    return err;
}

apex_err store_journal_open(store_journal *journal, const char *path) {
    journal->length = 0;
    journal->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (journal->file < 0) {
        return apex_err_from_errno(errno);
    }
    // Each appends where it remembers the end: two would write over each other.
    bool is_ours = flock(journal->file, LOCK_EX | LOCK_NB) == 0;
    apex_err err = is_ours ? cut_unfinished_line(journal) : APEX_ERR_IN_USE;
    if (err == APEX_OK) {
        err = store_sync_folder_of(path);
    }
    if (err != APEX_OK) {
        store_journal_close(journal);
    }
    return err;
}

void store_journal_close(store_journal *journal) {
    if (journal->file >= 0) {
        close(journal->file);
        journal->file = -1;
    }
}

apex_err store_journal_append(store_journal *journal, const char *lines, size_t length) {
    APEX_ASSERT(journal->file >= 0 && (lines != NULL || length == 0));
    if (length == 0) {
        return APEX_OK;
    }
    APEX_ASSERT(lines[length - 1] == '\n');
    apex_err err = write_all(journal->file, lines, length, journal->length);
    if (err != APEX_OK) {
        return err;
    }
    if (fdatasync(journal->file) != 0) {
        return apex_err_from_errno(errno);
    }
    journal->length += (int64_t)length;
    return APEX_OK;
}

// The kernel refuses a name that is taken, so nobody can take it between a look and the rename.
// File systems that know no such rename, NFS among them, refuse a second link to a taken name as
// well.
static apex_err put_in_place(const char *unfinished, const char *path) {
    if (renameat2(AT_FDCWD, unfinished, AT_FDCWD, path, RENAME_NOREPLACE) == 0) {
        return APEX_OK;
    }
    if (errno != EINVAL && errno != ENOSYS) {
        return apex_err_from_errno(errno);
    }
    if (link(unfinished, path) != 0) {
        return apex_err_from_errno(errno);
    }
    unlink(unfinished);
    return APEX_OK;
}

static apex_err write_whole(int file, const char *text, size_t length) {
    apex_err err = write_all(file, text, length, 0);
    return err == APEX_OK && fsync(file) != 0 ? apex_err_from_errno(errno) : err;
}

apex_err store_write_new_file(const char *path, const char *text, size_t length) {
    char unfinished[PATH_BYTES];
    int printed = snprintf(unfinished, sizeof unfinished, "%s.part", path);
    if (printed < 0 || (size_t)printed >= sizeof unfinished) {
        return APEX_ERR_INVALID;
    }
    struct stat info;
    if (lstat(path, &info) == 0) {
        return APEX_ERR_EXISTS; // before its text is written in vain
    }
    int file = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0) {
        return apex_err_from_errno(errno);
    }
    apex_err err = write_whole(file, text, length);
    close(file);
    if (err == APEX_OK) {
        err = put_in_place(unfinished, path);
    }
    if (err != APEX_OK) {
        unlink(unfinished);
        return err;
    }
    err = store_sync_folder_of(path);
    if (err != APEX_OK) {
        unlink(path); // it is written anew by the next try, which would find its name taken
    }
    return err;
}
