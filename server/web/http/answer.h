// Answers to requests.
#pragma once

#include "web/http/connection.h"

typedef struct web_answer {
    uint16_t status;
    const char *type, *etag, *allow, *location; // NULL: without
    const void *bytes; // of the page's files and literals, which are not copied
    size_t length;
    uint64_t edition; // of what is copied; 0: none
    bool is_copied;
    bool is_gzip;
    bool is_kept; // a browser may keep it, and asks whether it is still good
} web_answer;

void web_answer_with(web_connection *connection, const web_answer *answer);
// A sentence, after which the connection is closed unless the request was read whole.
void web_refuse(web_connection *connection, uint16_t status, const char *why);
