// Real sockets on loopback, of both families: what one end writes the other reads, many at a time.
#include "support/base/check_main.h"

#include "udp/udp.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int server_socket;
static uint16_t port;
static apex_udp_reader *reader;
static apex_udp_writer *writer;

static void open_server(const char *host) {
    apex_udp_def def = {.host = host, .buffer_bytes = 1 << 20};
    server_socket = apex_udp_open(&def, &port);
    ck_assert_int_ge(server_socket, 0);
    ck_assert_uint_gt(port, 0);
    ck_assert_int_eq(apex_udp_reader_create(server_socket, &reader), APEX_OK);
    ck_assert_int_eq(apex_udp_writer_create(server_socket, &writer), APEX_OK);
}

static void start(void) {
    open_server(NULL);
}

static void stop(void) {
    apex_udp_reader_destroy(reader);
    apex_udp_writer_destroy(writer);
    close(server_socket);
}

static bool has_v6(void) {
    apex_udp_def def = {.host = "::1"};
    uint16_t free_port = 0;
    int opened = apex_udp_open(&def, &free_port);
    if (opened >= 0) {
        close(opened);
    }
    return opened >= 0;
}

// @return as apex_udp_read, having waited for something to come.
static size_t read_soon(const apex_udp_datagram **datagrams) {
    struct pollfd waited = {.fd = server_socket, .events = POLLIN};
    ck_assert_int_eq(poll(&waited, 1, 5000), 1);
    return apex_udp_read(reader, datagrams);
}

static int connect_to(const char *host, const char *expected) {
    apex_udp_address server;
    char text[APEX_UDP_HOST_TEXT_BYTES];
    int client = apex_udp_connect(host, port, &server);
    ck_assert_int_ge(client, 0);
    apex_udp_host_text(&server, text);
    ck_assert_str_eq(text, expected);
    ck_assert_uint_eq(server.port, port);
    return client;
}

// There and back, whatever families the two have.
static void talk_from(const char *host) {
    const apex_udp_datagram *datagrams = NULL;
    char back[64];
    int client = connect_to(host, host);
    ck_assert_int_eq(send(client, "there", 5, 0), 5);
    ck_assert_uint_eq(read_soon(&datagrams), 1);
    ck_assert_uint_eq(datagrams[0].length, 5);
    ck_assert_mem_eq(datagrams[0].bytes, "there", 5);
    apex_udp_host_text(&datagrams[0].address, back);
    ck_assert_str_eq(back, host);
    memcpy(apex_udp_room(writer), "and back", 8);
    apex_udp_add(writer, &datagrams[0].address, 8);
    apex_udp_flush(writer);
    struct pollfd waited = {.fd = client, .events = POLLIN};
    ck_assert_int_eq(poll(&waited, 1, 5000), 1);
    ck_assert_int_eq(recv(client, back, sizeof back, 0), 8);
    ck_assert_mem_eq(back, "and back", 8);
    close(client);
}

FIXTURE(start, stop)

TEST(one_socket_talks_with_both_families) {
    talk_from("127.0.0.1");
    if (has_v6()) {
        talk_from("::1");
    }
    apex_udp_written written = apex_udp_written_by(writer);
    ck_assert_uint_eq(written.datagrams, has_v6() ? 2 : 1);
    ck_assert_uint_eq(written.bytes, has_v6() ? 16 : 8);
    ck_assert_uint_eq(written.errors, 0);
}

TEST(many_come_in_one_read_and_in_order) {
    const apex_udp_datagram *datagrams = NULL;
    int client = connect_to("127.0.0.1", "127.0.0.1");
    for (uint32_t i = 0; i < 100; i++) {
        ck_assert_int_eq(send(client, &i, sizeof i, 0), sizeof i);
    }
    ck_assert_uint_eq(read_soon(&datagrams), APEX_UDP_BATCH_MAX);
    for (uint32_t i = 0; i < APEX_UDP_BATCH_MAX; i++) {
        ck_assert_mem_eq(datagrams[i].bytes, &i, sizeof i);
    }
    ck_assert_uint_eq(apex_udp_read(reader, &datagrams), 100 - APEX_UDP_BATCH_MAX);
    ck_assert_uint_eq(datagrams[0].bytes[0], APEX_UDP_BATCH_MAX);
    ck_assert_uint_eq(apex_udp_read(reader, &datagrams), 0);
    close(client);
}

TEST(one_of_no_bytes_and_one_too_long_are_told) {
    static char bytes[APEX_UDP_DATAGRAM_BYTES_MAX + 1];
    const apex_udp_datagram *datagrams = NULL;
    int client = connect_to("127.0.0.1", "127.0.0.1");
    send(client, bytes, 0, 0);
    send(client, bytes, sizeof bytes, 0);
    send(client, bytes, sizeof bytes - 1, 0);
    ck_assert_uint_eq(read_soon(&datagrams), 3);
    ck_assert_uint_eq(datagrams[0].length, 0);
    ck_assert(!datagrams[0].is_cut);
    ck_assert(datagrams[1].is_cut);
    ck_assert(!datagrams[2].is_cut);
    ck_assert_uint_eq(datagrams[2].length, APEX_UDP_DATAGRAM_BYTES_MAX);
    close(client);
}

TEST(more_than_a_batch_is_written_in_order) {
    enum { COUNT = 3 * APEX_UDP_BATCH_MAX + 5 };
    const apex_udp_datagram *datagrams = NULL;
    int client = connect_to("127.0.0.1", "127.0.0.1");
    send(client, "x", 1, 0);
    ck_assert_uint_eq(read_soon(&datagrams), 1);
    apex_udp_address to = datagrams[0].address;
    for (uint32_t i = 0; i < COUNT; i++) {
        memcpy(apex_udp_room(writer), &i, sizeof i);
        apex_udp_add(writer, &to, sizeof i);
    }
    apex_udp_flush(writer);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t value = 0;
        struct pollfd waited = {.fd = client, .events = POLLIN};
        ck_assert_int_eq(poll(&waited, 1, 5000), 1);
        ck_assert_int_eq(recv(client, &value, sizeof value, 0), sizeof value);
        ck_assert_uint_eq(value, i);
    }
    close(client);
}

TEST(one_that_cannot_be_sent_leaves_the_others) {
    const apex_udp_datagram *datagrams = NULL;
    int client = connect_to("127.0.0.1", "127.0.0.1");
    send(client, "x", 1, 0);
    ck_assert_uint_eq(read_soon(&datagrams), 1);
    apex_udp_address to = datagrams[0].address;
    apex_udp_address nobody = to;
    nobody.port = 0;
    const apex_udp_address *addresses[] = {&to, &nobody, &to};
    for (int i = 0; i < 3; i++) {
        memcpy(apex_udp_room(writer), "y", 1);
        apex_udp_add(writer, addresses[i], 1);
    }
    apex_udp_flush(writer);
    ck_assert_uint_eq(apex_udp_written_by(writer).datagrams, 2);
    ck_assert_uint_eq(apex_udp_written_by(writer).errors, 1);
    close(client);
}

TEST(a_client_hears_its_server_alone) {
    int client = connect_to("127.0.0.1", "127.0.0.1");
    apex_udp_def def = {.host = "127.0.0.1"};
    uint16_t other_port = 0;
    int other = apex_udp_open(&def, &other_port);
    struct sockaddr_storage own;
    socklen_t length = sizeof own;
    ck_assert_int_eq(getsockname(client, (struct sockaddr *)&own, &length), 0);
    ck_assert_int_eq(sendto(other, "z", 1, 0, (struct sockaddr *)&own, length), 1);
    struct pollfd waited = {.fd = client, .events = POLLIN};
    ck_assert_int_eq(poll(&waited, 1, 100), 0);
    close(other);
    close(client);
}

TEST(a_port_that_is_taken_is_refused_unless_it_is_shared) {
    apex_udp_def def = {.port = port};
    uint16_t got = 0;
    ck_assert_int_eq(apex_udp_open(&def, &got), APEX_ERR_BUSY_PORT);
    def.shares_port = true;
    ck_assert_int_eq(apex_udp_open(&def, &got), APEX_ERR_BUSY_PORT);
    ck_assert_int_eq(apex_udp_share_port(server_socket), APEX_OK);
    int shared = apex_udp_open(&def, &got);
    ck_assert_int_ge(shared, 0);
    ck_assert_uint_eq(got, port);
    close(shared);
}

TEST(a_host_must_be_an_address_of_this_machine) {
    uint16_t got = 0;
    apex_udp_def elsewhere = {.host = "192.0.2.1"};
    ck_assert_int_eq(apex_udp_open(&elsewhere, &got), APEX_ERR_INVALID);
    apex_udp_def name = {.host = "localhost"};
    ck_assert_int_eq(apex_udp_open(&name, &got), APEX_ERR_INVALID);
    apex_udp_address server;
    ck_assert_int_eq(apex_udp_connect("no.such.host.invalid", 1, &server), APEX_ERR_NOT_FOUND);
}

TEST(an_address_of_ipv4_alone_hears_ipv4_alone) {
    stop();
    open_server("127.0.0.1");
    talk_from("127.0.0.1");
    if (has_v6()) {
        apex_udp_address to;
        ck_assert(apex_udp_parse_host("::1", &to));
        to.port = port;
        apex_udp_room(writer);
        apex_udp_add(writer, &to, 1); // from IPv4 there is no way there
        apex_udp_flush(writer);
        ck_assert_uint_eq(apex_udp_written_by(writer).errors, 1);
    }
}
