// Events of all links become mail; outgoing bytes leave with one flush.

#include "host/network.h"

#include <string.h>

#include "base/assert.h"

// Links that were fed come behind those of the transport.
static void join_links(host_frame *frame, const host_network *network, const apex_link_event *own,
                       size_t own_count) {
    size_t count = own_count + network->fed_count;
    apex_link_event *all = apex_arena_alloc(frame->arena, count * sizeof *all);
    APEX_ASSERT(all != NULL); // the transport leaves three quarters of the frame
    memcpy(all, own, own_count * sizeof *all);
    memcpy(all + own_count, network->fed, network->fed_count * sizeof *all);
    frame->links = all;
    frame->link_count = count;
}

void host_receive(host_frame *frame, host_network *network) {
    APEX_ASSERT(network->fed != NULL || network->fed_count == 0);
    frame->links = network->fed;
    frame->link_count = network->fed_count;
    if (network->transport != NULL) {
        apex_link_event *events = NULL;
        size_t count =
            apex_transport_receive(network->transport, frame->now_us, frame->arena, &events);
        if (network->fed_count > 0) {
            join_links(frame, network, events, count);
        } else {
            frame->links = events;
            frame->link_count = count;
        }
    }
    apex_mail *mail = NULL;
    apex_sessions_begin(network->sessions, frame->now_us, frame->arena);
    frame->mail_count =
        apex_sessions_take(network->sessions, frame->links, frame->link_count, &mail);
    frame->mail = mail;
}

static void send_over_transport(apex_transport *transport, const apex_sessions *sessions) {
    const apex_link_packet *packets = NULL;
    size_t count = apex_sessions_outbox(sessions, &packets);
    apex_transport_send(transport, packets, count);
    const apex_link *closing = NULL;
    size_t closing_count = apex_sessions_closing(sessions, &closing);
    for (size_t i = 0; i < closing_count; i++) {
        apex_transport_close_link(transport, closing[i]);
    }
    apex_transport_flush(transport);
}

void host_send_out(const host_frame *frame, host_network *network) {
    APEX_ASSERT(frame->link_count >= network->fed_count); // all that was fed was received
    if (network->transport != NULL) {
        send_over_transport(network->transport, network->sessions);
    }
    network->fed = NULL;
    network->fed_count = 0;
}
