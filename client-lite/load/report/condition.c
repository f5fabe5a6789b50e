// A recursive-descent parser works the answer out as it reads.
#include "client-lite/load/report/condition.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"

typedef struct reader {
    const char *text;
    size_t at;
    const client_figure *figures;
    size_t count;
    client_condition_problem *problem;
    bool failed;
    const char *unknown;
    int depth;
} reader;

static double read_any(reader *in);

__attribute__((format(printf, 3, 4))) static double fail(reader *in, size_t at, const char *format,
                                                         ...) {
    if (!in->failed && in->problem != NULL) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(in->problem->why, sizeof in->problem->why, format, arguments);
        va_end(arguments);
        in->problem->column = at + 1;
    }
    in->failed = true;
    return 0.0;
}

static void skip_spaces(reader *in) {
    while (in->text[in->at] == ' ' || in->text[in->at] == '\t') {
        in->at++;
    }
}

static bool take(reader *in, const char *sign) {
    skip_spaces(in);
    size_t length = strlen(sign);
    if (strncmp(in->text + in->at, sign, length) != 0) {
        return false;
    }
    in->at += length;
    return true;
}

static bool is_name_begin(char c) {
    return isalpha((unsigned char)c) || c == '_';
}

static double read_number(reader *in) {
    size_t begin = in->at;
    char *end;
    double value = strtod(in->text + begin, &end);
    in->at = (size_t)(end - in->text);
    if (end == in->text + begin || !isfinite(value) || is_name_begin(*end)) {
        return fail(in, begin, "expected a number like 12 or 0.5");
    }
    return value;
}

static double read_name(reader *in) {
    const char *name = in->text + in->at;
    size_t length = 0;
    while (is_name_begin(name[length]) || isdigit((unsigned char)name[length])) {
        length++;
    }
    for (size_t i = 0; i < in->count; i++) {
        const client_figure *figure = &in->figures[i];
        if (strlen(figure->name) == length && memcmp(figure->name, name, length) == 0) {
            in->at += length;
            if (isnan(figure->value) && in->unknown == NULL) {
                in->unknown = figure->name;
            }
            return figure->value;
        }
    }
    return fail(in, in->at, "there is no figure '%.*s'", (int)(length < 60 ? length : 60), name);
}

// A number, a name, or any question in parentheses.
static double read_value(reader *in) {
    skip_spaces(in);
    char next = in->text[in->at];
    if (take(in, "(")) {
        size_t opened = in->at - 1;
        double value = read_any(in);
        if (!in->failed && !take(in, ")")) {
            return fail(in, opened, "no ')' for this '('");
        }
        return value;
    }
    if (is_name_begin(next)) {
        return read_name(in);
    }
    if (isdigit((unsigned char)next) || next == '.' || next == '-') {
        return read_number(in);
    }
    return next == '\0'
               ? fail(in, in->at, "expected a number or a figure, found the end")
               : fail(in, in->at, "expected a number or a figure, found '%.1s'", in->text + in->at);
}

// Three truths: what depends on something unknown is not a number.
static double truth(bool is) {
    return is ? 1.0 : 0.0;
}

static double compare(double left, const char *sign, double right) {
    if (isnan(left) || isnan(right)) {
        return (double)NAN;
    }
    switch (sign[0]) {
    case '<':
        return truth(sign[1] == '=' ? left <= right : left < right);
    case '>':
        return truth(sign[1] == '=' ? left >= right : left > right);
    case '=':
        return truth(left == right);
    default:
        return truth(left != right);
    }
}

// As in C, ! belongs to what follows it at once.
static double read_negated(reader *in) {
    bool any = false;
    bool negated = false;
    while (take(in, "!")) {
        any = true;
        negated = !negated;
    }
    double value = read_value(in);
    return any && !isnan(value) ? truth((value != 0.0) != negated) : value;
}

static double read_comparison(reader *in) {
    static const char *const SIGNS[] = {"<=", ">=", "==", "!=", "<", ">"};
    double left = read_negated(in);
    for (size_t i = 0; i < sizeof SIGNS / sizeof SIGNS[0] && !in->failed; i++) {
        if (take(in, SIGNS[i])) {
            return compare(left, SIGNS[i], read_negated(in));
        }
    }
    return left;
}

static double read_and(reader *in) {
    double value = read_comparison(in);
    while (!in->failed && take(in, "&&")) {
        double next = read_comparison(in);
        bool is_false = value == 0.0 || next == 0.0;
        bool is_unknown = isnan(value) || isnan(next);
        value = is_false ? 0.0 : is_unknown ? (double)NAN : 1.0;
    }
    return value;
}

static double read_or(reader *in) {
    double value = read_and(in);
    while (!in->failed && take(in, "||")) {
        double next = read_and(in);
        bool is_unknown = isnan(value) || isnan(next);
        bool is_true = (!isnan(value) && value != 0.0) || (!isnan(next) && next != 0.0);
        value = is_true ? 1.0 : is_unknown ? (double)NAN : 0.0;
    }
    return value;
}

static double read_any(reader *in) {
    if (in->depth == CLIENT_CONDITION_DEPTH_MAX) {
        return fail(in, in->at, "more than %d parentheses in each other",
                    CLIENT_CONDITION_DEPTH_MAX);
    }
    in->depth++;
    double value = read_or(in);
    in->depth--;
    return value;
}

static double read_all(reader *in) {
    double value = read_any(in);
    skip_spaces(in);
    if (!in->failed && in->text[in->at] != '\0') {
        return fail(in, in->at, "expected && or || or the end, found '%.1s'", in->text + in->at);
    }
    return value;
}

bool client_condition_check(const char *text, const client_figure figures[], size_t count,
                            client_condition_problem *problem) {
    reader in = {.text = text, .figures = figures, .count = count, .problem = problem};
    read_all(&in);
    return !in.failed;
}

client_condition_answer client_condition_answer_of(const char *text, const client_figure figures[],
                                                   size_t count, const char **unknown) {
    reader in = {.text = text, .figures = figures, .count = count};
    double value = read_all(&in);
    APEX_ASSERT(!in.failed);
    *unknown = isnan(value) ? in.unknown : NULL;
    if (isnan(value)) {
        return CLIENT_CONDITION_UNKNOWN;
    }
    return value != 0.0 ? CLIENT_CONDITION_TRUE : CLIENT_CONDITION_FALSE;
}
