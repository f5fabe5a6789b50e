// Links by libwebsockets. It gets sockets whose request has been read and found good, with a
// request of our own wording, and does the rest of a WebSocket's life on the server's libuv loop:
// handshake, frames, pings, answers to pings and to a client's close.
//
// The HTTP of a request is read before (DECISIONS 35). Ends are ours: its closing handshake reads
// for five seconds whatever comes. And what it hides from us, pings and empty fragments, the kernel
// counts (TCP_INFO). Open files that it is told of are at most 65,536: it makes and clears tables
// for each. It takes frames without a mask, against RFC 6455; masks protect proxies between the two
// from a page's choice of bytes, not the server, and no browser sends such frames.
#include "web/links/sockets.h"

#include <dlfcn.h>
#include <libwebsockets.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/assert.h"
#include "base/log.h"
#include "web/door/socket_options.h"
#include "web/links/link_outbox.h"
#include "web/links/rooms.h"
#include "web/links/socket.h"
#include "web/tls/relays.h"
#include "web/web_state.h"

enum {
    READ_BYTES_MAX = 4096,
    PING_S = 8,
    HANG_UP_S = 16,
    OPEN_FILES_MAX = 64 * 1024,
    CLOSE_PROPER = 1000,
    CLOSE_GOING = 1001,
    CLOSE_TEXT = 1003,
    CLOSE_TOO_LONG = 1009,
};

static int refuse_message(web_link *link, int code) {
    link->room->web->counters[APEX_WEB_REFUSED_MESSAGE]++;
    web_socket_end(link, code);
    return 0;
}

static int on_bytes(web_link *link, struct lws *socket, const uint8_t *bytes, size_t length) {
    if (link->state != WEB_LINK_OPEN) {
        return 0; // it has been told to go, or is going
    }
    if (!lws_frame_is_binary(socket)) {
        return refuse_message(link, CLOSE_TEXT);
    }
    if (link->in_length + length > sizeof link->in) {
        return refuse_message(link, CLOSE_TOO_LONG);
    }
    bool is_final = lws_is_final_fragment(socket) != 0;
    if (!is_final || link->in_length > 0) {
        memcpy(link->in + link->in_length, bytes, length);
        link->in_length += length;
        bytes = link->in;
        length = link->in_length;
    }
    if (is_final) {
        link->in_length = 0;
        if (!web_room_bytes(link, bytes, length)) {
            web_socket_end(link, CLOSE_GOING); // no memory
        }
    }
    return 0;
}

static int on_writable(web_link *link, struct lws *socket) {
    link->is_choked = lws_partial_buffered(socket) != 0;
    if (link->state != WEB_LINK_OPEN && link->state != WEB_LINK_ENDING) {
        return 0;
    }
    if (!link->is_choked) {
        link->progress_us = link->room->web->now_us;
    }
    switch (web_link_flush(link)) {
    case WEB_FLUSH_BROKEN:
        return -1;
    case WEB_FLUSH_MORE:
        return 0;
    case WEB_FLUSH_ALL:
        break;
    }
    if (link->state == WEB_LINK_ENDING) {
        web_socket_end(link, CLOSE_PROPER);
    }
    return 0;
}

// Proper is a close without a code, too, which is what close() of a page sends. 1001 is a browser's
// for a page that goes: it may be loaded anew, or opened in another window (DECISIONS 29).
static void on_peer_close(web_link *link, const uint8_t *payload, size_t length) {
    int code = length >= 2 ? payload[0] << 8 | payload[1] : CLOSE_PROPER;
    if (link->state == WEB_LINK_OPEN || link->state == WEB_LINK_ENDING) {
        link->by_client = code == CLOSE_PROPER;
        link->state = WEB_LINK_ENDED;
        link->progress_us = link->room->web->now_us; // from here the library answers and hangs up
    }
}

static void on_gone(struct lws *socket, web_link *link) {
    lws_set_opaque_user_data(socket, NULL);
    web_room_closed(link);
}

static int on_established(struct lws *socket) {
    apex_web *web = lws_context_user(lws_get_context(socket));
    web_link *link = web->sockets.adopting;
    if (link == NULL) {
        return -1; // its handshake was to be done within the call that adopted it
    }
    APEX_ASSERT(link->state == WEB_LINK_OPENING);
    link->socket = socket;
    lws_set_opaque_user_data(socket, link);
    web_room_opened(link);
    return 0;
}

static int on_event(struct lws *socket, enum lws_callback_reasons reason, void *user, void *in,
                    size_t length) {
    web_link *link = lws_get_opaque_user_data(socket);
    (void)user;
    if (reason == LWS_CALLBACK_ESTABLISHED) {
        return on_established(socket);
    }
    if (link == NULL) {
        return 0;
    }
    switch ((int)reason) {
    case LWS_CALLBACK_RECEIVE:
        return on_bytes(link, socket, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return on_writable(link, socket);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        on_peer_close(link, in, length);
        return 0;
    case LWS_CALLBACK_CLOSED:
    case LWS_CALLBACK_WSI_DESTROY:
        on_gone(socket, link);
        return 0;
    default:
        return 0;
    }
}

// A socket's events before it is a WebSocket, and at its very end.
static int on_other_event(struct lws *socket, enum lws_callback_reasons reason, void *user,
                          void *in, size_t length) {
    switch ((int)reason) {
    case LWS_CALLBACK_HTTP: // never: what is adopted asks for a WebSocket
    case LWS_CALLBACK_RAW_ADOPT:
        return -1;
    case LWS_CALLBACK_WSI_DESTROY:
        return on_event(socket, reason, user, in, length);
    default:
        return 0;
    }
}

bool web_sockets_adopt(apex_web *web, web_link *link, int file, web_text key) {
    char request[256];
    int length = snprintf(request, sizeof request,
                          "GET / HTTP/1.1\r\nHost: apex\r\nUpgrade: websocket\r\n"
                          "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                          "Sec-WebSocket-Protocol: apex-1\r\nSec-WebSocket-Key: %.*s\r\n\r\n",
                          (int)key.length, key.at);
    APEX_ASSERT(length > 0 && (size_t)length < sizeof request);
    web_tcp_tune(file);
    if (link->relay != NULL) {
        web_tcp_tune(web_relay_outer(link->relay));
        web_pair_tune(file);
    }
    web->sockets.adopting = link;
    struct lws_vhost *host = lws_get_vhost_by_name(web->sockets.context, "apex");
    APEX_ASSERT(host != NULL);
    lws_adopt_socket_vhost_readbuf(host, file, request, (size_t)length);
    web->sockets.adopting = NULL;
    return link->state != WEB_LINK_OPENING;
}

static void log_line(int level, const char *line) {
    (void)level;
    int length = (int)strcspn(line, "\n");
    apex_log(APEX_LOG_DEBUG, "web", "libwebsockets: %.*s", length, line);
}

// libwebsockets loads what joins it to libuv when it begins, and unloads it from within when it
// ends: held here, its code stays until it has returned.
static bool hold_plugin(void) {
    static void *plugin;
    if (plugin == NULL) {
        plugin = dlopen(LWS_INSTALL_LIBDIR "/libwebsockets-evlib_uv.so", RTLD_NOW);
    }
    return plugin != NULL;
}

// Its tables have a place for each file that the process may open, and are cleared: 16 MiB where a
// container allows a million. fd_limit_per_thread makes them smaller, but then it looks for each
// socket among all.
// @return what the limit was.
static struct rlimit cap_open_files(void) {
    struct rlimit files = {.rlim_cur = 0};
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur > OPEN_FILES_MAX) {
        struct rlimit less = files;
        less.rlim_cur = OPEN_FILES_MAX;
        (void)setrlimit(RLIMIT_NOFILE, &less);
    }
    return files;
}

static struct lws_context *create_context(apex_web *web) {
    static const struct lws_protocols protocols[] = {
        {.name = "apex-none", .callback = on_other_event},
        {.name = "apex-1",
         .callback = on_event,
         .rx_buffer_size = READ_BYTES_MAX,
         .tx_packet_size = 64 * 1024},
        {.name = NULL},
    };
    static const lws_retry_bo_t patience = {
        .secs_since_valid_ping = PING_S,
        .secs_since_valid_hangup = HANG_UP_S,
    };
    void *loops[] = {web->def.loop};
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .vhost_name = "apex",
        .options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME,
        .foreign_loops = loops,
        .count_threads = 1,
        .retry_and_idle_policy = &patience,
        .user = web,
        .pt_serv_buf_size = 2 * READ_BYTES_MAX,
    };
    lws_set_log_level(LLL_ERR | LLL_WARN, log_line);
    struct sigaction before;
    sigaction(SIGPIPE, NULL, &before);
    struct rlimit files = cap_open_files();
    struct lws_context *context = lws_create_context(&info);
    if (files.rlim_cur > OPEN_FILES_MAX) {
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
    sigaction(SIGPIPE, &before, NULL); // not its business
    return context;
}

apex_err web_sockets_create(apex_web *web, char why[APEX_WEB_WHY_BYTES]) {
    if (!hold_plugin()) {
        snprintf(why, APEX_WEB_WHY_BYTES,
                 "libwebsockets cannot join libuv's loop: install libwebsockets-evlib-uv");
        return APEX_ERR_UNSUPPORTED;
    }
    web->sockets.context = create_context(web);
    if (web->sockets.context == NULL) {
        snprintf(why, APEX_WEB_WHY_BYTES, "libwebsockets did not start");
        return APEX_ERR_NO_MEMORY;
    }
    return APEX_OK;
}

void web_sockets_destroy(apex_web *web) {
    if (web->sockets.context != NULL) {
        lws_context_destroy(web->sockets.context);
    }
}
