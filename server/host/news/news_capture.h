/// The race as words about it, captured before they are told.
#pragma once

#include "host/news/news.h"
#include "host/tick_frame.h"

/// After the capture of views, which knows to whom standings are due.
void host_capture_news(host_frame *frame, host_news *news, host_clients *clients,
                       const apex_sessions *sessions, const apex_race *race);
