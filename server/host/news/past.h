/// The past that a newcomer is told.
#pragma once

#include "host/news/news.h"

void host_past_note(host_past *past, const apex_race_event_message *event);
/// Oldest first. @return how many.
uint32_t host_past_list(const host_past *past, apex_race_event_message out[APEX_PAST_EVENTS_MAX]);
