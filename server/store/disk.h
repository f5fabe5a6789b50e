/// Bytes brought to the disk, and files that are put in place whole.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/// All of them at this place, however many calls it takes; they are on disk after a sync.
apex_err store_write_all(int file, const char *bytes, size_t length, int64_t at);
/// @return APEX_ERR_IO if the file ends before.
apex_err store_read_all(int file, char *bytes, size_t length, int64_t at);

/// Puts a complete file at `path`, on disk with its name, or nothing. What stands there, or at
/// `path` with ".part" behind it, stays. @return APEX_ERR_EXISTS if either name is taken.
apex_err store_write_new_file(const char *path, const char *text, size_t length);

/// Renames; what stands at `path` stays. @return APEX_ERR_EXISTS if something does.
apex_err store_put_in_place(const char *unfinished, const char *path);

/// A new name is on disk only when the folder that it stands in is: waits for that.
apex_err store_sync_folder_of(const char *path);
