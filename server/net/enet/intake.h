// A socket that is read in batches, and how much of it a round may read for nothing: what is no
// link's, or past a link's rates. When that is used up the rest waits in the kernel. So receiving
// has an end in each tick, and goes on as long as it is links that are heard.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "net/bucket.h"
#include "udp/udp.h"

typedef struct net_intake {
    int socket; // borrowed
    apex_udp_reader *reader;
    const apex_udp_datagram *came; // by the last read
    size_t came_count, came_next;
    bool is_drained;       // the last read brought nothing
    bool is_spent;         // this round has read as much for nothing as it may
    net_rate rate;         // of datagrams that are read for nothing
    net_bucket refused;    // so many were
    uint32_t dropped_seen; // by the system
} net_intake;

apex_err net_intake_create(net_intake *intake, int socket, net_rate rate);
void net_intake_destroy(net_intake *intake);

void net_intake_begin_round(net_intake *intake);
bool net_intake_has_more(const net_intake *intake);
// The next one that has come, read or not; NULL: there is none. Valid until the next.
const apex_udp_datagram *net_intake_take(net_intake *intake);
// The one that was taken was for nothing. @return whether the round has to do without the rest.
bool net_intake_refuse(net_intake *intake, uint64_t now_us);
// @return datagrams that the system has dropped there since it was asked last.
uint32_t net_intake_dropped(net_intake *intake);
