// Writing many datagrams in a call of the system.
#define _GNU_SOURCE // sendmmsg
#include <stdlib.h>
#include <sys/socket.h>

#include "base/assert.h"
#include "udp/system_address.h"

struct apex_udp_writer {
    int socket;
    bool is_v6;
    uint32_t count;
    apex_udp_written written;
    struct mmsghdr messages[APEX_UDP_BATCH_MAX];
    struct iovec pieces[APEX_UDP_BATCH_MAX];
    udp_system_address to[APEX_UDP_BATCH_MAX];
    uint8_t bytes[APEX_UDP_BATCH_MAX][APEX_UDP_DATAGRAM_BYTES_MAX];
};

apex_err apex_udp_writer_create(int socket, apex_udp_writer **out) {
    apex_udp_writer *writer = calloc(1, sizeof *writer);
    *out = writer;
    if (writer == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    writer->socket = socket;
    writer->is_v6 = udp_is_v6_socket(socket);
    for (int i = 0; i < APEX_UDP_BATCH_MAX; i++) {
        writer->pieces[i].iov_base = writer->bytes[i];
        writer->messages[i].msg_hdr = (struct msghdr){
            .msg_name = &writer->to[i], .msg_iov = &writer->pieces[i], .msg_iovlen = 1};
    }
    return APEX_OK;
}

void apex_udp_writer_destroy(apex_udp_writer *writer) {
    free(writer);
}

apex_udp_written apex_udp_written_by(const apex_udp_writer *writer) {
    return writer->written;
}

uint8_t *apex_udp_room(apex_udp_writer *writer) {
    if (writer->count == APEX_UDP_BATCH_MAX) {
        apex_udp_flush(writer);
    }
    return writer->bytes[writer->count];
}

void apex_udp_add(apex_udp_writer *writer, const apex_udp_address *address, size_t length) {
    APEX_ASSERT(writer->count < APEX_UDP_BATCH_MAX && length <= APEX_UDP_DATAGRAM_BYTES_MAX);
    uint32_t i = writer->count;
    socklen_t name_bytes = udp_to_system(address, writer->is_v6, &writer->to[i]);
    if (name_bytes == 0) {
        writer->written.errors++;
        return;
    }
    writer->pieces[i].iov_len = length;
    writer->messages[i].msg_hdr.msg_namelen = name_bytes;
    writer->count++;
}

void apex_udp_flush(apex_udp_writer *writer) {
    for (uint32_t done = 0; done < writer->count;) {
        int sent = sendmmsg(writer->socket, &writer->messages[done], writer->count - done,
                            MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent <= 0) {
            writer->written.errors++;
            done++;
        }
        for (int i = 0; i < sent; i++, done++) {
            writer->written.bytes += writer->messages[done].msg_len;
            writer->written.datagrams++;
        }
    }
    writer->count = 0;
}
