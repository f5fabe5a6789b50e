// A link where JavaScript has the socket: a WebSocket, whose messages come one at a time and leave
// at once.
#include <stdlib.h>

#include "base/assert.h"
#include "client-lite/transport.h"
#include "client-lite/wasm/exports.h"
#include "client-lite/wasm/page_link.h"

struct client_transport {
    bool waits; ///< an event that has not been polled yet
    client_link_event event;
    client_transport_counters counters;
};

apex_err client_transport_create(const client_transport_def *def, client_transport **out) {
    (void)def;
    *out = calloc(1, sizeof **out);
    return *out != NULL ? APEX_OK : APEX_ERR_NO_MEMORY;
}

void client_transport_destroy(client_transport *transport) {
    free(transport);
}

apex_err client_transport_connect(client_transport *transport, const char *host, uint16_t port) {
    (void)transport, (void)host, (void)port; // the page knows where to
    return APEX_OK;
}

void client_transport_reconnect(client_transport *transport) {
    transport->waits = false;
    page_link_open();
}

int client_transport_socket(const client_transport *transport) {
    (void)transport;
    return -1;
}

void client_transport_service(client_transport *transport) {
    (void)transport;
}

bool client_transport_poll(client_transport *transport, client_link_event *out) {
    bool waits = transport->waits;
    *out = transport->event;
    transport->waits = false;
    return waits;
}

void client_transport_send(client_transport *transport, uint8_t channel, const uint8_t *bytes,
                           size_t length) {
    transport->counters.bytes_out += length;
    transport->counters.packets_out++;
    page_link_send(bytes, (uint32_t)length, channel == APEX_CHANNEL_RELIABLE);
}

void client_transport_flush(client_transport *transport) {
    (void)transport;
}

void client_transport_close(client_transport *transport) {
    (void)transport;
    page_link_close();
}

void client_transport_close_now(client_transport *transport) {
    (void)transport;
    page_link_close();
}

const uint8_t *client_transport_server_key(const client_transport *transport) {
    (void)transport;
    return NULL;
}

const uint8_t *client_transport_binding(const client_transport *transport) {
    (void)transport;
    return NULL;
}

client_transport_counters client_transport_counters_of(const client_transport *transport) {
    return transport->counters;
}

static void note(client_transport *transport, client_link_event event) {
    APEX_ASSERT(!transport->waits);
    transport->event = event;
    transport->waits = true;
}

void page_link_note_opened(client_transport *transport) {
    note(transport, (client_link_event){.kind = CLIENT_LINK_OPENED});
}

void page_link_note_closed(client_transport *transport) {
    note(transport, (client_link_event){.kind = CLIENT_LINK_CLOSED});
}

void page_link_note_bytes(client_transport *transport, const uint8_t *bytes, size_t length) {
    transport->counters.bytes_in += length;
    transport->counters.packets_in++;
    note(transport, (client_link_event){.kind = CLIENT_LINK_BYTES,
                                        .channel = (uint8_t)APEX_CHANNEL_EITHER,
                                        .bytes = bytes,
                                        .length = length});
}
