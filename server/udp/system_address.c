// There and back.
#include "udp/system_address.h"

#include <string.h>
#include <sys/socket.h>

socklen_t udp_to_system(const apex_udp_address *address, bool is_v6_socket,
                        udp_system_address *out) {
    if (is_v6_socket) {
        out->v6 = (struct sockaddr_in6){.sin6_family = AF_INET6,
                                        .sin6_port = htons(address->port),
                                        .sin6_scope_id = address->interface};
        memcpy(&out->v6.sin6_addr, address->ip, sizeof address->ip);
        return sizeof out->v6;
    }
    out->v4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(address->port)};
    memcpy(&out->v4.sin_addr, address->ip + 12, sizeof out->v4.sin_addr);
    return apex_udp_is_v4(address) ? sizeof out->v4 : 0;
}

apex_udp_address udp_from_system(const udp_system_address *address) {
    apex_udp_address out = {.port = 0};
    if (address->any.sa_family == AF_INET6) {
        memcpy(out.ip, &address->v6.sin6_addr, sizeof out.ip);
        out.port = ntohs(address->v6.sin6_port);
        out.interface = address->v6.sin6_scope_id;
    } else {
        memset(out.ip + 10, 0xFF, 2);
        memcpy(out.ip + 12, &address->v4.sin_addr, sizeof address->v4.sin_addr);
        out.port = ntohs(address->v4.sin_port);
    }
    return out;
}

bool udp_is_v6_socket(int socket) {
    int family = 0;
    socklen_t length = sizeof family;
    return getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &family, &length) == 0 && family == AF_INET6;
}
