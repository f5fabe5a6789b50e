/// A file of lines that only grows, and others after it. A line is in it whole or not at all, also
/// after a crash: opening cuts off what a crash left unfinished, and a failed write is made again
/// at its place.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "store/journal_files.h"

/// How a journal is kept.
typedef struct store_journal_def {
    const char
        *path; ///< borrowed; "events.jsonl": full files are events-1.jsonl, events-2.jsonl...
    const char *form;   ///< store_has_form; "": anyhow. Borrowed as long
    uint64_t bytes_max; ///< of a file, after which another begins; 0: no limit
    uint32_t files_max; ///< full files that are kept, the newest; 0: all
} store_journal_def;

typedef struct store_journal {
    int file;
    int64_t length; ///< bytes that are known to be on disk
    store_journal_def def;
    char path[STORE_JOURNAL_PATH_BYTES]; ///< that of def
    bool is_aside; ///< its file has a full one's name already, but no other is there to go on in
    bool is_stuck; ///< the log says so
} store_journal;

/// Opens what a run before has left, or begins. @return APEX_ERR_EXISTS: something else stands
/// there, by its first line or because it is no file (a link is none); it stays as it is.
/// APEX_ERR_IN_USE, APEX_ERR_INVALID (path too long), and what the disk says.
apex_err store_journal_open(store_journal *journal, const store_journal_def *def);
void store_journal_close(store_journal *journal);
/// Writes whole lines and waits until the disk has them. They go into one file together. Where no
/// further file can be begun they go on in the full one.
apex_err store_journal_append(store_journal *journal, const char *lines, size_t length);
