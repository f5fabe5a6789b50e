// The log: lines to a file or a terminal, in one of two forms, from any thread.
#include "base/log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/json_writer.h"
#include "base/log_kinds.h"
#include "base/outlet.h"
#include "base/print.h"
#include "base/utf8.h"

// Every byte may become "\u001b" or a 3-byte U+FFFD; the rest is time, level, module and quotes.
#define LINE_BYTES_MAX (6 * APEX_LOG_TEXT_BYTES_MAX + 512)

static struct {
    apex_log_level lowest;
    apex_log_format format;
    FILE *file; // NULL: standard error
    bool colour;
} settings = {.lowest = APEX_LOG_INFO};

enum { WAITING_BYTES_MAX = 512 * 1024 };

static apex_outlet *outlet; ///< NULL: who logs writes
static _Atomic uint64_t dropped, dropped_told;
static _Atomic uint64_t now_us;
static _Thread_local uint32_t race_now;

static const struct {
    const char *name;
    const char *colour;
} levels[] = {
    [APEX_LOG_DEBUG] = {"debug", "\033[2m"},
    [APEX_LOG_INFO] = {"info", "\033[32m"},
    [APEX_LOG_WARN] = {"warn", "\033[33m"},
    [APEX_LOG_ERROR] = {"error", "\033[31m"},
};

#define LEVEL_COUNT (sizeof levels / sizeof levels[0])

const char *apex_log_level_name(apex_log_level level) {
    return (size_t)level < LEVEL_COUNT ? levels[level].name : "unknown";
}

bool apex_log_level_from_name(const char *name, apex_log_level *level) {
    for (size_t i = 0; i < LEVEL_COUNT; i++) {
        if (strcmp(name, levels[i].name) == 0) {
            *level = (apex_log_level)i;
            return true;
        }
    }
    return false;
}

bool apex_log_format_from_name(const char *name, apex_log_format *format) {
    if (strcmp(name, "text") == 0) {
        *format = APEX_LOG_TEXT;
        return true;
    }
    if (strcmp(name, "json") == 0) {
        *format = APEX_LOG_JSON;
        return true;
    }
    return false;
}

void apex_log_set_race(uint32_t race) {
    race_now = race;
}

void apex_log_set_level(apex_log_level lowest) {
    settings.lowest = lowest;
}

void apex_log_set_format(apex_log_format format) {
    settings.format = format;
}

// https://no-color.org: any non-empty value counts.
static bool wants_colour(FILE *file) {
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return !(no_color != NULL && no_color[0] != '\0') &&
           !(terminal != NULL && strcmp(terminal, "dumb") == 0) && isatty(fileno(file)) == 1;
}

void apex_log_set_file(FILE *file) {
    settings.file = file;
    settings.colour = wants_colour(file != NULL ? file : stderr);
}

bool apex_log_enabled(apex_log_level level) {
    return level >= settings.lowest;
}

static void put_time(apex_text_writer *line) {
    uint64_t unix_us = atomic_load_explicit(&now_us, memory_order_relaxed);
    time_t seconds = (time_t)(unix_us / 1000000);
    struct tm utc;
    if (gmtime_r(&seconds, &utc) == NULL) {
        utc = (struct tm){.tm_year = 70, .tm_mday = 1};
    }
    apex_text_format(line, "%04d-%02d-%02dT%02d:%02d:%02d.%03" PRIu64 "Z", utc.tm_year + 1900,
                     utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec,
                     unix_us / 1000 % 1000);
}

static void put_text_line(apex_text_writer *line, apex_log_level level, const char *module,
                          const char *text) {
    const char *name = apex_log_level_name(level);
    bool colour = settings.colour && (size_t)level < LEVEL_COUNT;
    put_time(line);
    apex_text_format(line, " %s%-5s%s ", colour ? levels[level].colour : "", name,
                     colour ? "\033[0m" : "");
    apex_text_add(line, module);
    if (race_now > 0) {
        apex_text_format(line, "/%" PRIu32, race_now);
    }
    apex_text_add(line, ": ");
    // Names and chat come from outside: unescaped, a player called "\n... error net: ..." could
    // write lines of his own, and one with terminal sequences could rewrite the operator's screen.
    apex_print_escaped(line, text);
}

static void put_json_line(apex_text_writer *line, apex_log_level level, const char *module,
                          const char *text) {
    char time[32];
    apex_text_writer when = apex_text_in(time, sizeof time - 1);
    put_time(&when);
    time[when.length] = '\0';
    apex_json_writer json = apex_json_begin(*line, APEX_JSON_COMPACT);
    apex_json_open(&json, NULL, '{');
    apex_json_text(&json, "time", time);
    apex_json_text(&json, "level", apex_log_level_name(level));
    apex_json_text(&json, "module", module);
    if (race_now > 0) {
        apex_json_count(&json, "race", race_now);
    }
    apex_json_text(&json, "text", text);
    apex_json_close(&json);
    *line = json.text;
}

// Cuts before the character that does not fit as a whole.
static void mark_as_cut(char text[APEX_LOG_TEXT_BYTES_MAX + 1]) {
    size_t end = APEX_LOG_TEXT_BYTES_MAX - 3;
    while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80) {
        end--;
    }
    memcpy(text + end, "...", 4);
}

static void print_text(char text[APEX_LOG_TEXT_BYTES_MAX + 1], const char *fmt, va_list args) {
    int length = vsnprintf(text, APEX_LOG_TEXT_BYTES_MAX + 1, fmt, args);
    if (length < 0) {
        text[0] = '\0';
    } else if (length > APEX_LOG_TEXT_BYTES_MAX) {
        mark_as_cut(text);
    }
}

// @return false where the line found no room.
static bool write_line(apex_log_level level, const char *module, const char *text) {
    char bytes[LINE_BYTES_MAX];
    apex_text_writer line = apex_text_in(bytes, sizeof bytes - 1);
    if (settings.format == APEX_LOG_JSON) {
        put_json_line(&line, level, module, text);
    } else {
        put_text_line(&line, level, module, text);
    }
    // A module name is a literal; were one huge, the line would still end.
    bytes[line.length++] = '\n';
    if (outlet != NULL) {
        return apex_outlet_put(outlet, bytes, line.length);
    }
    FILE *file = settings.file != NULL ? settings.file : stderr;
    fwrite(bytes, 1, line.length, file);
    // A log that a crash takes along is worth little, and lines are rare.
    fflush(file);
    return true;
}

static void write_or_drop(apex_log_level level, const char *module, const char *text) {
    if (!write_line(level, module, text)) {
        atomic_fetch_add(&dropped, 1);
    }
}

static void write_said(apex_log_level level, const char *module, bool is_limited, const char *fmt,
                       va_list args) {
    if (!apex_log_enabled(level)) {
        return;
    }
    char text[APEX_LOG_TEXT_BYTES_MAX + 1];
    print_text(text, fmt, args);
    log_left_out newest = {.level = (int)level, .module = module, .race = race_now};
    if (is_limited) {
        snprintf(newest.text, sizeof newest.text, "%.*s", (int)sizeof newest.text - 1, text);
    }
    if (!is_limited || log_kinds_take(fmt, atomic_load(&now_us), &newest)) {
        write_or_drop(level, module, text);
    }
}

void apex_log(apex_log_level level, const char *module, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    write_said(level, module, false, fmt, args);
    va_end(args);
}

void apex_log_limited(apex_log_level level, const char *module, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    write_said(level, module, true, fmt, args);
    va_end(args);
}

// Half of the room, so that a reader who takes a line now and then is not told of each.
static void tell_dropped(void) {
    uint64_t before = atomic_load(&dropped_told), now = atomic_load(&dropped);
    if (outlet == NULL || now == before || apex_outlet_room(outlet) < WAITING_BYTES_MAX / 2 ||
        !atomic_compare_exchange_strong(&dropped_told, &before, now)) {
        return;
    }
    char text[128];
    snprintf(text, sizeof text,
             "%" PRIu64 " lines of this log were dropped: nobody took them in time", now - before);
    write_or_drop(APEX_LOG_WARN, "log", text);
}

static void tell_left_out(uint64_t unix_us) {
    log_left_out next;
    while (log_kinds_due(unix_us, &next)) {
        char text[LOG_LEFT_OUT_TEXT_BYTES + 64];
        snprintf(text, sizeof text, "and %" PRIu64 " more like this: %s", next.count, next.text);
        uint32_t race = race_now;
        race_now = next.race;
        write_or_drop((apex_log_level)next.level, next.module, text);
        race_now = race;
    }
}

void apex_log_set_time(uint64_t unix_us) {
    atomic_store_explicit(&now_us, unix_us, memory_order_relaxed);
    tell_dropped();
    tell_left_out(unix_us);
}

apex_err apex_log_begin_writing(void) {
    FILE *file = settings.file != NULL ? settings.file : stderr;
    fflush(file);
    return apex_outlet_create(fileno(file), WAITING_BYTES_MAX, &outlet);
}

void apex_log_end_writing(unsigned wait_ms) {
    apex_outlet *ended = outlet;
    tell_dropped();
    if (ended != NULL && !apex_outlet_destroy(ended, wait_ms)) {
        // Nobody reads: a line that is written now would wait for that for good.
        atomic_fetch_add(&dropped, 1);
        settings.lowest = LEVEL_COUNT;
    }
    outlet = NULL;
}

uint64_t apex_log_dropped(void) {
    return atomic_load(&dropped);
}
