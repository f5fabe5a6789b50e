/// The packets that a session has to say, until its link takes them.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "proto/proto.h"

enum { CLIENT_OUTBOX_PACKETS = 64, CLIENT_OUTBOX_BYTES = 8192 };

typedef struct client_packet {
    uint8_t channel;
    const uint8_t *bytes;
    size_t length;
} client_packet;

/// The bytes that go out with the next drain. A client never has more to say between two drains
/// than fits.
typedef struct client_outbox {
    size_t used, count;
    uint64_t secret; ///< that every message carries; 0: none
    client_packet packets[CLIENT_OUTBOX_PACKETS];
    uint8_t bytes[CLIENT_OUTBOX_BYTES];
} client_outbox;

/// Its own `secret` is not looked at.
void client_outbox_say(client_outbox *outbox, const apex_client_message *message);
/// Packets since the last clear, in order; they live until it.
size_t client_outbox_packets(const client_outbox *outbox, const client_packet **packets);
void client_outbox_clear(client_outbox *outbox);
