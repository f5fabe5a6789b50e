/// The grid of a session.
#pragma once

#include "content/document/reader.h"

/// Of a content_session: a list of feeds, or one without the list.
bool content_read_grid(content_reader *reader, const yaml_node_t *node, void *base);
