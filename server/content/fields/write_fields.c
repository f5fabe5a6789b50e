/// A struct written as a file that reads back to the same, each key with its help as a comment.
#include "content/fields/write_fields.h"

#include <string.h>

#include "base/assert.h"
#include "content/document/value.h"

static const void *member(const void *base, size_t offset) {
    return (const char *)base + offset;
}

static uint32_t count_of(const content_field *field, const void *base) {
    return *(const uint32_t *)member(base, field->count_offset);
}

static bool reals_equal(const double *a, const double *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (a[i] != b[i]) {
            return false;
        }
    }
    return true;
}

static bool field_equal(const content_field *field, const void *a, const void *b) {
    const void *in_a = member(a, field->offset);
    const void *in_b = member(b, field->offset);
    switch (field->type) {
    case CONTENT_REAL:
    case CONTENT_ANGLE:
    case CONTENT_SPEED:
        return reals_equal(in_a, in_b, 1);
    case CONTENT_COUNT:
        return *(const uint32_t *)in_a == *(const uint32_t *)in_b;
    case CONTENT_PORT:
        return *(const uint16_t *)in_a == *(const uint16_t *)in_b;
    case CONTENT_SEED:
        return *(const uint64_t *)in_a == *(const uint64_t *)in_b;
    case CONTENT_FLAG:
        return *(const bool *)in_a == *(const bool *)in_b;
    case CONTENT_CHOICE:
        return *(const int *)in_a == *(const int *)in_b;
    case CONTENT_NAME:
    case CONTENT_TEXT:
        return strcmp(in_a, in_b) == 0;
    case CONTENT_MAP:
    case CONTENT_SWITCH:
        return content_fields_equal(field->table, in_a, in_b);
    case CONTENT_REALS:
        return count_of(field, a) == count_of(field, b) &&
               reals_equal(in_a, in_b, count_of(field, a));
    case CONTENT_PAIRS:
        return count_of(field, a) == count_of(field, b) &&
               reals_equal(in_a, in_b, count_of(field, a)) &&
               reals_equal(member(a, field->second_offset), member(b, field->second_offset),
                           count_of(field, a));
    case CONTENT_LIST:
        return count_of(field, a) == 0 && count_of(field, b) == 0;
    case CONTENT_KIND:
    case CONTENT_CUSTOM:
        return false;
    }
    APEX_ASSERT(false);
    return false;
}

bool content_fields_equal(const content_table *table, const void *a, const void *b) {
    for (size_t i = 0; i < table->count; i++) {
        if (!field_equal(&table->fields[i], a, b)) {
            return false;
        }
    }
    return true;
}

static void print_range(FILE *out, double min, double max) {
    char low[32], high[32];
    content_print_real(min, low);
    content_print_real(max, high);
    fprintf(out, " [%s..%s]", low, high);
}

static bool has_range(content_type type) {
    return type == CONTENT_REAL || type == CONTENT_ANGLE || type == CONTENT_SPEED ||
           type == CONTENT_COUNT || type == CONTENT_PORT || type == CONTENT_REALS;
}

static void write_help(const content_writer *writer, const content_field *field, int used) {
    enum { COMMENT_COLUMN = 34 };
    int gap = used < COMMENT_COLUMN ? COMMENT_COLUMN - used : 2;
    fprintf(writer->out, "%*s# %s", gap, "", field->help);
    if (has_range(field->type)) {
        print_range(writer->out, field->min, field->max);
    }
    fputc('\n', writer->out);
}

static void print_quoted(const char *text, char *room, size_t bytes) {
    size_t used = 0;
    room[used++] = '\'';
    for (; *text != '\0' && used + 3 < bytes; text++) {
        if (*text == '\'') {
            room[used++] = '\'';
        }
        room[used++] = *text;
    }
    room[used++] = '\'';
    room[used] = '\0';
}

/// A value that stands on its key's line.
static void print_value(const content_field *field, const void *at, char *room, size_t bytes) {
    switch (field->type) {
    case CONTENT_REAL:
        content_print_real(*(const double *)at, room);
        break;
    case CONTENT_ANGLE:
        content_print_degrees(*(const double *)at, room);
        break;
    case CONTENT_SPEED:
        content_print_kmph(*(const double *)at, room);
        break;
    case CONTENT_COUNT:
        snprintf(room, bytes, "%u", (unsigned)*(const uint32_t *)at);
        break;
    case CONTENT_PORT:
        snprintf(room, bytes, "%u", (unsigned)*(const uint16_t *)at);
        break;
    case CONTENT_SEED:
        snprintf(room, bytes, "%llu", (unsigned long long)*(const uint64_t *)at);
        break;
    case CONTENT_FLAG:
        snprintf(room, bytes, "%s", *(const bool *)at ? "true" : "false");
        break;
    case CONTENT_CHOICE:
        snprintf(room, bytes, "%s", field->choices[*(const int *)at]);
        break;
    case CONTENT_NAME:
        snprintf(room, bytes, "%s", (const char *)at);
        break;
    default:
        APEX_ASSERT(field->type == CONTENT_TEXT);
        print_quoted(at, room, bytes);
    }
}

void content_write_reals(FILE *out, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char room[32];
        content_print_real(values[i], room);
        fprintf(out, "%s%s", i == 0 ? "" : ", ", room);
    }
}

static void write_numbers(content_writer *writer, const content_field *field, const void *base) {
    const double *first = member(base, field->offset);
    const double *second = member(base, field->second_offset);
    uint32_t count = count_of(field, base);
    int used = fprintf(writer->out, "%*s%s: [", writer->indent, "", field->key);
    for (uint32_t i = 0; i < count; i++) {
        char one[32], two[32];
        content_print_real(first[i], one);
        used += fprintf(writer->out, "%s", i == 0 ? "" : ", ");
        if (field->type == CONTENT_REALS) {
            used += fprintf(writer->out, "%s", one);
            continue;
        }
        if (field->second_scale == CONTENT_RADIANS_PER_DEGREE) {
            content_print_degrees(second[i], two);
        } else {
            content_print_real(second[i] / field->second_scale, two);
        }
        used += fprintf(writer->out, "[%s, %s]", one, two);
    }
    used += fprintf(writer->out, "]");
    write_help(writer, field, used);
}

/// A list that is empty by default, or a map that is left out, is shown by one item in comments.
static void write_example(content_writer *writer, const content_field *field) {
    bool is_map = field->type == CONTENT_CUSTOM && field->count_max == 0;
    int used =
        fprintf(writer->out, is_map ? "%*s# %s:" : "%*s%s: []", writer->indent, "", field->key);
    write_help(writer, field, used);
    for (size_t i = 0; i < field->table->count; i++) {
        const content_field *inner = &field->table->fields[i];
        char room[256] = "[]";
        if (inner->type != CONTENT_CUSTOM) {
            print_value(inner, member(field->prototype, inner->offset), room, sizeof room);
        }
        used = fprintf(writer->out, "%*s# %s %s: %s", writer->indent, "",
                       i == 0 && !is_map ? "-" : " ", inner->key, room);
        write_help(writer, inner, used);
    }
}

/// An item of a list on a line of its own, with its names and with what its prototype does not say.
static void write_item(content_writer *writer, const content_field *list, const void *item) {
    const char *before = "";
    fprintf(writer->out, "%*s- {", writer->indent + 2, "");
    for (size_t i = 0; i < list->table->count; i++) {
        const content_field *field = &list->table->fields[i];
        const void *at = member(item, field->offset);
        bool told = field->required || field->type == CONTENT_NAME;
        if (!told && field_equal(field, item, list->prototype)) {
            continue;
        }
        fprintf(writer->out, "%s%s: ", before, field->key);
        before = ", ";
        if (field->type == CONTENT_CUSTOM) {
            field->write(writer, item);
            continue;
        }
        char room[256];
        print_value(field, at, room, sizeof room);
        fputs(room, writer->out);
    }
    fputs("}\n", writer->out);
}

static void write_list(content_writer *writer, const content_field *field, const void *base) {
    uint32_t count = count_of(field, base);
    if (count == 0) {
        write_example(writer, field);
        return;
    }
    const char *items = member(base, field->offset);
    if (field->allocated) {
        items = *(const char *const *)member(base, field->offset);
    }
    int used = fprintf(writer->out, "%*s%s:", writer->indent, "", field->key);
    write_help(writer, field, used);
    for (uint32_t i = 0; i < count; i++) {
        write_item(writer, field, items + i * field->bytes);
    }
}

static void write_field(content_writer *writer, const content_field *field, const void *base,
                        const void *unlike) {
    const void *at = member(base, field->offset);
    char room[256];
    int used = 0;
    switch (field->type) {
    case CONTENT_MAP:
    case CONTENT_SWITCH:
        used = fprintf(writer->out, "%*s%s:", writer->indent, "", field->key);
        write_help(writer, field, used);
        writer->indent += 2;
        content_write_map(writer, field->table, at,
                          unlike != NULL ? member(unlike, field->offset) : NULL);
        writer->indent -= 2;
        return;
    case CONTENT_REALS:
    case CONTENT_PAIRS:
        write_numbers(writer, field, base);
        return;
    case CONTENT_LIST:
        write_list(writer, field, base);
        return;
    case CONTENT_CUSTOM:
        if (field->table != NULL && unlike == NULL) {
            write_example(writer, field);
            return;
        }
        if (field->table != NULL) { // its own writer knows whether it is there, and writes its key
            field->write(writer, base);
            return;
        }
        used = fprintf(writer->out, "%*s%s%s:", writer->indent, "",
                       field->write == NULL ? "# " : "", field->key);
        write_help(writer, field, used);
        if (field->write != NULL) {
            field->write(writer, base);
        }
        return;
    case CONTENT_KIND:
        snprintf(room, sizeof room, "%s", writer->kind);
        break;
    default:
        print_value(field, at, room, sizeof room);
    }
    used = fprintf(writer->out, "%*s%s: %s", writer->indent, "", field->key, room);
    write_help(writer, field, used);
}

void content_write_map(content_writer *writer, const content_table *table, const void *base,
                       const void *unlike) {
    for (size_t i = 0; i < table->count; i++) {
        const content_field *field = &table->fields[i];
        if (field->old) {
            continue;
        }
        if (unlike == NULL || field->required || !field_equal(field, base, unlike)) {
            write_field(writer, field, base, unlike);
        }
    }
}
