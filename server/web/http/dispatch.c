// The way of a request: to the page, to a room's WebSocket, or to the code that takes requests.
#include "web/http/dispatch.h"

#include <string.h>

#include "base/assert.h"
#include "web/door/host_names.h"
#include "web/http/answer.h"
#include "web/http/connections.h"
#include "web/http/page_answer.h"
#include "web/http/plain_answer.h"
#include "web/links/rooms.h"
#include "web/links/sockets.h"
#include "web/tls/relays.h"
#include "web/web_state.h"

static void refuse(web_connection *connection, apex_web_counter counter, uint16_t status,
                   const char *why) {
    connection->web->counters[counter]++;
    web_refuse(connection, status, why);
}

// 16 bytes in base64, as browsers make them.
static bool is_key(web_text key) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (key.at == NULL || key.length != 24 || memcmp(key.at + 22, "==", 2) != 0) {
        return false;
    }
    for (size_t i = 0; i < 22; i++) {
        if (key.at[i] == '\0' || strchr(digits, key.at[i]) == NULL) {
            return false;
        }
    }
    return true;
}

static bool may_upgrade(web_connection *connection) {
    const web_head *head = &connection->head;
    if (!web_origin_is_ours(head, connection->web->texts.origins)) {
        refuse(connection, APEX_WEB_REFUSED_ORIGIN, 403,
               "Pages of that origin may not open connections to this server.");
    } else if (!head->is_websocket || head->method != WEB_GET) {
        refuse(connection, APEX_WEB_REFUSED_REQUEST, 400, "Only WebSockets are spoken here.");
    } else if (!head->is_version_13) {
        refuse(connection, APEX_WEB_REFUSED_REQUEST, 426, "Sec-WebSocket-Version is 13.");
    } else if (!is_key(head->key)) {
        refuse(connection, APEX_WEB_REFUSED_REQUEST, 400, "Sec-WebSocket-Key is not one.");
    } else if (!head->names_subprotocol) {
        refuse(connection, APEX_WEB_REFUSED_REQUEST, 400, "The subprotocol is apex-1.");
    } else if (head->body_length > 0) {
        refuse(connection, APEX_WEB_REFUSED_REQUEST, 400, "A handshake has no body.");
    } else if (connection->in_length > connection->request_length) {
        refuse(connection, APEX_WEB_REFUSED_REQUEST, 400,
               "A client waits for the handshake's end before it sends.");
    } else {
        return true;
    }
    return false;
}

// Through a proxy: takes one of the client's connections, in place of one of the proxy's.
static bool take_place(web_connection *connection) {
    web_gate *gate = &connection->web->gate;
    switch (web_gate_enter(gate, &connection->address, connection->web->now_us)) {
    case WEB_GATE_ADDRESS:
        refuse(connection, APEX_WEB_REFUSED_ADDRESS, 429,
               "Your address has as many connections as it may have.");
        return false;
    case WEB_GATE_RATE:
        refuse(connection, APEX_WEB_REFUSED_RATE, 429,
               "Too many new connections of your address; try again in a moment.");
        return false;
    case WEB_GATE_OPEN:
        break;
    }
    web_gate_leave(gate, &connection->peer);
    return true;
}

static void upgrade(web_connection *connection) {
    apex_web *web = connection->web;
    connection->keeps_alive = false;
    if (!may_upgrade(connection)) {
        return;
    }
    const char *tail = NULL;
    web_room *room = web_room_of_path(&web->rooms, connection->head.path, &tail);
    if (room == NULL) {
        refuse(connection, APEX_WEB_REFUSED_ROOM, 404,
               "There is no race here; /api/races lists those that there are.");
        return;
    }
    web_link *link = web_room_free_link(room);
    if (link == NULL) {
        refuse(connection, APEX_WEB_REFUSED_FULL, 503, "The race has no place left.");
        return;
    }
    if (connection->is_proxied && !take_place(connection)) {
        return;
    }
    link->state = WEB_LINK_OPENING;
    link->address = connection->address;
    link->is_proxied = connection->is_proxied;
    APEX_ASSERT(strlen(tail) < sizeof link->tail);
    memcpy(link->tail, tail, strlen(tail) + 1);
    web_relay *relay = connection->relay;
    web_text key = connection->head.key; // the connection's bytes live until the loop goes on
    int file = web_connection_release(connection);
    web_relay_hold(relay, &link->relay);
    if (!web_sockets_adopt(web, link, file, key)) {
        web_relay_hold(link->relay, NULL);
        link->state = WEB_LINK_FREE;
        web->open--;
        web_gate_leave(&web->gate, &link->address);
    }
}

static bool is_for_others(const char *path) {
    return strncmp(path, "/api/", 5) == 0 || strcmp(path, "/metrics") == 0 ||
           strcmp(path, "/healthz") == 0 || strcmp(path, "/readyz") == 0;
}

static void wait_for_answer(web_connection *connection) {
    apex_web *web = connection->web;
    if (web->connections.request_count == WEB_REQUESTS_MAX) {
        refuse(connection, APEX_WEB_REFUSED_FULL, 503, "Too many requests wait for their answers.");
        return;
    }
    connection->request_id = ++web->connections.last_request_id;
    web->connections.requests[web->connections.request_count++] = connection;
    web_connection_wait(connection);
}

bool apex_web_take_request(apex_web *web, apex_web_request *out) {
    if (web->connections.request_count == 0) {
        return false;
    }
    web_connection *connection = web->connections.requests[0];
    const web_head *head = &connection->head;
    web->connections.request_count--;
    memmove(&web->connections.requests[0], &web->connections.requests[1],
            web->connections.request_count * sizeof web->connections.requests[0]);
    out->id = connection->request_id;
    out->method = head->method == WEB_POST ? APEX_WEB_POST : APEX_WEB_GET;
    memcpy(out->path, head->path, sizeof out->path);
    memcpy(out->query, head->query, sizeof out->query);
    memcpy(out->token, head->token, sizeof out->token);
    web_format_address(&connection->address, out->address);
    out->body_length = head->body_length;
    const uint8_t *body = connection->in + connection->request_length - head->body_length;
    memcpy(out->body, body, head->body_length);
    return true;
}

void apex_web_answer_request(apex_web *web, uint64_t id, const apex_web_answer *answer) {
    APEX_ASSERT(answer->status >= 200 && answer->status <= 599);
    for (web_connection *connection = web->connections.first; connection != NULL;
         connection = connection->next) {
        if (connection->phase == WEB_WAITING && connection->request_id == id) {
            web_answer whole = {
                .status = (uint16_t)answer->status,
                .type = answer->type,
                .allow = answer->allow,
                .bytes = answer->bytes,
                .length = answer->length,
                .edition = answer->edition,
                .is_copied = true,
            };
            web_answer_with(connection, &whole);
            return;
        }
    }
}

// @return whether the page itself says what is there: races and recordings to watch, and the
// operators' desk.
static bool is_of_page(apex_web *web, const char *path) {
    const char *tail = NULL;
    return strcmp(path, "/admin") == 0 || web_room_of_path(&web->rooms, path, &tail) != NULL;
}

void web_dispatch(web_connection *connection) {
    apex_web *web = connection->web;
    const web_head *head = &connection->head;
    if (!web_host_is_ours(head, web->texts.address, web->texts.hosts, web->texts.origins)) {
        refuse(
            connection, APEX_WEB_REFUSED_HOST, 421,
            "This server does not go by that name; web: {hosts: ...} in its race file names it.");
    } else if (web->tls.is_on && connection->relay == NULL && !connection->is_proxied) {
        web->counters[APEX_WEB_REFUSED_PLAIN]++;
        web_answer_plain(connection);
    } else if (head->wants_upgrade && head->is_websocket) {
        upgrade(connection);
    } else if (head->method == WEB_OTHER) {
        refuse(connection, APEX_WEB_REFUSED_REQUEST, 405, "That method is not known here.");
    } else if (is_for_others(head->path)) {
        if (head->method == WEB_POST && !web_origin_is_ours(head, web->texts.origins)) {
            refuse(connection, APEX_WEB_REFUSED_ORIGIN, 403,
                   "Pages of that origin may not post to this server.");
        } else {
            wait_for_answer(connection);
        }
    } else if (head->method == WEB_POST) {
        refuse(connection, APEX_WEB_REFUSED_REQUEST, 405, "Nothing is posted here.");
    } else if (!web_answer_page(connection, head->path) &&
               (!is_of_page(web, head->path) || !web_answer_page(connection, "/")) &&
               !web_answer_not_found(connection)) {
        web_refuse(connection, 404, "There is nothing here.");
    }
}
