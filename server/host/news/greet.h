/// Greeting newcomers: they are told everything that was told before they came.
#pragma once

#include "host/news/news.h"
#include "host/tick_frame.h"

void host_greet(const host_frame *frame, host_clients *clients, apex_sessions *sessions,
                const host_news *news);
