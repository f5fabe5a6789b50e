/// The last word to a link that no race takes: it is told why, and then closed.
#pragma once

#include "proto/proto.h"
#include "web/web.h"

/// @param text a sentence for people, cut to the length that the wire takes. To be called where @p
/// web is.
void site_farewell(apex_web *web, apex_web_room room, apex_link link, apex_reason reason,
                   const char *text);
