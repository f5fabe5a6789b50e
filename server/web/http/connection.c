// The life of a socket that speaks HTTP: reading, waiting for an answer, writing it, lingering.
// A phase looks only for the events that it handles, so that no client can keep the loop busy.
#include "web/web_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/assert.h"

enum {
    LINGER_BYTES_MAX = 64 * 1024,
    LINGER_US = 2000000,
    SLOWEST_BYTES_PER_S = 2048, ///< that an answer is taken at: what was a modem
    IDLE_US = 1000000,          ///< after which one that has asked nothing may have to go
};

static void on_event(uv_poll_t *poll, int status, int events);

static void enter(web_connection *connection, web_phase phase) {
    static const int wanted[] = {
        [WEB_READING] = UV_READABLE,
        [WEB_RESTING] = 0,
        [WEB_WAITING] = 0,
        [WEB_WRITING] = UV_WRITABLE,
        [WEB_LINGERING] = UV_READABLE,
    };
    connection->phase = phase;
    connection->since_us = connection->web->now_us;
    uv_poll_start(&connection->poll, wanted[phase], on_event);
}

// --- Beginning and end ---------------------------------------------------------------------------

void web_connection_open(apex_web *web, int file, const web_address *address) {
    web_connection *connection = malloc(sizeof *connection);
    // Not calloc: the bytes that are read have 12 KiB, which need not be touched.
    if (connection != NULL) {
        memset(connection, 0, offsetof(web_connection, in));
    }
    if (connection == NULL || uv_poll_init(web->def.loop, &connection->poll, file) != 0) {
        free(connection);
        close(file);
        web->open--;
        web_gate_leave(&web->gate, address);
        return;
    }
    connection->poll.data = connection;
    connection->web = web;
    connection->file = file;
    connection->address = *address;
    connection->peer = *address;
    connection->is_proxied = web_proxies_have(&web->proxies, address);
    connection->next = web->connections;
    if (web->connections != NULL) {
        web->connections->previous = connection;
    }
    web->connections = connection;
    web->handles_open++;
    enter(connection, WEB_READING);
}

static void free_body(web_connection *connection) {
    web_body_drop(&connection->web->bodies, connection->shared);
    connection->shared = NULL;
}

static void on_closed(uv_handle_t *handle) {
    web_connection *connection = handle->data;
    APEX_ASSERT(connection->web->handles_open > 0);
    connection->web->handles_open--;
    free_body(connection);
    free(connection);
}

static void forget_request(web_connection *connection) {
    apex_web *web = connection->web;
    for (uint32_t i = 0; i < web->request_count; i++) {
        if (web->requests[i] == connection) {
            web->request_count--;
            memmove(&web->requests[i], &web->requests[i + 1],
                    (web->request_count - i) * sizeof web->requests[0]);
            return;
        }
    }
}

static void unlink_connection(web_connection *connection) {
    apex_web *web = connection->web;
    forget_request(connection);
    web_turn_forget(connection);
    if (connection->previous != NULL) {
        connection->previous->next = connection->next;
    } else {
        web->connections = connection->next;
    }
    if (connection->next != NULL) {
        connection->next->previous = connection->previous;
    }
    connection->is_closed = true;
    uv_poll_stop(&connection->poll);
    uv_close((uv_handle_t *)&connection->poll, on_closed);
}

int web_connection_release(web_connection *connection) {
    unlink_connection(connection);
    return connection->file;
}

void web_connection_close(web_connection *connection) {
    apex_web *web = connection->web;
    unlink_connection(connection);
    close(connection->file);
    APEX_ASSERT(web->open > 0);
    web->open--;
    web_gate_leave(&web->gate, &connection->peer);
}

void web_connection_wait(web_connection *connection) {
    enter(connection, WEB_WAITING);
}

// --- Reading -------------------------------------------------------------------------------------

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
    web_turn_hold(connection);
}

// A request has come whole.
static void take_up(web_connection *connection) {
    apex_web *web = connection->web;
    if (!web_turn_has_request(web)) {
        rest(connection);
        return;
    }
    if (!web_gate_ask(&web->gate, &connection->address, web->now_us)) {
        enter(connection, WEB_RESTING);
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

// --- Writing -------------------------------------------------------------------------------------

static void finish(web_connection *connection) {
    free_body(connection);
    if (!connection->keeps_alive) {
        shutdown(connection->file, SHUT_WR);
        enter(connection, WEB_LINGERING);
        return;
    }
    connection->in_length -= connection->request_length;
    memmove(connection->in, connection->in + connection->request_length, connection->in_length);
    connection->request_length = 0;
    connection->is_continued = false;
    enter(connection, WEB_READING);
    if (connection->in_length > 0) {
        look(connection);
    }
}

static void write_more(web_connection *connection) {
    if (!web_turn_has_write(connection->web)) {
        web_turn_hold(connection);
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

void web_connection_write(web_connection *connection) {
    forget_request(connection);
    connection->sent = 0;
    connection->began_us = connection->web->now_us;
    connection->web->counters[APEX_WEB_BYTES_OUT] += connection->body_length;
    enter(connection, WEB_WRITING);
}

static void on_event(uv_poll_t *poll, int status, int events) {
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

void web_connection_go_on(web_connection *connection) {
    if (connection->phase == WEB_RESTING) {
        take_up(connection);
    } else {
        APEX_ASSERT(connection->phase == WEB_WRITING);
        enter(connection, WEB_WRITING);
    }
}

// --- Deadlines -----------------------------------------------------------------------------------

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

bool web_connections_make_room(apex_web *web) {
    if (web->crowded_us == web->now_us) {
        return false; // has just been looked for in vain
    }
    web_connection *idlest = NULL;
    for (web_connection *each = web->connections; each != NULL; each = each->next) {
        bool is_idle = each->phase == WEB_READING || each->phase == WEB_LINGERING;
        if (is_idle && web->now_us - each->since_us >= IDLE_US &&
            (idlest == NULL || each->since_us < idlest->since_us)) {
            idlest = each;
        }
    }
    if (idlest == NULL) {
        web->crowded_us = web->now_us;
        return false;
    }
    web_connection_close(idlest);
    return true;
}

void web_connections_sweep(apex_web *web) {
    for (web_connection *connection = web->connections; connection != NULL;) {
        web_connection *next = connection->next;
        check_deadline(connection);
        connection = next;
    }
}
