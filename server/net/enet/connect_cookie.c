// Making and checking cookies for connecting: SipHash of address, port and epoch.
#include "net/enet/connect_cookie.h"

#include <sodium.h>
#include <string.h>

_Static_assert(NET_COOKIE_KEY_BYTES == crypto_shorthash_KEYBYTES, "the key is SipHash's");

// The epoch is part of what is hashed, so one key serves for ever and an old cookie still dies.
static uint32_t cookie_of(const net_cookies *cookies, const apex_udp_address *address,
                          uint64_t epoch) {
    uint8_t input[sizeof address->ip + sizeof address->port + sizeof epoch];
    memcpy(input, address->ip, sizeof address->ip);
    memcpy(input + sizeof address->ip, &address->port, sizeof address->port);
    memcpy(input + sizeof address->ip + sizeof address->port, &epoch, sizeof epoch);
    uint8_t hash[crypto_shorthash_BYTES];
    crypto_shorthash(hash, input, sizeof input, cookies->key);
    uint32_t cookie = 0;
    memcpy(&cookie, hash, sizeof cookie);
    return cookie != 0 ? cookie : 1;
}

uint32_t net_cookie_make(const net_cookies *cookies, const apex_udp_address *address,
                         uint64_t now_us) {
    return cookie_of(cookies, address, now_us / NET_COOKIE_EPOCH_US);
}

bool net_cookie_check(const net_cookies *cookies, const apex_udp_address *address, uint64_t now_us,
                      uint32_t cookie) {
    uint64_t epoch = now_us / NET_COOKIE_EPOCH_US;
    return cookie == cookie_of(cookies, address, epoch) ||
           (epoch > 0 && cookie == cookie_of(cookies, address, epoch - 1));
}
