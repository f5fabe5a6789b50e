// ENet's own two functions for datagrams, in place of those in its library: libenet.so calls them
// by name, and a name that the program defines goes before a library's (ELF's rule for symbols).
#include <enet/enet.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "udp/udp.h"

static _Thread_local const apex_udp_path *present;

void apex_udp_lay_path(const apex_udp_path *path) {
    present = path;
}

_Static_assert(sizeof(ENetBuffer) == sizeof(struct iovec),
               "ENet's buffers are the system's pieces");

static int send_by_system(ENetSocket socket, const ENetAddress *address, const ENetBuffer *buffers,
                          size_t count) {
    struct sockaddr_in to = {.sin_family = AF_INET};
    struct msghdr message = {.msg_iov = (struct iovec *)buffers, .msg_iovlen = count};
    if (address != NULL) {
        to.sin_port = htons(address->port);
        to.sin_addr.s_addr = address->host;
        message.msg_name = &to;
        message.msg_namelen = sizeof to;
    }
    ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    return sent >= 0 ? (int)sent : errno == EWOULDBLOCK ? 0 : -1;
}

static int receive_by_system(ENetSocket socket, ENetAddress *address, ENetBuffer *buffers,
                             size_t count) {
    struct sockaddr_in from = {.sin_family = AF_INET};
    struct msghdr message = {.msg_name = &from,
                             .msg_namelen = sizeof from,
                             .msg_iov = (struct iovec *)buffers,
                             .msg_iovlen = count};
    ssize_t came = recvmsg(socket, &message, MSG_NOSIGNAL);
    if (came < 0) {
        return errno == EWOULDBLOCK ? 0 : -1;
    }
    if (message.msg_flags & MSG_TRUNC) {
        return -1;
    }
    if (address != NULL) {
        address->host = from.sin_addr.s_addr;
        address->port = ntohs(from.sin_port);
    }
    return (int)came;
}

int enet_socket_send(ENetSocket socket, const ENetAddress *address, const ENetBuffer *buffers,
                     size_t count) {
    if (present == NULL) {
        return send_by_system(socket, address, buffers, count);
    }
    return (int)present->send(present->owner, address->host, address->port,
                              (const struct iovec *)buffers, count);
}

int enet_socket_receive(ENetSocket socket, ENetAddress *address, ENetBuffer *buffers,
                        size_t count) {
    if (present == NULL) {
        return receive_by_system(socket, address, buffers, count);
    }
    uint32_t host = 0;
    uint16_t port = 0;
    size_t length =
        present->receive(present->owner, buffers[0].data, buffers[0].dataLength, &host, &port);
    *address = (ENetAddress){.host = host, .port = port};
    return (int)length;
}
