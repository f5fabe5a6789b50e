/// A YAML file as libyaml's document tree, which keeps a line and a column for every node. (A
/// schema-driven binding, libcyaml, was tried instead: it takes `5.5x` for 5 and misplaces the
/// lines of unknown keys.)
#include "content/document/document.h"

#include <stdlib.h>
#include <string.h>

#include "content/document/limits.h"

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

/// @return a sentence if an event is more than a plain list, map or value; else NULL.
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
