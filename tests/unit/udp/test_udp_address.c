// Addresses of both families as text, and what of them limits go by.
#include "support/base/check_main.h"

#include "udp/udp.h"

#include <string.h>

static apex_udp_address parsed(const char *text) {
    apex_udp_address address;
    ck_assert_msg(apex_udp_parse_host(text, &address), "%s", text);
    return address;
}

static void expect_text(const char *text, const char *expected) {
    char out[APEX_UDP_HOST_TEXT_BYTES];
    apex_udp_address address = parsed(text);
    apex_udp_host_text(&address, out);
    ck_assert_str_eq(out, expected);
}

TEST(addresses_are_written_as_people_write_them) {
    expect_text("1.2.3.4", "1.2.3.4");
    expect_text("255.255.255.255", "255.255.255.255");
    expect_text("::1", "::1");
    expect_text("[2001:db8:0:0::7]", "2001:db8::7");
    expect_text("::ffff:9.8.7.6", "9.8.7.6");
    expect_text("1111:2222:3333:4444:5555:6666:7777:8888",
                "1111:2222:3333:4444:5555:6666:7777:8888");
}

TEST(anything_else_is_refused) {
    static const char *const texts[] = {
        "",          "localhost",
        "1.2.3",     "1.2.3.256",
        "1.2.3.4.5", "[1.2.3.4]",
        "[::1",      "::1]",
        "[]",        "12345::",
        "::1%lo",    " 1.2.3.4",
        "1.2.3.4:5", ":::",
        "0x7f1",     "1111:2222:3333:4444:5555:6666:7777:8888:9999:1111:2222:3333:4444:5555"};
    apex_udp_address address;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ck_assert_msg(!apex_udp_parse_host(texts[i], &address), "%s", texts[i]);
    }
}

TEST(both_ways_to_write_an_address_are_the_same) {
    apex_udp_address a = parsed("1.2.3.4");
    apex_udp_address b = parsed("::ffff:1.2.3.4");
    ck_assert(apex_udp_is_same(&a, &b));
    ck_assert(apex_udp_is_v4(&b));
    b.port = 1;
    ck_assert(!apex_udp_is_same(&a, &b));
    b = a;
    b.interface = 2;
    ck_assert(!apex_udp_is_same(&a, &b));
    b = parsed("1.2.3.5");
    ck_assert(!apex_udp_is_same(&a, &b));
    apex_udp_address six = parsed("::1.2.3.4"); // not the mapped one
    ck_assert(!apex_udp_is_v4(&six));
}

TEST(near_is_what_no_router_of_the_internet_passes_on) {
    static const char *const near[] = {"127.0.0.1",      "127.255.3.4", "10.0.0.1",    "172.16.0.1",
                                       "172.31.255.255", "192.168.7.7", "169.254.1.1", "::1",
                                       "fc00::1",        "fdff::1",     "fe80::1",     "febf::1"};
    static const char *const far[] = {"126.0.0.1",   "11.0.0.1",    "172.15.0.1",  "172.32.0.1",
                                      "192.167.1.1", "192.169.1.1", "169.253.1.1", "::2",
                                      "fb00::1",     "fe00::1",     "fec0::1",     "2001:db8::1",
                                      "8.8.8.8",     "::"};
    for (size_t i = 0; i < sizeof near / sizeof near[0]; i++) {
        apex_udp_address address = parsed(near[i]);
        ck_assert_msg(apex_udp_is_near(&address), "%s", near[i]);
    }
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
        apex_udp_address address = parsed(far[i]);
        ck_assert_msg(!apex_udp_is_near(&address), "%s", far[i]);
    }
}

static bool share(apex_udp_network (*part_of)(const apex_udp_address *), const char *a,
                  const char *b) {
    apex_udp_address first = parsed(a);
    apex_udp_address second = parsed(b);
    first.port = 1; // ports play no part
    apex_udp_network one = part_of(&first);
    apex_udp_network other = part_of(&second);
    return memcmp(&one, &other, sizeof one) == 0;
}

TEST(a_household_is_an_address_or_a_64) {
    ck_assert(share(apex_udp_subscriber_of, "1.2.3.4", "1.2.3.4"));
    ck_assert(!share(apex_udp_subscriber_of, "1.2.3.4", "1.2.3.5"));
    ck_assert(share(apex_udp_subscriber_of, "2001:db8:1:2::1", "2001:db8:1:2:ffff::9"));
    ck_assert(!share(apex_udp_subscriber_of, "2001:db8:1:2::1", "2001:db8:1:3::1"));
}

TEST(a_neighbourhood_is_a_24_or_a_48) {
    ck_assert(share(apex_udp_neighbourhood_of, "1.2.3.4", "1.2.3.255"));
    ck_assert(!share(apex_udp_neighbourhood_of, "1.2.3.4", "1.2.4.4"));
    ck_assert(share(apex_udp_neighbourhood_of, "2001:db8:1:2::1", "2001:db8:1:ffff::9"));
    ck_assert(!share(apex_udp_neighbourhood_of, "2001:db8:1:2::1", "2001:db8:2:2::1"));
    ck_assert(!share(apex_udp_neighbourhood_of, "1.2.3.4", "::102:304"));
}
