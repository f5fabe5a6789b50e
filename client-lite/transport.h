/// One client's link to a server. transport_enet.c has it over ENet, a host with one peer and a
/// socket of its own; a page's (wasm/page_link.c) is a WebSocket that JavaScript owns.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "proto/proto.h"

typedef struct client_transport client_transport;

typedef enum client_link_event_kind {
    CLIENT_LINK_OPENED,
    CLIENT_LINK_BYTES,
    CLIENT_LINK_CLOSED,
} client_link_event_kind;

typedef struct client_link_event {
    client_link_event_kind kind;
    uint8_t channel;
    const uint8_t *bytes; ///< until the next poll
    size_t length;
    apex_reason reason; ///< CLOSED: the server's, where it had no chance to say it
} client_link_event;

typedef struct client_transport_counters {
    uint64_t bytes_in, bytes_out, packets_in, packets_out; ///< datagrams
    uint64_t service_errors;
} client_transport_counters;

typedef struct client_transport_def {
    bool is_plain;             ///< without a seal
    const uint8_t *server_key; ///< the only server to talk to, 32 bytes; NULL: any. Copied
} client_transport_def;

/// Over a WebSocket the definition says nothing: the page's address decides.
apex_err client_transport_create(const client_transport_def *def, client_transport **out);
void client_transport_destroy(client_transport *transport); ///< rude; NULL is fine

/// @return APEX_ERR_NOT_FOUND (host name), APEX_ERR_IO.
apex_err client_transport_connect(client_transport *transport, const char *host, uint16_t port);
/// Lets the present link go without a word and makes another, from the same socket.
void client_transport_reconnect(client_transport *transport);
int client_transport_socket(const client_transport *transport);
/// The key of the server, once it is known; else, and over a WebSocket, NULL.
const uint8_t *client_transport_server_key(const client_transport *transport);
/// What ties a proof to the present sealed connection, 32 bytes; NULL where there is no seal.
const uint8_t *client_transport_binding(const client_transport *transport);

/// Reads and answers; once a round, then poll until false.
void client_transport_service(client_transport *transport);
bool client_transport_poll(client_transport *transport, client_link_event *out);
void client_transport_send(client_transport *transport, uint8_t channel, const uint8_t *bytes,
                           size_t length);
void client_transport_flush(client_transport *transport);
/// Closes when what is queued reliably has arrived; a CLOSED event follows.
void client_transport_close(client_transport *transport);
/// Closes now, with one datagram that says so.
void client_transport_close_now(client_transport *transport);
client_transport_counters client_transport_counters_of(const client_transport *transport);
