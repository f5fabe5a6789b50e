/// The sessions of a race file.
#pragma once

#include "content/fields/table.h"
#include "content/race_file/session_draft.h"

extern const content_table content_session_table;   ///< of content_session
extern const content_session content_first_session; ///< a practice, to show its keys
/// Of an apex_race_file, whose classes and compounds were read before.
bool content_read_sessions(content_reader *reader, const yaml_node_t *node, void *base);
