/// Tables of a circuit's points, as the TUMFTM racetrack database has them: a line for a point, the
/// centre line in driving order, and how wide the road is to each side of it.
#include "content/import/import_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "content/document/limits.h"
#include "content/document/problem.h"
#include "content/document/value.h"

enum { COLUMNS = 4, LINE_BYTES_MAX = 256, POINTS_MIN = 8, CELL_BYTES = 40 };

// Points that stand nearer to each other than this are one.
#define SAME_M 0.05
// The way from the last point to the first may be this much longer than other steps.
#define CLOSING_RATIO_MAX 4.0
#define CLOSING_M         25.0

static const char *const COLUMN_NAMES[COLUMNS] = {"x_m", "y_m", "w_tr_right_m", "w_tr_left_m"};
static const double RANGES[COLUMNS][2] = {{-50000, 50000}, {-50000, 50000}, {1, 50}, {1, 50}};

typedef struct cell {
    const char *begin;
    size_t length;
    uint32_t column; ///< counted from 1
} cell;

typedef struct row {
    cell cells[COLUMNS];
    uint32_t count; ///< COLUMNS + 1 stands for more
} row;

static bool is_blank(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r';
}

static row split(const char *text, size_t length) {
    row out = {.count = 0};
    size_t from = 0;
    for (size_t i = 0; i <= length; i++) {
        if (i < length && text[i] != ',') {
            continue;
        }
        if (out.count == COLUMNS) {
            out.count++;
            return out;
        }
        size_t first = from, last = i;
        while (first < last && is_blank(text[first])) {
            first++;
        }
        while (last > first && is_blank(text[last - 1])) {
            last--;
        }
        out.cells[out.count++] = (cell){text + first, last - first, (uint32_t)first + 1};
        from = i + 1;
    }
    return out;
}

static bool says(const cell *at, const char *word) {
    return at->length == strlen(word) && memcmp(at->begin, word, at->length) == 0;
}

/// The text of a cell, fit for a message.
static const char *show(const cell *at, char room[CELL_BYTES]) {
    size_t length = at->length < CELL_BYTES - 1 ? at->length : CELL_BYTES - 1;
    for (size_t i = 0; i < length; i++) {
        room[i] = at->begin[i] >= ' ' && at->begin[i] <= '~' ? at->begin[i] : '?';
    }
    room[length] = '\0';
    return room;
}

static apex_err need_columns(const import_text *from, uint32_t line, const row *cells) {
    if (cells->count == COLUMNS) {
        return APEX_OK;
    }
    return import_refuse(from, line, 1,
                         "expected 4 columns, x_m,y_m,w_tr_right_m,w_tr_left_m, found %s%u",
                         cells->count > COLUMNS ? "more than " : "",
                         cells->count > COLUMNS ? COLUMNS : cells->count);
}

/// A line of names must name these columns in this order: others would be read as if they were.
static apex_err check_header(const import_text *from, uint32_t line, const row *cells) {
    apex_err err = need_columns(from, line, cells);
    for (uint32_t i = 0; err == APEX_OK && i < COLUMNS; i++) {
        char room[CELL_BYTES];
        if (!says(&cells->cells[i], COLUMN_NAMES[i])) {
            err = import_refuse(from, line, cells->cells[i].column,
                                "expected the column %s, found '%s'", COLUMN_NAMES[i],
                                show(&cells->cells[i], room));
        }
    }
    return err;
}

static apex_err read_cell(const import_text *from, uint32_t line, const cell *at,
                          const uint32_t index, double *out) {
    char room[CELL_BYTES], low[32], high[32];
    show(at, room);
    if (at->length >= CELL_BYTES || !content_number(room, out)) {
        return import_refuse(from, line, at->column, "%s: expected a number, found '%s'",
                             COLUMN_NAMES[index], room);
    }
    if (*out >= RANGES[index][0] && *out <= RANGES[index][1]) {
        return APEX_OK;
    }
    content_print_real(RANGES[index][0], low);
    content_print_real(RANGES[index][1], high);
    return import_refuse(from, line, at->column, "%s: %s is outside %s..%s", COLUMN_NAMES[index],
                         room, low, high);
}

/// A file to be read and edited has no need of fractions of a millimetre.
static double rounded(double value_m) {
    return round(value_m * 1000.0) / 1000.0;
}

static apex_err add_point(const import_text *from, uint32_t number, const row *cells,
                          import_line *line) {
    double value[COLUMNS];
    apex_err err = need_columns(from, number, cells);
    for (uint32_t i = 0; err == APEX_OK && i < COLUMNS; i++) {
        err = read_cell(from, number, &cells->cells[i], i, &value[i]);
    }
    if (err != APEX_OK) {
        return err;
    }
    if (line->count == APEX_TRACK_POINTS_MAX) {
        return import_refuse(from, number, 1, "more than %d points", APEX_TRACK_POINTS_MAX);
    }
    apex_track_point *point = &line->points[line->count];
    *point = (apex_track_point){.x_m = rounded(value[0]),
                                .y_m = rounded(value[1]),
                                .right_m = rounded(value[2]),
                                .left_m = rounded(value[3])};
    const apex_track_point *last = line->count > 0 ? &line->points[line->count - 1] : NULL;
    if (last != NULL && hypot(point->x_m - last->x_m, point->y_m - last->y_m) < SAME_M) {
        return import_refuse(from, number, 1, "the same place as the point on line %u",
                             line->text_line[line->count - 1]);
    }
    line->text_line[line->count++] = number;
    return APEX_OK;
}

static bool begins_a_name(const row *cells) {
    char first = cells->cells[0].length > 0 ? cells->cells[0].begin[0] : '0';
    return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
}

static size_t comment_mark_bytes(const char *text, size_t length) {
    size_t at = 0;
    while (at < length && (text[at] == '#' || is_blank(text[at]))) {
        at++;
    }
    return at;
}

/// `# x_m,...` is how the database heads its tables; any other comment says what it likes.
static bool is_header(const char *text, size_t length) {
    size_t at = comment_mark_bytes(text, length);
    return length - at >= 3 && memcmp(text + at, "x_m", 3) == 0;
}

static apex_err read_line(const import_text *from, uint32_t number, cell text, import_line *line) {
    while (text.length > 0 && is_blank(text.begin[text.length - 1])) {
        text.length--;
    }
    if (text.length > LINE_BYTES_MAX) {
        return import_refuse(from, number, LINE_BYTES_MAX + 1, "the line is longer than %d bytes",
                             LINE_BYTES_MAX);
    }
    if (memchr(text.begin, '\0', text.length) != NULL) {
        return import_refuse(from, number, 1, "not a text");
    }
    if (text.length == 0) {
        return APEX_OK;
    }
    bool comment = text.begin[0] == '#';
    if (comment && !is_header(text.begin, text.length)) {
        return APEX_OK;
    }
    size_t skipped = comment ? comment_mark_bytes(text.begin, text.length) : 0;
    row cells = split(text.begin + skipped, text.length - skipped);
    for (uint32_t i = 0; i < cells.count && i < COLUMNS; i++) {
        cells.cells[i].column += (uint32_t)skipped;
    }
    if (comment || (line->count == 0 && begins_a_name(&cells))) {
        return check_header(from, number, &cells);
    }
    return add_point(from, number, &cells, line);
}

static double step_m(const import_line *line, uint32_t from, uint32_t to) {
    return hypot(line->points[to].x_m - line->points[from].x_m,
                 line->points[to].y_m - line->points[from].y_m);
}

/// A table may say its first point again at its end; a track's lap closes by itself.
static apex_err close_lap(const import_text *from, import_line *line) {
    if (line->count > 1 && step_m(line, line->count - 1, 0) < SAME_M) {
        line->count--;
        line->circuit->first_repeated = true;
    }
    if (line->count < POINTS_MIN) {
        return import_refuse(from, 0, 0, "%u points; a circuit has at least %d", line->count,
                             POINTS_MIN);
    }
    double longest_m = CLOSING_M / CLOSING_RATIO_MAX;
    for (uint32_t i = 0; i + 1 < line->count; i++) {
        longest_m = fmax(longest_m, step_m(line, i, i + 1));
    }
    double gap_m = step_m(line, line->count - 1, 0);
    if (gap_m <= CLOSING_RATIO_MAX * longest_m) {
        return APEX_OK;
    }
    return import_refuse(from, line->text_line[line->count - 1], 1,
                         "not closed: %.1f m from this last point to the first, on line %u", gap_m,
                         line->text_line[0]);
}

static apex_err read_lines(const import_text *from, const char *text, size_t length,
                           import_line *line) {
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    size_t at = length >= 3 && memcmp(text, byte_order_mark, 3) == 0 ? 3 : 0;
    uint32_t number = 0;
    while (at < length) {
        const char *end = memchr(text + at, '\n', length - at);
        size_t bytes = end != NULL ? (size_t)(end - text) - at : length - at;
        apex_err err = read_line(from, ++number, (cell){text + at, bytes, 1}, line);
        if (err != APEX_OK) {
            return err;
        }
        at += bytes + 1;
    }
    return close_lap(from, line);
}

apex_err import_read(const import_text *from, const char *text, size_t length, import_line *line) {
    apex_track_def *def = &line->circuit->def;
    if (length > CONTENT_FILE_BYTES_MAX) {
        return import_refuse(from, 0, 0, "more than %d bytes", CONTENT_FILE_BYTES_MAX);
    }
    line->points = calloc(APEX_TRACK_POINTS_MAX, sizeof *line->points);
    line->text_line = calloc(APEX_TRACK_POINTS_MAX, sizeof *line->text_line);
    line->along_m = calloc(APEX_TRACK_POINTS_MAX + 1, sizeof *line->along_m);
    def->points = line->points;
    if (line->points == NULL || line->text_line == NULL || line->along_m == NULL) {
        content_explain(from->problem, "%s: out of memory", from->label);
        return APEX_ERR_NO_MEMORY;
    }
    apex_err err = read_lines(from, text, length, line);
    def->point_count = line->count;
    line->circuit->point_count = line->count;
    return err;
}
