/// Houses: what limits by address count as one address. Of IPv6 it is the first half, since whoever
/// has one address has the other 2^64 of its network as well.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Bytes of an IPv6 address whose second half is zero; an IPv4 address is whole, as ::ffff:a.b.c.d.
typedef struct apex_house {
    uint8_t bytes[16];
} apex_house;

/// @param ip of IPv6; one of IPv4 is mapped.
apex_house apex_house_of_ip(const uint8_t ip[16]);
/// @param address host without port; one that is no address is a house of its own.
apex_house apex_house_of(const char *address);
bool apex_house_is_same(apex_house a, apex_house b);
