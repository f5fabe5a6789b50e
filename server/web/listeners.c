// Sockets that listen, and the connections that get past them. A connection that is refused here
// costs an accept and a close.
#define _GNU_SOURCE // accept4
#include "web/listeners.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/assert.h"
#include "web/door/socket_options.h"
#include "web/http/connections.h"
#include "web/http/serve.h"
#include "web/tls/handshake.h"
#include "web/tls/relays.h"
#include "web/tls/service.h"
#include "web/web_state.h"

enum {
    BACKLOG = 512,
    ACCEPTS_MAX = 16, ///< at a time, so that a flood leaves the loop to others
};

static web_address address_of(const struct sockaddr_storage *peer) {
    web_address address = {{0}};
    if (peer->ss_family == AF_INET6) {
        memcpy(address.bytes, &((const struct sockaddr_in6 *)peer)->sin6_addr, 16);
    } else {
        address.bytes[10] = address.bytes[11] = 0xff;
        memcpy(address.bytes + 12, &((const struct sockaddr_in *)peer)->sin_addr, 4);
    }
    return address;
}

// Without the minutes that the kernel would remember a connection that we close first.
static void drop(int file) {
    struct linger none = {.l_onoff = 1, .l_linger = 0};
    setsockopt(file, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    close(file);
}

// The address that a proxy asks for is known only from its request.
static web_gate_verdict enter_proxy(apex_web *web, const web_address *address) {
    return web_gate_enter_proxy(&web->gate, address) ? WEB_GATE_OPEN : WEB_GATE_ADDRESS;
}

void web_take_connection(apex_web *web, int file, const web_address *address, web_relay *relay) {
    web_connection_open(web, file, address, relay, web_serve_event);
}

static void begin(apex_web *web, int file, const web_address *address) {
    if (!web->tls.is_on) {
        web_take_connection(web, file, address, NULL);
    } else if (web_tls_admit(web, address)) {
        web_relay_open(web, file, address, web_handshake_go_on);
    } else {
        web->counters[APEX_WEB_REFUSED_FULL]++;
        web->open--;
        web_gate_leave(&web->gate, address);
        drop(file);
    }
}

static bool make_room(apex_web *web) {
    return web_handshakes_make_room(web) || web_connections_make_room(web);
}

static void admit(apex_web *web, int file, const struct sockaddr_storage *peer) {
    web_address address = address_of(peer);
    if (web->open >= web->def.connections_max && !make_room(web)) {
        web->counters[APEX_WEB_REFUSED_FULL]++;
        drop(file);
        return;
    }
    bool is_proxy = web_proxies_have(&web->proxies, &address);
    switch (is_proxy ? enter_proxy(web, &address)
                     : web_gate_enter(&web->gate, &address, web->now_us)) {
    case WEB_GATE_ADDRESS:
        web->counters[APEX_WEB_REFUSED_ADDRESS]++;
        drop(file);
        return;
    case WEB_GATE_RATE:
        web->counters[APEX_WEB_REFUSED_RATE]++;
        drop(file);
        return;
    case WEB_GATE_OPEN:
        break;
    }
    web->counters[APEX_WEB_CONNECTIONS]++;
    web->open++;
    int yes = 1;
    setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    web_tcp_tune_answers(file);
    begin(web, file, &address);
}

static void on_acceptable(uv_poll_t *poll, int status, int events) {
    apex_web *web = poll->data;
    (void)events;
    uv_os_fd_t file;
    if (status < 0 || uv_fileno((const uv_handle_t *)poll, &file) != 0) {
        return;
    }
    for (int i = 0; i < ACCEPTS_MAX; i++) {
        struct sockaddr_storage peer = {0};
        socklen_t length = sizeof peer;
        int accepted =
            accept4(file, (struct sockaddr *)&peer, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (accepted >= 0) {
            admit(web, accepted, &peer);
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            // It would be reported again at once, and for as long as that lasts.
            web->counters[APEX_WEB_REFUSED_FULL]++;
            web->listening.rests = true;
            for (uint32_t k = 0; k < web->listening.count; k++) {
                uv_poll_stop(&web->listening.polls[k]);
            }
            return;
        } else if (errno != ECONNABORTED && errno != EINTR) {
            return;
        }
    }
}

void web_resume_listening(apex_web *web) {
    if (web->listening.rests) {
        web->listening.rests = false;
        for (uint32_t i = 0; i < web->listening.count; i++) {
            uv_poll_start(&web->listening.polls[i], UV_READABLE, on_acceptable);
        }
    }
}

// Both families have it in the same place.
_Static_assert(offsetof(struct sockaddr_in, sin_port) == offsetof(struct sockaddr_in6, sin6_port),
               "the port is at one place");

static void set_port(struct sockaddr_storage *address, uint16_t port) {
    uint16_t wire = htons(port);
    memcpy((uint8_t *)address + offsetof(struct sockaddr_in, sin_port), &wire, sizeof wire);
}

static uint16_t port_of(int file) {
    struct sockaddr_storage own = {0};
    socklen_t length = sizeof own;
    uint16_t wire = 0;
    if (getsockname(file, (struct sockaddr *)&own, &length) == 0) {
        memcpy(&wire, (uint8_t *)&own + offsetof(struct sockaddr_in, sin_port), sizeof wire);
    }
    return ntohs(wire);
}

// @return a socket that listens, or a negative apex_err.
static int open_socket(const struct addrinfo *found, uint16_t port, bool is_dual) {
    struct sockaddr_storage own = {0};
    memcpy(&own, found->ai_addr, found->ai_addrlen);
    set_port(&own, port);
    int file = socket(own.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (file < 0) {
        return apex_err_from_errno(errno);
    }
    int yes = 1;
    int alone = is_dual ? 0 : 1;
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (own.ss_family == AF_INET6) {
        setsockopt(file, IPPROTO_IPV6, IPV6_V6ONLY, &alone, sizeof alone);
    }
    if (bind(file, (struct sockaddr *)&own, found->ai_addrlen) != 0 || listen(file, BACKLOG) != 0) {
        apex_err err = apex_err_from_errno(errno);
        close(file);
        return err;
    }
    return file;
}

static apex_err add_listener(apex_web *web, int file) {
    uv_poll_t *poll = &web->listening.polls[web->listening.count];
    if (uv_poll_init(web->def.loop, poll, file) != 0) {
        close(file);
        return APEX_ERR_NO_MEMORY;
    }
    poll->data = web;
    web->handles_open++;
    web->listening.files[web->listening.count++] = file;
    uv_poll_start(poll, UV_READABLE, on_acceptable);
    return APEX_OK;
}

// One socket for each address that the name has: browsers try [::1] for localhost first. The first
// must do; others only where they can.
static apex_err listen_to_all(apex_web *web, const struct addrinfo *found, bool is_dual) {
    apex_err first = APEX_ERR_INVALID;
    for (; found != NULL && web->listening.count < WEB_LISTENERS_MAX; found = found->ai_next) {
        uint16_t port = web->listening.count > 0 ? web->listening.port : web->def.port;
        int file = open_socket(found, port, is_dual);
        if (file < 0) {
            first = first == APEX_ERR_INVALID ? (apex_err)file : first;
            // Somebody else has the port for one of our addresses: half of the browsers would
            // reach them.
            if (file == APEX_ERR_BUSY_PORT && web->def.port != 0) {
                return APEX_ERR_BUSY_PORT;
            }
            continue;
        }
        if (web->listening.count == 0) {
            web->listening.port = port_of(file);
        }
        apex_err err = add_listener(web, file);
        if (err != APEX_OK) {
            return err;
        }
        if (is_dual) {
            break;
        }
    }
    return web->listening.count > 0 ? APEX_OK : first;
}

static void explain(const apex_web *web, apex_err err, char why[APEX_WEB_WHY_BYTES]) {
    const char *where = web->texts.address[0] != '\0' ? web->texts.address : "every address";
    if (err == APEX_ERR_BUSY_PORT) {
        snprintf(why, APEX_WEB_WHY_BYTES,
                 "port %u of %.100s is in use: end who has it, or choose another port",
                 (unsigned)web->def.port, where);
    } else if (err == APEX_ERR_PERMISSION) {
        snprintf(why, APEX_WEB_WHY_BYTES,
                 "port %u may not be opened: choose one of 1024 or more, or allow this one",
                 (unsigned)web->def.port);
    } else {
        snprintf(why, APEX_WEB_WHY_BYTES, "cannot listen on %.100s, port %u: %s", where,
                 (unsigned)web->def.port, apex_err_text(err));
    }
}

// @param name what to listen on, as a name or an address
static apex_err listen_to(apex_web *web, const char *name, char why[APEX_WEB_WHY_BYTES]) {
    struct addrinfo hints = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    struct addrinfo *found = NULL;
    int failed = getaddrinfo(name, "0", &hints, &found);
    if (failed != 0) {
        snprintf(why, APEX_WEB_WHY_BYTES, "%.80s is no address of this machine: %s", name,
                 gai_strerror(failed));
        return APEX_ERR_INVALID;
    }
    apex_err err = listen_to_all(web, found, strcmp(name, "::") == 0);
    freeaddrinfo(found);
    if (err != APEX_OK) {
        explain(web, err, why);
    }
    return err;
}

apex_err web_listen(apex_web *web, char why[APEX_WEB_WHY_BYTES]) {
    // Both are meant, whatever names the machine has for them; a machine may be without the second.
    bool is_any = web->texts.address[0] == '\0';
    bool is_local = strcasecmp(web->texts.address, "localhost") == 0;
    if (!is_any && !is_local) {
        return listen_to(web, web->texts.address, why);
    }
    apex_err err = listen_to(web, is_any ? "::" : "127.0.0.1", why);
    bool is_refused = err == APEX_ERR_BUSY_PORT || err == APEX_ERR_PERMISSION;
    if (is_refused || (is_any && err == APEX_OK)) {
        return err;
    }
    apex_err second = listen_to(web, is_any ? "0.0.0.0" : "::1", why);
    return web->listening.count > 0 && second != APEX_ERR_BUSY_PORT ? APEX_OK : second;
}

static void on_closed(uv_handle_t *handle) {
    apex_web *web = handle->data;
    APEX_ASSERT(web->handles_open > 0);
    web->handles_open--;
}

void web_stop_listening(apex_web *web) {
    for (uint32_t i = 0; i < web->listening.count; i++) {
        uv_poll_stop(&web->listening.polls[i]);
        close(web->listening.files[i]);
        uv_close((uv_handle_t *)&web->listening.polls[i], on_closed);
    }
    web->listening.count = 0;
}
