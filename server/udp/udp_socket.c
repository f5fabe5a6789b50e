// Opening sockets: a server's, for both families where the machine has both, and a client's.
#include <errno.h>
#include <linux/sock_diag.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "udp/system_address.h"

static int new_socket(int family) {
    return socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static void set_option(int socket, int level, int name, int value) {
    setsockopt(socket, level, name, &value, sizeof value);
}

static apex_err err_of_bind(void) {
    return errno == EADDRNOTAVAIL ? APEX_ERR_INVALID : apex_err_from_errno(errno);
}

apex_err apex_udp_share_port(int socket) {
    int on = 1;
    return setsockopt(socket, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0
               ? APEX_OK
               : apex_err_from_errno(errno);
}

uint32_t apex_udp_dropped(int socket) {
    uint32_t figures[SK_MEMINFO_VARS] = {0};
    socklen_t length = sizeof figures;
    if (getsockopt(socket, SOL_SOCKET, SO_MEMINFO, figures, &length) != 0) {
        return 0;
    }
    return figures[SK_MEMINFO_DROPS];
}

// The port that was given, where any would do.
static apex_err read_port(int socket, uint16_t *port) {
    udp_system_address bound;
    socklen_t length = sizeof bound;
    if (getsockname(socket, &bound.any, &length) != 0) {
        return apex_err_from_errno(errno);
    }
    *port = udp_from_system(&bound).port;
    return APEX_OK;
}

static apex_err bind_to(int socket, const apex_udp_def *def, const apex_udp_address *address,
                        uint16_t *port) {
    udp_system_address own;
    bool is_v6 = udp_is_v6_socket(socket);
    socklen_t length = udp_to_system(address, is_v6, &own);
    if (def->buffer_bytes > 0) {
        set_option(socket, SOL_SOCKET, SO_RCVBUF, (int)def->buffer_bytes);
        set_option(socket, SOL_SOCKET, SO_SNDBUF, (int)def->buffer_bytes);
    }
    if (is_v6) {
        set_option(socket, IPPROTO_IPV6, IPV6_V6ONLY, 0);
    }
    if (def->shares_port) {
        apex_err err = apex_udp_share_port(socket);
        if (err != APEX_OK) {
            return err;
        }
    }
    if (length == 0) {
        return APEX_ERR_INVALID;
    }
    return bind(socket, &own.any, length) == 0 ? read_port(socket, port) : err_of_bind();
}

// ::ffff:0.0.0.0 would be IPv4 alone; a socket of IPv6 takes both at ::.
static apex_udp_address everywhere(int socket, uint16_t port) {
    apex_udp_address address = {.port = port};
    if (!udp_is_v6_socket(socket)) {
        memset(address.ip + 10, 0xFF, 2);
    }
    return address;
}

int apex_udp_open(const apex_udp_def *def, uint16_t *port) {
    bool is_anywhere = def->host == NULL || def->host[0] == '\0';
    apex_udp_address address = {.port = 0};
    if (!is_anywhere && !apex_udp_parse_host(def->host, &address)) {
        return APEX_ERR_INVALID;
    }
    // An IPv4 address asks for nothing of IPv6, which a machine may lack.
    bool is_v4 = !is_anywhere && apex_udp_is_v4(&address);
    int opened = is_v4 ? -1 : new_socket(AF_INET6);
    if (opened < 0 && (is_v4 || is_anywhere)) {
        opened = new_socket(AF_INET);
    }
    if (opened < 0) {
        return apex_err_from_errno(errno);
    }
    if (is_anywhere) {
        address = everywhere(opened, def->port);
    }
    address.port = def->port;
    apex_err err = bind_to(opened, def, &address, port);
    if (err != APEX_OK) {
        close(opened);
        return err;
    }
    return opened;
}

// @return a socket connected to it, or -1.
static int connect_to(const struct addrinfo *found, apex_udp_address *server) {
    int opened = new_socket(found->ai_family);
    if (opened < 0) {
        return -1;
    }
    if (connect(opened, found->ai_addr, found->ai_addrlen) != 0) {
        close(opened);
        return -1;
    }
    udp_system_address address;
    memcpy(&address, found->ai_addr, found->ai_addrlen);
    *server = udp_from_system(&address);
    return opened;
}

int apex_udp_connect(const char *host, uint16_t port, apex_udp_address *server) {
    char service[8];
    struct addrinfo hints = {
        .ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    snprintf(service, sizeof service, "%u", (unsigned)port);
    if (getaddrinfo(host, service, &hints, &found) != 0) {
        return APEX_ERR_NOT_FOUND;
    }
    int opened = -1;
    for (const struct addrinfo *each = found; each != NULL && opened < 0; each = each->ai_next) {
        bool is_ip = each->ai_family == AF_INET || each->ai_family == AF_INET6;
        opened = is_ip ? connect_to(each, server) : -1;
    }
    freeaddrinfo(found);
    return opened >= 0 ? opened : APEX_ERR_IO;
}
