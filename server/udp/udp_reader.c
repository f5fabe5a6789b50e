// Reading many datagrams in a call of the system.
#define _GNU_SOURCE // recvmmsg
#include <stdlib.h>
#include <sys/socket.h>

#include "udp/system_address.h"

struct apex_udp_reader {
    int socket;
    struct mmsghdr messages[APEX_UDP_BATCH_MAX];
    struct iovec pieces[APEX_UDP_BATCH_MAX];
    udp_system_address from[APEX_UDP_BATCH_MAX];
    apex_udp_datagram datagrams[APEX_UDP_BATCH_MAX];
    uint8_t bytes[APEX_UDP_BATCH_MAX][APEX_UDP_DATAGRAM_BYTES_MAX];
};

apex_err apex_udp_reader_create(int socket, apex_udp_reader **out) {
    apex_udp_reader *reader = calloc(1, sizeof *reader);
    *out = reader;
    if (reader == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    reader->socket = socket;
    for (int i = 0; i < APEX_UDP_BATCH_MAX; i++) {
        reader->pieces[i] = (struct iovec){reader->bytes[i], sizeof reader->bytes[i]};
        reader->datagrams[i].bytes = reader->bytes[i];
        reader->messages[i].msg_hdr = (struct msghdr){
            .msg_name = &reader->from[i], .msg_iov = &reader->pieces[i], .msg_iovlen = 1};
    }
    return APEX_OK;
}

void apex_udp_reader_destroy(apex_udp_reader *reader) {
    free(reader);
}

size_t apex_udp_read(apex_udp_reader *reader, const apex_udp_datagram **datagrams) {
    *datagrams = reader->datagrams;
    for (int i = 0; i < APEX_UDP_BATCH_MAX; i++) {
        reader->messages[i].msg_hdr.msg_namelen = sizeof reader->from[i]; // the system shortens it
    }
    int came = recvmmsg(reader->socket, reader->messages, APEX_UDP_BATCH_MAX, MSG_DONTWAIT, NULL);
    for (int i = 0; i < came; i++) {
        apex_udp_datagram *datagram = &reader->datagrams[i];
        datagram->address = udp_from_system(&reader->from[i]);
        datagram->length = reader->messages[i].msg_len;
        datagram->is_cut = (reader->messages[i].msg_hdr.msg_flags & MSG_TRUNC) != 0;
    }
    return came > 0 ? (size_t)came : 0;
}
