/// A YAML file as libyaml's document tree, which keeps a line and a column for every node. (A
/// schema-driven binding, libcyaml, was tried instead: it takes `5.5x` for 5 and misplaces the
/// lines of unknown keys.)
#include "content/document/reader.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void content_gather(content_reader *reader, apex_content_problems *all) {
    reader->all = all;
    reader->others_count = all != NULL ? all->count : 0;
}

bool content_goes_on(const content_reader *reader) {
    return reader->all != NULL && !reader->all->has_more && reader->err != APEX_ERR_NO_MEMORY;
}

static bool is_before(yaml_mark_t at, const apex_content_problems *all, uint32_t other) {
    return at.line < all->lines[other] ||
           (at.line == all->lines[other] && at.column < all->columns[other]);
}

// In the order of the file: fields are read in the order of their table.
static void insert(apex_content_problems *all, uint32_t first, yaml_mark_t at,
                   const apex_content_problem *problem) {
    if (all->count == APEX_CONTENT_PROBLEMS_MAX) {
        all->has_more = true;
        return;
    }
    uint32_t place = all->count++;
    for (; place > first && is_before(at, all, place - 1); place--) {
        all->at[place] = all->at[place - 1];
        all->lines[place] = all->lines[place - 1];
        all->columns[place] = all->columns[place - 1];
    }
    all->at[place] = *problem;
    all->lines[place] = at.line;
    all->columns[place] = at.column;
}

void content_note(apex_content_problems *all, const apex_content_problem *problem) {
    if (all != NULL) {
        insert(all, all->count, (yaml_mark_t){0}, problem);
    }
}

bool content_fail(content_reader *reader, yaml_mark_t at, apex_err err, const char *fmt, ...) {
    apex_content_problem problem = {{0}};
    int used =
        snprintf(problem.text, sizeof problem.text, "%s:%zu:%zu: %s%s", reader->label, at.line + 1,
                 at.column + 1, reader->path, reader->path_length > 0 ? ": " : "");
    if (used >= 0 && (size_t)used < sizeof problem.text) {
        va_list args;
        va_start(args, fmt);
        vsnprintf(problem.text + used, sizeof problem.text - (size_t)used, fmt, args);
        va_end(args);
    }
    if (reader->all == NULL || reader->err == APEX_OK) {
        reader->err = err;
        reader->problem = problem;
    }
    if (reader->all != NULL) {
        insert(reader->all, reader->others_count, at, &problem);
    }
    return false;
}

static size_t push(content_reader *reader, const char *text) {
    size_t before = reader->path_length;
    size_t room = sizeof reader->path - before;
    int added = snprintf(reader->path + before, room, "%s", text);
    if (added > 0) {
        reader->path_length = before + ((size_t)added < room ? (size_t)added : room - 1);
    }
    return before;
}

size_t content_push_key(content_reader *reader, const char *key) {
    char text[64];
    snprintf(text, sizeof text, "%s%s", reader->path_length > 0 ? "." : "", key);
    return push(reader, text);
}

size_t content_push_index(content_reader *reader, size_t index) {
    char text[32];
    snprintf(text, sizeof text, "[%zu]", index);
    return push(reader, text);
}

void content_pop(content_reader *reader, size_t length) {
    reader->path_length = length;
    reader->path[length] = '\0';
}

/// libyaml tells no line for bytes that it cannot decode.
static yaml_mark_t mark_of_byte(const char *text, size_t offset) {
    yaml_mark_t at = {.index = offset};
    for (size_t i = 0; i < offset; i++) {
        at.column++;
        if (text[i] == '\n') {
            at.line++;
            at.column = 0;
        }
    }
    return at;
}

static bool fail_parser(content_reader *reader, const yaml_parser_t *parser) {
    const char *what = parser->problem != NULL ? parser->problem : "cannot be read";
    yaml_mark_t at = parser->problem_mark;
    if (parser->error == YAML_MEMORY_ERROR) {
        return content_fail(reader, at, APEX_ERR_NO_MEMORY, "out of memory");
    }
    if (parser->error == YAML_READER_ERROR) {
        return content_fail(reader, mark_of_byte(reader->text, parser->problem_offset),
                            APEX_ERR_PARSE, "not a YAML text: %s", what);
    }
    if (parser->context != NULL) {
        return content_fail(reader, at, APEX_ERR_PARSE, "not YAML: %s %s", what, parser->context);
    }
    return content_fail(reader, at, APEX_ERR_PARSE, "not YAML: %s", what);
}

/// What an event adds beyond plain lists, maps and values, or NULL.
static const char *extra_of(const yaml_event_t *event) {
    const yaml_char_t *anchor = NULL;
    const yaml_char_t *tag = NULL;
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return "aliases (*name) are not used here";
    case YAML_SCALAR_EVENT:
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
        break;
    case YAML_SEQUENCE_START_EVENT:
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
        break;
    case YAML_MAPPING_START_EVENT:
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
        break;
    default:
        break;
    }
    if (anchor != NULL) {
        return "anchors (&name) are not used here";
    }
    return tag != NULL ? "tags (!name) are not used here" : NULL;
}

typedef struct shape {
    int depth;
    int documents;
    bool ended;
    size_t nodes;
    size_t items[CONTENT_DEPTH_MAX + 1]; ///< so far, of the list or map that is open at a depth
    bool is_map[CONTENT_DEPTH_MAX + 1];
    char key[40]; ///< the last one of the file's own
} shape;

static bool is_value(const yaml_event_t *event) {
    return event->type == YAML_SCALAR_EVENT || event->type == YAML_SEQUENCE_START_EVENT ||
           event->type == YAML_MAPPING_START_EVENT;
}

/// A list of millions would be refused once it is read; here it is before it takes memory.
static bool count_value(content_reader *reader, const yaml_event_t *event, shape *seen) {
    bool is_key = seen->depth == 1 && seen->is_map[1] && seen->items[1] % 2 == 0;
    if (is_key && event->type == YAML_SCALAR_EVENT) {
        snprintf(seen->key, sizeof seen->key, "%.*s", (int)event->data.scalar.length,
                 (const char *)event->data.scalar.value);
    }
    size_t most = CONTENT_ITEMS_MAX * (seen->is_map[seen->depth] ? 2u : 1u);
    if (++seen->items[seen->depth] > most) {
        return content_fail(reader, event->start_mark, APEX_ERR_RANGE,
                            "%s: a list goes on past its item %d", seen->key, CONTENT_ITEMS_MAX);
    }
    if (++seen->nodes > CONTENT_NODES_MAX) {
        return content_fail(reader, event->start_mark, APEX_ERR_RANGE,
                            "%s: here are more than %d values in one file", seen->key,
                            CONTENT_NODES_MAX);
    }
    return true;
}

static bool check_event(content_reader *reader, const yaml_event_t *event, shape *seen) {
    if (event->type == YAML_STREAM_END_EVENT) {
        seen->ended = true;
    }
    if (event->type == YAML_DOCUMENT_START_EVENT && ++seen->documents > 1) {
        return content_fail(reader, event->start_mark, APEX_ERR_PARSE,
                            "a second document begins here; a file holds one");
    }
    if (is_value(event) && !count_value(reader, event, seen)) {
        return false;
    }
    if (event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT) {
        seen->depth++;
    }
    if (event->type == YAML_SEQUENCE_END_EVENT || event->type == YAML_MAPPING_END_EVENT) {
        seen->depth--;
    }
    if (seen->depth > CONTENT_DEPTH_MAX) {
        return content_fail(reader, event->start_mark, APEX_ERR_PARSE,
                            "lists and maps are nested more than %d deep", CONTENT_DEPTH_MAX);
    }
    if (event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT) {
        seen->items[seen->depth] = 0;
        seen->is_map[seen->depth] = event->type == YAML_MAPPING_START_EVENT;
    }
    const char *extra = extra_of(event);
    return extra == NULL || content_fail(reader, event->start_mark, APEX_ERR_PARSE, "%s", extra);
}

/// The tree no longer shows anchors, and would not stop at a depth, so events are looked at first.
static bool check_events(content_reader *reader, yaml_parser_t *parser) {
    shape seen = {0};
    while (!seen.ended) {
        yaml_event_t event;
        if (yaml_parser_parse(parser, &event) == 0) {
            return fail_parser(reader, parser);
        }
        bool good = check_event(reader, &event, &seen);
        yaml_event_delete(&event);
        if (!good) {
            return false;
        }
    }
    return true;
}

static bool with_parser(content_reader *reader, const char *text, size_t length,
                        bool (*use)(content_reader *, yaml_parser_t *)) {
    yaml_parser_t parser;
    if (yaml_parser_initialize(&parser) == 0) {
        return content_fail(reader, (yaml_mark_t){0}, APEX_ERR_NO_MEMORY, "out of memory");
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    bool good = use(reader, &parser);
    yaml_parser_delete(&parser);
    return good;
}

static bool load_tree(content_reader *reader, yaml_parser_t *parser) {
    if (yaml_parser_load(parser, &reader->document) == 0) {
        memset(&reader->document, 0, sizeof reader->document);
        return fail_parser(reader, parser);
    }
    reader->root = yaml_document_get_root_node(&reader->document);
    if (reader->root == NULL) {
        return content_fail(reader, (yaml_mark_t){0}, APEX_ERR_PARSE, "the file is empty");
    }
    return true;
}

bool content_open(content_reader *reader, const char *text, size_t length, const char *label) {
    memset(reader, 0, sizeof *reader);
    reader->label = label;
    reader->text = text;
    if (length > CONTENT_FILE_BYTES_MAX) {
        return content_fail(reader, (yaml_mark_t){0}, APEX_ERR_RANGE,
                            "the file has %zu bytes; at most %d are read", length,
                            CONTENT_FILE_BYTES_MAX);
    }
    return with_parser(reader, text, length, check_events) &&
           with_parser(reader, text, length, load_tree);
}

void content_close(content_reader *reader) {
    yaml_document_delete(&reader->document);
    free(reader->section_of_point);
    reader->section_of_point = NULL;
    reader->root = NULL;
}

const yaml_node_t *content_node(content_reader *reader, int index) {
    return yaml_document_get_node(&reader->document, index);
}

const yaml_node_t *content_find(content_reader *reader, const yaml_node_t *map, const char *key) {
    if (map == NULL || map->type != YAML_MAPPING_NODE) {
        return NULL;
    }
    const yaml_node_pair_t *pair = map->data.mapping.pairs.start;
    for (; pair < map->data.mapping.pairs.top; pair++) {
        const yaml_node_t *name = content_node(reader, pair->key);
        if (content_is(name, key)) {
            return content_node(reader, pair->value);
        }
    }
    return NULL;
}

size_t content_list_count(const yaml_node_t *list) {
    if (list->type != YAML_SEQUENCE_NODE) {
        return 0;
    }
    return (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
}

const yaml_node_t *content_list_item(content_reader *reader, const yaml_node_t *list,
                                     size_t index) {
    return index < content_list_count(list)
               ? content_node(reader, list->data.sequence.items.start[index])
               : NULL;
}

bool content_need_list(content_reader *reader, const yaml_node_t *node, size_t min, size_t max) {
    char room[CONTENT_QUOTE_BYTES];
    if (node->type != YAML_SEQUENCE_NODE) {
        return content_fail(reader, node->start_mark, APEX_ERR_PARSE,
                            "expected a list [...], found %s", content_describe(node, room));
    }
    size_t count = content_list_count(node);
    if (count >= min && count <= max) {
        return true;
    }
    if (min == max) {
        return content_fail(reader, node->start_mark, APEX_ERR_RANGE,
                            "the list has %zu items instead of %zu", count, min);
    }
    return content_fail(reader, node->start_mark, APEX_ERR_RANGE,
                        "the list has %zu items, which is outside %zu..%zu", count, min, max);
}

bool content_is(const yaml_node_t *node, const char *word) {
    size_t length = strlen(word);
    return node->type == YAML_SCALAR_NODE && node->data.scalar.length == length &&
           memcmp(node->data.scalar.value, word, length) == 0;
}

const char *content_quote(const yaml_node_t *node, char room[CONTENT_QUOTE_BYTES]) {
    const unsigned char *text = node->data.scalar.value;
    size_t length = node->data.scalar.length;
    if (length > 40) {
        for (length = 40; length > 0 && (text[length] & 0xc0) == 0x80;) {
            length--;
        }
    }
    for (size_t i = 0; i < length; i++) {
        room[i] = text[i] < ' ' || text[i] == 0x7f ? '?' : (char)text[i];
    }
    snprintf(room + length, CONTENT_QUOTE_BYTES - length, "%s",
             length < node->data.scalar.length ? "..." : "");
    return room;
}

const char *content_describe(const yaml_node_t *node, char room[CONTENT_QUOTE_BYTES]) {
    if (node->type == YAML_SEQUENCE_NODE) {
        return "a list";
    }
    if (node->type == YAML_MAPPING_NODE) {
        return "a map";
    }
    if (node->data.scalar.length == 0) {
        return "nothing";
    }
    char text[CONTENT_QUOTE_BYTES];
    snprintf(room, CONTENT_QUOTE_BYTES, "'%.60s'", content_quote(node, text));
    return room;
}

/// The step of a path at *path: a key or an index. Moves *path behind it.
static const yaml_node_t *descend(content_reader *reader, const yaml_node_t *from,
                                  const char **path) {
    char word[64];
    if (strncmp(*path, "[]", 2) == 0) {
        *path += 2;
        return from;
    }
    if (**path == '[') {
        char *end = NULL;
        unsigned long index = strtoul(*path + 1, &end, 10);
        *path = *end == ']' ? end + 1 : end;
        return content_list_item(reader, from, index);
    }
    size_t length = strcspn(*path, ".[");
    if (length == 0 || length + 4 >= sizeof word) {
        return NULL;
    }
    memcpy(word, *path, length);
    word[length] = '\0';
    *path += length;
    const yaml_node_t *found = content_find(reader, from, word);
    char *radians = strstr(word, "_rad");
    if (found == NULL && radians != NULL) {
        memcpy(radians, "_deg", 4);
        found = content_find(reader, from, word);
    }
    // Two arrays of a struct may be one list of pairs: torque_rpm and torque_nm are `torque`.
    char *cut = strrchr(word, '_');
    if (found == NULL && cut != NULL) {
        *cut = '\0';
        found = content_find(reader, from, word);
    }
    return found;
}

static const yaml_node_t *follow(content_reader *reader, const char *path, bool *whole) {
    const yaml_node_t *node = reader->root;
    *whole = false;
    while (*path != '\0') {
        if (*path == '.') {
            path++;
        }
        const yaml_node_t *next = descend(reader, node, &path);
        if (next == NULL) {
            return node;
        }
        node = next;
    }
    *whole = true;
    return node;
}

yaml_mark_t content_locate(content_reader *reader, const char *path) {
    bool whole = false;
    const yaml_node_t *node = follow(reader, path, &whole);
    const char *inherited = strncmp(path, "axles[", 6) == 0 ? strchr(path, '.') : NULL;
    if (!whole && inherited != NULL) {
        bool whole_above = false;
        const yaml_node_t *above = follow(reader, inherited + 1, &whole_above);
        if (whole_above) {
            node = above;
        }
    }
    return node->start_mark;
}
