// A network in virtual time between one server and many clients; what it does to a datagram is
// client-lite/netsim/netsim_model.h, for each link and each direction apart. All of it follows from
// the seed and from what is asked of it: a link fares the same whatever the others do. The server's
// side speaks as a transport does (net/net.h), so sessions and all above them run on it unchanged.
//
// Reliable packets arrive in order and once: they are cut into datagrams of 1,200 bytes, of which
// 32 are under way at a time, and each is sent again when a round trip and its jitter have brought
// no acknowledgement (half a second before there was any), after twice as long each time up to
// eightfold, as ENet does. OPENED and CLOSED are part of that order. A link is not lost by losses,
// however many; a client that vanishes is reported closed after the time-out, as the server's sweep
// for silent links would.

#ifndef APEX_TESTS_LINK_SIM_H
#define APEX_TESTS_LINK_SIM_H

#include "client-lite/netsim/netsim_model.h"
#include "net/net.h"

typedef struct link_sim link_sim;

typedef struct link_sim_def {
    uint64_t seed;
    uint32_t clients_max; // 1..65535
    netsim_def up, down;  // of every link, until it is shaped apart
    uint64_t link_timeout_us;
} link_sim_def;

// No delay, no loss; 5 s.
link_sim_def link_sim_default_def(uint32_t clients_max);

typedef struct link_sim_packet {
    uint8_t channel;
    const uint8_t *bytes; // until the next call for this client
    size_t length;
} link_sim_packet;

link_sim *link_sim_create(link_sim_def def);
void link_sim_destroy(link_sim *sim);

// One direction of one link, from now on.
void link_sim_shape(link_sim *sim, uint32_t client, bool is_up, netsim_def def);

// Time only goes forwards. Delivers what is due, each at its own time: one long step gives the same
// as many short ones.
void link_sim_advance(link_sim *sim, uint64_t now_us);

// The server's side; these three are a transport's receive, send and close_link.
size_t link_sim_receive(link_sim *sim, apex_arena *frame, apex_link_event **events);
void link_sim_send(link_sim *sim, const apex_link_packet packets[], size_t count);
void link_sim_close_link(link_sim *sim, apex_link link);
// It is killed: nothing leaves or reaches it any more.
void link_sim_kill_server(link_sim *sim);

// The clients' side. Clients are numbered from 0.
void link_sim_connect(link_sim *sim, uint32_t client);
void link_sim_client_send(link_sim *sim, uint32_t client, const link_sim_packet *packet);
bool link_sim_client_receive(link_sim *sim, uint32_t client, link_sim_packet *packet);
bool link_sim_client_is_open(const link_sim *sim, uint32_t client);
// True whichever end closed it; false before the first connect, too.
bool link_sim_client_is_closed(const link_sim *sim, uint32_t client);
void link_sim_client_close(link_sim *sim, uint32_t client);
void link_sim_client_vanish(link_sim *sim, uint32_t client);

// Datagrams on the link, acknowledgements and resent ones among them. Bytes include 40 of headers
// each.
typedef struct link_sim_count {
    netsim_count datagrams;
    uint64_t resent;
    uint64_t arrived; // unreliable packets, and reliable ones when it was their turn
    uint64_t late;    // unreliable ones that arrived after one that was sent later
} link_sim_count;

link_sim_count link_sim_up(const link_sim *sim, uint32_t client);
link_sim_count link_sim_down(const link_sim *sim, uint32_t client);
// Heap calls so far; does not grow once as much has been under way as ever will be.
uint64_t link_sim_heap_calls(const link_sim *sim);

#endif
