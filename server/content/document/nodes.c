/// The nodes of a document: found by key, index and path, and described as their author wrote them.
#include "content/document/nodes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

bool content_read_items(content_reader *reader, const yaml_node_t *list,
                        bool (*read)(content_reader *reader, const yaml_node_t *item, size_t index,
                                     void *base),
                        void *base) {
    bool good = true;
    for (size_t i = 0; i < content_list_count(list); i++) {
        size_t path = content_push_index(reader, i);
        good &= read(reader, content_list_item(reader, list, i), i, base);
        content_pop(reader, path);
        if (!good && !content_goes_on(reader)) {
            return false;
        }
    }
    return good;
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
        if (index == 0 && from->type == YAML_MAPPING_NODE) {
            return from; // one item may stand for a list of it
        }
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
