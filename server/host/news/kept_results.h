/// Results of the newest race: kept until the next one ends, and sent.
#pragma once

#include "host/news/messages.h"
#include "host/news/news.h"

void host_keep_results(host_results *results, const apex_race *race, const host_names *names);
host_message host_encode_results(const host_frame *frame, const host_results *results);
void host_send_results(const host_frame *frame, const host_results *results,
                       const host_clients *clients, apex_sessions *sessions);
