// Addresses as the system has them.
#pragma once

#include <netinet/in.h>

#include "udp/udp.h"

// A socket of IPv6 takes both families; one of IPv4, on a machine that has no other, its own alone.
typedef union udp_system_address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} udp_system_address;

// @return its length; 0 for an address of IPv6 where the socket has IPv4.
socklen_t udp_to_system(const apex_udp_address *address, bool is_v6_socket,
                        udp_system_address *out);
apex_udp_address udp_from_system(const udp_system_address *address);

// Whether an open socket is one of IPv6.
bool udp_is_v6_socket(int socket);
