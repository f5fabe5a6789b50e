// The life of a socket that speaks HTTP, from phase to phase.
#include "web/http/connections.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "web/http/turn.h"
#include "web/tls/relays.h"
#include "web/web_state.h"

enum { IDLE_US = 1000000 }; ///< after which one that has asked nothing may have to go

void web_connection_enter(web_connection *connection, web_phase phase) {
    static const int wanted[] = {
        [WEB_READING] = UV_READABLE,
        [WEB_RESTING] = 0,
        [WEB_WAITING] = 0,
        [WEB_WRITING] = UV_WRITABLE,
        [WEB_LINGERING] = UV_READABLE,
    };
    connection->phase = phase;
    connection->since_us = connection->web->now_us;
    uv_poll_start(&connection->poll, wanted[phase], connection->on_event);
}

void web_connection_open(apex_web *web, int file, const web_address *address, web_relay *relay,
                         uv_poll_cb on_event) {
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
    connection->on_event = on_event;
    connection->file = file;
    connection->address = *address;
    connection->peer = *address;
    web_relay_hold(relay, &connection->relay);
    connection->is_proxied = web_proxies_have(&web->proxies, address);
    connection->next = web->connections.first;
    if (web->connections.first != NULL) {
        web->connections.first->previous = connection;
    }
    web->connections.first = connection;
    web->handles_open++;
    web_connection_enter(connection, WEB_READING);
}

void web_connection_free_body(web_connection *connection) {
    web_body_drop(&connection->web->bodies, connection->shared);
    connection->shared = NULL;
}

static void on_closed(uv_handle_t *handle) {
    web_connection *connection = handle->data;
    APEX_ASSERT(connection->web->handles_open > 0);
    connection->web->handles_open--;
    web_connection_free_body(connection);
    free(connection);
}

static void forget_request(web_connection *connection) {
    apex_web *web = connection->web;
    for (uint32_t i = 0; i < web->connections.request_count; i++) {
        if (web->connections.requests[i] == connection) {
            web->connections.request_count--;
            memmove(&web->connections.requests[i], &web->connections.requests[i + 1],
                    (web->connections.request_count - i) * sizeof web->connections.requests[0]);
            return;
        }
    }
}

static void unlink_connection(web_connection *connection) {
    apex_web *web = connection->web;
    forget_request(connection);
    web_turn_forget(&connection->web->turn, connection);
    if (connection->previous != NULL) {
        connection->previous->next = connection->next;
    } else {
        web->connections.first = connection->next;
    }
    if (connection->next != NULL) {
        connection->next->previous = connection->previous;
    }
    connection->is_closed = true;
    web_relay_hold(connection->relay, NULL);
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
    web_connection_enter(connection, WEB_WAITING);
}

void web_connection_write(web_connection *connection) {
    forget_request(connection);
    connection->sent = 0;
    connection->began_us = connection->web->now_us;
    connection->web->counters[APEX_WEB_BYTES_OUT] += connection->body_length;
    web_connection_enter(connection, WEB_WRITING);
}

bool web_connections_make_room(apex_web *web) {
    if (web->connections.crowded_us == web->now_us) {
        return false; // has just been looked for in vain
    }
    web_connection *idlest = NULL;
    for (web_connection *each = web->connections.first; each != NULL; each = each->next) {
        bool is_idle = each->phase == WEB_READING || each->phase == WEB_LINGERING;
        if (is_idle && web->now_us - each->since_us >= IDLE_US &&
            (idlest == NULL || each->since_us < idlest->since_us)) {
            idlest = each;
        }
    }
    if (idlest == NULL) {
        web->connections.crowded_us = web->now_us;
        return false;
    }
    web_connection_close(idlest);
    return true;
}
