// The gate and the other small parts under the transport, without sockets.
#include "support/base/check_main.h"

#include "net/bucket.h"
#include "net/enet/connect_cookie.h"
#include "net/enet/datagram_gate.h"
#include "net/enet/link_table.h"
#include "net/frame_list.h"

#include <string.h>

typedef struct datagram {
    uint8_t bytes[2048];
    size_t length;
} datagram;

static datagram begin(uint16_t word) {
    datagram d = {.bytes = {(uint8_t)(word >> 8), (uint8_t)word}};
    d.length = word & 0x8000 ? 4 : 2;
    return d;
}

static void put(datagram *d, const uint8_t *bytes, size_t length) {
    memcpy(d->bytes + d->length, bytes, length);
    d->length += length;
}

// A command of a type, all zero but its header, of the length that ENet gives it.
static void put_command(datagram *d, uint8_t type, uint16_t sequence) {
    static const uint8_t lengths[13] = {4, 8, 48, 44, 8, 4, 6, 8, 24, 8, 12, 16, 24};
    uint8_t command[48] = {type, 0, (uint8_t)(sequence >> 8), (uint8_t)sequence};
    put(d, command, lengths[type & 0x0F]);
}

static bool goodbye; // said by what was judged last

static net_gate_verdict judge(const datagram *d, net_gate_received received) {
    goodbye = false;
    net_gate_header header = {0};
    net_gate_verdict verdict = net_gate_read_header(d->bytes, d->length, &header);
    return verdict == NET_GATE_PASS
               ? net_gate_walk(d->bytes, d->length, &header, received, &goodbye)
               : verdict;
}

static const net_gate_received nothing;

TEST(each_command_alone) {
    static const net_gate_verdict from_peer[13] = {
        [0] = NET_GATE_MALFORMED, [1] = NET_GATE_PASS,  [2] = NET_GATE_MALFORMED,
        [3] = NET_GATE_MALFORMED, [4] = NET_GATE_PASS,  [5] = NET_GATE_PASS,
        [6] = NET_GATE_PASS,      [7] = NET_GATE_PASS,  [8] = NET_GATE_FRAGMENT_RELIABLE,
        [9] = NET_GATE_PASS,      [10] = NET_GATE_PASS, [11] = NET_GATE_PASS,
        [12] = NET_GATE_FRAGMENT,
    };
    for (uint8_t type = 0; type < 13; type++) {
        datagram d = begin(0x8001);
        put_command(&d, type, 0);
        ck_assert_int_eq(judge(&d, nothing), from_peer[type]);
        ck_assert_uint_eq(goodbye, type == 4);
        // One byte short, it is malformed whatever it is.
        d.length--;
        ck_assert_int_eq(judge(&d, nothing), NET_GATE_MALFORMED);
        // From one who has no link, only a CONNECT.
        d = begin(0x8FFF);
        put_command(&d, type, 0);
        ck_assert(type == 2 || judge(&d, nothing) != NET_GATE_PASS);
    }
    for (uint8_t type = 13; type < 16; type++) {
        datagram d = begin(0x8001);
        const uint8_t command[48] = {type};
        put(&d, command, sizeof command);
        ck_assert_int_eq(judge(&d, nothing), NET_GATE_MALFORMED);
    }
}

TEST(a_connect_gives_its_words) {
    datagram d = begin(0x8FFF);
    put_command(&d, 0x82, 1);
    memcpy(d.bytes + 4 + 16, "\x12\x34\x56\x78", 4);
    memcpy(d.bytes + 4 + 4, "\xF1\x02", 2);
    ck_assert_int_eq(judge(&d, nothing), NET_GATE_PASS);
    net_gate_header header;
    net_gate_read_header(d.bytes, d.length, &header);
    ck_assert_uint_eq(net_gate_read_connect(d.bytes, &header).channels, 0x12345678);
    ck_assert_ptr_eq(net_gate_read_connect(d.bytes, &header).command, d.bytes + 4);
    ck_assert_uint_eq(net_gate_read_connect(d.bytes, &header).peer_id, 0x0102);
    put_command(&d, 0x82, 2);
    ck_assert_int_eq(judge(&d, nothing), NET_GATE_MALFORMED); // a second in one datagram
}

TEST(headers) {
    net_gate_header header = {0};
    datagram d = begin(0x8000 | 0x2000 | 0x0ABC);
    put_command(&d, 5, 0);
    ck_assert_int_eq(net_gate_read_header(d.bytes, d.length, &header), NET_GATE_PASS);
    ck_assert_uint_eq(header.peer_id, 0xABC);
    ck_assert_uint_eq(header.session, 2);
    ck_assert_uint_eq(header.bytes, 4);
    d = begin(0x1001);
    put_command(&d, 9, 0);
    ck_assert_int_eq(net_gate_read_header(d.bytes, d.length, &header), NET_GATE_PASS);
    ck_assert_uint_eq(header.session, 1);
    ck_assert_uint_eq(header.bytes, 2);
    d = begin(0x4001);
    put_command(&d, 5, 0);
    ck_assert_int_eq(judge(&d, nothing), NET_GATE_COMPRESSED);
    ck_assert_int_eq(net_gate_read_header(d.bytes, 1, &header), NET_GATE_MALFORMED);
    ck_assert_int_eq(net_gate_read_header(d.bytes, 0, &header), NET_GATE_MALFORMED);
    d = begin(0x8001);
    ck_assert_int_eq(judge(&d, nothing), NET_GATE_MALFORMED); // nothing in it
    ck_assert_int_eq(net_gate_read_header(d.bytes, 1501, &header), NET_GATE_OVERSIZE);
    // ENet would wait for ever for the time that such a DISCONNECT did not carry.
    d = begin(0x0001);
    put_command(&d, 0x84, 1);
    ck_assert_int_eq(judge(&d, nothing), NET_GATE_MALFORMED);
}

TEST(commands_in_a_datagram) {
    datagram d = begin(0x8001);
    for (int i = 0; i < 32; i++) {
        put_command(&d, 5, 0);
    }
    ck_assert_int_eq(judge(&d, nothing), NET_GATE_PASS);
    put_command(&d, 5, 0);
    ck_assert_int_eq(judge(&d, nothing), NET_GATE_COMMANDS);
    d.length -= 3;
    ck_assert_int_eq(judge(&d, nothing), NET_GATE_COMMANDS);
    // Behind data the next command is found, and what it is counts.
    d = begin(0x8001);
    put(&d, (const uint8_t[]){9, 1, 0, 0, 0, 1, 0, 3, 'a', 'b', 'c'}, 11);
    put_command(&d, 12, 0);
    ck_assert_int_eq(judge(&d, nothing), NET_GATE_FRAGMENT);
}

TEST(data_ends_within_the_datagram_and_goes_to_a_channel) {
    static const uint8_t types[] = {6, 7, 9};
    for (size_t i = 0; i < sizeof types; i++) {
        size_t bytes = types[i] == 6 ? 6 : 8;
        uint8_t command[16] = {types[i], 1};
        command[bytes - 1] = 3;
        datagram d = begin(0x8001);
        put(&d, command, bytes + 3);
        ck_assert_int_eq(judge(&d, nothing), NET_GATE_PASS);
        d.length--;
        ck_assert_int_eq(judge(&d, nothing), NET_GATE_MALFORMED);
        d.length++;
        d.bytes[5] = 2;
        ck_assert_int_eq(judge(&d, nothing), NET_GATE_MALFORMED);
    }
}

TEST(nothing_may_run_ahead) {
    static const struct {
        uint8_t type;
        uint16_t received, sequence;
        net_gate_verdict verdict;
    } cases[] = {
        {6, 0, 1, NET_GATE_PASS},         {6, 0, 256, NET_GATE_PASS},
        {6, 0, 257, NET_GATE_SEQUENCE},   {6, 100, 50, NET_GATE_PASS},
        {6, 65535, 255, NET_GATE_PASS},   {6, 65535, 256, NET_GATE_SEQUENCE},
        {6, 0, 32767, NET_GATE_SEQUENCE}, {7, 5, 5, NET_GATE_PASS},
        {7, 5, 6, NET_GATE_SEQUENCE},     {7, 5, 4, NET_GATE_PASS},
        {7, 65535, 0, NET_GATE_SEQUENCE}, {9, 5, 700, NET_GATE_PASS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        datagram d = begin(0x8001);
        put_command(&d, cases[i].type, cases[i].sequence);
        net_gate_received received = {{cases[i].received, 0}};
        ck_assert_int_eq(judge(&d, received), cases[i].verdict);
    }
    // An unreliable command may refer to the reliable one before it in its own datagram.
    datagram d = begin(0x8001);
    put_command(&d, 6, 1);
    put_command(&d, 7, 1);
    ck_assert_int_eq(judge(&d, nothing), NET_GATE_PASS);
}

// What comes back is all that is known of it.
static bool is_cookie(const net_cookies *cookies, const apex_udp_address *address, uint64_t now_us,
                      net_verify made) {
    net_verify back = {.peer_id = made.peer_id,
                       .up_session = made.up_session,
                       .sequence = made.sequence,
                       .sent_time = made.sent_time};
    return net_cookie_check(cookies, address, now_us, &back) &&
           back.client_peer_id == made.client_peer_id && back.down_session == made.down_session;
}

TEST(a_cookie_is_for_one_address_and_some_seconds) {
    net_cookies cookies = {"0123456789abcde"};
    net_cookies others = {"0123456789abcdf"};
    uint64_t epoch_us = NET_COOKIE_EPOCH_US;
    uint64_t now_us = 7 * epoch_us + 1;
    apex_udp_address here = {.ip = {[15] = 1}, .port = 2};
    apex_udp_address next_port = {.ip = {[15] = 1}, .port = 3};
    apex_udp_address elsewhere = {.ip = {[0] = 1, [15] = 1}, .port = 2};
    net_verify made = {.peer_id = 0xABC, .client_peer_id = 0x123};
    net_cookie_make(&cookies, &here, now_us, &made);
    ck_assert_uint_eq(made.peer_id, 0xABC);
    ck_assert_uint_eq(made.client_peer_id, 0x123);
    ck_assert_uint_le(made.up_session | made.down_session, 3);
    ck_assert(is_cookie(&cookies, &here, now_us, made));
    ck_assert(is_cookie(&cookies, &here, 9 * epoch_us - 1, made));
    ck_assert(!is_cookie(&cookies, &here, 9 * epoch_us, made));
    ck_assert(!is_cookie(&cookies, &here, 7 * epoch_us - 1, made));
    ck_assert(!is_cookie(&cookies, &next_port, now_us, made));
    ck_assert(!is_cookie(&cookies, &elsewhere, now_us, made));
    ck_assert(!is_cookie(&others, &here, now_us, made));
}

// Each bit that comes back counts.
TEST(a_cookie_with_a_changed_bit_is_none) {
    const net_cookies cookies = {"0123456789abcde"};
    const apex_udp_address here = {.ip = {[15] = 1}, .port = 2};
    net_verify made = {.peer_id = 77, .client_peer_id = 0xFFE};
    net_cookie_make(&cookies, &here, 1, &made);
    ck_assert(is_cookie(&cookies, &here, 1, made));
    for (int bit = 0; bit < 46; bit++) {
        net_verify changed = made;
        uint64_t flip = 1ull << bit;
        changed.sequence ^= (uint16_t)(flip & 0xFFFF);
        changed.sent_time ^= (uint16_t)(flip >> 16 & 0xFFFF);
        changed.peer_id ^= (uint16_t)(flip >> 32 & 0xFFF);
        changed.up_session ^= (uint8_t)(flip >> 44);
        ck_assert_msg(!is_cookie(&cookies, &here, 1, changed), "bit %d", bit);
    }
}

TEST(a_bucket_gives_its_burst_and_then_its_rate) {
    net_bucket bucket = {0};
    net_rate rate = {.per_s = 10, .burst = 5};
    uint64_t now_us = 1000000;
    for (int i = 0; i < 5; i++) {
        ck_assert(net_bucket_take(&bucket, rate, 1, now_us));
    }
    ck_assert(!net_bucket_take(&bucket, rate, 1, now_us));
    ck_assert(!net_bucket_take(&bucket, rate, 1, now_us + 99999));
    ck_assert(net_bucket_take(&bucket, rate, 1, now_us + 100000));
    ck_assert(!net_bucket_take(&bucket, rate, 1, now_us + 100000));
    // All or nothing, and no more than the burst after the longest rest.
    ck_assert(!net_bucket_take(&bucket, rate, 3, now_us + 300000));
    ck_assert(net_bucket_take(&bucket, rate, 2, now_us + 300000));
    ck_assert(!net_bucket_take(&bucket, rate, 6, now_us + 3600000000u));
    ck_assert(net_bucket_take(&bucket, rate, 5, now_us + 3600000000u));
}

TEST(a_list_grows_until_the_frame_is_full) {
    apex_arena frame;
    ck_assert_int_eq(apex_arena_create(&frame, 4096), APEX_OK);
    net_frame_list list = {.item_bytes = sizeof(uint32_t)};
    uint32_t count = 0;
    for (uint32_t *item; (item = net_frame_list_add(&list, &frame)); count++) {
        ck_assert_uint_eq(*item, 0);
        *item = count;
    }
    // 32, 64, ... 512 items of 4 bytes fill 3,968; 1,024 more would not fit beside them.
    ck_assert_uint_eq(count, 512);
    ck_assert_uint_eq(list.count, count);
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_uint_eq(((uint32_t *)list.items)[i], i);
    }
    apex_arena_destroy(&frame);
}

TEST(a_link_is_known_from_open_to_free) {
    net_links links;
    uint32_t slot = 99;
    ck_assert_int_eq(net_links_create(&links, 4), APEX_OK);
    net_links_set_half_open(&links, 2, 100);
    ck_assert_uint_eq(links.half_open_count, 1);
    ck_assert(!net_links_slot(&links, net_links_handle(&links, 2), &slot));
    net_links_set_open(&links, 2, 0);
    ck_assert_uint_eq(links.half_open_count, 0);
    apex_link link = net_links_handle(&links, 2);
    ck_assert(net_links_slot(&links, link, &slot));
    ck_assert_uint_eq(slot, 2);
    net_links_set_fault(&links, 2, APEX_REASON_BAD_MESSAGE);
    net_links_set_fault(&links, 2, APEX_REASON_SERVER_FULL);
    net_links_set_fault(&links, 1, APEX_REASON_BAD_MESSAGE); // not open
    ck_assert_uint_eq(links.faulty_count, 1);
    ck_assert_uint_eq(links.records[2].fault, APEX_REASON_BAD_MESSAGE);
    net_links_set_closing(&links, 2, 5);
    ck_assert_uint_eq(links.faulty_count, 0);
    ck_assert(net_links_slot(&links, link, &slot));
    net_links_set_free(&links, 2);
    ck_assert(!net_links_slot(&links, link, &slot));
    links.records[2].generation = UINT16_MAX;
    net_links_set_open(&links, 2, 0);
    ck_assert_uint_eq(net_links_handle(&links, 2).generation, 1);
    ck_assert(!net_links_slot(&links, (apex_link){0, 1}, &slot));
    ck_assert(!net_links_slot(&links, (apex_link){5, 1}, &slot));
    net_links_destroy(&links);
}

// What the last client of a slot did is nothing that the next one did.
TEST(a_link_begins_with_nothing_said) {
    net_links links;
    ck_assert_int_eq(net_links_create(&links, 2), APEX_OK);
    net_links_set_open(&links, 1, 5000);
    ck_assert_uint_eq(links.records[1].heard_us, 5000);
    apex_link before = net_links_handle(&links, 1);
    links.records[1].said_goodbye = true;
    links.records[1].is_doubtful = true;
    links.records[1].queued_bytes = 300;
    net_links_set_free(&links, 1);
    net_links_set_open(&links, 1, 6000);
    ck_assert(!links.records[1].said_goodbye);
    ck_assert(!links.records[1].is_doubtful);
    ck_assert_uint_eq(links.records[1].queued_bytes, 0);
    ck_assert_uint_ne(net_links_handle(&links, 1).generation, before.generation);
    net_links_destroy(&links);
}
