// A table without chains: who hashes to a cell that is taken takes it over.
#include "net/enet/shown_addresses.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT_US = 64000, SHOWN_UNITS = NET_SHOWN_MS * 1000 / UNIT_US };

apex_err net_shown_create(net_shown *shown) {
    *shown = (net_shown){.cells = calloc(NET_SHOWN_CELLS, sizeof shown->cells[0])};
    randombytes_buf(shown->key, sizeof shown->key);
    return shown->cells != NULL ? APEX_OK : APEX_ERR_NO_MEMORY;
}

void net_shown_destroy(net_shown *shown) {
    free(shown->cells);
    shown->cells = NULL;
}

static net_shown_cell *find_cell(const net_shown *shown, const apex_udp_address *address,
                                 uint16_t peer_id, uint32_t *tag) {
    uint8_t said[sizeof address->ip + sizeof address->port + sizeof peer_id];
    memcpy(said, address->ip, sizeof address->ip);
    memcpy(said + sizeof address->ip, &address->port, sizeof address->port);
    memcpy(said + sizeof address->ip + sizeof address->port, &peer_id, sizeof peer_id);
    uint8_t hash[crypto_shorthash_BYTES];
    uint32_t words[2];
    _Static_assert(sizeof words == sizeof hash, "a place and a tag");
    crypto_shorthash(hash, said, sizeof said, shown->key);
    memcpy(words, hash, sizeof words);
    *tag = words[1];
    return &shown->cells[words[0] % NET_SHOWN_CELLS];
}

static bool is_of(const net_shown_cell *cell, uint32_t tag, uint64_t now_us) {
    uint16_t left = (uint16_t)(cell->until - (uint16_t)(now_us / UNIT_US));
    return cell->tag == tag && left > 0 && left <= SHOWN_UNITS;
}

void net_shown_note(net_shown *shown, const apex_udp_address *address, uint64_t now_us,
                    const net_verify *verify) {
    uint32_t tag = 0;
    net_shown_cell *cell = find_cell(shown, address, verify->peer_id, &tag);
    if (!is_of(cell, tag, now_us)) {
        *cell = (net_shown_cell){.tag = tag,
                                 .until = (uint16_t)(now_us / UNIT_US + SHOWN_UNITS),
                                 .sequence = verify->sequence,
                                 .client_peer_id = verify->client_peer_id,
                                 .up_session = verify->up_session,
                                 .down_session = verify->down_session};
    }
}

bool net_shown_find(const net_shown *shown, const apex_udp_address *address, uint64_t now_us,
                    net_verify *verify) {
    uint32_t tag = 0;
    const net_shown_cell *cell = find_cell(shown, address, verify->peer_id, &tag);
    if (!is_of(cell, tag, now_us) || cell->up_session != verify->up_session) {
        return false;
    }
    verify->sequence = cell->sequence;
    verify->client_peer_id = cell->client_peer_id;
    verify->down_session = cell->down_session;
    return true;
}

void net_shown_forget(net_shown *shown, const apex_udp_address *address, uint16_t peer_id) {
    uint32_t tag = 0;
    net_shown_cell *cell = find_cell(shown, address, peer_id, &tag);
    if (cell->tag == tag) {
        *cell = (net_shown_cell){.tag = 0};
    }
}
