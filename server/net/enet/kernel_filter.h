// A filter in the kernel for what cannot be ours, by its first bytes and its length: what it drops
// costs the server neither a copy nor a look.
#pragma once

#include <stdint.h>

#include "base/error.h"

// @param peers ENet's peers of the socket's host: none of its datagrams says a higher number.
// @return APEX_ERR_PERMISSION, APEX_ERR_IO where the system has no such filters; the socket works
// as well without.
apex_err net_kernel_filter(int socket, uint32_t peers);
