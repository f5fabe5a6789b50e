/// The nodes of a document: keys, lists, and what their author wrote.
#pragma once

#include "content/document/reader.h"

const yaml_node_t *content_node(content_reader *reader, int index);
/// Value of a key, or NULL; also NULL when `map` is none.
const yaml_node_t *content_find(content_reader *reader, const yaml_node_t *map, const char *key);
/// Items of a list; 0 for anything else.
size_t content_list_count(const yaml_node_t *list);
const yaml_node_t *content_list_item(content_reader *reader, const yaml_node_t *list, size_t index);
/// Refuses what is no list, or one of a length outside the range.
bool content_need_list(content_reader *reader, const yaml_node_t *node, size_t min, size_t max);
/// Reads each item of a list, its index in the path; after a problem only if all are gathered.
bool content_read_items(content_reader *reader, const yaml_node_t *list,
                        bool (*read)(content_reader *reader, const yaml_node_t *item, size_t index,
                                     void *base),
                        void *base);

enum { CONTENT_QUOTE_BYTES = 64 };

/// @return whether a node is this very word.
bool content_is(const yaml_node_t *node, const char *word);
/// The beginning of a scalar, fit for a message: no control characters, no half letters.
const char *content_quote(const yaml_node_t *node, char room[CONTENT_QUOTE_BYTES]);
/// "a list", "a map", "nothing" or the quoted text that the author wrote, for a message.
const char *content_describe(const yaml_node_t *node, char room[CONTENT_QUOTE_BYTES]);
/// Finds the place of a field such as "axles[1].tyre.radius_m"; a field that an axle leaves to the
/// whole car is looked for there. If it was left out, this is the nearest enclosing field.
yaml_mark_t content_locate(content_reader *reader, const char *path);
