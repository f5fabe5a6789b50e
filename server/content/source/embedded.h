// The YAML files of cars/, tracks/ and races/, compiled into the library by embed.cmake, so that
// the server runs without an installation directory.

#pragma once

#include <stddef.h>

struct apex_embedded_file {
    const char *kind;           // "car", "track", "race"; or "map", by its whole name
    const char *name;           // the file's name without folder and extension
    const unsigned char *bytes; // the file as it is in the source tree
    size_t length;              // of bytes, without the 0 that follows them
};

// Sorted by kind, then by name.
extern const struct apex_embedded_file apex_embedded_files[];
extern const size_t apex_embedded_file_count;
