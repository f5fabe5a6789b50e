/// Files that apex-client keeps for its user, in one folder: $XDG_CONFIG_HOME/apex, or
/// ~/.config/apex. They are for nobody else.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { CLI_PATH_BYTES = 1024 };

/// Where a file of that name is, or would be. @return false where there is no home, or its name is
/// too long.
bool cli_user_file_path(const char *name, char out[CLI_PATH_BYTES]);
/// Makes the folder of a file, and those above it, for the user alone. @return an error of the
/// system.
apex_err cli_user_folder_make(const char *path);

/// What is to be in a file that only its owner reads.
typedef struct cli_user_text {
    const char *bytes;
    size_t length;
    bool replaces; ///< the file that is there; else one that is there stays as it is
} cli_user_text;

/// Writes a file, whole or not at all. @return an error of the system; APEX_ERR_EXISTS.
apex_err cli_user_file_write(const char *path, const cli_user_text *text);

/// What was read, and what the system says of it.
typedef struct cli_user_read {
    size_t length;
    bool others_may_read; ///< or write
} cli_user_read;

/// Reads a file and puts a zero behind it. @return an error of the system; APEX_ERR_INVALID: no
/// file but something else; APEX_ERR_RANGE: it is too long.
apex_err cli_user_file_read(const char *path, char *out, size_t capacity, cli_user_read *read);
