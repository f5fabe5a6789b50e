// Houses are compared as bytes: one address can be written in many ways.
#include "net/house.h"

#include <arpa/inet.h>
#include <string.h>

#include "base/hash.h"
#include "udp/udp.h"

// What one household has is said in one place for all limits (udp/udp.h).
apex_house apex_house_of_ip(const uint8_t ip[16]) {
    apex_udp_address address = {.port = 0};
    apex_house house;
    _Static_assert(sizeof house.bytes == sizeof address.ip, "both are addresses of IPv6");
    memcpy(address.ip, ip, sizeof address.ip);
    apex_udp_network network = apex_udp_subscriber_of(&address);
    memcpy(house.bytes, network.ip, sizeof house.bytes);
    return house;
}

apex_house apex_house_of(const char *address) {
    static const uint8_t mapped_ipv4[12] = {[10] = 0xff, [11] = 0xff};
    uint8_t ip[16];
    if (inet_pton(AF_INET, address, ip + sizeof mapped_ipv4) == 1) {
        memcpy(ip, mapped_ipv4, sizeof mapped_ipv4);
        return apex_house_of_ip(ip);
    }
    if (inet_pton(AF_INET6, address, ip) == 1) {
        return apex_house_of_ip(ip);
    }
    apex_house house;
    uint64_t hash = apex_hash_bytes(address, strlen(address), 0);
    memset(house.bytes, 0xff, 8); // multicast, from where nobody comes
    memcpy(house.bytes + 8, &hash, sizeof hash);
    return house;
}

bool apex_house_is_same(apex_house a, apex_house b) {
    return memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0;
}
