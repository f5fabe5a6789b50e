// Reading a socket up to what a round may cost.
#include "net/enet/intake.h"

apex_err net_intake_create(net_intake *intake, int socket, net_rate rate) {
    *intake = (net_intake){.socket = socket, .rate = rate};
    return apex_udp_reader_create(socket, &intake->reader);
}

void net_intake_destroy(net_intake *intake) {
    apex_udp_reader_destroy(intake->reader);
    intake->reader = NULL;
}

void net_intake_begin_round(net_intake *intake) {
    intake->is_drained = intake->reader == NULL;
    intake->is_spent = false;
}

bool net_intake_has_more(const net_intake *intake) {
    return !intake->is_drained && !intake->is_spent;
}

const apex_udp_datagram *net_intake_take(net_intake *intake) {
    if (intake->came_next == intake->came_count) {
        intake->came_count = apex_udp_read(intake->reader, &intake->came);
        intake->came_next = 0;
    }
    intake->is_drained = intake->came_count == 0;
    return intake->is_drained ? NULL : &intake->came[intake->came_next++];
}

bool net_intake_refuse(net_intake *intake, uint64_t now_us) {
    intake->is_spent = !net_bucket_take(&intake->refused, intake->rate, 1, now_us);
    return intake->is_spent;
}

uint32_t net_intake_dropped(net_intake *intake) {
    uint32_t dropped = apex_udp_dropped(intake->socket);
    uint32_t since = dropped - intake->dropped_seen;
    intake->dropped_seen = dropped;
    return since;
}
