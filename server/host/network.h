/// The network's side of a server: its transport, the links that are fed besides, and the sessions
/// over both.
#pragma once

#include "host/tick_frame.h"

typedef struct host_network {
    apex_transport *transport; ///< NULL: links are fed
    apex_sessions *sessions;
    uint32_t own_links_max; ///< of the transport: those fed are numbered from there on
    bool (*fed_quality)(const void *context, apex_link link, apex_link_quality *out);
    const void *fed_quality_context; ///< of the links that are fed; NULL above: nobody knows
    const apex_link_event *fed;      ///< for the coming tick
    size_t fed_count;
} host_network;

/// NULL without a transport.
static inline const uint64_t *host_transport_counters(const host_network *network) {
    return network->transport != NULL ? apex_transport_counters(network->transport) : NULL;
}

void host_receive(host_frame *frame, host_network *network);
/// One flush; what was fed is done with.
void host_send_out(const host_frame *frame, host_network *network);
