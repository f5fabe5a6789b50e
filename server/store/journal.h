/// A file of lines that only grows. A line is in it whole or not at all, also after a crash:
/// opening cuts off what a crash left unfinished, and a failed write is made again at its place.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct store_journal {
    int file;
    int64_t length; ///< bytes that are known to be on disk
} store_journal;

apex_err store_journal_open(store_journal *journal, const char *path);
void store_journal_close(store_journal *journal);
/// Writes whole lines and waits until the disk has them.
apex_err store_journal_append(store_journal *journal, const char *lines, size_t length);

/// Puts a complete file at `path`, on disk with its name, or nothing. What stands there, or at
/// `path` with ".part" behind it, stays. @return APEX_ERR_EXISTS if either name is taken.
apex_err store_write_new_file(const char *path, const char *text, size_t length);

/// A new name is on disk only when the folder that it stands in is: waits for that.
apex_err store_sync_folder_of(const char *path);
