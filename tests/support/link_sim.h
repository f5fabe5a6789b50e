// A network in virtual time between one server and many clients, with delay, jitter, loss,
// duplicates, disorder and narrow lines; everything follows from the seed and from what is asked of
// it. The server's side speaks as a transport does (net/net.h), so sessions and all above them run
// on it unchanged.
//
// Reliable packets arrive in order, by being sent again until they are acknowledged; OPENED and
// CLOSED are part of that order. A client that vanishes is reported closed after the time-out, as
// ENet's pings would find out.

#ifndef APEX_TESTS_LINK_SIM_H
#define APEX_TESTS_LINK_SIM_H

#include "net/net.h"

typedef struct link_sim link_sim;

typedef struct link_sim_def {
    uint64_t seed;
    uint32_t clients_max; // 1..65535
    uint64_t delay_us;    // one way
    uint64_t jitter_us;   // up to this is added, evenly
    uint32_t loss_permille;
    uint32_t duplicate_permille;
    uint32_t late_permille; // come after those sent 30 ms later
    uint32_t bytes_per_s;   // each way of each client; 0: any. What would wait 200 ms is dropped
    uint64_t link_timeout_us;
} link_sim_def;

// No delay, no loss; 5 s.
link_sim_def link_sim_default_def(uint32_t clients_max);

typedef struct link_sim_packet {
    uint8_t channel;
    const uint8_t *bytes; // until the next call for this client
    size_t length;
} link_sim_packet;

typedef struct link_sim_count {
    uint64_t datagrams_sent, datagrams_lost, bytes_sent;
} link_sim_count;

link_sim *link_sim_create(link_sim_def def);
void link_sim_destroy(link_sim *sim);

// Time only goes forwards. Delivers what is due.
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
void link_sim_client_close(link_sim *sim, uint32_t client);
void link_sim_client_vanish(link_sim *sim, uint32_t client);

link_sim_count link_sim_up(const link_sim *sim, uint32_t client);
link_sim_count link_sim_down(const link_sim *sim, uint32_t client);

#endif
