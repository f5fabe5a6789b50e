// Opening ENet's hosts: one socket each, and all of them on one port.
//
// The kernel keeps a client with one of the sockets by a hash of both addresses. The number of
// hosts never changes while a server runs: the kernel would hash anew (DECISIONS 30).
// * The first host binds without sharing and only then lets the others in. So a port that another
//   server has is refused, even to servers that share theirs; otherwise two of one user would
//   quietly take each other's clients.
// * Each host has all 4,095 peers, whatever the limit on clients: chance fills them unevenly (by
//   some 50 of 4,000), and a full one could not send a client on to another. The limit on all
//   together is kept by sessions. A client whose host is full all the same is told so by a
//   DISCONNECT, and gets in from another port of its own.
#include "net/enet/enet_host.h"

#include <errno.h>
#include <unistd.h>

#include "base/log.h"
#include "net/enet/enet_path.h"
#include "net/enet/kernel_filter.h"

enum {
    SOCKET_BUFFER_BYTES = 4 * 1024 * 1024,
    // What a round reads for nothing, some 0.7 us each; from strangers alone, and where links are.
    DOOR_PER_S = 125000,
    DOOR_BURST = 2000,
    OWN_PER_S = 125000,
    OWN_BURST = 5000,
    WAITING_BYTES_MAX = 64 * 1024,
};

// A host of ENet's over a socket of ours: ENet's own knows IPv4 alone.
static ENetHost *create_host(const apex_transport *transport, int socket, uint16_t port) {
    ENetHost *enet = enet_host_create(NULL, transport->peers_each, APEX_CHANNEL_COUNT, 0, 0);
    if (enet != NULL) {
        enet_socket_destroy(enet->socket);
        enet->socket = socket;
        enet->address.port = port;
    }
    return enet;
}

static void configure_host(apex_transport *transport, uint32_t number, ENetHost *enet) {
    net_host *host = &transport->hosts[number];
    host->enet = enet;
    host->transport = transport;
    host->first_slot = number * transport->peers_each;
    host->peers = enet->peers;
    host->path = net_enet_path(host);
    enet->compressor.context = host;
    enet->maximumWaitingData = WAITING_BYTES_MAX;
    enet->duplicatePeers = ENET_PROTOCOL_MAXIMUM_PEER_ID; // admission counts them
}

// The first host takes the port for itself, so that it is refused where another server has it, even
// one that shares its own; only then does it let the others in.
static int open_socket(const apex_transport *transport, const char *address, uint32_t number,
                       uint16_t *port) {
    apex_udp_def def = {.host = address,
                        .port = *port,
                        .shares_port = number > 0,
                        .buffer_bytes = SOCKET_BUFFER_BYTES};
    int opened = apex_udp_open(&def, port);
    bool is_shared =
        opened >= 0 && number == 0 && (transport->host_count > 1 || transport->def.filters);
    apex_err err = is_shared ? apex_udp_share_port(opened) : APEX_OK;
    if (err != APEX_OK) {
        close(opened);
        return err;
    }
    return opened;
}

static void filter(const apex_transport *transport, int socket) {
    if (transport->def.filters && net_kernel_filter(socket, transport->peers_each) != APEX_OK) {
        apex_log(APEX_LOG_INFO, "net", "the system filters nothing: a flood costs more");
    }
}

// Those who want a link have a socket of their own, so that however many come the queue of those
// who have one stays short. With several hosts the kernel chooses by both addresses alone.
static apex_err open_door(const apex_transport *transport, const char *address, net_host *host) {
    static const net_rate rate = {.per_s = DOOR_PER_S, .burst = DOOR_BURST};
    uint16_t port = host->enet->address.port;
    if (!transport->def.filters || transport->host_count > 1) {
        return APEX_OK;
    }
    int opened = open_socket(transport, address, 1, &port);
    if (opened < 0 || net_kernel_steer(opened) != APEX_OK) {
        apex_log(APEX_LOG_INFO, "net", "newcomers have no socket of their own");
        if (opened >= 0) {
            close(opened);
        }
        return APEX_OK;
    }
    filter(transport, opened);
    host->door_socket = opened;
    return net_intake_create(&host->door, opened, rate);
}

static apex_err open_host(apex_transport *transport, const char *address, uint32_t number,
                          uint16_t *port) {
    static const net_rate rate = {.per_s = OWN_PER_S, .burst = OWN_BURST};
    net_host *host = &transport->hosts[number];
    host->door_socket = -1;
    int opened = open_socket(transport, address, number, port);
    if (opened < 0) {
        return (apex_err)opened;
    }
    errno = 0;
    ENetHost *enet = create_host(transport, opened, *port);
    if (enet == NULL) {
        apex_err err = errno != 0 ? apex_err_from_errno(errno) : APEX_ERR_NO_MEMORY;
        close(opened);
        return err;
    }
    configure_host(transport, number, enet);
    filter(transport, opened);
    host->socket = opened;
    apex_err err = net_intake_create(&host->own, opened, rate);
    if (err == APEX_OK) {
        err = apex_udp_writer_create(opened, &host->writer);
    }
    if (err == APEX_OK) {
        err = open_door(transport, address, host);
    }
    return err == APEX_OK
               ? net_sealed_create(&host->sealed, transport->peers_each + NET_SEALED_WAITING_MAX)
               : err;
}

apex_err net_enet_open(apex_transport *transport, const char *address) {
    uint16_t port = transport->def.port;
    for (uint32_t i = 0; i < transport->host_count; i++) {
        apex_err err = open_host(transport, address, i, &port);
        if (err != APEX_OK) {
            return err;
        }
    }
    return APEX_OK;
}
