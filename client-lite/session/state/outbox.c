// Messages are encoded at once and wait in the order in which they were said.
#include "client-lite/session/state/outbox.h"

#include "base/assert.h"

void client_outbox_say(client_outbox *outbox, const apex_client_message *message) {
    APEX_ASSERT(outbox->count < CLIENT_OUTBOX_PACKETS);
    uint8_t *out = outbox->bytes + outbox->used;
    size_t room = CLIENT_OUTBOX_BYTES - outbox->used;
    apex_client_message carrying = *message;
    carrying.secret = outbox->secret;
    size_t length = apex_encode_client(
        &carrying, out, room < APEX_DATAGRAM_BYTES_MAX ? room : (size_t)APEX_DATAGRAM_BYTES_MAX);
    APEX_ASSERT(length > 0);
    outbox->packets[outbox->count++] =
        (client_packet){.channel = (uint8_t)apex_client_message_channel(message->kind),
                        .bytes = out,
                        .length = length};
    outbox->used += length;
}

size_t client_outbox_packets(const client_outbox *outbox, const client_packet **packets) {
    *packets = outbox->packets;
    return outbox->count;
}

void client_outbox_clear(client_outbox *outbox) {
    outbox->count = 0;
    outbox->used = 0;
}
