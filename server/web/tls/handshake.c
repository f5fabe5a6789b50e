// Handshakes in turns. What a stranger makes the server compute is bounded thrice: for an address
// and for all in a second, and in a turn of the loop, so that no tick is late for them. Whoever
// comes too early waits in line, the oldest first, rather than be refused: a class that opens the
// page together comes from one address.
//
// A handshake has steps, and the dear one is whichever completes the client's first message, so
// each step counts in its turn: bytes that were held back cannot be let go all at once.
#include "web/tls/handshake.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include "base/assert.h"
#include "web/tls/relays.h"
#include "web/tls/socket_bytes.h"
#include "web/web_state.h"

enum {
    STEPS_MAX = 2,          ///< of all, in a turn; the dear one takes up to 2 ms (RSA)
    ALL_PER_S_MAX = 100,    ///< with a burst of as many
    IDLE_US = 1000000,      ///< after which one may have to go for another
    RECORD_HANDSHAKE = 0x16 ///< the first byte that TLS says
};

static void fail(web_relay *relay) {
    relay->web->counters[APEX_WEB_REFUSED_HANDSHAKE]++;
    web_relay_close(relay);
}

static void wait_in_line(web_relay *relay) {
    relay->web->tls.waiting += !relay->is_waiting;
    relay->is_waiting = true;
    web_relay_want(relay, 0, 0);
}

static bool take_share(web_relay *relay) {
    web_tls *tls = &relay->web->tls;
    uint64_t now_us = relay->web->now_us;
    uint64_t begin_us = tls->used_until_us > now_us ? tls->used_until_us : now_us;
    uint64_t end_us = begin_us + 1000000 / ALL_PER_S_MAX;
    if (end_us > now_us + 1000000 || !web_gate_ask(&tls->gate, &relay->address, now_us)) {
        return false;
    }
    tls->used_until_us = end_us;
    return true;
}

static void open_connection(web_relay *relay) {
    apex_web *web = relay->web;
    int file = web_relay_begin(relay);
    if (file < 0) {
        web->counters[APEX_WEB_REFUSED_FULL]++;
        web_relay_close(relay);
        return;
    }
    web->counters[APEX_WEB_HANDSHAKES]++;
    web->tls.on_open(web, file, &relay->address, relay);
}

static void make_step(web_relay *relay) {
    relay->web->tls.steps++;
    ERR_clear_error();
    int done = SSL_accept(relay->tls);
    if (done == 1) {
        open_connection(relay);
        return;
    }
    switch (SSL_get_error(relay->tls, done)) {
    case SSL_ERROR_WANT_READ:
        web_relay_want(relay, UV_READABLE, 0);
        break;
    case SSL_ERROR_WANT_WRITE:
        web_relay_want(relay, UV_WRITABLE, 0);
        break;
    default:
        fail(relay);
    }
}

static void begin(web_relay *relay) {
    relay->tls = SSL_new(relay->web->tls.certificate.context);
    if (relay->tls == NULL || !web_socket_bytes_attach(relay->tls, relay->outer)) {
        web_relay_close(relay);
        return;
    }
    relay->phase = WEB_RELAY_SHAKING;
    make_step(relay);
}

static bool is_letter(uint8_t byte) {
    return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

// One that speaks HTTP is answered in HTTP, which its user can read.
static void look_at_first(web_relay *relay) {
    apex_web *web = relay->web;
    uint8_t first = 0;
    ssize_t got = recv(relay->outer, &first, 1, MSG_PEEK);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        web_relay_want(relay, UV_READABLE, 0);
    } else if (got <= 0) {
        web_relay_close(relay);
    } else if (is_letter(first)) {
        web_address address = relay->address;
        web->tls.on_open(web, web_relay_release(relay), &address, NULL);
    } else if (first != RECORD_HANDSHAKE) {
        fail(relay);
    } else if (take_share(relay)) {
        begin(relay);
    } else {
        wait_in_line(relay);
    }
}

void web_handshake_go_on(web_relay *relay) {
    web_tls *tls = &relay->web->tls;
    if (tls->steps >= STEPS_MAX) {
        return; // the loop tells it again in its next turn, when what is due has been done
    }
    if (relay->phase == WEB_RELAY_HELLO) {
        look_at_first(relay);
    } else {
        make_step(relay);
    }
}

bool web_handshakes_make_room(apex_web *web) {
    for (web_relay *relay = web->tls.first; relay != NULL; relay = relay->next) {
        bool is_shaking = relay->phase == WEB_RELAY_HELLO || relay->phase == WEB_RELAY_SHAKING;
        if (is_shaking && web->now_us - relay->since_us >= IDLE_US) {
            web->counters[APEX_WEB_REFUSED_HANDSHAKE]++;
            web_relay_close(relay);
            return true;
        }
    }
    return false;
}

void web_handshakes_turn(apex_web *web) {
    web_tls *tls = &web->tls;
    tls->steps = 0;
    for (web_relay *relay = tls->first;
         relay != NULL && tls->waiting > 0 && tls->steps < STEPS_MAX;) {
        web_relay *next = relay->next;
        if (relay->is_waiting) {
            relay->is_waiting = false;
            tls->waiting--;
            web_handshake_go_on(relay);
        }
        relay = next;
    }
}
