// The log: lines to a file or a terminal, in one of two forms, from any thread.
#include "base/log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Every byte may become "\u001b" or a 3-byte U+FFFD; the rest is time, level, module and quotes.
#define LINE_BYTES_MAX (6 * APEX_LOG_TEXT_BYTES_MAX + 512)

static struct {
    apex_log_level lowest;
    apex_log_format format;
    FILE *file; // NULL: standard error
    bool colour;
} settings = {.lowest = APEX_LOG_INFO};

static _Atomic uint64_t now_us;
static _Thread_local uint32_t race_now;

struct line {
    size_t length;
    char bytes[LINE_BYTES_MAX];
};

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

void apex_log_set_time(uint64_t unix_us) {
    atomic_store_explicit(&now_us, unix_us, memory_order_relaxed);
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
    return !(no_color && no_color[0] != '\0') && !(terminal && strcmp(terminal, "dumb") == 0) &&
           isatty(fileno(file)) == 1;
}

void apex_log_set_file(FILE *file) {
    settings.file = file;
    settings.colour = wants_colour(file != NULL ? file : stderr);
}

bool apex_log_enabled(apex_log_level level) {
    return level >= settings.lowest;
}

static void put(struct line *line, const char *bytes, size_t length) {
    size_t room = sizeof line->bytes - line->length;
    size_t taken = length < room ? length : room;
    memcpy(line->bytes + line->length, bytes, taken);
    line->length += taken;
}

static void put_text(struct line *line, const char *text) {
    put(line, text, strlen(text));
}

__attribute__((format(printf, 2, 3))) static void put_format(struct line *line, const char *fmt,
                                                             ...) {
    char piece[64];
    va_list args;
    va_start(args, fmt);
    int length = vsnprintf(piece, sizeof piece, fmt, args);
    va_end(args);
    if (length > 0) {
        put(line, piece, (size_t)length < sizeof piece ? (size_t)length : sizeof piece - 1);
    }
}

static void put_time(struct line *line) {
    uint64_t unix_us = atomic_load_explicit(&now_us, memory_order_relaxed);
    time_t seconds = (time_t)(unix_us / 1000000);
    struct tm utc;
    if (gmtime_r(&seconds, &utc) == NULL) {
        utc = (struct tm){.tm_year = 70, .tm_mday = 1};
    }
    put_format(line, "%04d-%02d-%02dT%02d:%02d:%02d.%03" PRIu64 "Z", utc.tm_year + 1900,
               utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec,
               unix_us / 1000 % 1000);
}

// The length of the well-formed UTF-8 character that starts here, 0 if there is none. Overlong
// forms, surrogates and what lies past U+10FFFF are not well-formed (Unicode 15, table 3-7).
static size_t utf8_length(const unsigned char *s, size_t left) {
    static const struct {
        unsigned char first_min, first_max, second_min, second_max;
        size_t length;
    } rows[] = {
        {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        if (s[0] < rows[row].first_min || s[0] > rows[row].first_max) {
            continue;
        }
        if (rows[row].length > left) {
            return 0;
        }
        if (rows[row].length > 1 && (s[1] < rows[row].second_min || s[1] > rows[row].second_max)) {
            return 0;
        }
        for (size_t i = 2; i < rows[row].length; i++) {
            if ((s[i] & 0xc0) != 0x80) {
                return 0;
            }
        }
        return rows[row].length;
    }
    return 0;
}

// U+0000..001F, U+007F and U+0080..009F: a terminal may act on them.
static bool is_control(const unsigned char *s, size_t length) {
    return (length == 1 && (s[0] < 0x20 || s[0] == 0x7f)) ||
           (length == 2 && s[0] == 0xc2 && s[1] < 0xa0);
}

// Names and chat come from outside: unescaped, a player called "\n... error net: ..." could write
// lines of his own, and one with terminal sequences could rewrite the operator's screen.
static void put_escaped_text(struct line *line, const char *text, size_t length) {
    const unsigned char *s = (const unsigned char *)text;
    for (size_t i = 0; i < length;) {
        size_t step = utf8_length(s + i, length - i);
        if (step == 0 || is_control(s + i, step)) {
            put_format(line, "\\x%02x", s[i]);
            step = 1;
        } else {
            put(line, text + i, step);
        }
        i += step;
    }
}

static void put_escaped_json(struct line *line, const char *text, size_t length) {
    const unsigned char *s = (const unsigned char *)text;
    for (size_t i = 0; i < length;) {
        size_t step = utf8_length(s + i, length - i);
        if (step == 0) {
            put_text(line, "\xef\xbf\xbd");
            step = 1;
        } else if (is_control(s + i, step)) {
            put_format(line, "\\u%04x", s[i + step - 1]);
        } else if (s[i] == '"' || s[i] == '\\') {
            put_format(line, "\\%c", s[i]);
        } else {
            put(line, text + i, step);
        }
        i += step;
    }
}

static void put_text_line(struct line *line, apex_log_level level, const char *module,
                          const char *text) {
    const char *name = apex_log_level_name(level);
    bool colour = settings.colour && (size_t)level < LEVEL_COUNT;
    put_time(line);
    put_format(line, " %s%-5s%s ", colour ? levels[level].colour : "", name,
               colour ? "\033[0m" : "");
    put_text(line, module);
    if (race_now > 0) {
        put_format(line, "/%" PRIu32, race_now);
    }
    put_text(line, ": ");
    put_escaped_text(line, text, strlen(text));
}

static void put_json_line(struct line *line, apex_log_level level, const char *module,
                          const char *text) {
    put_text(line, "{\"time\":\"");
    put_time(line);
    put_format(line, "\",\"level\":\"%s\",\"module\":\"", apex_log_level_name(level));
    put_escaped_json(line, module, strlen(module));
    put_text(line, "\"");
    if (race_now > 0) {
        put_format(line, ",\"race\":%" PRIu32, race_now);
    }
    put_text(line, ",\"text\":\"");
    put_escaped_json(line, text, strlen(text));
    put_text(line, "\"}");
}

// Cuts before the character that does not fit as a whole.
static void mark_as_cut(char text[APEX_LOG_TEXT_BYTES_MAX + 1]) {
    size_t end = APEX_LOG_TEXT_BYTES_MAX - 3;
    while (end > 0 && ((unsigned char)text[end] & 0xc0) == 0x80) {
        end--;
    }
    memcpy(text + end, "...", 4);
}

void apex_log(apex_log_level level, const char *module, const char *fmt, ...) {
    if (!apex_log_enabled(level)) {
        return;
    }
    char text[APEX_LOG_TEXT_BYTES_MAX + 1];
    va_list args;
    va_start(args, fmt);
    int length = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (length < 0) {
        text[0] = '\0';
    } else if ((size_t)length >= sizeof text) {
        mark_as_cut(text);
    }

    struct line line;
    line.length = 0;
    if (settings.format == APEX_LOG_JSON) {
        put_json_line(&line, level, module, text);
    } else {
        put_text_line(&line, level, module, text);
    }
    // A module name is a literal; were one huge, the line would still end.
    line.length = line.length < sizeof line.bytes ? line.length : sizeof line.bytes - 1;
    line.bytes[line.length++] = '\n';

    FILE *file = settings.file != NULL ? settings.file : stderr;
    fwrite(line.bytes, 1, line.length, file);
    // A log that a crash takes along is worth little, and lines are rare.
    fflush(file);
}
