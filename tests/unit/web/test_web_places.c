// Tests of interfaces' addresses as they are told to friends.

#include <stdio.h>
#include <string.h>

#include "support/base/check_main.h"
#include "web/places.h"

static uv_interface_address_t found[24];
static int found_count;
static apex_web_place places[APEX_WEB_PLACES_MAX];

static void add(const char *name, const char *address, bool is_internal) {
    uv_interface_address_t *one = &found[found_count++];
    memset(one, 0, sizeof *one);
    one->name = (char *)(uintptr_t)name;
    one->is_internal = is_internal;
    if (strchr(address, ':') != NULL) {
        ck_assert_int_eq(uv_ip6_addr(address, 0, &one->address.address6), 0);
    } else {
        ck_assert_int_eq(uv_ip4_addr(address, 0, &one->address.address4), 0);
    }
}

static void begin(void) {
    found_count = 0;
    add("lo", "127.0.0.1", true);
    add("docker0", "172.17.0.1", false);
    add("eth0", "192.0.2.7", false);
    add("lo", "::1", true);
    add("eth0", "fe80::fc:ff:fe00:1", false);
    add("eth0", "2001:db8::7", false);
}

static size_t list(const char *first, bool ipv4_only) {
    const web_places_def def = {.found = found,
                                .found_count = found_count,
                                .first = first,
                                .port = 8080,
                                .ipv4_only = ipv4_only};
    return web_places_of(&def, places);
}

FIXTURE(begin, NULL)

TEST(others_are_told_what_they_can_type) {
    ck_assert_uint_eq(list("192.0.2.7", false), 3);
    ck_assert_str_eq(places[0].url, "http://192.0.2.7:8080/"); // not the containers' bridge
    ck_assert_str_eq(places[0].name, "eth0");
    ck_assert_str_eq(places[1].url, "http://172.17.0.1:8080/");
    ck_assert_str_eq(places[1].name, "docker0");
    ck_assert_str_eq(places[2].url, "http://[2001:db8::7]:8080/");
}

TEST(without_a_way_to_the_world_the_order_is_the_systems) {
    ck_assert_uint_eq(list("", false), 3);
    ck_assert_str_eq(places[0].url, "http://172.17.0.1:8080/");
}

TEST(a_page_of_ipv4_has_no_other_address) {
    ck_assert_uint_eq(list("192.0.2.7", true), 2);
    ck_assert_str_eq(places[1].url, "http://172.17.0.1:8080/");
}

TEST(more_than_there_is_room_for_are_left_out) {
    found_count = 0;
    while (found_count < 23) {
        add("a-name-that-is-longer-than-any", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", false);
    }
    add("eth0", "192.0.2.7", false);
    ck_assert_uint_eq(list("192.0.2.7", false), APEX_WEB_PLACES_MAX);
    ck_assert_str_eq(places[0].url, "http://192.0.2.7:8080/");
    const apex_web_place *last = &places[APEX_WEB_PLACES_MAX - 1];
    ck_assert_str_eq(last->url, "http://[2001:db8:ffff:ffff:ffff:ffff:ffff:ffff]:8080/");
    ck_assert_uint_eq(strlen(last->name), APEX_WEB_INTERFACE_BYTES - 1);
}

TEST(one_address_has_none_beside_it) {
    ck_assert_uint_eq(apex_web_places("localhost", 8080, false, places), 0);
    ck_assert_uint_eq(apex_web_places("192.0.2.7", 8080, false, places), 0);
}
