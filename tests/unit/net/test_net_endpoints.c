// Where links are: found by address and port, counted by household, and let go; and the lowest
// place that is free.
#include "support/base/check_main.h"

#include <stdio.h>

#include "net/enet/endpoints.h"
#include "net/enet/link_table.h"

enum { LINKS = 100 };

static net_endpoints table;

static void start(void) {
    ck_assert_int_eq(net_endpoints_create(&table, LINKS), APEX_OK);
}

static void stop(void) {
    net_endpoints_destroy(&table);
}

static apex_udp_address at(const char *host, uint16_t port) {
    apex_udp_address address;
    ck_assert(apex_udp_parse_host(host, &address));
    address.port = port;
    return address;
}

static uint32_t add(const char *host, uint16_t port) {
    apex_udp_address address = at(host, port);
    return net_endpoints_add(&table, &address);
}

static uint32_t find(const char *host, uint16_t port) {
    apex_udp_address address = at(host, port);
    return net_endpoints_find(&table, &address);
}

static uint32_t household(const char *host) {
    apex_udp_address address = at(host, 1);
    return net_endpoints_of_household(&table, &address);
}

FIXTURE(start, stop)

TEST(an_address_is_found_with_its_port) {
    ck_assert_uint_eq(find("1.2.3.4", 5), NET_ENDPOINT_NONE);
    uint32_t first = add("1.2.3.4", 5);
    uint32_t second = add("1.2.3.4", 6);
    ck_assert_uint_ne(first, second);
    ck_assert_uint_eq(find("1.2.3.4", 5), first);
    ck_assert_uint_eq(find("1.2.3.4", 6), second);
    ck_assert_uint_eq(find("1.2.3.5", 5), NET_ENDPOINT_NONE);
    ck_assert_uint_eq(net_endpoints_at(&table, first)->address.port, 5);
}

TEST(several_links_of_one_address_share_it_until_the_last_goes) {
    uint32_t index = add("::1", 7);
    ck_assert_uint_eq(add("::1", 7), index);
    net_endpoints_remove(&table, index);
    ck_assert_uint_eq(find("::1", 7), index);
    ck_assert_uint_eq(household("::1"), 1);
    net_endpoints_remove(&table, index);
    ck_assert_uint_eq(find("::1", 7), NET_ENDPOINT_NONE);
    ck_assert_uint_eq(household("::1"), 0);
}

TEST(a_household_is_counted_over_its_ports_and_addresses) {
    add("1.2.3.4", 1);
    add("1.2.3.4", 2);
    uint32_t other = add("1.2.3.5", 1);
    add("2001:db8::1", 1);
    add("2001:db8::2", 1);
    add("2001:db8:0:1::1", 1);
    ck_assert_uint_eq(household("1.2.3.4"), 2);
    ck_assert_uint_eq(household("1.2.3.5"), 1);
    ck_assert_uint_eq(household("2001:db8::ffff"), 2);
    ck_assert_uint_eq(household("2001:db8:0:1::9"), 1);
    net_endpoints_remove(&table, other);
    ck_assert_uint_eq(household("1.2.3.5"), 0);
    ck_assert_uint_eq(household("1.2.3.4"), 2);
}

// Filled, emptied in another order and filled again: chains stay whole, and no entry is lost.
TEST(all_places_can_be_taken_again_and_again) {
    for (uint32_t round = 0; round < 7; round++) {
        char host[32];
        for (uint32_t i = 0; i < LINKS; i++) {
            snprintf(host, sizeof host, "10.0.%u.%u", round, i);
            uint32_t index = add(host, (uint16_t)(i + 1));
            ck_assert_uint_ge(index, 1);
            ck_assert_uint_le(index, LINKS);
        }
        for (uint32_t i = 0; i < LINKS; i++) {
            uint32_t k = (i * 37 + round) % LINKS;
            snprintf(host, sizeof host, "10.0.%u.%u", round, k);
            uint32_t index = find(host, (uint16_t)(k + 1));
            ck_assert_uint_ne(index, NET_ENDPOINT_NONE);
            net_endpoints_remove(&table, index);
            ck_assert_uint_eq(find(host, (uint16_t)(k + 1)), NET_ENDPOINT_NONE);
        }
    }
}

TEST(the_lowest_free_place_of_a_range_is_found) {
    net_links links;
    ck_assert_int_eq(net_links_create(&links, 200), APEX_OK);
    ck_assert_uint_eq(net_links_lowest_free(&links, 0, 200), 0);
    ck_assert_uint_eq(net_links_lowest_free(&links, 70, 200), 70);
    for (uint32_t slot = 0; slot < 130; slot++) {
        net_links_set_half_open(&links, slot, 1);
    }
    ck_assert_uint_eq(net_links_lowest_free(&links, 0, 200), 130);
    ck_assert_uint_eq(net_links_lowest_free(&links, 0, 130), 130); // none: the end
    ck_assert_uint_eq(net_links_lowest_free(&links, 0, 100), 100);
    net_links_set_free(&links, 65);
    net_links_set_free(&links, 64);
    ck_assert_uint_eq(net_links_lowest_free(&links, 0, 200), 64);
    ck_assert_uint_eq(net_links_lowest_free(&links, 65, 200), 65);
    ck_assert_uint_eq(net_links_lowest_free(&links, 66, 200), 130);
    net_links_set_open(&links, 64, 1);
    ck_assert_uint_eq(net_links_lowest_free(&links, 0, 200), 65);
    net_links_destroy(&links);
}
