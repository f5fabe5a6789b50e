// Names that clients give themselves.
#pragma once

#include <stdbool.h>

#include "proto/proto.h"

// Takes away the spaces around it.
void net_name_trim(char name[APEX_WIRE_NAME_BYTES]);
// @return whether a character of it is not seen. The name is UTF-8, as the decoder has made sure.
bool net_name_has_invisible(const char *name);
