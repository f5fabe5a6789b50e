/// A list of drivers: a file that says who may drive.
#pragma once

#include "content/content.h"
#include "host/host.h"

enum { DRIVER_LIST_MAX = 65536 };

/// A line is a driver's fingerprint or public key (32 or 64 hexadecimal digits), and behind a space
/// whatever people want to know of it. Empty lines, and those that begin with #, are passed over.
/// @param[out] drivers the caller frees them; not NULL, also where there are none.
/// @return false with a sentence in `why`: all of a file is good, or none of it counts.
bool driver_list_read(const char *path, apex_listed_driver **drivers, uint32_t *count,
                      char why[APEX_HOST_WHY_BYTES]);
