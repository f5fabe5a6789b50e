/// A file that is written by a thread of its own, so that whoever puts bytes into it never waits:
/// for a pipe that nobody reads, a terminal that is held, or a slow disk.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct apex_outlet apex_outlet;

/// @param file stays the caller's, and open for as long as the outlet lives
/// @param capacity bytes that may wait. @return APEX_ERR_NO_MEMORY (or no thread to be had).
apex_err apex_outlet_create(int file, size_t capacity, apex_outlet **out);
/// Whole or not at all. Any thread. @return false where there is no room for it.
bool apex_outlet_put(apex_outlet *outlet, const void *bytes, size_t length);
/// Bytes that there is room for now; they may be more by the time of a put, and fewer only where
/// others put. Any thread.
size_t apex_outlet_room(apex_outlet *outlet);
/// Waits for what is still to be written, but no longer than `wait_ms`. NULL is fine.
/// @return false if some of it was not written.
bool apex_outlet_destroy(apex_outlet *outlet, unsigned wait_ms);
