// The relay's heart, without sockets: the client of each datagram, when it comes out, and what is
// too much; and the quantities that people type for it.
#include "support/base/check_main.h"

#include <string.h>

#include "client-lite/netsim/netsim_relay.h"
#include "client-lite/netsim/netsim_units.h"

static netsim_relay *relay;

static void open_relay(netsim_def pipe, uint32_t clients_max, uint32_t datagrams_max) {
    netsim_relay_def def = {.pipe = pipe,
                            .seed = 1,
                            .clients_max = clients_max,
                            .datagrams_max = datagrams_max,
                            .idle_us = 1000000};
    ck_assert_int_eq(netsim_relay_create(&def, &relay), APEX_OK);
}

static void teardown(void) {
    netsim_relay_destroy(relay);
    relay = NULL;
}

static uint32_t come_from(netsim_address from, bool *is_new, uint64_t now_us) {
    return netsim_relay_client(relay, &from, is_new, now_us);
}

static netsim_address address(uint64_t number) {
    netsim_address out = {.port = number & UINT16_MAX};
    memcpy(out.host, &number, sizeof number);
    return out;
}

static uint32_t client_at(uint64_t number, uint64_t now_us) {
    bool is_new;
    return come_from(address(number), &is_new, now_us);
}

static void take(uint32_t client, bool is_up, const char *text, uint64_t now_us) {
    netsim_datagram datagram = {client, is_up, (const uint8_t *)text, strlen(text)};
    netsim_relay_take(relay, &datagram, now_us);
}

static void assert_given(uint64_t now_us, uint32_t client, bool is_up, const char *text) {
    netsim_datagram datagram;
    ck_assert(netsim_relay_give(relay, now_us, &datagram));
    ck_assert_uint_eq(datagram.client, client);
    ck_assert_int_eq(datagram.is_up, is_up);
    ck_assert_uint_eq(datagram.length, strlen(text));
    ck_assert_mem_eq(datagram.bytes, text, strlen(text));
}

FIXTURE(NULL, teardown)

TEST(datagrams_come_out_whole_and_later) {
    netsim_def pipe = netsim_default_def();
    pipe.delay_us = 40000;
    open_relay(pipe, 4, 16);
    bool is_new = false;
    uint32_t ada = come_from(address(0x7f0000010001), &is_new, 0);
    ck_assert(is_new);
    ck_assert_uint_eq(come_from(address(0x7f0000010001), &is_new, 0), ada);
    ck_assert(!is_new);
    uint32_t bob = come_from(address(0x7f0000010002), &is_new, 0);
    ck_assert(is_new);
    ck_assert_uint_ne(ada, bob);
    uint64_t due_us = 0;
    ck_assert(!netsim_relay_next_us(relay, &due_us));
    take(ada, true, "hello", 0);
    take(bob, true, "", 10);
    take(ada, false, "welcome", 20);
    ck_assert(netsim_relay_next_us(relay, &due_us));
    ck_assert_uint_eq(due_us, 40000);
    netsim_datagram none;
    ck_assert(!netsim_relay_give(relay, 39999, &none));
    assert_given(40000, ada, true, "hello");
    ck_assert(!netsim_relay_give(relay, 40000, &none));
    assert_given(40020, bob, true, "");
    assert_given(40020, ada, false, "welcome");
    ck_assert(!netsim_relay_give(relay, 1000000, &none));
    netsim_relay_count count = netsim_relay_counts(relay);
    ck_assert_uint_eq(count.given_up, 2);
    ck_assert_uint_eq(count.given_down, 1);
    ck_assert_uint_eq(count.up.bytes, 5 + 2 * NETSIM_HEADER_BYTES);
    ck_assert_uint_eq(count.clients, 2);
}

TEST(who_is_idle_is_forgotten) {
    netsim_def pipe = netsim_default_def();
    pipe.delay_us = 40000;
    open_relay(pipe, 2, 16);
    uint32_t ada = client_at(1, 0);
    uint32_t bob = client_at(2, 0);
    ck_assert_uint_eq(client_at(3, 0), NETSIM_NOBODY);
    take(ada, true, "still under way", 990000);
    take(bob, false, "for bob", 990000);
    client_at(2, 990000); // bob speaks, ada does not
    ck_assert_uint_eq(netsim_relay_forget_idle(relay, 999999), NETSIM_NOBODY);
    ck_assert_uint_eq(netsim_relay_forget_idle(relay, 1000000), ada);
    ck_assert_uint_eq(netsim_relay_forget_idle(relay, 1000000), NETSIM_NOBODY);
    uint32_t eve = client_at(3, 1000000);
    ck_assert_uint_eq(eve, ada); // her place, but not her mail
    assert_given(2000000, bob, false, "for bob");
    netsim_datagram none;
    ck_assert(!netsim_relay_give(relay, 2000000, &none));
    ck_assert_uint_eq(client_at(1, 2000000), NETSIM_NOBODY);
    netsim_relay_count count = netsim_relay_counts(relay);
    ck_assert_uint_eq(count.clients, 3);
    ck_assert_uint_eq(count.clients_now, 2);
    ck_assert_uint_eq(count.refused_clients, 2);
    ck_assert_uint_eq(count.up.sent, 1); // ada's, though she has gone
    ck_assert_uint_eq(count.under_way, 0);
}

TEST(all_of_an_address_tells_clients_apart) {
    open_relay(netsim_default_def(), 8, 16);
    const netsim_address all[] = {
        {.host = {0xFE, 0x80, [15] = 1}, .scope = 2, .port = 40000},
        {.host = {0xFE, 0x80, [15] = 1}, .scope = 3, .port = 40000},
        {.host = {0xFE, 0x80, [15] = 1}, .scope = 2, .port = 40001},
        {.host = {0xFE, 0x80, [15] = 2}, .scope = 2, .port = 40000},
        {.host = {0xFE, 0x81, [15] = 1}, .scope = 2, .port = 40000},
    };
    enum { ALL = sizeof all / sizeof all[0] };
    bool is_new = false;
    for (uint32_t i = 0; i < ALL; i++) {
        ck_assert_uint_eq(come_from(all[i], &is_new, 0), i);
        ck_assert(is_new);
    }
    for (uint32_t i = 0; i < ALL; i++) {
        ck_assert_uint_eq(come_from(all[i], &is_new, 0), i);
        ck_assert(!is_new);
    }
}

// Addresses that share buckets, taken and forgotten in every order.
TEST(many_come_and_go) {
    enum { MANY = 500 };
    open_relay(netsim_default_def(), MANY, 16);
    uint32_t of_address[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        of_address[i] = client_at((uint64_t)i << 16, 0);
        ck_assert_uint_lt(of_address[i], MANY);
    }
    for (uint32_t i = 0; i < MANY; i += 3) {
        netsim_relay_forget(relay, of_address[i]);
    }
    bool is_new = false;
    for (uint32_t i = 0; i < MANY; i++) {
        uint32_t client = come_from(address((uint64_t)i << 16), &is_new, 0);
        ck_assert_int_eq(is_new, i % 3 == 0);
        ck_assert(i % 3 == 0 || client == of_address[i]);
    }
    ck_assert_uint_eq(netsim_relay_counts(relay).clients_now, MANY);
    ck_assert_uint_eq(client_at(1, 0), NETSIM_NOBODY);
}

TEST(what_is_under_way_is_bounded) {
    netsim_def pipe = netsim_default_def();
    pipe.delay_us = 1000;
    open_relay(pipe, 1, 100);
    uint32_t client = client_at(1, 0);
    for (uint32_t i = 0; i < 150; i++) {
        take(client, true, "x", i);
    }
    netsim_relay_count count = netsim_relay_counts(relay);
    ck_assert_uint_eq(count.under_way, 100);
    ck_assert_uint_eq(count.refused_under_way, 50);
    for (uint32_t i = 0; i < 100; i++) {
        assert_given(2000, client, true, "x");
    }
    take(client, true, "y", 2000);
    assert_given(3000, client, true, "y");
    static uint8_t longest[NETSIM_DATAGRAM_BYTES_MAX + 1];
    netsim_datagram datagram = {client, true, longest, NETSIM_DATAGRAM_BYTES_MAX};
    netsim_relay_take(relay, &datagram, 3000);
    datagram.length++;
    netsim_relay_take(relay, &datagram, 3000);
    ck_assert_uint_eq(netsim_relay_counts(relay).refused_long, 1);
    ck_assert_uint_eq(netsim_relay_counts(relay).under_way, 1);
}

// As the model says: the relay adds nothing to it.
TEST(losses_and_copies_are_the_models) {
    netsim_def pipe = netsim_default_def();
    pipe.delay_us = 20000;
    pipe.jitter_us = 5000;
    pipe.loss_ppm = 250000;
    pipe.duplicate_ppm = 100000;
    open_relay(pipe, 2, 4096);
    client_at(1, 0);
    uint32_t client = client_at(2, 0); // the second that came
    netsim_pipe model = netsim_pipe_begin(1, 1, true);
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t arrivals_us[NETSIM_COPIES_MAX];
        uint32_t copies =
            netsim_pass(&pipe, &model, NETSIM_HEADER_BYTES + 1, i * 100000, arrivals_us);
        take(client, true, "z", i * 100000);
        for (uint32_t c = 0; c < copies; c++) {
            uint64_t due_us = 0;
            ck_assert(netsim_relay_next_us(relay, &due_us));
            ck_assert(due_us == arrivals_us[0] || due_us == arrivals_us[copies - 1]);
            assert_given(due_us, client, true, "z");
        }
        ck_assert_uint_eq(netsim_relay_counts(relay).under_way, 0);
    }
    ck_assert_uint_eq(netsim_relay_counts(relay).up.lost, model.count.lost);
    ck_assert_uint_gt(model.count.lost, 200);
}

typedef struct quantity_case {
    const char *text;
    int64_t share_ppm, us, bytes_per_s; // -1: refused as that
} quantity_case;

static const quantity_case QUANTITIES[] = {
    {"5%", 50000, -1, -1},
    {"0.1%", 1000, -1, -1},
    {"0%", 0, -1, -1},
    {"100%", 1000000, -1, -1},
    {"100.1%", -1, -1, -1},
    {"80ms", -1, 80000, -1},
    {"1.5s", -1, 1500000, -1},
    {"250us", -1, 250, -1},
    {"60s", -1, 60000000, -1},
    {"60001ms", -1, -1, -1},
    {"2Mbit", -1, -1, 250000},
    {"64kbit", -1, -1, 8000},
    {"10Gbit", -1, -1, 1250000000},
    {"11Gbit", -1, -1, -1},
    {"0kbit", -1, -1, -1},
    {"5", -1, -1, -1},
    {"", -1, -1, -1},
    {"%", -1, -1, -1},
    {"-1%", -1, -1, -1},
    {" 1ms", -1, -1, -1},
    {"1 ms", -1, -1, -1},
    {"1msx", -1, -1, -1},
    {"1e3ms", -1, -1, -1},
    {"0x10ms", -1, -1, -1},
    {"nanms", -1, -1, -1},
    {"1.2.3ms", -1, -1, -1},
    {".s", -1, -1, -1},
};

TEST_OVER(quantities_as_people_type_them, 0, sizeof QUANTITIES / sizeof QUANTITIES[0]) {
    const quantity_case *wanted = &QUANTITIES[_i];
    uint32_t ppm = 7;
    uint64_t us = 7;
    uint64_t bytes_per_s = 7;
    bool is_share = netsim_parse_share(wanted->text, &ppm);
    bool is_duration = netsim_parse_duration(wanted->text, &us);
    bool is_rate = netsim_parse_rate(wanted->text, &bytes_per_s);
    ck_assert_int_eq(is_share ? (int64_t)ppm : -1, wanted->share_ppm);
    ck_assert_int_eq(is_duration ? (int64_t)us : -1, wanted->us);
    ck_assert_int_eq(is_rate ? (int64_t)bytes_per_s : -1, wanted->bytes_per_s);
    ck_assert(is_share || ppm == 7);
    ck_assert(is_duration || us == 7);
    ck_assert(is_rate || bytes_per_s == 7);
}
