// A link over ENet, the only place of the client that knows it: it is served without waiting, and
// what has come is handed on one event at a time.
#include "client-lite/transport.h"

#include <enet/enet.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "proto/proto.h"

enum {
    // Cookies change every few seconds; a connect that meets more of them than this meets no Apex.
    COOKIES_MAX = 16,
    COOKIE_DATAGRAM_BYTES = 10,
    THROTTLE_INTERVAL_MS = 5000,
    PING_INTERVAL_MS = 2000,
    TRIES_WITHOUT_END = 1 << 16, // of the first wait for an answer, which doubles with each try
};

struct client_transport {
    ENetHost *host;
    ENetPeer *peer; ///< NULL when there is no link
    ENetAddress address;
    ENetPacket *received; ///< that the last poll handed out
    bool cookie_waits;
    uint32_t cookie;
    client_transport_counters counters;
};

// A server with many half-open links answers a connect only with `0F FF 'A' 'P' 'X' 'C'` and a
// cookie; the connect must be made again with the cookie as its data.
static bool read_cookie(const ENetHost *host, uint32_t *cookie) {
    static const uint8_t TAG[6] = {0x0F, 0xFF, 'A', 'P', 'X', 'C'};
    const uint8_t *bytes = host->receivedData;
    if (host->receivedDataLength != COOKIE_DATAGRAM_BYTES || memcmp(bytes, TAG, sizeof TAG) != 0) {
        return false;
    }
    *cookie = (uint32_t)bytes[6] << 24 | (uint32_t)bytes[7] << 16 | (uint32_t)bytes[8] << 8 |
              (uint32_t)bytes[9];
    return true;
}

static int ENET_CALLBACK on_datagram(ENetHost *host, ENetEvent *event) {
    (void)event;
    client_transport *transport = host->peers[0].data;
    bool from_server = host->receivedAddress.host == transport->address.host &&
                       host->receivedAddress.port == transport->address.port;
    uint32_t cookie;
    if (!from_server) {
        return 1; // swallowed: nobody else has anything to say here
    }
    if (!read_cookie(host, &cookie)) {
        return 0;
    }
    if (transport->peer != NULL && transport->peer->state == ENET_PEER_STATE_CONNECTING) {
        transport->cookie = cookie;
        transport->cookie_waits = true;
    }
    return 1;
}

apex_err client_transport_create(client_transport **out) {
    if (enet_initialize() != 0) {
        return APEX_ERR_IO;
    }
    client_transport *transport = calloc(1, sizeof *transport);
    if (transport == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    transport->host = enet_host_create(NULL, 1, APEX_CHANNEL_COUNT, 0, 0);
    if (transport->host == NULL) {
        free(transport);
        return APEX_ERR_IO;
    }
    transport->host->intercept = on_datagram;
    transport->host->maximumPacketSize = APEX_MESSAGE_BYTES_MAX;
    transport->host->peers[0].data = transport;
    *out = transport;
    return APEX_OK;
}

static void forget_received(client_transport *transport) {
    if (transport->received != NULL) {
        enet_packet_destroy(transport->received);
        transport->received = NULL;
    }
}

void client_transport_destroy(client_transport *transport) {
    if (transport == NULL) {
        return;
    }
    forget_received(transport);
    enet_host_destroy(transport->host);
    free(transport);
}

static bool connect_with(client_transport *transport, uint32_t cookie) {
    transport->peer =
        enet_host_connect(transport->host, &transport->address, APEX_CHANNEL_COUNT, cookie);
    return transport->peer != NULL;
}

apex_err client_transport_connect(client_transport *transport, const char *host, uint16_t port) {
    APEX_ASSERT(transport->peer == NULL);
    transport->address.port = port;
    if (enet_address_set_host(&transport->address, host) != 0) {
        return APEX_ERR_NOT_FOUND;
    }
    if (!connect_with(transport, 0)) {
        return APEX_ERR_IO;
    }
    client_transport_flush(transport);
    return APEX_OK;
}

void client_transport_reconnect(client_transport *transport) {
    forget_received(transport);
    if (transport->peer != NULL) {
        enet_peer_reset(transport->peer);
    }
    transport->cookie_waits = false;
    transport->counters.cookies = 0;
    if (connect_with(transport, 0)) {
        client_transport_flush(transport);
    }
}

int client_transport_socket(const client_transport *transport) {
    return transport->host->socket;
}

// ENet counts in 32 bits and expects its user to start it anew.
static void count_traffic(client_transport *transport) {
    ENetHost *host = transport->host;
    transport->counters.bytes_in += host->totalReceivedData;
    transport->counters.bytes_out += host->totalSentData;
    transport->counters.packets_in += host->totalReceivedPackets;
    transport->counters.packets_out += host->totalSentPackets;
    host->totalReceivedData = 0;
    host->totalSentData = 0;
    host->totalReceivedPackets = 0;
    host->totalSentPackets = 0;
}

void client_transport_service(client_transport *transport) {
    // Negative for a datagram longer than ENet's buffer, among others: the link lives on.
    if (enet_host_service(transport->host, NULL, 0) < 0) {
        transport->counters.service_errors++;
    }
    if (transport->cookie_waits) {
        transport->cookie_waits = false;
        if (transport->peer != NULL && transport->counters.cookies < COOKIES_MAX) {
            transport->counters.cookies++;
            enet_peer_reset(transport->peer);
            connect_with(transport, transport->cookie);
            enet_host_flush(transport->host);
        }
    }
    count_traffic(transport);
}

bool client_transport_poll(client_transport *transport, client_link_event *out) {
    forget_received(transport);
    ENetEvent event;
    if (enet_host_check_events(transport->host, &event) <= 0) {
        return false;
    }
    *out = (client_link_event){0};
    switch (event.type) {
    case ENET_EVENT_TYPE_CONNECT:
        out->kind = CLIENT_LINK_OPENED;
        // Six tries without an answer are nothing on a bad network; a client that hears nothing any
        // more finds out by itself.
        enet_peer_timeout(event.peer, TRIES_WITHOUT_END, 0, 0);
        // Half a second is ENet's own; but both sides talk all the time, and the server asks, too.
        enet_peer_ping_interval(event.peer, PING_INTERVAL_MS);
        // Without this ENet drops unreliable packets at random when round trips vary.
        enet_peer_throttle_configure(event.peer, THROTTLE_INTERVAL_MS,
                                     ENET_PEER_PACKET_THROTTLE_SCALE, 0);
        return true;
    case ENET_EVENT_TYPE_RECEIVE:
        transport->received = event.packet;
        out->kind = CLIENT_LINK_BYTES;
        out->channel = event.channelID;
        out->bytes = event.packet->data;
        out->length = event.packet->dataLength;
        return true;
    case ENET_EVENT_TYPE_DISCONNECT:
        out->kind = CLIENT_LINK_CLOSED;
        out->reason = event.data < APEX_REASON_COUNT ? (apex_reason)event.data : APEX_REASON_NONE;
        transport->peer = NULL;
        return true;
    case ENET_EVENT_TYPE_NONE:
        break;
    }
    return false;
}

void client_transport_send(client_transport *transport, uint8_t channel, const uint8_t *bytes,
                           size_t length) {
    APEX_ASSERT(length <= APEX_DATAGRAM_BYTES_MAX && channel < APEX_CHANNEL_COUNT);
    if (transport->peer == NULL) {
        return;
    }
    enet_uint32 flags = channel == APEX_CHANNEL_RELIABLE
                            ? (enet_uint32)ENET_PACKET_FLAG_RELIABLE
                            : (enet_uint32)ENET_PACKET_FLAG_UNSEQUENCED;
    ENetPacket *packet = enet_packet_create(bytes, length, flags);
    if (packet != NULL && enet_peer_send(transport->peer, channel, packet) != 0) {
        enet_packet_destroy(packet);
    }
}

void client_transport_flush(client_transport *transport) {
    enet_host_flush(transport->host);
    count_traffic(transport);
}

void client_transport_close(client_transport *transport) {
    if (transport->peer != NULL) {
        enet_peer_disconnect_later(transport->peer, 0);
    }
}

void client_transport_close_now(client_transport *transport) {
    if (transport->peer != NULL) {
        enet_peer_disconnect_now(transport->peer, 0);
        transport->peer = NULL;
    }
}

client_transport_counters client_transport_counters_of(const client_transport *transport) {
    return transport->counters;
}
