// A link's socket: writing, pausing, asking, ending.
#include "web/links/socket.h"

#include <libwebsockets.h>
#include <sys/socket.h>

#include "web/door/socket_options.h"
#include "web/links/room.h"
#include "web/tls/relays.h"
#include "web/web_state.h"

enum { OPCODE_CLOSE = 0x88 };

bool web_socket_write(web_link *link, uint8_t *bytes, size_t length) {
    // The frames' heads are in the bytes, many frames go with one call, and LWS_WRITE_HTTP leaves
    // them as they are.
    if (lws_write(link->socket, bytes, length, LWS_WRITE_HTTP) < 0) {
        return false;
    }
    link->is_choked = lws_partial_buffered(link->socket) != 0;
    return true;
}

void web_socket_pause(web_link *link, bool is_paused) {
    link->is_paused = is_paused;
    lws_rx_flow_control(link->socket, is_paused ? 0 : 1);
}

void web_socket_ask_writable(web_link *link) {
    lws_callback_on_writable(link->socket);
}

// Not by libwebsockets' closing handshake, which reads for five seconds whatever comes. A browser
// has what it waits for: our word, and soon the end of the connection.
void web_socket_end(web_link *link, int code) {
    uint8_t words[LWS_PRE + 4] = {0};
    uint8_t *close = words + LWS_PRE;
    close[0] = OPCODE_CLOSE;
    close[1] = 2;
    close[2] = (uint8_t)(code >> 8);
    close[3] = (uint8_t)code;
    link->state = WEB_LINK_ENDED;
    link->progress_us = link->room->web->now_us;
    if (!link->is_choked && link->out_begin == link->out_end) {
        web_socket_write(link, close, 4);
        lws_validity_confirmed(link->socket); // no ping may come behind it
    }
    web_socket_pause(link, true);
}

void web_socket_kill(web_link *link) {
    link->state = WEB_LINK_ENDED;
    link->is_killed = true;
    web_socket_pause(link, false); // or the end would not be read
    shutdown(lws_get_socket_fd(link->socket), SHUT_RDWR);
}

// The socket that leads to the client.
static int outer_of(const web_link *link) {
    return link->relay != NULL ? web_relay_outer(link->relay) : lws_get_socket_fd(link->socket);
}

uint64_t web_socket_received_bytes(const web_link *link) {
    uint64_t received = web_tcp_received_bytes(outer_of(link));
    return received > link->received_bytes ? received : link->received_bytes; // TLS may have ended
}

bool web_socket_quality(const web_link *link, apex_link_quality *out) {
    return web_tcp_quality(outer_of(link), out);
}
