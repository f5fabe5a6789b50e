// Lines are read one by one; a family ends where the next begins, and is checked whole there.
#include "support/api/exposition_check.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 96, SERIES_BYTES = 512, SERIES_MAX = 4096, FAMILIES_MAX = 256 };

typedef struct check_state {
    char *why;
    bool failed;
    char families[FAMILIES_MAX][NAME_BYTES];
    size_t family_count;
    char family[NAME_BYTES], type[16]; // under way
    bool has_type;
    char *series[SERIES_MAX];
    size_t series_count;
    // The histogram's series under way, without le.
    char histogram[SERIES_BYTES + 2];
    double bound, below;
    bool has_infinity, has_sum, has_count;
} check_state;

typedef struct sample {
    char name[NAME_BYTES];
    char labels[SERIES_BYTES]; // as written, le left out
    char le[64];
    double value;
} sample;

__attribute__((format(printf, 2, 3))) static bool fail(check_state *state, const char *format,
                                                       ...) {
    if (!state->failed) {
        state->failed = true;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(state->why, EXPOSITION_WHY_BYTES, format, arguments);
        va_end(arguments);
    }
    return false;
}

// A name, and where it ends; NULL if there is none.
static const char *take_name(const char *at, char out[NAME_BYTES]) {
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_') {
        length++;
    }
    if (length == 0 || length >= NAME_BYTES || isdigit((unsigned char)at[0])) {
        return NULL;
    }
    memcpy(out, at, length);
    out[length] = '\0';
    return at + length;
}

// The label's value between its quotes; NULL for a false escape or no end.
static const char *take_quoted(const char *at) {
    if (*at++ != '"') {
        return NULL;
    }
    for (; *at != '"'; at++) {
        if (*at == '\0') {
            return NULL;
        }
        if (*at == '\\' && strchr("\\\"n", *++at) == NULL) {
            return NULL;
        }
    }
    return at + 1;
}

static const char *take_labels(const char *at, sample *out) {
    char seen[16][NAME_BYTES];
    size_t count = 0;
    do {
        char name[NAME_BYTES];
        const char *begin = ++at; // past the brace or comma
        at = take_name(at, name);
        if (at == NULL || *at != '=' || count == 16) {
            return NULL;
        }
        const char *value = at + 1;
        at = take_quoted(value);
        if (at == NULL) {
            return NULL;
        }
        for (size_t i = 0; i < count; i++) {
            if (strcmp(seen[i], name) == 0) {
                return NULL;
            }
        }
        memcpy(seen[count++], name, sizeof name);
        if (strcmp(name, "le") == 0) {
            snprintf(out->le, sizeof out->le, "%.*s", (int)(at - value - 2), value + 1);
        } else {
            size_t used = strlen(out->labels);
            snprintf(out->labels + used, sizeof out->labels - used, "%.*s,", (int)(at - begin),
                     begin);
        }
    } while (*at == ',');
    return *at == '}' ? at + 1 : NULL;
}

static bool take_sample(check_state *state, const char *line, sample *out) {
    memset(out, 0, sizeof *out);
    const char *at = take_name(line, out->name);
    if (at != NULL && *at == '{') {
        at = take_labels(at, out);
    }
    if (at == NULL || *at != ' ') {
        return fail(state, "no sample: %s", line);
    }
    char *end = NULL;
    out->value = strtod(at + 1, &end);
    if (end == at + 1 || *end != '\0' || !isfinite(out->value) || isspace((unsigned char)at[1])) {
        return fail(state, "no number: %s", line);
    }
    return true;
}

static bool end_histogram(check_state *state) {
    bool is_whole = state->has_infinity && state->has_sum && state->has_count;
    if (state->histogram[0] != '\0' && !is_whole) {
        return fail(state, "%s{%s} lacks +Inf, _sum or _count", state->family, state->histogram);
    }
    state->histogram[0] = '\0';
    return true;
}

static bool begin_family(check_state *state, const char *line) {
    char name[NAME_BYTES];
    const char *at = take_name(line + strlen("# HELP "), name);
    if (at == NULL || *at != ' ' || at[1] == '\0') {
        return fail(state, "no help: %s", line);
    }
    for (size_t i = 0; i < state->family_count; i++) {
        if (strcmp(state->families[i], name) == 0) {
            return fail(state, "%s comes twice", name);
        }
    }
    if (!end_histogram(state) || state->family_count == FAMILIES_MAX) {
        return fail(state, "too many families");
    }
    memcpy(state->families[state->family_count++], name, sizeof name);
    memcpy(state->family, name, sizeof name);
    state->has_type = false;
    return true;
}

static bool take_type(check_state *state, const char *line) {
    char name[NAME_BYTES];
    const char *at = take_name(line + strlen("# TYPE "), name);
    if (at == NULL || *at != ' ' || state->has_type || strcmp(name, state->family) != 0) {
        return fail(state, "no type of %s: %s", state->family, line);
    }
    snprintf(state->type, sizeof state->type, "%s", at + 1);
    state->has_type = true;
    size_t length = strlen(name);
    bool is_total = length > 6 && strcmp(name + length - 6, "_total") == 0;
    if (strcmp(state->type, "counter") == 0) {
        return is_total || fail(state, "the counter %s does not end in _total", name);
    }
    bool is_known = strcmp(state->type, "gauge") == 0 || strcmp(state->type, "histogram") == 0;
    return is_known && !is_total ? true : fail(state, "%s is a %s?", name, state->type);
}

static bool take_bucket(check_state *state, const sample *got) {
    double bound = strcmp(got->le, "+Inf") == 0 ? (double)INFINITY : strtod(got->le, NULL);
    bool is_first = state->histogram[0] == '\0' || state->has_infinity;
    if (is_first) {
        if (!end_histogram(state)) {
            return false;
        }
        snprintf(state->histogram, sizeof state->histogram, "%s ", got->labels);
        state->has_infinity = state->has_sum = state->has_count = false;
        state->bound = (double)-INFINITY;
        state->below = 0.0;
    }
    bool is_same = strncmp(state->histogram, got->labels, strlen(got->labels)) == 0;
    if (!is_same || got->le[0] == '\0' || bound <= state->bound || got->value < state->below) {
        return fail(state, "%s{%s}: bucket %s does not follow", state->family, got->labels,
                    got->le);
    }
    state->bound = bound;
    state->below = got->value;
    state->has_infinity = isinf(bound);
    return true;
}

static bool take_of_histogram(check_state *state, const sample *got) {
    const char *suffix = got->name + strlen(state->family);
    if (strcmp(suffix, "_bucket") == 0) {
        return take_bucket(state, got);
    }
    bool is_same = strncmp(state->histogram, got->labels, strlen(got->labels)) == 0;
    if (!state->has_infinity || !is_same || got->le[0] != '\0') {
        return fail(state, "%s{%s} follows no +Inf", got->name, got->labels);
    }
    if (strcmp(suffix, "_sum") == 0) {
        state->has_sum = true;
        return true;
    }
    state->has_count = strcmp(suffix, "_count") == 0 && got->value == state->below;
    return state->has_count || fail(state, "%s{%s} is not its last bucket", got->name, got->labels);
}

static bool take_line(check_state *state, const char *line) {
    if (strncmp(line, "# HELP ", 7) == 0) {
        return begin_family(state, line);
    }
    if (strncmp(line, "# TYPE ", 7) == 0) {
        return take_type(state, line);
    }
    sample got;
    if (!take_sample(state, line, &got)) {
        return false;
    }
    bool is_histogram = strcmp(state->type, "histogram") == 0;
    size_t length = strlen(state->family);
    bool is_of_family = length > 0 && strncmp(got.name, state->family, length) == 0 &&
                        (is_histogram || got.name[length] == '\0');
    if (!state->has_type || !is_of_family) {
        return fail(state, "%s is not of the family %s", got.name, state->family);
    }
    if (strcmp(state->type, "counter") == 0 && got.value < 0.0) {
        return fail(state, "a counter below 0: %s", line);
    }
    const char *value = strrchr(line, ' ');
    char *series = strndup(line, (size_t)(value - line));
    for (size_t i = 0; i < state->series_count; i++) {
        if (strcmp(state->series[i], series) == 0) {
            free(series);
            return fail(state, "twice: %s", line);
        }
    }
    state->series[state->series_count++] = series;
    if (state->series_count == SERIES_MAX) {
        return fail(state, "too many series");
    }
    return !is_histogram || take_of_histogram(state, &got);
}

bool exposition_check(const char *text, char why[EXPOSITION_WHY_BYTES]) {
    check_state *state = calloc(1, sizeof *state);
    state->why = why;
    why[0] = '\0';
    bool good = true;
    while (*text != '\0' && good) {
        size_t length = strcspn(text, "\n");
        char *line = strndup(text, length);
        good = text[length] == '\n' ? take_line(state, line) : fail(state, "no end: %s", line);
        free(line);
        text += length + (text[length] == '\n');
    }
    good = good && end_histogram(state);
    for (size_t i = 0; i < state->series_count; i++) {
        free(state->series[i]);
    }
    free(state);
    return good;
}

double exposition_value(const char *text, const char *series) {
    size_t length = strlen(series);
    for (const char *at = text; at != NULL; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, series, length) == 0 && at[length] == ' ') {
            return strtod(at + length, NULL);
        }
    }
    return (double)NAN;
}
