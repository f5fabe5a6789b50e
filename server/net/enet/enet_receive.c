// Receiving: a round of ENet's service and of what it leaves undone. A table of our own
// (link_table.h) has deadlines for links that never finish connecting, never finish closing or fall
// silent.
//
// ENet walks over all its peers twice a service call, which reads 256 datagrams. It is shown them
// in the flush, where what it has to acknowledge goes out, and twenty times a second to look for
// those that do not answer (DECISIONS 32).
#include "net/enet/enet_events.h"
#include "net/enet/enet_path.h"
#include "net/enet/enet_slots.h"
#include "net/enet/queue_limit.h"
#include "net/enet/transport_counters.h"

enum {
    SWEEP_US = 100000,
    DOUBT_US = 1000000, // time to answer for a client whose link somebody has disconnected
    TEND_US = 50000,
    STALL_US = 250000,
    ROUND_DATAGRAMS_MAX = 16384, // of one host
    FRAME_SHARE = 4,             // one part in so many of a frame is for what comes
};

static bool is_connecting(const ENetPeer *peer) {
    return peer->state == ENET_PEER_STATE_ACKNOWLEDGING_CONNECT ||
           peer->state == ENET_PEER_STATE_CONNECTION_PENDING ||
           peer->state == ENET_PEER_STATE_CONNECTION_SUCCEEDED;
}

// ENet is shown no more peers than are in use.
static void fit_peers(net_host *host) {
    const net_link_record *records = &host->transport->links.records[host->first_slot];
    while (host->shown > 0 && host->peers[host->shown - 1].state == ENET_PEER_STATE_DISCONNECTED &&
           records[host->shown - 1].state == NET_LINK_FREE) {
        host->shown--;
    }
}

// Not on the spot: ENet was in the middle of something, or a packet of this peer is being shared.
static void disconnect_faulty(apex_transport *transport) {
    net_links *links = &transport->links;
    uint64_t deadline_us = transport->now_us + transport->def.link_timeout_us;
    for (uint32_t slot = 0; slot < links->capacity && links->faulty_count > 0; slot++) {
        if (links->records[slot].fault != APEX_REASON_NONE) {
            ENetPeer *peer = net_enet_peer(transport, slot);
            net_enet_begin(net_enet_host(peer->host));
            enet_peer_disconnect(peer, links->records[slot].fault);
            net_enet_end();
            net_links_set_closing(links, slot, deadline_us);
        }
    }
}

// @return whether ENet is to look for peers that have not answered: to resend, or to give them up.
static bool is_to_tend(net_host *host) {
    bool is_time = host->transport->now_us >= host->tended_us + TEND_US;
    host->tended_us = is_time ? host->transport->now_us : host->tended_us;
    return is_time;
}

// One service call deals with up to 256 datagrams, but returns early for a connection. The flush
// answers received packets, so that ENet's walk over all peers is needed only now and then.
static void service(net_host *host) {
    apex_transport *transport = host->transport;
    ENetHost *enet = host->enet;
    // Fragments are refused, so a packet from a client is shorter than a datagram anyway; but the
    // same number limits what we send, see apex_transport_send.
    enet->maximumPacketSize = NET_PACKET_IN_BYTES_MAX;
    // Whenever somebody comes or goes, ENet tells everybody what bandwidth is theirs. There is no
    // limit to tell of.
    enet->recalculateBandwidthLimits = 0;
    bool is_tending = is_to_tend(host);
    net_enet_begin(host);
    net_enet_allow(host, ROUND_DATAGRAMS_MAX);
    do {
        ENetEvent event = {0};
        net_enet_show_peers(host, is_tending);
        is_tending = false;
        int result = enet_host_service(enet, &event, 0);
        transport->counters[APEX_TRANSPORT_SERVICE_ERRORS] += result < 0;
        while (result > 0) {
            net_enet_take_event(transport, &event);
            result = net_enet_has_room(transport) ? enet_host_check_events(enet, &event) : 0;
        }
    } while (net_enet_has_more(host));
    net_enet_settle_connect(host);
    net_enet_show_peers(host, true);
    net_enet_end();
}

// Each round begins with another host, since the first to be served may leave no room for the next.
static void service_all(apex_transport *transport) {
    transport->turn = (transport->turn + 1) % transport->host_count;
    for (uint32_t i = 0; i < transport->host_count; i++) {
        service(&transport->hosts[(transport->turn + i) % transport->host_count]);
    }
}

// Resets links whose time is up. ENet's own time-outs need a reliable command that goes
// unanswered, double their patience with each try, and start anew with every forged answer.
static void sweep(apex_transport *transport) {
    net_links *links = &transport->links;
    uint64_t now_us = transport->now_us;
    transport->sweep_at_us = now_us + SWEEP_US;
    for (uint32_t i = 0; i < transport->host_count; i++) {
        fit_peers(&transport->hosts[i]);
        net_sealed_sweep(&transport->hosts[i].sealed, now_us);
        net_enet_count_dropped(&transport->hosts[i]);
    }
    for (uint32_t slot = 0; slot < links->capacity && net_enet_has_room(transport); slot++) {
        const net_link_record *record = &links->records[slot];
        bool is_silent = record->state == NET_LINK_OPEN &&
                         transport->awake_us >= record->heard_us + transport->def.link_timeout_us;
        bool is_gone = record->state == NET_LINK_OPEN && record->is_doubtful &&
                       transport->awake_us >= record->doubted_us + DOUBT_US;
        bool is_late = (record->state == NET_LINK_HALF_OPEN || record->state == NET_LINK_CLOSING) &&
                       now_us >= record->deadline_us;
        bool is_given_up =
            record->state == NET_LINK_HALF_OPEN && !is_connecting(net_enet_peer(transport, slot));
        if (is_given_up) {
            net_enet_free_slot(transport, slot); // by ENet on its own, without a word
        } else if (is_silent || is_gone || is_late) {
            transport->counters[APEX_TRANSPORT_HALF_OPEN_RESET] +=
                record->state == NET_LINK_HALF_OPEN;
            enet_peer_reset(net_enet_peer(transport, slot));
            net_enet_report_closed(transport, slot);
        }
    }
    net_queues_give_back(transport);
}

// A server that was held up (a debugger, a moved virtual machine) has not heard its clients either,
// and they are not to blame: more than a moment between two rounds does not count as silence.
static void tell_time(apex_transport *transport, uint64_t now_us) {
    uint64_t passed_us = now_us - transport->now_us;
    transport->awake_us += passed_us < STALL_US ? passed_us : STALL_US;
    transport->now_us = now_us;
}

size_t apex_transport_receive(apex_transport *transport, uint64_t now_us, apex_arena *frame,
                              apex_link_event **events) {
    tell_time(transport, now_us);
    // A flood must not take the frame from all that is made of it later in the tick: mail, and
    // messages whose loss would cost other clients their connections.
    size_t capacity = frame->capacity;
    frame->capacity = frame->used + (capacity - frame->used) / FRAME_SHARE;
    transport->frame = frame;
    transport->events = (net_frame_list){.item_bytes = sizeof(apex_link_event)};
    service_all(transport);
    disconnect_faulty(transport);
    if (now_us >= transport->sweep_at_us) {
        sweep(transport);
    }
    transport->counters[APEX_TRANSPORT_FRAME_FULL] += !net_enet_has_room(transport);
    net_enet_write_out(transport);
    transport->frame = NULL;
    frame->capacity = capacity;
    *events = transport->events.items;
    return transport->events.count;
}
