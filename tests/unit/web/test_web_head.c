// links: web
// Heads of requests: what is taken, what is refused and with which words.
#include "support/base/check_main.h"
#include "web/door/host_names.h"
#include "web/door/request_head.h"

#include <stdio.h>
#include <string.h>

static web_head head;

static web_head_result read_text(const char *text) {
    return web_read_head((const uint8_t *)text, strlen(text), &head);
}

// A request for a path with more headers.
static web_head_result read_with(const char *path, const char *headers) {
    static char text[20000];
    int length = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: a\r\n%s\r\n", path, headers);
    ck_assert_int_lt(length, (int)sizeof text);
    return read_text(text);
}

static int status_of(const char *text) {
    web_head_result result = read_text(text);
    ck_assert_int_ne(result.state, WEB_HEAD_PART);
    ck_assert(result.state == WEB_HEAD_WHOLE || strlen(result.why) > 10);
    return result.state == WEB_HEAD_BAD ? result.status : 0;
}

TEST(a_browsers_request_is_read) {
    const char *text = "GET /race/1?as=driver&x=%20 HTTP/1.1\r\n"
                       "hOST: localhost:8080\r\n"
                       "Connection: keep-alive\r\n"
                       "Accept-Encoding: br;q=1.0, gzip, deflate\r\n"
                       "If-None-Match:   W/\"abc\", \"def\" \t\r\n"
                       "Authorization: bearer  s3cret \r\n"
                       "Origin: http://localhost:8080\r\n"
                       "X-Empty:\r\n"
                       "\r\nGET";
    web_head_result result = read_text(text);
    ck_assert_int_eq(result.state, WEB_HEAD_WHOLE);
    ck_assert_uint_eq(result.length, strlen(text) - 3);
    ck_assert_int_eq(head.method, WEB_GET);
    ck_assert_str_eq(head.path, "/race/1");
    ck_assert_str_eq(head.query, "as=driver&x=%20");
    ck_assert_str_eq(head.token, "s3cret");
    ck_assert(head.keeps_alive && head.takes_gzip && !head.wants_upgrade);
    ck_assert(web_text_is(head.host, "LOCALHOST:8080"));
    ck_assert(web_text_is(head.origin, "http://localhost:8080"));
    ck_assert(web_text_is(head.etags, "W/\"abc\", \"def\""));
    ck_assert_uint_eq(head.body_length, 0);
}

TEST(a_head_that_has_not_come_whole_is_waited_for) {
    const char *text = "POST /api/x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello";
    size_t whole = strlen(text) - 5;
    for (size_t length = 0; length < whole; length++) {
        web_head_result result = web_read_head((const uint8_t *)text, length, &head);
        ck_assert_int_eq(result.state, WEB_HEAD_PART);
    }
    ck_assert_int_eq(read_text(text).state, WEB_HEAD_WHOLE);
    ck_assert_uint_eq(head.body_length, 5);
    ck_assert_int_eq(head.method, WEB_POST);
}

TEST(what_is_no_request_is_refused) {
    static const struct {
        const char *text;
        int status;
    } cases[] = {
        {"GET / HTTP/1.1\r\n\r\n", 0},
        {"\r\n\r\nGET / HTTP/1.0\r\n\r\n", 0},
        {"GET / HTTP/1.1\nHost: a\n\r\n\r\n", 400},
        {"GET  / HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/1.1 \r\n\r\n", 400},
        {"GET /\r\n\r\n", 400},
        {" GET / HTTP/1.1\r\n\r\n", 400},
        {"GET / HTTP/2.0\r\n\r\n", 505},
        {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
        {"GET * HTTP/1.1\r\n\r\n", 400},
        {"GET http://a/ HTTP/1.1\r\n\r\n", 400},
        {"CONNECT a:80 HTTP/1.1\r\n\r\n", 400},
        {"GET /\x01 HTTP/1.1\r\n\r\n", 400},
        {"\x16\x03\x01\x02 tls\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\n: a\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nA: b\r\n folded\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nA: b\x7f\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nA: b\rc\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400},
        {"GET / HTTP/1.1\r\nOrigin: a\r\nOrigin: b\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nContent-Length: 4096\r\n\r\n", 0},
        {"POST / HTTP/1.1\r\nContent-Length: 4097\r\n\r\n", 413},
        {"POST / HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nContent-Length: 5, 5\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nContent-Length: \r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nContent-Length: 18446744073709551617\r\n\r\n", 400},
        {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_msg(status_of(cases[i].text) == cases[i].status, "case %zu: %d", i,
                      status_of(cases[i].text));
    }
}

TEST(a_zero_byte_is_no_part_of_a_head) {
    static const uint8_t text[] = "GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n";
    web_head_result result = web_read_head(text, sizeof text - 1, &head);
    ck_assert_int_eq(result.state, WEB_HEAD_BAD);
    ck_assert_uint_eq(result.status, 400);
}

TEST(paths_are_decoded_and_lead_nowhere_else) {
    static const struct {
        const char *path;
        const char *decoded; // NULL: refused
    } cases[] = {
        {"/", "/"},
        {"/replay/my%20race.apex", "/replay/my race.apex"},
        {"/a+b", "/a+b"},
        {"/%e2%82%ac", "/\xe2\x82\xac"},
        {"/.well-known", "/.well-known"},
        {"/a..b", "/a..b"},
        {"/a/...", "/a/..."},
        {"/..", NULL},
        {"/../etc/passwd", NULL},
        {"/a/%2e%2e/b", NULL},
        {"/a/.%2e", NULL},
        {"/./a", NULL},
        {"/a%00b", NULL},
        {"/a%0d%0ab", NULL},
        {"/a%7f", NULL},
        {"/%", NULL},
        {"/%4", NULL},
        {"/%4g", NULL},
        {"/a#b", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        web_head_result result = read_with(cases[i].path, "");
        if (cases[i].decoded == NULL) {
            ck_assert_msg(result.state == WEB_HEAD_BAD && result.status == 400, "%s",
                          cases[i].path);
        } else {
            ck_assert_msg(result.state == WEB_HEAD_WHOLE, "%s", cases[i].path);
            ck_assert_str_eq(head.path, cases[i].decoded);
        }
    }
}

TEST(lengths_are_bounded_to_the_byte) {
    static char text[20000];
    memset(text, 'a', sizeof text);
    text[0] = '/';
    text[APEX_WEB_PATH_BYTES - 1] = '\0'; // 255 characters
    ck_assert_int_eq(read_with(text, "").state, WEB_HEAD_WHOLE);
    ck_assert_uint_eq(strlen(head.path), APEX_WEB_PATH_BYTES - 1);
    memcpy(text + APEX_WEB_PATH_BYTES - 1, "a", 2);
    ck_assert_uint_eq(read_with(text, "").status, 414);

    memset(text, 'q', sizeof text);
    memcpy(text, "/?", 2);
    text[2 + APEX_WEB_QUERY_BYTES - 1] = '\0';
    ck_assert_int_eq(read_with(text, "").state, WEB_HEAD_WHOLE);
    ck_assert_uint_eq(strlen(head.query), APEX_WEB_QUERY_BYTES - 1);
    memcpy(text + 2 + APEX_WEB_QUERY_BYTES - 1, "q", 2);
    ck_assert_uint_eq(read_with(text, "").status, 414);

    char token[300];
    int length = snprintf(token, sizeof token, "Authorization: Bearer %0*d\r\n",
                          APEX_WEB_TOKEN_BYTES - 1, 7);
    ck_assert_int_lt(length, (int)sizeof token);
    ck_assert_int_eq(read_with("/", token).state, WEB_HEAD_WHOLE);
    ck_assert_uint_eq(strlen(head.token), APEX_WEB_TOKEN_BYTES - 1);
    snprintf(token, sizeof token, "Authorization: Bearer %0*d\r\n", APEX_WEB_TOKEN_BYTES, 7);
    ck_assert_uint_eq(read_with("/", token).status, 400);
}

TEST(a_head_has_8_kib_and_100_lines) {
    static char text[WEB_HEAD_BYTES + 1];
    const char *begin = "GET / HTTP/1.1\r\nA: ";
    memset(text, 'x', sizeof text);
    memcpy(text, begin, strlen(begin));
    memcpy(text + WEB_HEAD_BYTES - 4, "\r\n\r\n", 4);
    ck_assert_int_eq(web_read_head((uint8_t *)text, WEB_HEAD_BYTES, &head).state, WEB_HEAD_WHOLE);
    memset(text + WEB_HEAD_BYTES - 4, 'x', 5);
    ck_assert_int_eq(web_read_head((uint8_t *)text, WEB_HEAD_BYTES - 1, &head).state,
                     WEB_HEAD_PART);
    ck_assert_uint_eq(web_read_head((uint8_t *)text, WEB_HEAD_BYTES, &head).status, 431);

    char lines[1024] = "";
    for (int i = 0; i < WEB_HEAD_LINES_MAX; i++) {
        memcpy(lines + (size_t)i * 6, "A: b\r\n", 7);
    }
    ck_assert_uint_eq(read_with("/", lines).status, 431); // with Host one too many
    ck_assert_int_eq(read_with("/", lines + 6).state, WEB_HEAD_WHOLE);
}

TEST(codings_and_connections_are_lists) {
    static const struct {
        const char *headers;
        bool gzip, kept;
    } cases[] = {
        {"", false, true},
        {"Accept-Encoding: gzip\r\n", true, true},
        {"Accept-Encoding: GZIP;q=0.8\r\n", true, true},
        {"Accept-Encoding: gzip;q=0\r\n", false, true},
        {"Accept-Encoding: gzip; q=0.000\r\n", false, true},
        {"Accept-Encoding: *\r\n", true, true},
        {"Accept-Encoding: *, gzip;q=0\r\n", false, true},
        {"Accept-Encoding: deflate, br\r\n", false, true},
        {"Accept-Encoding: gzipped\r\n", false, true},
        {"Connection: close\r\n", false, false},
        {"Connection: foo , Close\r\n", false, false},
        {"Connection: keep-alive\r\nConnection: close\r\n", false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_int_eq(read_with("/", cases[i].headers).state, WEB_HEAD_WHOLE);
        ck_assert_msg(head.takes_gzip == cases[i].gzip, "case %zu", i);
        ck_assert_msg(head.keeps_alive == cases[i].kept, "case %zu", i);
    }
    read_text("GET / HTTP/1.0\r\n\r\n");
    ck_assert(!head.keeps_alive);
    read_text("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n");
    ck_assert(head.keeps_alive);
}

TEST(a_loopback_server_has_names_of_its_own) {
    static const struct {
        const char *host;
        bool is_ours;
    } cases[] = {
        {"localhost", true},
        {"LocalHost:8080", true},
        {"127.0.0.1:1", true},
        {"[::1]", true},
        {"[::1]:8080", true},
        {"race.example", true},
        {"race.example:443", true},
        {"evil.example", false},
        {"localhost.evil.example", false},
        {"127.0.0.1.evil", false},
        {"", false},
        {":8080", false},
        {"[", false},
        {"[]", false},
        {"xlocalhost", false},
    };
    const char *origins = "https://other.example  https://race.example:8443";
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        web_head named = {.has_host = true, .host = {cases[i].host, strlen(cases[i].host)}};
        ck_assert_msg(web_host_is_ours(&named, "localhost", "", origins) == cases[i].is_ours, "%s",
                      cases[i].host);
        ck_assert(web_host_is_ours(&named, "0.0.0.0", "", ""));
        ck_assert(web_host_is_ours(&named, "", "", ""));
    }
    web_head unnamed = {.has_host = false};
    ck_assert(!web_host_is_ours(&unnamed, "127.0.0.1", "", origins));
}

TEST(an_origin_is_the_host_or_in_the_list) {
    static const struct {
        const char *origin;
        bool is_ours;
    } cases[] = {
        {"http://a.example:8080", true},
        {"https://A.example:8080", true},
        {"http://a.example", false},
        {"http://a.example:8081", false},
        {"https://list.example", true},
        {"http://list.example", false},
        {"https://list.example.evil", false},
        {"null", false},
        {"", false},
        {"http://", false},
        {"http://a.example:8080.evil", false},
        {"http://evil/a.example:8080", false},
    };
    const char *origins = "https://list.example";
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        web_head named = {.has_host = true,
                          .host = {"a.example:8080", 14},
                          .has_origin = true,
                          .origin = {cases[i].origin, strlen(cases[i].origin)}};
        ck_assert_msg(web_origin_is_ours(&named, origins) == cases[i].is_ours, "%s",
                      cases[i].origin);
    }
    web_head program = {.has_host = true, .host = {"a.example", 9}};
    ck_assert(web_origin_is_ours(&program, ""));
}
