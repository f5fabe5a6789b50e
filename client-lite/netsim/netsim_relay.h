/// The heart of a UDP relay that is a bad network: datagrams go in, come out later, twice, out of
/// order or not at all. Knows no socket and no clock; clients are known by their address and get a
/// link of their own each (netsim_model.h). Everything is bounded: clients, and datagrams under
/// way.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "client-lite/netsim/netsim_model.h"

enum {
    NETSIM_DATAGRAM_BYTES_MAX = 1500, ///< longer ones are refused: what Ethernet carries
    NETSIM_HEADER_BYTES = 28,         ///< IP and UDP, counted for the rate
};

#define NETSIM_NOBODY UINT32_MAX

typedef struct netsim_relay_def {
    netsim_def pipe; ///< each way of each client
    uint64_t seed;
    uint32_t clients_max;   ///< 1..65535
    uint32_t datagrams_max; ///< under way at a time, of all clients
    uint64_t idle_us;       ///< a client that sends nothing for so long is forgotten
} netsim_relay_def;

typedef struct netsim_relay netsim_relay;

/// Whom a datagram came from. It has no padding: two are the same if their bytes are.
typedef struct netsim_address {
    uint8_t host[16]; ///< of IPv6; of IPv4 as ::ffff:192.0.2.1
    uint32_t scope;   ///< of an address that several networks may have
    uint32_t port;
} netsim_address;

/// The def must be without problem (netsim_problem). @return APEX_ERR_NO_MEMORY.
apex_err netsim_relay_create(const netsim_relay_def *def, netsim_relay **out);
void netsim_relay_destroy(netsim_relay *relay); ///< NULL is fine

/// The client with that address, as 0..clients_max - 1, who is there from now on if it was not.
/// @return NETSIM_NOBODY if there are too many already.
uint32_t netsim_relay_client(netsim_relay *relay, const netsim_address *address, bool *is_new,
                             uint64_t now_us);
void netsim_relay_forget(netsim_relay *relay, uint32_t client);
/// Forgets one who was idle for too long. @return that client; NETSIM_NOBODY if nobody was.
uint32_t netsim_relay_forget_idle(netsim_relay *relay, uint64_t now_us);

typedef struct netsim_datagram {
    uint32_t client;
    bool is_up; ///< from the client to the server
    const uint8_t *bytes;
    size_t length;
} netsim_datagram;

void netsim_relay_take(netsim_relay *relay, const netsim_datagram *datagram, uint64_t now_us);
/// The next one that is due. @return false if there is none; bytes live until the next call.
bool netsim_relay_give(netsim_relay *relay, uint64_t now_us, netsim_datagram *out);
/// Writes the time of the next one. @return false if nothing is under way.
bool netsim_relay_next_us(const netsim_relay *relay, uint64_t *due_us);

typedef struct netsim_relay_count {
    netsim_count up, down; ///< of all clients that ever were
    uint64_t given_up, given_down;
    uint64_t clients; ///< that ever were
    uint32_t clients_now, under_way;
    uint64_t refused_clients;   ///< datagrams of those too many
    uint64_t refused_long;      ///< datagrams too long
    uint64_t refused_under_way; ///< datagrams while too many were under way
} netsim_relay_count;

netsim_relay_count netsim_relay_counts(const netsim_relay *relay);
