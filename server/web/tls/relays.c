// The life of a relay, and its bytes from one side to the other.
#include "web/tls/relays.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/assert.h"
#include "web/web_state.h"

enum {
    PAIR_BYTES = 32 * 1024, ///< the kernel doubles that
    LINGER_US = 2000000,    ///< after our last words
    LEFT_US = 30000000,     ///< for a client to take them, where the server has hung up
};

static void on_closed(uv_handle_t *handle) {
    web_relay *relay = handle->data;
    APEX_ASSERT(relay->handles_open > 0 && relay->web->handles_open > 0);
    relay->web->handles_open--;
    relay->handles_open--;
    if (relay->handles_open == 0) {
        free(relay);
    }
}

static void on_outer(uv_poll_t *poll, int status, int events);
static void on_inner(uv_poll_t *poll, int status, int events);

static bool add_poll(web_relay *relay, uv_poll_t *poll, int file) {
    if (uv_poll_init(relay->web->def.loop, poll, file) != 0) {
        return false;
    }
    poll->data = relay;
    relay->handles_open++;
    relay->web->handles_open++;
    return true;
}

// Starting one anew costs two calls of the kernel.
static void want(uv_poll_t *poll, int *was, int events, uv_poll_cb on_event) {
    if (*was == events) {
        return;
    }
    *was = events;
    if (events == 0) {
        uv_poll_stop(poll);
    } else {
        uv_poll_start(poll, events, on_event);
    }
}

void web_relay_want(web_relay *relay, int outer, int inner) {
    want(&relay->outer_poll, &relay->outer_wanted, outer, on_outer);
    if (relay->inner >= 0) {
        want(&relay->inner_poll, &relay->inner_wanted, inner, on_inner);
    }
}

static void leave_door(apex_web *web, const web_address *address) {
    APEX_ASSERT(web->open > 0);
    web->open--;
    web_gate_leave(&web->gate, address);
}

void web_relay_open(apex_web *web, int file, const web_address *address, web_relay_fn *on_hello) {
    web_relay *relay = calloc(1, sizeof *relay);
    if (relay != NULL) {
        relay->web = web;
    }
    if (relay == NULL || !add_poll(relay, &relay->outer_poll, file)) {
        free(relay);
        close(file);
        leave_door(web, address);
        web_gate_leave(&web->tls.gate, address);
        return;
    }
    relay->outer = file;
    relay->inner = -1;
    relay->on_hello = on_hello;
    relay->address = *address;
    relay->since_us = web->now_us;
    relay->previous = web->tls.last;
    *(web->tls.last != NULL ? &web->tls.last->next : &web->tls.first) = relay;
    web->tls.last = relay;
    web->tls.count++;
    web_relay_want(relay, UV_READABLE, 0);
}

int web_relay_begin(web_relay *relay) {
    int pair[2];
    int bytes = PAIR_BYTES;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0) {
        return -1;
    }
    if (!add_poll(relay, &relay->inner_poll, pair[0])) {
        close(pair[0]);
        close(pair[1]);
        return -1;
    }
    setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    setsockopt(pair[1], SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    relay->inner = pair[0];
    relay->phase = WEB_RELAY_OPEN;
    relay->since_us = relay->web->now_us;
    web_relay_want(relay, UV_READABLE, UV_READABLE);
    return pair[1];
}

static void unlink_relay(web_relay *relay) {
    web_tls *tls = &relay->web->tls;
    *(relay->previous != NULL ? &relay->previous->next : &tls->first) = relay->next;
    *(relay->next != NULL ? &relay->next->previous : &tls->last) = relay->previous;
    APEX_ASSERT(tls->count > 0 && tls->waiting >= relay->is_waiting);
    tls->count--;
    tls->waiting -= relay->is_waiting;
    web_gate_leave(&tls->gate, &relay->address);
    web_relay_hold(relay, NULL);
    relay->is_closed = true;
    SSL_free(relay->tls);
    relay->tls = NULL;
    uv_poll_stop(&relay->outer_poll);
    if (relay->inner >= 0) {
        uv_poll_stop(&relay->inner_poll);
        close(relay->inner);
        uv_close((uv_handle_t *)&relay->inner_poll, on_closed);
    }
    uv_close((uv_handle_t *)&relay->outer_poll, on_closed);
}

void web_relay_close(web_relay *relay) {
    bool is_shaking = relay->phase == WEB_RELAY_HELLO || relay->phase == WEB_RELAY_SHAKING;
    unlink_relay(relay);
    close(relay->outer);
    if (is_shaking) {
        leave_door(relay->web, &relay->address);
    }
}

int web_relay_release(web_relay *relay) {
    APEX_ASSERT(relay->phase == WEB_RELAY_HELLO);
    unlink_relay(relay);
    return relay->outer;
}

void web_relay_hold(web_relay *relay, web_relay **holder) {
    if (relay == NULL) {
        return;
    }
    if (relay->holder != NULL) {
        *relay->holder = NULL;
    }
    relay->holder = holder;
    if (holder != NULL) {
        *holder = relay;
    }
}

int web_relay_outer(const web_relay *relay) {
    return relay->outer;
}

static bool is_empty(const web_relay_bytes *bytes) {
    return bytes->begin == bytes->end;
}

static bool is_for_later(void) {
    return errno == EAGAIN || errno == EINTR;
}

// What the client has said, to the server.
static void push_up(web_relay *relay) {
    web_relay_bytes *up = &relay->up;
    ssize_t put = 0;
    while (!is_empty(up) && !up->is_broken && put >= 0) {
        put = send(relay->inner, up->at + up->begin, up->end - up->begin, MSG_NOSIGNAL);
        up->begin += put > 0 ? (size_t)put : 0;
    }
    up->is_broken = up->is_broken || (put < 0 && !is_for_later());
    if (up->is_broken) {
        up->begin = up->end; // the server wants no more of it
    }
    if (is_empty(up) && up->is_over) {
        shutdown(relay->inner, SHUT_WR);
    }
}

// @return false if the connection is broken.
static bool pull_up(web_relay *relay) {
    web_relay_bytes *up = &relay->up;
    relay->read_wants_write = false;
    if (!is_empty(up) || up->is_over) {
        return true;
    }
    ERR_clear_error();
    int got = SSL_read(relay->tls, up->at, sizeof up->at);
    if (got > 0) {
        up->begin = 0;
        up->end = (size_t)got;
        push_up(relay);
        return true;
    }
    switch (SSL_get_error(relay->tls, got)) {
    case SSL_ERROR_WANT_WRITE:
        relay->read_wants_write = true;
        return true;
    case SSL_ERROR_WANT_READ:
        return true;
    case SSL_ERROR_ZERO_RETURN:
        up->is_over = true;
        push_up(relay);
        return true;
    default:
        return false;
    }
}

// What the server has said, to the client. @return false if the connection is broken.
static bool push_down(web_relay *relay) {
    web_relay_bytes *down = &relay->down;
    if (is_empty(down)) {
        return true;
    }
    ERR_clear_error();
    int put = SSL_write(relay->tls, down->at, (int)down->end); // all of it, or none as yet
    if (put > 0) {
        down->begin = down->end;
        return true;
    }
    int error = SSL_get_error(relay->tls, put);
    return error == SSL_ERROR_WANT_WRITE || error == SSL_ERROR_WANT_READ;
}

static void pull_down(web_relay *relay) {
    web_relay_bytes *down = &relay->down;
    if (!is_empty(down) || down->is_over) {
        return;
    }
    ssize_t got = recv(relay->inner, down->at, sizeof down->at, 0);
    if (got > 0) {
        down->begin = 0;
        down->end = (size_t)got;
    } else if (got == 0 || !is_for_later()) {
        down->is_over = true;
    }
}

static void say_last(web_relay *relay) {
    ERR_clear_error();
    SSL_shutdown(relay->tls);
    shutdown(relay->outer, SHUT_WR);
    relay->phase = WEB_RELAY_LAST;
    relay->since_us = relay->web->now_us;
}

// Closes one that is through, and says of others what they wait for.
static void settle(web_relay *relay) {
    const web_relay_bytes *up = &relay->up, *down = &relay->down;
    if (down->is_over && relay->phase == WEB_RELAY_OPEN) { // nothing was left when it was found out
        say_last(relay);
    }
    if (relay->phase == WEB_RELAY_LAST && (up->is_over || up->is_broken)) {
        web_relay_close(relay);
        return;
    }
    bool reads_up = is_empty(up) && !up->is_over;
    bool reads_down = is_empty(down) && !down->is_over;
    bool writes_down = !is_empty(down) || relay->read_wants_write;
    web_relay_want(relay, (reads_up ? UV_READABLE : 0) | (writes_down ? UV_WRITABLE : 0),
                   (reads_down ? UV_READABLE : 0) | (is_empty(up) ? 0 : UV_WRITABLE));
}

static void on_outer(uv_poll_t *poll, int status, int events) {
    web_relay *relay = poll->data;
    if (relay->is_closed) {
        return;
    }
    if (status < 0) {
        web_relay_close(relay);
        return;
    }
    if (relay->phase == WEB_RELAY_HELLO || relay->phase == WEB_RELAY_SHAKING) {
        relay->on_hello(relay);
        return;
    }
    bool is_fine = (events & UV_WRITABLE) == 0 || push_down(relay);
    if (is_fine && ((events & UV_READABLE) != 0 || relay->read_wants_write)) {
        is_fine = pull_up(relay);
    }
    if (is_fine) {
        settle(relay);
    } else {
        web_relay_close(relay);
    }
}

static void on_inner(uv_poll_t *poll, int status, int events) {
    web_relay *relay = poll->data;
    if (relay->is_closed) {
        return;
    }
    if (status < 0) {
        relay->inner_wanted = 0; // the loop has stopped it
        relay->up.is_broken = true;
    }
    if (status < 0 || (events & UV_WRITABLE) != 0) {
        push_up(relay);
    }
    if (status < 0 || (events & UV_READABLE) != 0) {
        pull_down(relay);
    }
    if (push_down(relay)) {
        settle(relay);
    } else {
        web_relay_close(relay);
    }
}

// The server's side has ended, and a client may take its time for the rest, but not for ever.
static bool is_left_too_long(web_relay *relay) {
    uint64_t now_us = relay->web->now_us;
    if (relay->holder == NULL && relay->left_us == 0) {
        relay->left_us = now_us;
    }
    return relay->left_us != 0 && now_us - relay->left_us > LEFT_US;
}

void web_relay_check_deadline(web_relay *relay) {
    apex_web *web = relay->web;
    uint64_t age_us = web->now_us - relay->since_us;
    bool is_late = false;
    if (relay->phase == WEB_RELAY_LAST) {
        is_late = age_us > LINGER_US;
    } else if (relay->phase == WEB_RELAY_OPEN) {
        is_late = is_left_too_long(relay);
    } else if (age_us > web->def.request_us_max) {
        web->counters[APEX_WEB_REFUSED_HANDSHAKE]++;
        is_late = true;
    }
    if (is_late) {
        web_relay_close(relay);
    }
}
