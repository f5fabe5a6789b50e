// Houses are compared as bytes: one address can be written in many ways.
#include "net/house.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/hash.h"

static const uint8_t mapped_ipv4[12] = {[10] = 0xff, [11] = 0xff};

apex_house apex_house_of(const char *address) {
    apex_house house = {{0}};
    if (inet_pton(AF_INET, address, house.bytes + sizeof mapped_ipv4) == 1) {
        memcpy(house.bytes, mapped_ipv4, sizeof mapped_ipv4);
    } else if (inet_pton(AF_INET6, address, house.bytes) == 1) {
        if (memcmp(house.bytes, mapped_ipv4, sizeof mapped_ipv4) != 0) {
            memset(house.bytes + 8, 0, 8);
        }
    } else {
        uint64_t hash = apex_hash_bytes(address, strlen(address), 0);
        memset(house.bytes, 0xff, 8); // multicast, from where nobody comes
        memcpy(house.bytes + 8, &hash, sizeof hash);
    }
    return house;
}

bool apex_house_is_same(apex_house a, apex_house b) {
    return memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0;
}
