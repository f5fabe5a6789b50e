// Between ENet and the socket. On loopback, the kernel's part included, a snapshot that goes past
// ENet costs 3.4 us instead of 4.7 (DECISIONS 32).
#include "net/enet/enet_path.h"

#include <string.h>

#include "base/assert.h"
#include "net/enet/enet_admit.h"
#include "net/enet/enet_events.h"
#include "net/enet/enet_proof.h"
#include "net/enet/enet_slots.h"
#include "net/enet/wire_words.h"

enum {
    LONE_HEAD_BYTES = 10,
    CONTENT_BYTES_MAX = APEX_UDP_DATAGRAM_BYTES_MAX - APEX_SEAL_MORE_BYTES,
};

void net_enet_begin(net_host *host) {
    apex_udp_lay_path(&host->path);
}

void net_enet_end(void) {
    apex_udp_lay_path(NULL);
}

void net_enet_allow(net_host *host, uint32_t datagrams) {
    host->patience = datagrams;
    net_intake_begin_round(&host->own);
    net_intake_begin_round(&host->door);
}

bool net_enet_has_more(const net_host *host) {
    return host->patience > 0 && net_enet_has_room(host->transport) &&
           (net_intake_has_more(&host->own) || net_intake_has_more(&host->door));
}

static const apex_udp_datagram *take(net_host *host, net_intake *intake) {
    const apex_udp_datagram *datagram = net_intake_take(intake);
    if (datagram != NULL) {
        net_enet_expect(host, datagram + 1, intake->came_count - intake->came_next);
        uint64_t *counters = host->transport->counters;
        counters[APEX_TRANSPORT_PACKETS_IN]++;
        counters[APEX_TRANSPORT_BYTES_IN] += datagram->length;
        host->patience--;
    }
    return datagram;
}

// The next datagram that ENet is to see: of the links' first. What has no room on the frame waits
// for the next round.
static bool find_admitted(net_host *host, net_arrival *arrival, uint32_t *slot) {
    apex_transport *transport = host->transport;
    bool is_left = net_enet_has_room(transport) && net_enet_finish_proof(host, arrival);
    bool is_admitted = is_left && net_enet_admit(host, arrival, slot);
    while (!is_admitted && net_enet_has_more(host)) {
        net_intake *intake = net_intake_has_more(&host->own) ? &host->own : &host->door;
        const apex_udp_datagram *datagram = take(host, intake);
        if (datagram == NULL) {
            continue;
        }
        transport->is_ours = false;
        is_admitted =
            net_enet_unseal(host, datagram, arrival) && net_enet_admit(host, arrival, slot);
        bool is_cut = !transport->is_ours && net_intake_refuse(intake, transport->now_us);
        transport->counters[APEX_TRANSPORT_ROUNDS_CUT] += is_cut;
    }
    return is_admitted;
}

static size_t receive_one(void *owner, uint8_t *out, size_t capacity, uint32_t *name,
                          uint16_t *port) {
    net_host *host = owner;
    uint32_t slot = 0;
    net_arrival arrival;
    net_enet_settle_connect(host);
    net_enet_show_peers(host, false);
    if (!find_admitted(host, &arrival, &slot)) {
        return 0;
    }
    APEX_ASSERT(arrival.length <= capacity);
    memcpy(out, arrival.bytes, arrival.length);
    *name = slot + 1;
    *port = NET_ENET_PORT;
    return arrival.length;
}

// ENet is told that it went, whatever became of it: at an error it would leave off sending to
// others.
static size_t send_one(void *owner, uint32_t name, uint16_t port, const struct iovec *pieces,
                       size_t count) {
    (void)port;
    net_host *host = owner;
    uint8_t *room = net_enet_room(host, name - 1);
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        if (length + pieces[i].iov_len <= CONTENT_BYTES_MAX) {
            memcpy(room + length, pieces[i].iov_base, pieces[i].iov_len);
        }
        length += pieces[i].iov_len;
    }
    APEX_ASSERT(length <= CONTENT_BYTES_MAX);
    net_enet_dispatch(host, name - 1, length);
    return length;
}

apex_udp_path net_enet_path(net_host *host) {
    return (apex_udp_path){.owner = host, .receive = receive_one, .send = send_one};
}

// A header without time, and the command of an unsequenced packet: protocol.h of 1.3.17.
void net_enet_send_alone(net_host *host, ENetPeer *peer, const apex_link_packet *packet) {
    uint32_t session = (uint32_t)peer->outgoingSessionID << ENET_PROTOCOL_HEADER_SESSION_SHIFT;
    uint32_t slot = net_enet_slot(peer);
    uint8_t *room = net_enet_room(host, slot);
    net_put_u16(room, peer->outgoingPeerID | session);
    room[2] = ENET_PROTOCOL_COMMAND_SEND_UNSEQUENCED | ENET_PROTOCOL_COMMAND_FLAG_UNSEQUENCED;
    room[3] = packet->channel;
    net_put_u16(room + 4, 0);
    net_put_u16(room + 6, ++peer->outgoingUnsequencedGroup);
    net_put_u16(room + 8, (uint32_t)packet->length);
    memcpy(room + LONE_HEAD_BYTES, packet->bytes, packet->length);
    net_enet_dispatch(host, slot, LONE_HEAD_BYTES + packet->length);
}
