/// Recordings are the files of a directory that may be listed and watched.
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

enum { APEX_RECORDING_NAME_BYTES = 128 };

/// A plain file of that name lies in the directory itself: no link, nothing hidden, nothing that
/// leads elsewhere. @param directory its file descriptor
bool apex_is_recording(int directory, const char *name, struct stat *status);
