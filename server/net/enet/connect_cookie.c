// Making and checking cookies for connecting: SipHash of address, port, peer ids and epoch.
#include "net/enet/connect_cookie.h"

#include <sodium.h>
#include <string.h>

_Static_assert(NET_COOKIE_KEY_BYTES == crypto_shorthash_KEYBYTES, "the key is SipHash's");

enum { ID_BITS = 12, ID_MASK = (1 << ID_BITS) - 1, SESSION_MASK = 3 };

// What is hashed, without gaps.
typedef struct cookie_input {
    uint64_t epoch;
    uint8_t ip[APEX_UDP_IP_BYTES];
    uint16_t port;
    uint16_t peer_id, client_peer_id, zero;
} cookie_input;

_Static_assert(sizeof(cookie_input) == 32, "no byte of it is left as it was");

static uint64_t hash_of(const net_cookies *cookies, const cookie_input *input) {
    uint8_t bytes[crypto_shorthash_BYTES];
    uint64_t hash = 0;
    crypto_shorthash(bytes, (const uint8_t *)input, sizeof *input, cookies->key);
    memcpy(&hash, bytes, sizeof hash);
    return hash;
}

// The epoch is part of what is hashed, so one key serves for ever and an old cookie still dies.
static net_verify verify_of(const net_cookies *cookies, const apex_udp_address *address,
                            uint64_t epoch, const net_verify *ids) {
    cookie_input input = {.epoch = epoch,
                          .port = address->port,
                          .peer_id = ids->peer_id,
                          .client_peer_id = ids->client_peer_id};
    memcpy(input.ip, address->ip, sizeof input.ip);
    uint64_t hash = hash_of(cookies, &input);
    return (net_verify){
        .peer_id = ids->peer_id,
        .client_peer_id = ids->client_peer_id,
        .sequence = (uint16_t)hash,
        .sent_time = (uint16_t)((hash >> 16 & 0xF) << ID_BITS | ids->client_peer_id),
        .up_session = hash >> 20 & SESSION_MASK,
        .down_session = hash >> 22 & SESSION_MASK,
    };
}

void net_cookie_make(const net_cookies *cookies, const apex_udp_address *address, uint64_t now_us,
                     net_verify *verify) {
    *verify = verify_of(cookies, address, now_us / NET_COOKIE_EPOCH_US, verify);
}

bool net_cookie_check(const net_cookies *cookies, const apex_udp_address *address, uint64_t now_us,
                      net_verify *verify) {
    uint64_t epoch = now_us / NET_COOKIE_EPOCH_US;
    verify->client_peer_id = verify->sent_time & ID_MASK;
    for (uint64_t age = 0; age <= 1 && age <= epoch; age++) {
        net_verify made = verify_of(cookies, address, epoch - age, verify);
        if (made.sequence == verify->sequence && made.sent_time == verify->sent_time &&
            made.up_session == verify->up_session) {
            *verify = made;
            return true;
        }
    }
    return false;
}

uint32_t net_cookie_hash(const net_cookies *cookies, const apex_udp_address *address) {
    cookie_input input = {.epoch = UINT64_MAX, .port = address->port};
    memcpy(input.ip, address->ip, sizeof input.ip);
    return (uint32_t)hash_of(cookies, &input);
}
