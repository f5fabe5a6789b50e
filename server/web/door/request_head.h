// A strict reader of the head of a request of HTTP/1.1: what browsers and programs send is taken,
// and what one program could understand otherwise than another is refused.
//
// It is read here and not by libwebsockets because the server of its 4.1 must not face strangers in
// the race's own process (DECISIONS 35). One byte behind a request whose answer waits is polled for
// and never read: a busy loop for as long as the stranger likes. A POST behind another request is
// answered 403, a head that is too long not at all, a method that it does not know 403; and
// Debian's build has its assertions on.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "web/web.h"

enum {
    WEB_HEAD_BYTES = 8192, // longest head, with the empty line at its end
    WEB_HEAD_LINES_MAX = 100,
    WEB_WHY_BYTES = 96,
    WEB_FORWARDED_MAX = 4, // lines that are kept, the last ones
};

typedef enum web_method { WEB_GET, WEB_HEAD, WEB_POST, WEB_OTHER } web_method;

// Part of the bytes that were read; `at` is NULL for a header that did not come.
typedef struct web_text {
    const char *at;
    size_t length;
} web_text;

typedef struct web_head {
    web_method method;
    bool keeps_alive, takes_gzip, expects_continue;
    bool wants_upgrade;     // to whatever
    bool is_websocket;      // and that is a WebSocket
    bool is_version_13;     // of the only version there is
    bool names_subprotocol; // "apex-1" is among what it offers
    bool has_length, has_host, has_origin;
    web_text host, origin, etags, key;
    web_text forwarded[WEB_FORWARDED_MAX]; // "X-Forwarded-For", line by line
    uint32_t forwarded_count;
    size_t body_length;
    char path[APEX_WEB_PATH_BYTES]; // decoded
    char query[APEX_WEB_QUERY_BYTES];
    char token[APEX_WEB_TOKEN_BYTES];
} web_head;

typedef enum web_head_state { WEB_HEAD_PART, WEB_HEAD_WHOLE, WEB_HEAD_BAD } web_head_state;

typedef struct web_head_result {
    web_head_state state;
    size_t length;   // WHOLE: of the head
    uint16_t status; // BAD: what to answer
    const char *why; // and the sentence with it
} web_head_result;

web_head_result web_read_head(const uint8_t *bytes, size_t length, web_head *out);

// @return whether a list "a, b;q=1, c" has the word; case does not matter.
bool web_list_has(web_text list, const char *word);
bool web_text_is(web_text text, const char *word);
