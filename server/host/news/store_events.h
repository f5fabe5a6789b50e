/// Events go to the store if they must survive, and then wait to be told.
#pragma once

#include "host/news/news.h"
#include "host/tick_frame.h"

/// @param is_complete the race went on to its end: nobody stopped the server.
void host_store_events(const host_frame *frame, host_news *news, const apex_race *race,
                       bool is_complete);
/// Of the newest race, as host_store_events kept them.
apex_race_result host_result_of(const host_frame *frame, const host_news *news,
                                const apex_race *race, bool is_complete);
