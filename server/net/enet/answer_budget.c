// A Bloom filter of two rows that forgets: a household waits while both of its cells say so.
#include "net/enet/answer_budget.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT_US = 64000, WAIT_UNITS = NET_ANSWER_WAIT_MS * 1000 / UNIT_US };

apex_err net_answers_create(net_answers *answers) {
    *answers = (net_answers){.free = {0}};
    randombytes_buf(answers->key, sizeof answers->key);
    for (int row = 0; row < NET_ANSWER_ROWS; row++) {
        answers->until[row] = calloc(NET_ANSWER_CELLS, sizeof(uint16_t));
        if (answers->until[row] == NULL) {
            net_answers_destroy(answers);
            return APEX_ERR_NO_MEMORY;
        }
    }
    return APEX_OK;
}

void net_answers_destroy(net_answers *answers) {
    for (int row = 0; row < NET_ANSWER_ROWS; row++) {
        free(answers->until[row]);
        answers->until[row] = NULL;
    }
}

static void find_cells(const net_answers *answers, const apex_udp_address *address,
                       uint16_t *cells[NET_ANSWER_ROWS]) {
    apex_udp_network household = apex_udp_subscriber_of(address);
    uint8_t hash[crypto_shorthash_BYTES];
    uint32_t words[NET_ANSWER_ROWS];
    _Static_assert(sizeof words == sizeof hash, "a word for each row");
    crypto_shorthash(hash, household.ip, sizeof household.ip, answers->key);
    memcpy(words, hash, sizeof words);
    for (int row = 0; row < NET_ANSWER_ROWS; row++) {
        cells[row] = &answers->until[row][words[row] % NET_ANSWER_CELLS];
    }
}

// Units wrap after 70 minutes. A cell from before then says once in a thousand times what it should
// not, which costs a household five seconds.
static bool says_wait(uint16_t until, uint16_t now) {
    uint16_t left = (uint16_t)(until - now);
    return left > 0 && left <= WAIT_UNITS;
}

bool net_answers_take(net_answers *answers, const apex_udp_address *address, uint64_t now_us) {
    static const net_rate free_rate = {NET_ANSWERS_FREE_PER_S, NET_ANSWERS_FREE_BURST};
    static const net_rate shared_rate = {NET_ANSWERS_SHARED_PER_S, NET_ANSWERS_SHARED_BURST};
    if (net_bucket_take(&answers->free, free_rate, 1, now_us)) {
        return true;
    }
    uint16_t now = (uint16_t)(now_us / UNIT_US);
    uint16_t *cells[NET_ANSWER_ROWS];
    find_cells(answers, address, cells);
    bool has_to_wait = says_wait(*cells[0], now) && says_wait(*cells[1], now);
    if (has_to_wait || !net_bucket_take(&answers->shared, shared_rate, 1, now_us)) {
        return false;
    }
    *cells[0] = *cells[1] = (uint16_t)(now + WAIT_UNITS);
    return true;
}
