// Requests from first byte to last: reading one, having it answered, writing the answer, lingering.
//
// Slow is not stuck, but has an end: a head or body ten seconds, an answer ten and a second for
// each 2 KiB of it. Any progress used to do, and a thousand readers of a byte now and then kept
// everybody else out (DECISIONS 35).
#include "web/http/serve.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/assert.h"
#include "web/http/answer.h"
#include "web/http/connections.h"
#include "web/http/dispatch.h"
#include "web/http/turn.h"
#include "web/web_state.h"

enum {
    LINGER_BYTES_MAX = 64 * 1024,
    LINGER_US = 2000000,
    SLOWEST_BYTES_PER_S = 2048, ///< that an answer is taken at: what was a modem
    RELEASED_MAX = 64,
};

static void say_continue(web_connection *connection) {
    static const char words[] = "HTTP/1.1 100 Continue\r\n\r\n";
    if (connection->head.expects_continue && !connection->is_continued) {
        connection->is_continued = true;
        (void)!send(connection->file, words, sizeof words - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
}

// Of a request that was not understood nothing counts, nor of the one before it.
static void refuse_unread(web_connection *connection, uint16_t status, const char *why) {
    connection->web->counters[APEX_WEB_REFUSED_REQUEST]++;
    connection->head = (web_head){.method = WEB_GET};
    connection->is_head_only = false;
    web_refuse(connection, status, why);
}

static void rest(web_connection *connection) {
    connection->phase = WEB_RESTING;
    connection->since_us = connection->web->now_us;
    web_turn_hold(&connection->web->turn, connection);
}

// A request has come whole.
static void take_up(web_connection *connection) {
    apex_web *web = connection->web;
    if (!web_turn_has_request(&web->turn)) {
        rest(connection);
        return;
    }
    if (!web_gate_ask(&web->gate, &connection->address, web->now_us)) {
        web_connection_enter(connection, WEB_RESTING);
        return;
    }
    web->turn.requests++;
    web->counters[APEX_WEB_REQUESTS]++;
    web->counters[APEX_WEB_BYTES_IN] += connection->request_length;
    connection->keeps_alive = connection->head.keeps_alive;
    connection->is_head_only = connection->head.method == WEB_HEAD;
    web_dispatch(connection);
}

// Looks whether a request has come whole.
static void look(web_connection *connection) {
    apex_web *web = connection->web;
    web_head_result result =
        web_read_head(connection->in, connection->in_length, &connection->head);
    if (result.state == WEB_HEAD_PART) {
        return;
    }
    if (result.state == WEB_HEAD_BAD) {
        web->counters[APEX_WEB_REQUESTS]++;
        refuse_unread(connection, result.status, result.why);
        return;
    }
    size_t length = result.length + connection->head.body_length;
    if (connection->in_length < length) {
        say_continue(connection);
        return;
    }
    connection->address = connection->peer;
    if (connection->is_proxied &&
        !web_proxies_read(&web->proxies, &connection->head, &connection->address)) {
        refuse_unread(connection, 400, "X-Forwarded-For is a list of addresses.");
        return;
    }
    connection->request_length = length;
    take_up(connection);
}

static void read_more(web_connection *connection) {
    size_t room = sizeof connection->in - connection->in_length;
    APEX_ASSERT(room > 0);
    ssize_t got = recv(connection->file, connection->in + connection->in_length, room, 0);
    if (got > 0) {
        connection->in_length += (size_t)got;
        look(connection);
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        web_connection_close(connection);
    }
}

static void linger(web_connection *connection) {
    uint8_t scratch[4096];
    ssize_t got = recv(connection->file, scratch, sizeof scratch, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    connection->lingered_bytes += got > 0 ? (size_t)got : 0;
    if (got <= 0 || connection->lingered_bytes > LINGER_BYTES_MAX) {
        web_connection_close(connection);
    }
}

static void finish(web_connection *connection) {
    web_connection_free_body(connection);
    if (!connection->keeps_alive) {
        shutdown(connection->file, SHUT_WR);
        web_connection_enter(connection, WEB_LINGERING);
        return;
    }
    connection->in_length -= connection->request_length;
    memmove(connection->in, connection->in + connection->request_length, connection->in_length);
    connection->request_length = 0;
    connection->is_continued = false;
    web_connection_enter(connection, WEB_READING);
    if (connection->in_length > 0) {
        look(connection);
    }
}

static void write_more(web_connection *connection) {
    if (!web_turn_has_write(&connection->web->turn)) {
        web_turn_hold(&connection->web->turn, connection);
        return;
    }
    size_t head_left = connection->out_head_length > connection->sent
                           ? connection->out_head_length - connection->sent
                           : 0;
    size_t body_at = head_left > 0 ? 0 : connection->sent - connection->out_head_length;
    size_t body_left = connection->body_length - body_at;
    struct iovec pieces[2] = {
        {connection->out_head + connection->sent, head_left},
        {(void *)(uintptr_t)(connection->body + body_at),
         body_left < WEB_WRITE_BYTES_MAX ? body_left : WEB_WRITE_BYTES_MAX},
    };
    struct msghdr message = {.msg_iov = head_left > 0 ? pieces : pieces + 1,
                             .msg_iovlen = (head_left > 0 ? 1u : 0u) + (body_left > 0 ? 1u : 0u)};
    ssize_t put = sendmsg(connection->file, &message, MSG_NOSIGNAL);
    if (put < 0) {
        if (errno != EAGAIN && errno != EINTR) {
            web_connection_close(connection);
        }
        return;
    }
    connection->sent += (size_t)put;
    connection->web->turn.written_bytes += (size_t)put;
    connection->since_us = connection->web->now_us; // slow is not stuck: a phone takes its time
    if (connection->sent == connection->out_head_length + connection->body_length) {
        finish(connection);
    }
}

void web_serve_event(uv_poll_t *poll, int status, int events) {
    web_connection *connection = poll->data;
    if (connection->is_closed) {
        return;
    }
    if (status < 0) {
        web_connection_close(connection);
    } else if (connection->phase == WEB_READING) {
        read_more(connection);
    } else if (connection->phase == WEB_WRITING && (events & UV_WRITABLE) != 0) {
        write_more(connection);
    } else if (connection->phase == WEB_LINGERING) {
        linger(connection);
    }
}

static void go_on(web_connection *connection) {
    if (connection->phase == WEB_RESTING) {
        take_up(connection);
    } else {
        APEX_ASSERT(connection->phase == WEB_WRITING);
        web_connection_enter(connection, WEB_WRITING);
    }
}

// A connection that goes on and finds that others have used it all up is held again, behind all
// others; so no more than were there at first are looked at.
void web_serve_held(apex_web *web) {
    web->turn.requests = 0;
    web->turn.written_bytes = 0;
    const web_connection *last = web->turn.last;
    for (int i = 0; i < RELEASED_MAX && web->turn.first != NULL; i++) {
        web_connection *connection = web->turn.first;
        bool is_last = connection == last;
        web_turn_forget(&web->turn, connection);
        go_on(connection);
        if (is_last) {
            return;
        }
    }
}

// Takes a byte now and then, so that its place is not given to another.
static bool is_dawdling(const web_connection *connection) {
    const apex_web *web = connection->web;
    uint64_t taken_us = (uint64_t)connection->sent * 1000000 / SLOWEST_BYTES_PER_S;
    return connection->phase == WEB_WRITING &&
           web->now_us - connection->began_us > web->def.request_us_max + taken_us;
}

static void check_deadline(web_connection *connection) {
    apex_web *web = connection->web;
    if (connection->is_held) {
        return; // it waits for us
    }
    if (connection->phase == WEB_RESTING) {
        take_up(connection);
        return;
    }
    uint64_t age_us = web->now_us - connection->since_us;
    if (connection->phase == WEB_LINGERING) {
        if (age_us > LINGER_US) {
            web_connection_close(connection);
        }
    } else if (age_us <= web->def.request_us_max && !is_dawdling(connection)) {
        return;
    } else if (connection->phase == WEB_WAITING) {
        web->counters[APEX_WEB_CLOSED_UNANSWERED]++;
        connection->keeps_alive = false;
        web_refuse(connection, 503, "The server did not find the time to answer.");
    } else if (connection->phase == WEB_READING && connection->in_length > 0) {
        refuse_unread(connection, 408, "The request took too long to come.");
    } else {
        web_connection_close(connection);
    }
}

void web_serve_deadlines(apex_web *web) {
    for (web_connection *connection = web->connections.first; connection != NULL;) {
        web_connection *next = connection->next;
        check_deadline(connection);
        connection = next;
    }
}
