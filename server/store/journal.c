// A file of lines that only grows, and what it grows on in when it is full.
#include "store/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/log.h"
#include "store/disk.h"
#include "store/journal_files.h"

// The place after the last line feed, looking back from the end a block at a time. A block that
// can't be read is an error and no missing line feed: what follows cuts the file.
static apex_err find_end_of_last_line(int file, int64_t size, int64_t *end) {
    char block[4096];
    *end = 0;
    while (size > 0) {
        int64_t start = size > (int64_t)sizeof block ? size - (int64_t)sizeof block : 0;
        size_t length = (size_t)(size - start);
        apex_err err = store_read_all(file, block, length, start);
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

// Another program that writes here remembers another end: two would write over each other.
static apex_err lock(int file) {
    return flock(file, LOCK_EX | LOCK_NB) == 0 ? APEX_OK : APEX_ERR_IN_USE;
}

// What is there is opened as it is: it may be a link to somebody's file, a pipe, or no journal, and
// the end of an unfinished line is cut off below.
static apex_err take_over(store_journal *journal) {
    apex_err err = store_prove_ours(journal->file, journal->def.form);
    if (err == APEX_OK) {
        err = lock(journal->file);
    }
    if (err == APEX_OK) {
        err = cut_unfinished_line(journal);
    }
    return err == APEX_OK ? store_sync_folder_of(journal->path) : err;
}

apex_err store_journal_open(store_journal *journal, const store_journal_def *def) {
    *journal = (store_journal){.file = -1, .def = *def};
    int printed = snprintf(journal->path, sizeof journal->path, "%s", def->path);
    if (printed < 0 || (size_t)printed >= sizeof journal->path) {
        return APEX_ERR_INVALID;
    }
    journal->def.path = journal->path;
    journal->file =
        open(journal->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
    if (journal->file < 0) {
        bool is_no_file = errno == ELOOP || errno == EISDIR || errno == ENXIO;
        return is_no_file ? (apex_err)APEX_ERR_EXISTS : apex_err_from_errno(errno);
    }
    apex_err err = take_over(journal);
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

// A name that is not on disk is none: lines in such a file would be told and lost.
static apex_err create_next(const char *path, int *out) {
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0) {
        return apex_err_from_errno(errno);
    }
    apex_err err = lock(file);
    if (err == APEX_OK) {
        err = store_sync_folder_of(path);
        if (err != APEX_OK) {
            unlink(path);
        }
    }
    if (err != APEX_OK) {
        close(file);
        return err;
    }
    *out = file;
    return APEX_OK;
}

// The full file gets its other name first. A crash between the two leaves no events.jsonl, and the
// next start begins one.
static apex_err begin_next(store_journal *journal) {
    apex_err err = journal->is_aside ? APEX_OK : store_put_aside(journal->path);
    if (err != APEX_OK) {
        return err;
    }
    journal->is_aside = true;
    int file = -1;
    err = create_next(journal->path, &file);
    if (err != APEX_OK) {
        return err;
    }
    close(journal->file);
    journal->file = file;
    journal->length = 0;
    journal->is_aside = false;
    if (journal->def.files_max > 0) {
        store_remove_oldest(journal->path, journal->def.form, journal->def.files_max);
    }
    return APEX_OK;
}

static void rotate(store_journal *journal) {
    apex_err err = begin_next(journal);
    if (err != APEX_OK && !journal->is_stuck) {
        apex_log(APEX_LOG_WARN, "store", "%s is full, and no other can be begun: %s; it grows on",
                 journal->path, apex_err_text(err));
    }
    journal->is_stuck = err != APEX_OK;
}

static bool is_full(const store_journal *journal, size_t length) {
    return journal->def.bytes_max > 0 && journal->length > 0 &&
           (uint64_t)journal->length + length > journal->def.bytes_max;
}

apex_err store_journal_append(store_journal *journal, const char *lines, size_t length) {
    APEX_ASSERT(journal->file >= 0 && (lines != NULL || length == 0));
    if (length == 0) {
        return APEX_OK;
    }
    APEX_ASSERT(lines[length - 1] == '\n');
    if (is_full(journal, length)) {
        rotate(journal);
    }
    apex_err err = store_write_all(journal->file, lines, length, journal->length);
    if (err != APEX_OK) {
        return err;
    }
    if (fdatasync(journal->file) != 0) {
        return apex_err_from_errno(errno);
    }
    journal->length += (int64_t)length;
    return APEX_OK;
}
