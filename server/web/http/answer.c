// Heads of answers, with what a browser is told for safety's sake on every one.
#include "web/http/answer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "web/http/connections.h"
#include "web/web_state.h"

static const char *reason_of(uint16_t status) {
    switch (status) {
    case 200:
        return "OK";
    case 201:
        return "Created";
    case 202:
        return "Accepted";
    case 204:
        return "No Content";
    case 304:
        return "Not Modified";
    case 308:
        return "Permanent Redirect";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 406:
        return "Not Acceptable";
    case 408:
        return "Request Timeout";
    case 409:
        return "Conflict";
    case 411:
        return "Length Required";
    case 413:
        return "Content Too Large";
    case 414:
        return "URI Too Long";
    case 415:
        return "Unsupported Media Type";
    case 421:
        return "Misdirected Request";
    case 426:
        return "Upgrade Required";
    case 429:
        return "Too Many Requests";
    case 431:
        return "Request Header Fields Too Large";
    case 500:
        return "Internal Server Error";
    case 503:
        return "Service Unavailable";
    case 505:
        return "HTTP Version Not Supported";
    default:
        return "Answer";
    }
}

__attribute__((format(printf, 2, 3))) static void add(web_connection *connection,
                                                      const char *format, ...) {
    size_t room = sizeof connection->out_head - connection->out_head_length;
    va_list arguments;
    va_start(arguments, format);
    int length =
        vsnprintf(connection->out_head + connection->out_head_length, room, format, arguments);
    va_end(arguments);
    APEX_ASSERT(length >= 0 && (size_t)length < room);
    connection->out_head_length += (size_t)length;
}

static void write_head(web_connection *connection, const web_answer *answer) {
    // Scripts are ours alone, and WebAssembly's compiler is the one thing more that they need.
    static const char safety[] =
        "Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; "
        "style-src 'self'; img-src 'self' data: blob:; connect-src 'self' ws: wss:; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'\r\n"
        "X-Content-Type-Options: nosniff\r\n"
        "Referrer-Policy: no-referrer\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\n";
    connection->out_head_length = 0;
    add(connection, "HTTP/1.1 %u %s\r\n%s", (unsigned)answer->status, reason_of(answer->status),
        safety);
    add(connection, "Cache-Control: %s\r\n", answer->is_kept ? "no-cache" : "no-store");
    add(connection, "Connection: %s\r\n", connection->keeps_alive ? "keep-alive" : "close");
    if (answer->etag != NULL) {
        add(connection, "ETag: %s\r\nVary: Accept-Encoding\r\n", answer->etag);
    }
    if (answer->is_gzip) {
        add(connection, "Content-Encoding: gzip\r\n");
    }
    if (answer->allow != NULL) {
        add(connection, "Allow: %.100s\r\n", answer->allow);
    }
    if (answer->location != NULL) {
        add(connection, "Location: %s\r\n", answer->location);
    }
    if (answer->status == 426) {
        add(connection, "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n");
    }
    if (answer->status == 401) {
        add(connection, "WWW-Authenticate: Bearer\r\n");
    }
    if (answer->status != 304 && answer->status != 204) {
        add(connection, "Content-Type: %.100s\r\nContent-Length: %zu\r\n",
            answer->type != NULL ? answer->type : "text/plain; charset=utf-8", answer->length);
    }
    add(connection, "\r\n");
}

void web_answer_with(web_connection *connection, const web_answer *answer) {
    web_bodies *bodies = &connection->web->bodies;
    if (answer->is_copied && !web_body_fits(bodies, answer->edition, answer->length)) {
        web_refuse(connection, 503, "Too many long answers wait for slow readers; ask again.");
        return;
    }
    bool has_body = !connection->is_head_only && answer->status != 304 && answer->status != 204;
    connection->body = answer->bytes;
    connection->body_length = has_body ? answer->length : 0;
    if (answer->is_copied && connection->body_length > 0) {
        APEX_ASSERT(connection->shared == NULL);
        connection->shared = web_body_take(bodies, answer->edition, answer->bytes, answer->length);
        if (connection->shared == NULL) {
            web_connection_close(connection);
            return;
        }
        connection->body = connection->shared->bytes;
    }
    write_head(connection, answer);
    web_connection_write(connection);
}

void web_refuse(web_connection *connection, uint16_t status, const char *why) {
    // The end of a request is known only if it was understood.
    connection->keeps_alive = connection->keeps_alive && connection->request_length > 0;
    char text[256];
    int length = snprintf(text, sizeof text, "%s\n", why);
    APEX_ASSERT(length > 0 && (size_t)length < sizeof text);
    web_answer answer = {
        .status = status,
        .bytes = text,
        .length = (size_t)length,
        .is_copied = true,
        .allow = status == 405 ? "GET, HEAD" : NULL,
    };
    web_answer_with(connection, &answer);
}
