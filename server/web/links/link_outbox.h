// A link's outbox.
#pragma once

#include "web/links/link.h"

typedef enum web_flush { WEB_FLUSH_ALL, WEB_FLUSH_MORE, WEB_FLUSH_BROKEN } web_flush;

static inline size_t web_link_unsent(const web_link *link) {
    return link->out_end - link->out_begin;
}

void web_link_queue(web_link *link, const apex_link_packet *packet);
web_flush web_link_flush(web_link *link);
void web_link_forget_unsent(web_link *link); // of a link that has ended
// Ends a link that takes too little of what is sent to it.
void web_link_end_slow(web_link *link);
