// TCP's buffers and what the kernel has measured of a connection.
#include "web/door/socket_options.h"

#include <linux/tcp.h> // glibc's own knows less of what the kernel tells
#include <netinet/in.h>
#include <sys/socket.h>

enum {
    BUFFER_BYTES = 64 * 1024,     ///< each way; the kernel doubles that
    ANSWER_BYTES = 128 * 1024,    ///< likewise; enough for a megabyte a second over an ocean
    PAIR_BYTES = 8 * 1024,        ///< likewise
    UNSENT_BYTES_MAX = 16 * 1024, ///< in the kernel: what is there is older than what we have
};

void web_tcp_tune(int file) {
    int buffer = BUFFER_BYTES;
    int unsent = UNSENT_BYTES_MAX;
    setsockopt(file, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
    setsockopt(file, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
    setsockopt(file, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
}

void web_pair_tune(int file) {
    int buffer = PAIR_BYTES;
    setsockopt(file, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
}

void web_tcp_tune_answers(int file) {
    int buffer = ANSWER_BYTES;
    setsockopt(file, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
}

static bool ask(int file, struct tcp_info *out) {
    socklen_t length = sizeof *out;
    *out = (struct tcp_info){0};
    return getsockopt(file, IPPROTO_TCP, TCP_INFO, out, &length) == 0;
}

uint64_t web_tcp_received_bytes(int file) {
    struct tcp_info info;
    return ask(file, &info) ? info.tcpi_bytes_received : 0;
}

bool web_tcp_quality(int file, apex_link_quality *out) {
    struct tcp_info info;
    if (!ask(file, &info) || info.tcpi_rtt == 0) {
        return false; // nothing of ours has been answered yet
    }
    *out = (apex_link_quality){.round_trip_ms = (info.tcpi_rtt + 500) / 1000,
                               .jitter_ms = (info.tcpi_rttvar + 500) / 1000};
    return true;
}
