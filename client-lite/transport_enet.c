// A link over ENet, the only place of the client that knows it: it is served without waiting, and
// what has come is handed on one event at a time.
//
// ENet sees a socket that is connected to the server, of either family. Unless it is told to go
// plain, the client first agrees on keys with the server, and only then does ENet connect, inside
// the seal.
#include "client-lite/transport.h"

#include <enet/enet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/assert.h"
#include "client-lite/sealing.h"
#include "proto/proto.h"
#include "udp/udp.h"

enum {
    THROTTLE_INTERVAL_MS = 5000,
    PING_INTERVAL_MS = 2000,
    TRIES_WITHOUT_END = 1 << 16, // of the first wait for an answer, which doubles with each try
    READS_MAX = 512,             // in a round
};

struct client_transport {
    ENetHost *host;
    ENetPeer *peer;       ///< NULL when there is no link
    ENetPacket *received; ///< that the last poll handed out
    apex_udp_path path;
    int socket;
    uint32_t reads_left; ///< in this round
    client_sealing sealing;
    bool is_wanted; ///< a link, as soon as the seal is ready
    client_transport_counters counters;
};

// What ENet calls the server, whose address only the socket knows.
static const ENetAddress server_name = {.host = 1, .port = 1};

// The system tells of a port that nobody has by an error of the next call, and then goes on.
static ssize_t read_one(client_transport *transport, uint8_t *out, size_t capacity) {
    ssize_t length = -1;
    while (transport->reads_left > 0 && length < 0) {
        transport->reads_left--;
        length = recv(transport->socket, out, capacity, MSG_DONTWAIT);
        if (length < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return -1;
        }
        transport->counters.service_errors += length < 0;
    }
    return length;
}

static size_t receive_one(void *owner, uint8_t *out, size_t capacity, uint32_t *name,
                          uint16_t *port) {
    client_transport *transport = owner;
    uint8_t bytes[APEX_UDP_DATAGRAM_BYTES_MAX];
    ssize_t came = 0;
    *name = server_name.host;
    *port = server_name.port;
    while ((came = read_one(transport, bytes, sizeof bytes)) >= 0) {
        uint8_t *content = bytes;
        size_t length = (size_t)came;
        transport->counters.packets_in++;
        transport->counters.bytes_in += length;
        if (client_sealing_open(&transport->sealing, &content, &length) && length > 0 &&
            length <= capacity) {
            memcpy(out, content, length);
            return length;
        }
    }
    return 0;
}

static void send_bytes(client_transport *transport, const uint8_t *bytes, size_t length) {
    if (send(transport->socket, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)length) {
        transport->counters.packets_out++;
        transport->counters.bytes_out += length;
    }
}

// One that does not go is lost, as others are on the way; at an error ENet would leave off.
static size_t send_one(void *owner, uint32_t name, uint16_t port, const struct iovec *pieces,
                       size_t count) {
    (void)name;
    (void)port;
    client_transport *transport = owner;
    uint8_t bytes[APEX_UDP_DATAGRAM_BYTES_MAX];
    size_t head = client_sealing_head(&transport->sealing);
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        APEX_ASSERT(length + pieces[i].iov_len <= sizeof bytes - APEX_SEAL_MORE_BYTES);
        memcpy(bytes + head + length, pieces[i].iov_base, pieces[i].iov_len);
        length += pieces[i].iov_len;
    }
    send_bytes(transport, bytes, client_sealing_close(&transport->sealing, bytes, length));
    return length;
}

apex_err client_transport_create(const client_transport_def *def, client_transport **out) {
    if (!apex_seal_begin() || enet_initialize() != 0) {
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
    transport->socket = -1;
    transport->host->maximumPacketSize = APEX_MESSAGE_BYTES_MAX;
    transport->path = (apex_udp_path){.owner = transport, .receive = receive_one, .send = send_one};
    client_sealing_init(&transport->sealing, def->is_plain, def->server_key);
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
    client_sealing_forget(&transport->sealing);
    free(transport);
}

static void flush(client_transport *transport) {
    apex_udp_lay_path(&transport->path);
    enet_host_flush(transport->host);
    apex_udp_lay_path(NULL);
}

static void begin_link(client_transport *transport) {
    transport->peer = enet_host_connect(transport->host, &server_name, APEX_CHANNEL_COUNT, 0);
    if (transport->peer != NULL) {
        flush(transport);
    }
}

// What the handshake has to say now, and ENet's connect as soon as it is over.
static void go_on_connecting(client_transport *transport) {
    uint8_t bytes[APEX_SEAL_HANDSHAKE_BYTES];
    size_t length = client_sealing_ask(&transport->sealing, enet_time_get(), bytes);
    if (length > 0) {
        send_bytes(transport, bytes, length);
    }
    if (transport->is_wanted && client_sealing_is_ready(&transport->sealing)) {
        transport->is_wanted = false;
        begin_link(transport);
    }
}

apex_err client_transport_connect(client_transport *transport, const char *host, uint16_t port) {
    APEX_ASSERT(transport->peer == NULL && transport->socket < 0);
    apex_udp_address server;
    int opened = apex_udp_connect(host, port, &server);
    if (opened < 0) {
        return (apex_err)opened;
    }
    enet_socket_destroy(transport->host->socket); // of IPv4
    transport->host->socket = opened;
    transport->socket = opened;
    transport->is_wanted = true;
    go_on_connecting(transport);
    return APEX_OK;
}

void client_transport_reconnect(client_transport *transport) {
    forget_received(transport);
    if (transport->peer != NULL) {
        enet_peer_reset(transport->peer);
        transport->peer = NULL;
    }
    client_sealing_begin(&transport->sealing);
    transport->is_wanted = true;
    go_on_connecting(transport);
}

int client_transport_socket(const client_transport *transport) {
    return transport->socket;
}

const uint8_t *client_transport_server_key(const client_transport *transport) {
    return client_sealing_server_key(&transport->sealing);
}

const uint8_t *client_transport_binding(const client_transport *transport) {
    return client_sealing_binding(&transport->sealing);
}

// Once a second ENet forgets what it could have sent by its limits; there are none.
static void serve(client_transport *transport) {
    transport->reads_left = READS_MAX;
    apex_udp_lay_path(&transport->path);
    transport->counters.service_errors += enet_host_service(transport->host, NULL, 0) < 0;
    apex_udp_lay_path(NULL);
}

void client_transport_service(client_transport *transport) {
    if (transport->socket < 0) {
        return;
    }
    serve(transport);
    go_on_connecting(transport);
}

static void take_connect(ENetPeer *peer, client_link_event *out) {
    out->kind = CLIENT_LINK_OPENED;
    // Six tries without an answer are nothing on a bad network; a client that hears nothing any
    // more finds out by itself.
    enet_peer_timeout(peer, TRIES_WITHOUT_END, 0, 0);
    // Half a second is ENet's own; but both sides talk all the time, and the server asks, too.
    enet_peer_ping_interval(peer, PING_INTERVAL_MS);
    // Without this ENet drops unreliable packets at random when round trips vary.
    enet_peer_throttle_configure(peer, THROTTLE_INTERVAL_MS, ENET_PEER_PACKET_THROTTLE_SCALE, 0);
}

bool client_transport_poll(client_transport *transport, client_link_event *out) {
    forget_received(transport);
    ENetEvent event;
    *out = (client_link_event){0};
    if (client_sealing_takes_another_key(&transport->sealing)) {
        out->kind = CLIENT_LINK_CLOSED;
        out->reason = APEX_REASON_SERVER_KEY;
        return true;
    }
    if (enet_host_check_events(transport->host, &event) <= 0) {
        return false;
    }
    switch (event.type) {
    case ENET_EVENT_TYPE_CONNECT:
        take_connect(event.peer, out);
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
    flush(transport);
}

void client_transport_close(client_transport *transport) {
    if (transport->peer != NULL) {
        apex_udp_lay_path(&transport->path);
        enet_peer_disconnect_later(transport->peer, 0);
        apex_udp_lay_path(NULL);
    }
}

void client_transport_close_now(client_transport *transport) {
    if (transport->peer != NULL) {
        apex_udp_lay_path(&transport->path);
        enet_peer_disconnect_now(transport->peer, 0);
        apex_udp_lay_path(NULL);
        transport->peer = NULL;
    }
}

client_transport_counters client_transport_counters_of(const client_transport *transport) {
    return transport->counters;
}
