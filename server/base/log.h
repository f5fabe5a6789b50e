/// One line to one stream for each event worth a person's attention.
///
///   2026-03-01T12:00:00.123Z info  net: listening on port 26000
///   {"time":"2026-03-01T12:00:00.123Z","level":"info","module":"net","text":"listening on ..."}
///
/// Not for the tick's hot path, and not once per packet: count there, and log the counter.

#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

typedef enum apex_log_level {
    APEX_LOG_DEBUG,
    APEX_LOG_INFO,
    APEX_LOG_WARN,
    APEX_LOG_ERROR,
} apex_log_level;

typedef enum apex_log_format {
    APEX_LOG_TEXT,
    APEX_LOG_JSON,
} apex_log_format;

/// A line longer than this is cut, with "..." at its end.
#define APEX_LOG_TEXT_BYTES_MAX 2048

/// Any thread may log: a line is one fwrite. `module` is a short literal such as "net".
__attribute__((format(printf, 3, 4))) void apex_log(apex_log_level level, const char *module,
                                                    const char *fmt, ...);

/// The same for a line that a stranger can cause: of each kind, which is what one `fmt` says, ten
/// come at once and then one a second. What is left out is counted, and told with its newest text:
/// "and 1799 more like this: ada left".
__attribute__((format(printf, 3, 4))) void
apex_log_limited(apex_log_level level, const char *module, const char *fmt, ...);

/// The time that following lines carry, in microseconds since 1970. Time is an argument everywhere
/// in Apex and only main() reads the clock, so main sets it once a tick. Before the first call
/// lines carry 1970. What was left out or dropped is told from here once its time has come. Any
/// thread.
void apex_log_set_time(uint64_t unix_us);

/// The race that following lines of this thread are about, where a process has several: it stands
/// behind the module, "race/2: ...", or as "race". 0: none.
void apex_log_set_race(uint32_t race);

/// Set up before there is a second thread. Defaults: info, text, standard error.
void apex_log_set_level(apex_log_level lowest);
void apex_log_set_format(apex_log_format format);

/// NULL means standard error. The file stays the caller's, to be closed after the last line. Colour
/// is used for text on a terminal, unless the environment has a non-empty NO_COLOR; before the
/// first call there is none.
void apex_log_set_file(FILE *file);

/// From here on a thread of the log's own writes to the file, and who logs never waits for it: half
/// a MiB of lines may wait; what has no room is dropped, counted, and told once there is room
/// again. After apex_log_set_file. @return APEX_ERR_NO_MEMORY: lines are written as before.
apex_err apex_log_begin_writing(void);
/// Lines are written by those who log again, after a wait of `wait_ms` at most for what is on its
/// way.
void apex_log_end_writing(unsigned wait_ms);
/// Lines that found no room, since the program began.
uint64_t apex_log_dropped(void);

/// For callers whose arguments are dear to compute.
bool apex_log_enabled(apex_log_level level);

/// "debug", "info", "warn", "error" and back; "text", "json". False for an unknown name.
const char *apex_log_level_name(apex_log_level level);
bool apex_log_level_from_name(const char *name, apex_log_level *level);
bool apex_log_format_from_name(const char *name, apex_log_format *format);
