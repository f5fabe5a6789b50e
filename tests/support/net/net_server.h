// A transport under test with its frame, and what has come out of it so far. Its clock is the
// machine's plus an offset, so that a test can be patient without waiting.

#ifndef APEX_TESTS_NET_SERVER_H
#define APEX_TESTS_NET_SERVER_H

#include "net/net.h"

#define NET_SERVER_LINKS_MAX 256

typedef struct net_server {
    apex_transport *transport;
    apex_arena frame;
    uint64_t skipped_us; // added to the machine's clock
    bool is_virtual;     // the machine's clock is left out: time is what was skipped
    apex_link_event *events;
    size_t event_count; // of the last round
    uint32_t opened, closed, closed_by_client, packets;
    apex_link newest; // the link that opened last, and what its proofs are tied to
    uint8_t binding[APEX_SEAL_BINDING_BYTES];
} net_server;

// Loopback, any port; otherwise as `def` says. Aborts when that fails.
void net_server_open(net_server *server, apex_transport_def def, size_t frame_bytes);
void net_server_close(net_server *server);

uint64_t net_server_now(const net_server *server);
// One round: the frame is reset, events are received and counted, queues are flushed.
void net_server_round(net_server *server);
uint64_t net_server_counter(const net_server *server, apex_transport_counter counter);

#endif
