// links: web
// Proxies in front of the gateway: the clients for which they may speak, what they say, and that
// each client behind them has limits of his own.
#include "support/base/check_main.h"
#include "support/web/web_rig.h"
#include "web/door/host_names.h"
#include "web/door/trusted_proxies.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

static web_address address_of(const char *text) {
    web_address address = {{0}};
    struct in_addr v4;
    if (inet_pton(AF_INET, text, &v4) == 1) {
        address.bytes[10] = address.bytes[11] = 0xff;
        memcpy(address.bytes + 12, &v4, 4);
    } else {
        ck_assert_int_eq(inet_pton(AF_INET6, text, address.bytes), 1);
    }
    return address;
}

static bool trusts(const char *list, const char *address) {
    web_proxies proxies;
    ck_assert_msg(web_proxies_parse(list, &proxies), "%s", list);
    web_address asked = address_of(address);
    return web_proxies_have(&proxies, &asked);
}

TEST(lists_of_proxies) {
    ck_assert(!trusts("", "127.0.0.1"));
    ck_assert(trusts("127.0.0.1", "127.0.0.1"));
    ck_assert(!trusts("127.0.0.1", "127.0.0.2"));
    ck_assert(!trusts("127.0.0.1", "::1"));
    ck_assert(trusts(" ::1,\t127.0.0.1 ", "::1"));
    ck_assert(trusts("10.0.0.0/8", "10.255.1.2"));
    ck_assert(!trusts("10.0.0.0/8", "11.0.0.0"));
    ck_assert(trusts("192.168.4.128/26", "192.168.4.191"));
    ck_assert(!trusts("192.168.4.128/26", "192.168.4.192"));
    ck_assert(trusts("fd00:1::/33", "fd00:1:7fff::1"));
    ck_assert(!trusts("fd00:1::/33", "fd00:1:8000::1"));
    ck_assert(!trusts("fd00::/8", "10.0.0.1"));
    // All of IPv4 is no part of an IPv6 network by chance.
    ck_assert(!trusts("::/1", "8000::1"));

    static const char *const bad[] = {"localhost",   "10.0.0.0/33", "10.0.0.0/0",  "10.0.0.0/",
                                      "10.0.0.0/-1", "10.0.0/8",    "::1/129",     "::1/8/8",
                                      "10.0.0.1:80", "[::1]",       "10.0.0.0/08x"};
    web_proxies proxies;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(!web_proxies_parse(bad[i], &proxies), "%s", bad[i]);
    }
    char many[WEB_PROXIES_MAX * 10 + 10] = "";
    for (size_t i = 0; i <= WEB_PROXIES_MAX; i++) {
        snprintf(many + 9 * i, sizeof many - 9 * i, "10.0.0.1 ");
        ck_assert(web_proxies_parse(many, &proxies) == (i < WEB_PROXIES_MAX));
    }
}

// Lines as they came. @return the client that asks; "": it was refused
static const char *asks(const char *lines) {
    static char request[4096], text[INET6_ADDRSTRLEN];
    web_proxies proxies;
    web_head head;
    snprintf(request, sizeof request, "GET / HTTP/1.1\r\n%s\r\n", lines);
    ck_assert(web_proxies_parse("127.0.0.1 10.0.0.0/8 fd00::/8", &proxies));
    ck_assert_int_eq(web_read_head((const uint8_t *)request, strlen(request), &head).state,
                     WEB_HEAD_WHOLE);
    web_address address = address_of("127.0.0.1");
    if (!web_proxies_read(&proxies, &head, &address)) {
        return "";
    }
    inet_ntop(AF_INET6, address.bytes, text, sizeof text);
    return strncmp(text, "::ffff:", 7) == 0 ? text + 7 : text;
}

TEST(what_proxies_say) {
    ck_assert_str_eq(asks(""), "127.0.0.1");
    ck_assert_str_eq(asks("X-Forwarded-For: 192.0.2.1\r\n"), "192.0.2.1");
    ck_assert_str_eq(asks("x-forwarded-for:2001:db8::7\r\n"), "2001:db8::7");
    // Anybody may have written what stands before the address that the proxy saw.
    ck_assert_str_eq(asks("X-Forwarded-For: 10.0.0.1, 8.8.8.8, 192.0.2.1\r\n"), "192.0.2.1");
    ck_assert_str_eq(asks("X-Forwarded-For: nonsense, 192.0.2.1\r\n"), "192.0.2.1");
    // Through two proxies of ours, in one line and in two.
    ck_assert_str_eq(asks("X-Forwarded-For: 8.8.8.8, 192.0.2.1, 10.1.2.3\r\n"), "192.0.2.1");
    ck_assert_str_eq(asks("X-Forwarded-For: 8.8.8.8, 192.0.2.1\r\nX-Forwarded-For: 10.1.2.3\r\n"),
                     "192.0.2.1");
    ck_assert_str_eq(asks("X-Forwarded-For: 8.8.8.8\r\nAccept: */*\r\nX-Forwarded-For: fd00::9,"
                          "192.0.2.1\r\n"),
                     "192.0.2.1");
    // Of many lines the last four are kept, in their order: what a stranger wrote before counts as
    // little as the lines that he wrote.
    ck_assert_str_eq(asks("X-Forwarded-For: 8.8.8.1\r\nX-Forwarded-For: 8.8.8.2\r\n"
                          "X-Forwarded-For: 192.0.2.3\r\nX-Forwarded-For: 10.0.0.4\r\n"
                          "X-Forwarded-For: 10.0.0.5\r\nX-Forwarded-For: 10.0.0.6\r\n"),
                     "192.0.2.3");
    ck_assert_str_eq(asks("X-Forwarded-For: 8.8.8.1\r\nX-Forwarded-For: 10.0.0.2\r\n"
                          "X-Forwarded-For: 10.0.0.3\r\nX-Forwarded-For: 10.0.0.4\r\n"
                          "X-Forwarded-For: 10.0.0.5\r\n"),
                     "10.0.0.2");
    ck_assert_str_eq(asks("X-Forwarded-For: 10.0.0.1\r\nX-Forwarded-For: 10.0.0.2\r\n"
                          "X-Forwarded-For: 10.0.0.3\r\nX-Forwarded-For: 10.0.0.4\r\n"
                          "X-Forwarded-For: 192.0.2.5\r\n"),
                     "192.0.2.5");
    ck_assert_str_eq(asks("X-Forwarded-For: 10.0.0.1\r\nX-Forwarded-For: 10.0.0.2\r\n"
                          "X-Forwarded-For: 10.0.0.3\r\nX-Forwarded-For: 192.0.2.4\r\n"
                          "X-Forwarded-For: 10.0.0.5\r\n"),
                     "192.0.2.4");
    // A proxy itself asks.
    ck_assert_str_eq(asks("X-Forwarded-For: 10.1.2.3\r\n"), "10.1.2.3");
    // Ports are of no interest.
    ck_assert_str_eq(asks("X-Forwarded-For: 192.0.2.1:4711\r\n"), "192.0.2.1");
    ck_assert_str_eq(asks("X-Forwarded-For: [2001:db8::7]:65535\r\n"), "2001:db8::7");
    ck_assert_str_eq(asks("X-Forwarded-For: [2001:db8::7]\r\n"), "2001:db8::7");

    static const char *const bad[] = {
        "",
        "unknown",
        "192.0.2.1,",
        "192.0.2.1:",
        "192.0.2.1:123456",
        "[::1",
        "::1]:80",
        "[192.0.2.1]",
        "[2001:db8::7]80",
        "192.0.2.1.",
        "192.0.2",
        "0x7f000001",
        "192.0.2.1 8.8.8.8",
        "_hidden",
        "2001:db8::7:::",
        "192.0.2.1:80:80",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char line[128];
        snprintf(line, sizeof line, "X-Forwarded-For: %s\r\n", bad[i]);
        ck_assert_msg(asks(line)[0] == '\0', "'%s': %s", bad[i], asks(line));
    }
}

static web_rig *rig;

static void start(void) {
    rig = web_rig_new();
    rig->def.proxies = "127.0.0.7";
    rig->def.connections_per_address_max = 2;
    rig->def.connections_per_s_max = 1;
    rig->def.hosts = "race.example";
    web_rig_open(rig);
}

static void stop(void) {
    web_rig_free(rig);
}

static int ask(web_client *client, const char *path, const char *line) {
    web_client_next(client);
    web_client_say(client, "GET %s HTTP/1.1\r\nHost: race.example\r\n%s\r\n", path, line);
    return web_client_answer(client, rig);
}

static void take(web_client *client, const char *line, const char *wanted) {
    static apex_web_request request;
    web_client_next(client);
    web_client_say(client, "GET /api/races HTTP/1.1\r\nHost: race.example\r\n%s\r\n", line);
    for (int i = 0; i < 100; i++) {
        web_rig_turn(rig);
        if (apex_web_take_request(rig->web, &request)) {
            ck_assert_str_eq(request.address, wanted);
            apex_web_answer answer = {
                .status = 200, .type = "text/plain", .bytes = "x", .length = 1};
            apex_web_answer_request(rig->web, request.id, &answer);
            ck_assert_int_eq(web_client_answer(client, rig), 200);
            return;
        }
    }
    ck_abort_msg("no request came");
}

FIXTURE(start, stop)

TEST(requests_are_those_of_who_asks) {
    web_client proxy, stranger;
    web_client_open(&proxy, rig, "127.0.0.7");
    web_client_open(&stranger, rig, "127.0.0.8");
    take(&proxy, "X-Forwarded-For: 192.0.2.1\r\n", "192.0.2.1");
    take(&proxy, "X-Forwarded-For: 192.0.2.2\r\n", "192.0.2.2");
    take(&proxy, "", "127.0.0.7");                                  // it looks whether we are well
    take(&stranger, "X-Forwarded-For: 192.0.2.1\r\n", "127.0.0.8"); // which nobody believes
    ck_assert_int_eq(ask(&proxy, "/nowhere", "X-Forwarded-For: nobody\r\n"), 400);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_REQUEST), 1);
    web_client_close(&proxy);
    web_client_close(&stranger);
}

// A proxy has as many connections as it wants, and new ones as fast as it wants.
TEST(a_proxy_is_not_limited) {
    web_client clients[12];
    for (int i = 0; i < 12; i++) {
        web_client_open(&clients[i], rig, "127.0.0.7");
        ck_assert_int_eq(ask(&clients[i], "/nowhere", ""), 404);
    }
    for (int i = 0; i < 12; i++) {
        web_client_close(&clients[i]);
    }
    for (int i = 0; i < 50; i++) {
        web_rig_turn(rig);
    }
    ck_assert_uint_eq(apex_web_connections(rig->web), 0);
}

static int upgrade(web_client *client, const char *who) {
    char line[128];
    snprintf(line, sizeof line, "Sec-WebSocket-Protocol: apex-1\r\nX-Forwarded-For: %s\r\n", who);
    web_client_open(client, rig, "127.0.0.7");
    return web_client_upgrade(client, rig, "/race/1", line);
}

TEST(those_behind_it_are) {
    web_client clients[6];
    ck_assert_int_eq(upgrade(&clients[0], "192.0.2.1"), 101);
    // The distance to the proxy says nothing of the player.
    apex_link_quality quality;
    ck_assert(!apex_web_quality(rig->web, rig->room, web_rig_last(rig, APEX_LINK_OPENED)->link,
                                &quality));
    ck_assert_str_eq(web_rig_last(rig, APEX_LINK_OPENED)->address, "192.0.2.1");
    ck_assert_int_eq(upgrade(&clients[1], "192.0.2.1"), 101);
    ck_assert_int_eq(upgrade(&clients[2], "192.0.2.1"), 429);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_ADDRESS), 1);
    ck_assert_int_eq(upgrade(&clients[3], "192.0.2.2"), 101);
    web_client_close(&clients[0]);
    for (int i = 0; i < 50; i++) {
        web_rig_turn(rig);
    }
    ck_assert_int_eq(upgrade(&clients[4], "192.0.2.1"), 101); // there is a place again
    for (int i = 1; i < 5; i++) {
        web_client_close(&clients[i]);
    }
    for (int i = 0; i < 50; i++) {
        web_rig_turn(rig);
    }
    ck_assert_uint_eq(apex_web_connections(rig->web), 0);
    // Five in five seconds, of which three are left.
    int refused = 0;
    for (int i = 0; i < 4; i++) {
        refused += upgrade(&clients[i], "192.0.2.1") == 429;
        web_client_close(&clients[i]);
        for (int k = 0; k < 50; k++) {
            web_rig_turn(rig);
        }
    }
    ck_assert_int_eq(refused, 2);
    ck_assert_uint_eq(web_rig_count(rig, APEX_WEB_REFUSED_RATE), 2);
}

FIXTURE(NULL, NULL)

TEST(a_site_goes_by_its_names) {
    static const struct {
        const char *host, *address, *hosts;
        bool is_ours;
    } cases[] = {
        {"evil.example", "0.0.0.0", "", true}, // nobody has said what it is called
        {"evil.example", "0.0.0.0", "race.example", false},
        {"race.example:8080", "0.0.0.0", "www.example, RACE.example", true},
        {"race.example.evil.example", "0.0.0.0", "race.example", false},
        {"192.0.2.1:8080", "0.0.0.0", "race.example", true},
        {"[2001:db8::1]:8080", "", "race.example", true},
        {"localhost", "", "race.example", true},
        {"friend.example", "", "race.example", true}, // by its origin
        {"192.0.2.1", "localhost", "race.example", false},
        {"race.example", "localhost", "race.example", true},
        {"race.example", "localhost", "", false},
        {"1.evil.example", "", "race.example", false},
        {"", "", "race.example", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        web_head head = {.has_host = true, .host = {cases[i].host, strlen(cases[i].host)}};
        ck_assert_msg(web_host_is_ours(&head, cases[i].address, cases[i].hosts,
                                       "https://friend.example") == cases[i].is_ours,
                      "%s on %s as %s", cases[i].host, cases[i].address, cases[i].hosts);
    }
    web_head unnamed = {.has_host = false};
    ck_assert(!web_host_is_ours(&unnamed, "", "race.example", ""));
}

TEST(a_bad_list_is_told) {
    web_rig *bad = web_rig_new();
    ck_assert_int_eq(uv_loop_init(&bad->loop), 0);
    bad->def.loop = &bad->loop;
    bad->def.proxies = "10.0.0.0/99";
    char why[APEX_WEB_WHY_BYTES];
    ck_assert_int_eq(apex_web_create(&bad->def, &bad->web, why), APEX_ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(why, "10.0.0.0/99"));
    web_rig_free(bad);
}
