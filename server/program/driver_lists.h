/// Lists of drivers: files that say who may drive, read at the start and again when asked.
#pragma once

#include "content/content.h"
#include "host/host.h"
#include "site/site.h"

enum { DRIVER_LIST_MAX = 65536 };

/// A line is a driver's fingerprint or public key (32 or 64 hexadecimal digits), and behind a space
/// whatever people want to know of it. Empty lines, and those that begin with #, are passed over.
/// @param[out] drivers the caller frees them; not NULL, also where there are none.
/// @return false with a sentence in `why`: all of a file is good, or none of it counts.
bool driver_list_read(const char *path, apex_listed_driver **drivers, uint32_t *count,
                      char why[APEX_HOST_WHY_BYTES]);

/// Of the races that have one.
typedef struct driver_lists {
    uint32_t count;
    apex_server *servers[APEX_SITE_RACES_MAX]; ///< borrowed
    char paths[APEX_SITE_RACES_MAX][APEX_CONTENT_PATH_BYTES];
} driver_lists;

/// Reads a server's list; an empty path is none. @return false with a sentence in `why`.
bool driver_lists_add(driver_lists *lists, apex_server *server, const char *path,
                      char why[APEX_HOST_WHY_BYTES]);
/// Reads all of them anew. One that cannot be read stays as it was, and the log says why.
/// @return how many were read.
uint32_t driver_lists_reload(const driver_lists *lists);
