// Addresses of those who connect: of IPv6, or of IPv4 in its form.
#pragma once

#include <stdint.h>

#include "net/net.h"

typedef struct web_address {
    uint8_t bytes[16]; // of IPv6; one of IPv4 is mapped
} web_address;

void web_format_address(const web_address *address, char out[APEX_ADDRESS_BYTES]);
