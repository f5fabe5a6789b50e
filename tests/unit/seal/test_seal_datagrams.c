// What was sealed is opened once, by the one it is for, and by nobody who changed it.
#include "support/base/check_main.h"

#include "seal/seal.h"

#include <string.h>

static apex_seal client;
static apex_seal server;

// A pair with keys from a real handshake.
static void meet(apex_seal *client_seal, apex_seal *server_seal, uint32_t number) {
    uint8_t secret[APEX_SEAL_KEY_BYTES];
    uint8_t asked[APEX_SEAL_HANDSHAKE_BYTES];
    uint8_t answer[APEX_SEAL_HANDSHAKE_BYTES];
    apex_seal_door door;
    apex_seal_client asking;
    apex_seal_from from = {.address = (const uint8_t *)"here", .address_bytes = 4};
    apex_seal_make_secret(secret);
    apex_seal_door_init(&door, secret);
    apex_seal_client_init(&asking, NULL);
    size_t length = apex_seal_client_ask(&asking, asked);
    length = apex_seal_answer_hello(&door, &from, asked, length, answer);
    ck_assert(apex_seal_client_take(&asking, answer, length, client_seal));
    length = apex_seal_client_ask(&asking, asked);
    ck_assert(apex_seal_check_open(&door, &from, asked, length));
    length = apex_seal_accept(&door, asked, number, server_seal, answer);
    ck_assert(apex_seal_client_take(&asking, answer, length, client_seal));
}

static void start(void) {
    ck_assert(apex_seal_begin());
    meet(&client, &server, 77);
}

typedef struct datagram {
    uint8_t bytes[APEX_SEAL_DATAGRAM_BYTES_MAX];
    size_t length;
} datagram;

static datagram closed(apex_seal *seal, uint32_t value) {
    datagram made;
    memcpy(made.bytes + APEX_SEAL_HEAD_BYTES, &value, sizeof value);
    made.length = apex_seal_close(seal, made.bytes, sizeof value);
    return made;
}

// Opened in a copy, since opening changes the bytes.
static bool opens(apex_seal *seal, const datagram *sealed, uint32_t value) {
    datagram copy = *sealed;
    uint8_t *content = NULL;
    size_t length = 0;
    if (!apex_seal_open(seal, copy.bytes, copy.length, &content, &length)) {
        return false;
    }
    ck_assert_uint_eq(length, sizeof value);
    ck_assert_mem_eq(content, &value, sizeof value);
    return true;
}

FIXTURE(start, NULL)

TEST(both_directions_go_through) {
    for (uint32_t i = 0; i < 100; i++) {
        datagram up = closed(&client, i);
        datagram down = closed(&server, i + 1000);
        ck_assert_uint_eq(up.length, sizeof i + APEX_SEAL_MORE_BYTES);
        ck_assert(opens(&server, &up, i));
        ck_assert(opens(&client, &down, i + 1000));
    }
}

TEST(any_length_goes_through) {
    const size_t most = APEX_SEAL_DATAGRAM_BYTES_MAX - APEX_SEAL_MORE_BYTES;
    for (size_t length = 0; length <= most; length += length < 70 ? 1 : 13) {
        datagram made;
        uint8_t *content = NULL;
        size_t opened = 1;
        memset(made.bytes, (int)length, sizeof made.bytes);
        made.length = apex_seal_close(&client, made.bytes, length);
        ck_assert(apex_seal_open(&server, made.bytes, made.length, &content, &opened));
        ck_assert_uint_eq(opened, length);
        for (size_t i = 0; i < length; i++) {
            ck_assert_uint_eq(content[i], (uint8_t)length);
        }
    }
}

TEST(nothing_in_it_shows) {
    datagram first = closed(&client, 0);
    datagram second = closed(&client, 0);
    ck_assert_mem_eq(first.bytes, second.bytes, 5); // kind and number
    ck_assert_mem_ne(first.bytes + 5, second.bytes + 5, 4);
    ck_assert_mem_ne(first.bytes + 9, second.bytes + 9, 4);
    // A counter in the clear would be the last one and one.
    uint32_t masked[3];
    memcpy(&masked[0], first.bytes + 5, 4);
    memcpy(&masked[1], second.bytes + 5, 4);
    datagram third = closed(&client, 0);
    memcpy(&masked[2], third.bytes + 5, 4);
    ck_assert(masked[1] - masked[0] != 1 || masked[2] - masked[1] != 1);
}

TEST(a_changed_bit_is_refused) {
    datagram sealed = closed(&client, 5);
    for (size_t bit = 0; bit < 8 * sealed.length; bit++) {
        datagram changed = sealed;
        changed.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        ck_assert_msg(!opens(&server, &changed, 5), "bit %zu", bit);
    }
    ck_assert(opens(&server, &sealed, 5)); // and has shut nothing out
}

TEST(a_cut_or_longer_one_is_refused) {
    datagram sealed = closed(&client, 5);
    for (size_t length = 0; length < sealed.length; length++) {
        datagram cut = sealed;
        cut.length = length;
        ck_assert(!opens(&server, &cut, 5));
    }
    datagram longer = sealed;
    longer.bytes[longer.length++] = 0;
    ck_assert(!opens(&server, &longer, 5));
    ck_assert(opens(&server, &sealed, 5));
}

TEST(each_is_opened_once) {
    datagram sealed[50];
    for (uint32_t i = 0; i < 50; i++) {
        sealed[i] = closed(&client, i);
    }
    for (uint32_t i = 50; i > 0; i--) { // in the wrong order
        ck_assert(opens(&server, &sealed[i - 1], i - 1));
        ck_assert(!opens(&server, &sealed[i - 1], i - 1));
    }
    for (uint32_t i = 0; i < 50; i++) {
        ck_assert(!opens(&server, &sealed[i], i));
    }
}

TEST(those_older_than_the_window_are_refused) {
    datagram at_edge = {.length = 0};
    datagram too_old = closed(&client, 0);
    at_edge = closed(&client, 1);
    for (uint32_t i = 2; i <= 1024; i++) {
        datagram newer = closed(&client, i);
        if (i == 1024) {
            ck_assert(opens(&server, &newer, i));
        }
    }
    ck_assert(!opens(&server, &too_old, 0)); // 1,024 before the newest
    ck_assert(opens(&server, &at_edge, 1));
    ck_assert(!opens(&server, &at_edge, 1));
}

// The ring of bits must forget those that it has gone past.
TEST(a_gap_is_not_taken_for_received) {
    datagram gap[3000];
    for (uint32_t i = 0; i < 3000; i++) {
        gap[i] = closed(&client, i);
        if (i < 1000 || i == 2500) {
            ck_assert(opens(&server, &gap[i], i));
        }
    }
    for (uint32_t i = 2500 - 1023; i < 2500; i++) {
        ck_assert_msg(opens(&server, &gap[i], i), "%u", i);
        ck_assert(!opens(&server, &gap[i], i));
    }
    ck_assert(!opens(&server, &gap[2500 - 1024], 2500 - 1024));
}

TEST(another_connections_is_refused) {
    apex_seal other_client;
    apex_seal other_server;
    meet(&other_client, &other_server, 77); // of the same number, after a restart say
    datagram sealed = closed(&other_client, 5);
    ck_assert(!opens(&server, &sealed, 5));
    ck_assert(opens(&other_server, &sealed, 5));
    datagram own = closed(&server, 6);
    ck_assert(!opens(&server, &own, 6)); // sent back to where it came from
}

TEST(keys_change_and_late_ones_still_open) {
    enum { EACH = 65536 };
    datagram last = {.length = 0};
    for (uint32_t i = 0; i < EACH; i++) {
        last = closed(&client, i);
        if (i % 512 == 0) {
            ck_assert(opens(&server, &last, i));
        }
    }
    uint8_t before[APEX_SEAL_KEY_BYTES];
    memcpy(before, client.sender.key, sizeof before);
    datagram next = closed(&client, EACH);
    ck_assert_mem_ne(client.sender.key, before, sizeof before);
    ck_assert(opens(&server, &next, EACH));
    ck_assert(opens(&server, &last, EACH - 1));
    ck_assert(!opens(&server, &last, EACH - 1));
    // And over the next change.
    for (uint32_t i = EACH + 1; i < 2 * EACH + 2; i++) {
        next = closed(&client, i);
        if (i % 512 == 0 || i > 2 * EACH) {
            ck_assert_msg(opens(&server, &next, i), "%u", i);
        }
    }
}

// From a state that was copied, as a program would that wrote it to a file and went on from there.
TEST(no_counter_is_sealed_twice_with_one_key) {
    uint64_t counter = client.sender.counter;
    for (uint32_t i = 0; i < 200000; i++) {
        closed(&client, i);
        ck_assert_uint_eq(client.sender.counter, ++counter);
    }
    apex_seal again;
    apex_seal again_server;
    meet(&again, &again_server, 77);
    ck_assert_mem_ne(again.sender.key, client.sender.key, APEX_SEAL_KEY_BYTES);
    ck_assert_mem_ne(again.sender.key, server.sender.key, APEX_SEAL_KEY_BYTES);
}

TEST(forgetting_leaves_nothing) {
    static const apex_seal nothing;
    apex_seal_forget(&client);
    ck_assert_mem_eq(&client, &nothing, sizeof client);
}

TEST(the_kind_is_told_by_the_first_byte) {
    uint8_t bytes[APEX_SEAL_DATAGRAM_BYTES_MAX + 1] = {APEX_SEAL_DATA};
    ck_assert_int_eq(apex_seal_kind_of(bytes, 1), APEX_SEAL_DATA);
    ck_assert_int_eq(apex_seal_kind_of(bytes, APEX_SEAL_DATAGRAM_BYTES_MAX), APEX_SEAL_DATA);
    ck_assert_int_eq(apex_seal_kind_of(bytes, APEX_SEAL_DATAGRAM_BYTES_MAX + 1), APEX_SEAL_NONE);
    ck_assert_int_eq(apex_seal_kind_of(bytes, 0), APEX_SEAL_NONE);
    for (unsigned first = 0; first < 256; first++) {
        bytes[0] = (uint8_t)first;
        bool is_one = first >= 0xC1 && first <= 0xC5;
        ck_assert_int_eq(apex_seal_kind_of(bytes, 9), is_one ? (int)first : APEX_SEAL_NONE);
    }
}
