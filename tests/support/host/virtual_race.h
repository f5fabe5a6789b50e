// A whole server and its clients in one process and in virtual time, over a simulated network: a
// tick happens at its own microsecond, clients look at their links every round, packets arrive when
// the network says. All that clients come to see is compared, all the time, with what the server
// captured at the tick that they say it is of: to the last unit of the encoding, whichever it is.

#ifndef APEX_TESTS_VIRTUAL_RACE_H
#define APEX_TESTS_VIRTUAL_RACE_H

#include "client-lite/client.h"
#include "host/host.h"
#include "support/net/link_sim.h"

typedef struct virtual_race virtual_race;

typedef struct virtual_race_def {
    apex_race_file file;
    link_sim_def network; // client n has link n
    uint32_t round_hz;    // of clients' looks, as by the frames they draw; at least 100
} virtual_race_def;

// The counts of what one client saw and what it cost, since the last virtual_race_forget.
typedef struct virtual_race_seen {
    uint64_t cars;         // shown and compared, once for each tick they were shown of
    uint64_t wrong;        // not what the server had at that tick
    uint64_t unknown;      // of a tick that the server never captured, or a car it did not have
    uint64_t stall_us_max; // longest time without a newer snapshot
    uint32_t age_us_max;   // oldest that the newest snapshot ever was when it came
    uint64_t snapshots_sent, snapshots_seen; // ticks of which a part was sent; came, and was newer
    uint64_t datagrams, bytes;               // of snapshots, sent
    uint32_t datagram_bytes_max;
    uint32_t snapshots_per_s_max; // sent within any second of ticks
    uint32_t bytes_per_s_max;     // likewise, without headers
} virtual_race_seen;

// Loads what the race file names; nothing listens. NULL after a line on stderr.
virtual_race *virtual_race_create(const virtual_race_def *def);
void virtual_race_destroy(virtual_race *race);

// Adds a client that begins to connect now, on the next link. @return its number.
uint32_t virtual_race_connect(virtual_race *race, const apex_client_def *def);
// Sets whether the client drives itself round the track from now on.
void virtual_race_pilot(virtual_race *race, uint32_t client, bool is_piloted);
// Called after each round of the clients.
typedef void virtual_race_watch(virtual_race *race, void *context);
void virtual_race_on_round(virtual_race *race, virtual_race_watch *watch, void *context);

void virtual_race_run(virtual_race *race, double seconds);
// Runs until all clients are in the state. @return false if they are not within that time.
bool virtual_race_until(virtual_race *race, apex_client_state state, double seconds_max);
bool virtual_race_until_phase(virtual_race *race, apex_race_phase phase, double seconds_max);

uint64_t virtual_race_now_us(const virtual_race *race);
apex_server *virtual_race_server(const virtual_race *race);
const apex_race *virtual_race_hosted(const virtual_race *race);
apex_client *virtual_race_client(const virtual_race *race, uint32_t client);
link_sim *virtual_race_network(const virtual_race *race);
virtual_race_seen virtual_race_saw(const virtual_race *race, uint32_t client);
void virtual_race_forget(virtual_race *race); // what was seen so far
// Of all that all clients were shown, in order, since the beginning.
uint64_t virtual_race_hash(const virtual_race *race);

#endif
