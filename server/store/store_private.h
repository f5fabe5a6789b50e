/// What results and the journal of events have in common.
#pragma once

#include <jansson.h>

/// Never refuses a text: in one that is not UTF-8 each byte beyond ASCII becomes a question mark. A
/// name of odd bytes must not cost a driver the line that it stands in. NULL: no memory.
json_t *store_json_string(const char *text);
