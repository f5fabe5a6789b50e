// The keys of the lobbies that a race file trusts.
#pragma once

#include "content/document/nodes.h"
#include "content/fields/fields.h"
#include "content/fields/write_fields.h"

bool content_read_lobby_keys(content_reader *reader, const yaml_node_t *node, void *base);
void content_write_lobby_keys(content_writer *writer, const void *base);
