// A filter in the kernel for what cannot be ours, by its first bytes and its length: what it drops
// costs the server neither a copy nor a look.
#pragma once

#include <stdint.h>

#include "base/error.h"

// @param peers ENet's peers of the socket's host: none of its datagrams says a higher number.
// @return APEX_ERR_PERMISSION, APEX_ERR_IO where the system has no such filters; the socket works
// as well without.
apex_err net_kernel_filter(int socket, uint32_t peers);

// Of the two sockets that share a port the one that was opened last gets what begins a connection,
// CONNECT, HELLO and OPEN, and the first one all else. @param socket either of them.
// @return as net_kernel_filter; then the system chooses by both addresses.
apex_err net_kernel_steer(int socket);
