// The transport's counters: names, refusals, traffic.
#include "net/enet/transport_counters.h"

#include "base/assert.h"

apex_counter_row apex_transport_counter_row(apex_transport_counter counter) {
    static const apex_counter_row rows[] = {
        [APEX_TRANSPORT_PACKETS_IN] = {"packets-in", APEX_COUNTS_TRAFFIC},
        [APEX_TRANSPORT_PACKETS_OUT] = {"packets-out", APEX_COUNTS_TRAFFIC},
        [APEX_TRANSPORT_BYTES_IN] = {"bytes-in", APEX_COUNTS_TRAFFIC},
        [APEX_TRANSPORT_BYTES_OUT] = {"bytes-out", APEX_COUNTS_TRAFFIC},
        [APEX_TRANSPORT_LINKS_OPENED] = {"links-opened", APEX_COUNTS_TRAFFIC},
        [APEX_TRANSPORT_LINKS_CLOSED] = {"links-closed", APEX_COUNTS_TRAFFIC},
        [APEX_TRANSPORT_REFUSED_MALFORMED] = {"refused-malformed", APEX_COUNTS_REFUSALS},
        [APEX_TRANSPORT_REFUSED_OVERSIZE] = {"refused-oversize", APEX_COUNTS_REFUSALS},
        [APEX_TRANSPORT_REFUSED_COMPRESSED] = {"refused-compressed", APEX_COUNTS_REFUSALS},
        [APEX_TRANSPORT_REFUSED_FRAGMENT] = {"refused-fragment", APEX_COUNTS_REFUSALS},
        [APEX_TRANSPORT_REFUSED_COMMANDS] = {"refused-commands", APEX_COUNTS_REFUSALS},
        [APEX_TRANSPORT_REFUSED_COOKIE] = {"refused-cookie", APEX_COUNTS_REFUSALS},
        [APEX_TRANSPORT_REFUSED_ADDRESS] = {"refused-address", APEX_COUNTS_REFUSALS},
        [APEX_TRANSPORT_REFUSED_FULL] = {"refused-no-link", APEX_COUNTS_REFUSALS},
        [APEX_TRANSPORT_REFUSED_SEQUENCE] = {"refused-sequence", APEX_COUNTS_REFUSALS},
        [APEX_TRANSPORT_REFUSED_ANSWER_RATE] = {"refused-answer-rate", APEX_COUNTS_REFUSALS},
        [APEX_TRANSPORT_REFUSED_LINK_FLOOD] = {"refused-link-flood", APEX_COUNTS_REFUSALS},
        [APEX_TRANSPORT_REFUSED_LINK_RATE] = {"refused-link-rate", APEX_COUNTS_REFUSALS},
        [APEX_TRANSPORT_REFUSED_BY_SYSTEM] = {"refused-by-system", APEX_COUNTS_REFUSALS},
        [APEX_TRANSPORT_REFUSED_STRANGER] = {"refused-stranger", APEX_COUNTS_REFUSALS},
        [APEX_TRANSPORT_REFUSED_PLAIN] = {"refused-plain", APEX_COUNTS_REFUSALS},
        [APEX_TRANSPORT_REFUSED_HANDSHAKE] = {"refused-handshake", APEX_COUNTS_REFUSALS},
        [APEX_TRANSPORT_REFUSED_SEAL] = {"refused-seal", APEX_COUNTS_REFUSALS},
        [APEX_TRANSPORT_SEALED] = {"sealed", APEX_COUNTS_TRAFFIC},
        [APEX_TRANSPORT_COOKIES_SENT] = {"cookies-sent", APEX_COUNTS_CHECKS},
        [APEX_TRANSPORT_PROOFS_KEPT] = {"proofs-kept", APEX_COUNTS_CHECKS},
        [APEX_TRANSPORT_HELLOS] = {"hellos", APEX_COUNTS_CHECKS},
        [APEX_TRANSPORT_HALF_OPEN_RESET] = {"half-open-reset", APEX_COUNTS_TROUBLES},
        [APEX_TRANSPORT_SERVICE_ERRORS] = {"service-errors", APEX_COUNTS_TROUBLES},
        [APEX_TRANSPORT_SEND_ERRORS] = {"send-errors", APEX_COUNTS_TROUBLES},
        [APEX_TRANSPORT_ROUNDS_CUT] = {"rounds-cut", APEX_COUNTS_TROUBLES},
        [APEX_TRANSPORT_FRAME_FULL] = {"frame-full", APEX_COUNTS_TROUBLES},
    };
    _Static_assert(sizeof rows / sizeof rows[0] == APEX_TRANSPORT_COUNTERS, "name each counter");
    APEX_ASSERT((unsigned)counter < APEX_TRANSPORT_COUNTERS);
    return rows[counter];
}

const uint64_t *apex_transport_counters(const apex_transport *transport) {
    return transport->counters;
}

void net_enet_count_refusal(apex_transport *transport, net_gate_verdict verdict) {
    static const apex_transport_counter counters[] = {
        [NET_GATE_MALFORMED] = APEX_TRANSPORT_REFUSED_MALFORMED,
        [NET_GATE_OVERSIZE] = APEX_TRANSPORT_REFUSED_OVERSIZE,
        [NET_GATE_COMPRESSED] = APEX_TRANSPORT_REFUSED_COMPRESSED,
        [NET_GATE_FRAGMENT] = APEX_TRANSPORT_REFUSED_FRAGMENT,
        [NET_GATE_FRAGMENT_RELIABLE] = APEX_TRANSPORT_REFUSED_FRAGMENT,
        [NET_GATE_COMMANDS] = APEX_TRANSPORT_REFUSED_COMMANDS,
        [NET_GATE_SEQUENCE] = APEX_TRANSPORT_REFUSED_SEQUENCE,
    };
    transport->counters[counters[verdict]]++;
}

void net_enet_count_dropped(net_host *host) {
    uint64_t *counter = &host->transport->counters[APEX_TRANSPORT_REFUSED_BY_SYSTEM];
    *counter += net_intake_dropped(&host->own);
    *counter += host->door.reader != NULL ? net_intake_dropped(&host->door) : 0;
}

static void write_out(net_host *host, uint64_t counters[]) {
    apex_udp_flush(host->writer);
    apex_udp_written written = apex_udp_written_by(host->writer);
    counters[APEX_TRANSPORT_BYTES_OUT] += written.bytes - host->written_seen.bytes;
    counters[APEX_TRANSPORT_PACKETS_OUT] += written.datagrams - host->written_seen.datagrams;
    counters[APEX_TRANSPORT_SEND_ERRORS] += written.errors - host->written_seen.errors;
    host->written_seen = written;
}

void net_enet_write_out(apex_transport *transport) {
    for (uint32_t i = 0; i < transport->host_count; i++) {
        write_out(&transport->hosts[i], transport->counters);
    }
}
