/// Events are told to clients once they are stored.
#pragma once

#include "host/news/news.h"
#include "host/tick_frame.h"

void host_tell(const host_frame *frame, host_news *news, host_clients *clients,
               apex_sessions *sessions);
static inline bool host_all_is_told(const host_news *news) {
    return news->untold_first == news->untold_next;
}
