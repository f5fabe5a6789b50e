/// A map of a document read into a struct, driven by a table of fields.
#include "content/fields/fields.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "content/document/limits.h"
#include "content/document/nodes.h"
#include "content/document/value.h"

/// Letters to insert, drop or change to turn one word into the other; for "did you mean".
static size_t distance(const char *a, const char *b) {
    enum { WORD = 40 };
    size_t row[WORD + 1];
    size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length > WORD || b_length > WORD) {
        return WORD;
    }
    for (size_t j = 0; j <= b_length; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            best = best < row[j] + 1 ? best : row[j] + 1;
            row[j] = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
        }
    }
    return row[b_length];
}

/// A key that begins alike counts as near: `mass` for `mass_kg`, `width` for `width_m`.
static const content_field *nearest(const content_table *table, const char *key) {
    const content_field *best = NULL;
    size_t length = strlen(key);
    size_t best_distance = 2 + length / 4;
    for (size_t i = 0; i < table->count; i++) {
        const content_field *field = &table->fields[i];
        size_t away = distance(key, field->key);
        if (length >= 3 && strncmp(key, field->key, length) == 0) {
            away = 1;
        }
        if (away < best_distance) {
            best = field;
            best_distance = away;
        }
    }
    return best;
}

static bool fail_unknown(content_reader *reader, const yaml_node_t *key,
                         const content_table *table) {
    char word[CONTENT_QUOTE_BYTES];
    const content_field *near = nearest(table, content_quote(key, word));
    if (near != NULL) {
        return content_fail(reader, key->start_mark, APEX_ERR_PARSE,
                            "unknown key '%s'; did you mean '%s'?", word, near->key);
    }
    char known[384] = "";
    size_t used = 0;
    for (size_t i = 0; i < table->count; i++) {
        int added = snprintf(known + used, sizeof known - used, "%s%s", i == 0 ? "" : ", ",
                             table->fields[i].key);
        if (added < 0 || used + (size_t)added >= sizeof known - 5) {
            memcpy(known + used, ", ...", sizeof ", ...");
            break;
        }
        used += (size_t)added;
    }
    return content_fail(reader, key->start_mark, APEX_ERR_PARSE, "unknown key '%s'; known here: %s",
                        word, known);
}

typedef struct found {
    const yaml_node_t *key[CONTENT_FIELDS_MAX];
    const yaml_node_t *value[CONTENT_FIELDS_MAX];
} found;

static bool find_pair(content_reader *reader, const yaml_node_pair_t *pair,
                      const content_table *table, found *out) {
    const yaml_node_t *key = content_node(reader, pair->key);
    char room[CONTENT_QUOTE_BYTES];
    if (key->type != YAML_SCALAR_NODE) {
        return content_fail(reader, key->start_mark, APEX_ERR_PARSE, "expected a key, found %s",
                            content_describe(key, room));
    }
    size_t at = 0;
    while (at < table->count && !content_is(key, table->fields[at].key)) {
        at++;
    }
    if (at == table->count) {
        return fail_unknown(reader, key, table);
    }
    if (out->key[at] != NULL) {
        size_t path = content_push_key(reader, table->fields[at].key);
        content_fail(reader, key->start_mark, APEX_ERR_PARSE, "given twice; first on line %zu",
                     out->key[at]->start_mark.line + 1);
        content_pop(reader, path);
        return false;
    }
    out->key[at] = key;
    out->value[at] = content_node(reader, pair->value);
    return true;
}

static bool find_fields(content_reader *reader, const yaml_node_t *map, const content_table *table,
                        found *out) {
    char room[CONTENT_QUOTE_BYTES];
    if (map->type != YAML_MAPPING_NODE) {
        return content_fail(reader, map->start_mark, APEX_ERR_PARSE,
                            "expected a map (key: value), found %s", content_describe(map, room));
    }
    bool good = true;
    const yaml_node_pair_t *pair = map->data.mapping.pairs.start;
    for (; pair < map->data.mapping.pairs.top; pair++) {
        good &= find_pair(reader, pair, table, out);
        if (!good && !content_goes_on(reader)) {
            return false;
        }
    }
    for (size_t i = 0; i < table->count; i++) {
        if (!table->fields[i].required || out->key[i] != NULL) {
            continue;
        }
        size_t path = content_push_key(reader, table->fields[i].key);
        good = content_fail(reader, map->start_mark, APEX_ERR_PARSE, "missing (%s)",
                            table->fields[i].help);
        content_pop(reader, path);
        if (!content_goes_on(reader)) {
            return false;
        }
    }
    return good;
}

static void *member(void *base, size_t offset) {
    return (char *)base + offset;
}

static bool read_reals(content_reader *reader, const yaml_node_t *node, const content_field *field,
                       void *base) {
    if (!content_need_list(reader, node, field->count_min, field->count_max)) {
        return false;
    }
    double *values = member(base, field->offset);
    size_t count = content_list_count(node);
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        size_t path = content_push_index(reader, i);
        good &= content_read_real(reader, content_list_item(reader, node, i),
                                  (double[2]){field->min, field->max}, &values[i]);
        content_pop(reader, path);
        if (!good && !content_goes_on(reader)) {
            return false;
        }
    }
    *(uint32_t *)member(base, field->count_offset) = (uint32_t)count;
    return good;
}

static bool read_pair(content_reader *reader, const yaml_node_t *pair, const content_field *field,
                      double out[2]) {
    if (!content_need_list(reader, pair, 2, 2) ||
        !content_read_real(reader, content_list_item(reader, pair, 0),
                           (double[2]){field->min, field->max}, &out[0]) ||
        !content_read_real(reader, content_list_item(reader, pair, 1),
                           (double[2]){field->second_min, field->second_max}, &out[1])) {
        return false;
    }
    out[1] *= field->second_scale;
    return true;
}

static bool read_pairs(content_reader *reader, const yaml_node_t *node, const content_field *field,
                       void *base) {
    if (!content_need_list(reader, node, field->count_min, field->count_max)) {
        return false;
    }
    double *first = member(base, field->offset);
    double *second = member(base, field->second_offset);
    size_t count = content_list_count(node);
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *pair = content_list_item(reader, node, i);
        size_t path = content_push_index(reader, i);
        double value[2];
        if (!read_pair(reader, pair, field, value)) {
            return false;
        }
        if (i > 0 && !(value[0] > first[i - 1])) {
            char here[32], before[32];
            content_print_real(value[0], here);
            content_print_real(first[i - 1], before);
            return content_fail(reader, pair->start_mark, APEX_ERR_RANGE,
                                "the first numbers of the pairs must rise, but %s follows %s", here,
                                before);
        }
        first[i] = value[0];
        second[i] = value[1];
        content_pop(reader, path);
    }
    *(uint32_t *)member(base, field->count_offset) = (uint32_t)count;
    return true;
}

static bool read_list(content_reader *reader, const yaml_node_t *node, const content_field *field,
                      void *base) {
    if (!content_need_list(reader, node, field->count_min, field->count_max)) {
        return false;
    }
    size_t count = content_list_count(node);
    char *items = member(base, field->offset);
    if (field->allocated && count > 0) {
        items = calloc(count, field->bytes);
        if (items == NULL) {
            return content_fail(reader, node->start_mark, APEX_ERR_NO_MEMORY, "out of memory");
        }
        // The pointer's own type is known to the owner alone; all object pointers look alike here.
        memcpy(member(base, field->offset), &items, sizeof items);
    }
    *(uint32_t *)member(base, field->count_offset) = (uint32_t)count;
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        size_t path = content_push_index(reader, i);
        memcpy(items + i * field->bytes, field->prototype, field->bytes);
        good &= content_read_map(reader, content_list_item(reader, node, i), field->table,
                                 items + i * field->bytes);
        content_pop(reader, path);
        if (!good && !content_goes_on(reader)) {
            return false;
        }
    }
    return good;
}

static bool read_number(content_reader *reader, const yaml_node_t *node, const content_field *field,
                        void *at) {
    const double range[2] = {field->min, field->max};
    if (field->type == CONTENT_REAL) {
        return content_read_real(reader, node, range, at);
    }
    if (field->type == CONTENT_SPEED) {
        if (!content_read_real(reader, node, range, at)) {
            return false;
        }
        *(double *)at /= CONTENT_KMPH_PER_MPS;
        return true;
    }
    if (field->type == CONTENT_ANGLE) {
        if (!content_read_real(reader, node, range, at)) {
            return false;
        }
        *(double *)at *= CONTENT_RADIANS_PER_DEGREE;
        return true;
    }
    uint64_t whole = 0;
    uint64_t whole_max = field->type == CONTENT_SEED ? UINT64_MAX : (uint64_t)field->max;
    if (!content_read_whole(reader, node, (uint64_t[2]){(uint64_t)field->min, whole_max}, &whole)) {
        return false;
    }
    if (field->type == CONTENT_COUNT) {
        *(uint32_t *)at = (uint32_t)whole;
    } else if (field->type == CONTENT_PORT) {
        *(uint16_t *)at = (uint16_t)whole;
    } else {
        *(uint64_t *)at = whole;
    }
    return true;
}

// Whoever gives its numbers wants it on, unless they say otherwise.
static bool read_switch(content_reader *reader, const yaml_node_t *node, const content_field *field,
                        void *at) {
    bool *on = at;
    if (node->type == YAML_MAPPING_NODE) {
        *on = true;
        return content_read_map(reader, node, field->table, at);
    }
    char room[CONTENT_QUOTE_BYTES];
    *on = content_is(node, "on");
    return *on || content_is(node, "off") ||
           content_fail(reader, node->start_mark, APEX_ERR_PARSE,
                        "expected on, off or a map (key: value), found %s",
                        content_describe(node, room));
}

static bool read_field(content_reader *reader, const yaml_node_t *node, const content_field *field,
                       void *base) {
    void *at = member(base, field->offset);
    switch (field->type) {
    case CONTENT_KIND:
        return true;
    case CONTENT_REAL:
    case CONTENT_ANGLE:
    case CONTENT_SPEED:
    case CONTENT_COUNT:
    case CONTENT_PORT:
    case CONTENT_SEED:
        return read_number(reader, node, field, at);
    case CONTENT_FLAG:
        return content_read_flag(reader, node, at);
    case CONTENT_CHOICE:
        return content_read_choice(reader, node, field->choices, at);
    case CONTENT_NAME:
        return content_read_name(reader, node, at, field->bytes);
    case CONTENT_TEXT:
        return content_read_text(reader, node, at, field->bytes);
    case CONTENT_MAP:
        return content_read_map(reader, node, field->table, at);
    case CONTENT_SWITCH:
        return read_switch(reader, node, field, at);
    case CONTENT_REALS:
        return read_reals(reader, node, field, base);
    case CONTENT_PAIRS:
        return read_pairs(reader, node, field, base);
    case CONTENT_LIST:
        return read_list(reader, node, field, base);
    case CONTENT_CUSTOM:
        return field->read(reader, node, base);
    }
    APEX_ASSERT(false);
    return false;
}

bool content_read_map(content_reader *reader, const yaml_node_t *node, const content_table *table,
                      void *base) {
    APEX_ASSERT(table->count <= CONTENT_FIELDS_MAX);
    found here = {0};
    bool good = find_fields(reader, node, table, &here);
    if (!good && !content_goes_on(reader)) {
        return false;
    }
    for (size_t i = 0; i < table->count; i++) {
        const content_field *field = &table->fields[i];
        bool needs_others = field->type == CONTENT_CUSTOM && !field->alone;
        if (here.value[i] == NULL || (!good && needs_others)) {
            continue;
        }
        size_t path = content_push_key(reader, field->key);
        good &= read_field(reader, here.value[i], field, base);
        content_pop(reader, path);
        if (!good && !content_goes_on(reader)) {
            return false;
        }
    }
    return good;
}
