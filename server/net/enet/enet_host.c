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
#include <sys/socket.h>

#include "net/enet/enet_admit.h"
#include "net/enet/enet_batch.h"

enum {
    SOCKET_BUFFER_BYTES = 4 * 1024 * 1024,
    WAITING_BYTES_MAX = 64 * 1024,
};

static apex_err err_of_open(void) {
    if (errno == EADDRNOTAVAIL) {
        return APEX_ERR_INVALID;
    }
    return errno != 0 ? apex_err_from_errno(errno) : APEX_ERR_NO_MEMORY;
}

static bool share_port(ENetSocket socket) {
    int on = 1;
    return setsockopt(socket, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0;
}

// The first host takes the port for itself, so that it is refused where another server has it, even
// one that shares its own; only then does it let the others in.
static ENetHost *open_first(const apex_transport *transport, const ENetAddress *address) {
    ENetHost *enet = enet_host_create(address, transport->peers_each, APEX_CHANNEL_COUNT, 0, 0);
    if (enet != NULL && transport->host_count > 1 && !share_port(enet->socket)) {
        enet_host_destroy(enet);
        return NULL;
    }
    return enet;
}

static ENetHost *open_another(const apex_transport *transport, const ENetAddress *address) {
    ENetHost *enet = enet_host_create(NULL, transport->peers_each, APEX_CHANNEL_COUNT, 0, 0);
    if (enet == NULL) {
        return NULL;
    }
    if (!share_port(enet->socket) || enet_socket_bind(enet->socket, address) != 0) {
        enet_host_destroy(enet);
        return NULL;
    }
    enet->address = *address;
    return enet;
}

static void configure_host(apex_transport *transport, uint32_t number, ENetHost *enet) {
    net_host *host = &transport->hosts[number];
    *host = (net_host){
        .enet = enet,
        .transport = transport,
        .first_slot = number * transport->peers_each,
        .shown = transport->peers_each,
    };
    enet->intercept = net_enet_intercept;
    enet->compressor.context = host;
    enet->maximumWaitingData = WAITING_BYTES_MAX;
    enet->duplicatePeers = transport->def.links_per_address_max;
    // The kernel's own limit may be lower; then it gives what it has.
    enet_socket_set_option(enet->socket, ENET_SOCKOPT_RCVBUF, SOCKET_BUFFER_BYTES);
    enet_socket_set_option(enet->socket, ENET_SOCKOPT_SNDBUF, SOCKET_BUFFER_BYTES);
}

apex_err net_enet_open(apex_transport *transport, const char *address_text) {
    ENetAddress address = {.host = ENET_HOST_ANY, .port = transport->def.port};
    bool is_anywhere = address_text == NULL || address_text[0] == '\0';
    if (!is_anywhere && enet_address_set_host_ip(&address, address_text) != 0) {
        return APEX_ERR_INVALID;
    }
    for (uint32_t i = 0; i < transport->host_count; i++) {
        errno = 0;
        ENetHost *enet =
            i == 0 ? open_first(transport, &address) : open_another(transport, &address);
        if (enet == NULL) {
            return err_of_open();
        }
        configure_host(transport, i, enet);
        apex_err err = net_batch_create(&transport->hosts[i].batch);
        if (err != APEX_OK) {
            return err;
        }
        address.port = enet->address.port; // any free one has become this one
    }
    return APEX_OK;
}
