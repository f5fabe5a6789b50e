/// Kinds of line that strangers can cause, each with what it may still say. Any thread.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { LOG_LEFT_OUT_TEXT_BYTES = 160 };

typedef struct log_left_out {
    int level; ///< an apex_log_level
    const char *module;
    uint32_t race;
    uint64_t count;
    char text[LOG_LEFT_OUT_TEXT_BYTES]; ///< the newest one's, cut where it is longer
} log_left_out;

/// @param kind by its address. @param newest kept where the line is left out, but for its count
/// @return whether it may be written; else it is counted.
bool log_kinds_take(const char *kind, uint64_t now_us, const log_left_out *newest);
/// The next kind of which lines were left out and that may say so now; they count from 0 again.
bool log_kinds_due(uint64_t now_us, log_left_out *out);
