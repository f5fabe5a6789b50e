/// A race in the log.
#pragma once

#include "host/news/news.h"
#include "host/tick_frame.h"

/// After host_store_events, which keeps results.
void host_log_events(const host_frame *frame, const host_news *news, const apex_race *race,
                     bool is_complete);
/// Logs the players that a lobby waits for.
void host_log_lobby(const host_frame *frame, host_news *news);
