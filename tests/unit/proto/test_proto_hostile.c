// Decoders against bytes that somebody made: cut off, changed, flush against a page that must not
// be read, and with less memory than they want.

#include "test_proto_samples.h"
#include "support/base/check_main.h"
#include "support/base/heap_count.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// A message of n bytes is decoded in less than DECODE_FACTOR * n + DECODE_BASE bytes of scratch or
// refused: what PROTOCOL.md and client-lite count on for messages of every length.
enum { DECODE_FACTOR = 320, DECODE_BASE = 4096 };

static uint8_t bytes[SAMPLE_BYTES_MAX];
static apex_client_message clients[CLIENT_SAMPLES];
static apex_server_message servers[SERVER_SAMPLES];
static sample_lists lists;
static uint8_t *memory;
static uint8_t *page; // readable pages with one that is not behind them
static size_t page_bytes;

static void set_up(void) {
    sample_fill_lists(&lists);
    sample_clients(clients);
    sample_servers(servers, &lists);
    memory = malloc(1 << 20);
    ck_assert_ptr_nonnull(memory);
    size_t one = (size_t)sysconf(_SC_PAGESIZE);
    page_bytes = SAMPLE_BYTES_MAX;
    page = mmap(NULL, page_bytes + one, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(page != MAP_FAILED);
    ck_assert_int_eq(mprotect(page + page_bytes, one, PROT_NONE), 0);
}

static void tear_down(void) {
    munmap(page, page_bytes + (size_t)sysconf(_SC_PAGESIZE));
    free(memory);
}

static bool decode_client(const uint8_t *at, size_t length, size_t scratch) {
    apex_client_message got;
    const char *why = NULL;
    bool good = apex_decode_client(at, length, (apex_scratch){memory, scratch}, &got, &why);
    ck_assert_msg(good || why != NULL, "refused without a word");
    return good;
}

static bool decode_server(const uint8_t *at, size_t length, size_t scratch) {
    apex_server_message got;
    const char *why = NULL;
    bool good = apex_decode_server(at, length, (apex_scratch){memory, scratch}, &got, &why);
    ck_assert_msg(good || why != NULL, "refused without a word");
    return good;
}

// Copied to end where the readable page ends.
static const uint8_t *at_the_edge(size_t length) {
    memcpy(page + page_bytes - length, bytes, length);
    return page + page_bytes - length;
}

FIXTURE(set_up, tear_down)

TEST(cut_off_anywhere) {
    for (int i = 0; i < CLIENT_SAMPLES; i++) {
        size_t length = apex_encode_client(&clients[i], bytes, sizeof bytes);
        ck_assert(decode_client(at_the_edge(length), length, 1 << 20));
        size_t body_end = clients[i].secret != 0 ? length - 9 : length;
        for (size_t cut = 0; cut < length; cut++) {
            // The envelope's length no longer matches, but where the whole secret is away.
            ck_assert(decode_client(at_the_edge(cut), cut, 1 << 20) == (cut == body_end));
        }
    }
    for (int i = 0; i < SERVER_SAMPLES; i++) {
        size_t length = apex_encode_server(&servers[i], bytes, sizeof bytes);
        ck_assert(decode_server(at_the_edge(length), length, 1 << 20));
        for (size_t cut = 0; cut < length; cut += 1 + cut / 512) {
            ck_assert(!decode_server(at_the_edge(cut), cut, 1 << 20));
        }
    }
}

static uint64_t random_state = 1;

static uint32_t random_bits(void) { // splitmix64
    random_state += 0x9E3779B97F4A7C15u;
    uint64_t z = random_state;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)(z >> 32);
}

// A message that is accepted may be encoded: then no decoder lets pass what an encoder asserts.
TEST(changed_bytes_are_refused_or_in_range) {
    static uint8_t out[SAMPLE_BYTES_MAX];
    uint32_t accepted = 0;
    for (uint32_t round = 0; round < 60000; round++) {
        uint32_t i = round % CLIENT_SAMPLES, j = round % SERVER_SAMPLES;
        bool is_client = round % 2 == 0;
        size_t length = is_client ? apex_encode_client(&clients[i], bytes, sizeof bytes)
                                  : apex_encode_server(&servers[j], bytes, sizeof bytes);
        length = length > APEX_DATAGRAM_BYTES_MAX ? APEX_DATAGRAM_BYTES_MAX : length;
        for (uint32_t n = random_bits() % 4 + 1; n > 0; n--) {
            bytes[random_bits() % length] ^= (uint8_t)(1u << random_bits() % 8);
        }
        apex_scratch scratch = {memory, 1 << 20};
        apex_client_message client;
        apex_server_message server;
        if (is_client && apex_decode_client(bytes, length, scratch, &client, NULL)) {
            ck_assert_uint_gt(apex_encode_client(&client, out, sizeof out), 0);
            accepted++;
        } else if (!is_client && apex_decode_server(bytes, length, scratch, &server, NULL)) {
            ck_assert_uint_gt(apex_encode_server(&server, out, sizeof out), 0);
            accepted++;
        }
    }
    // Most changes hit a value, not the structure: if few pass, the test does not reach far.
    ck_assert_uint_gt(accepted, 6000);
}

TEST(any_scratch_is_enough_or_refused) {
    for (int i = 0; i < SERVER_SAMPLES; i++) {
        size_t length = apex_encode_server(&servers[i], bytes, sizeof bytes);
        bool was_good = false;
        for (size_t scratch = 0; scratch <= 1 << 17; scratch += 1 + scratch / 64) {
            // the end of the block is the end of the scratch, so that asan sees a byte too many
            uint8_t *end = memory + (1 << 20);
            apex_server_message got;
            bool good = apex_decode_server(bytes, length, (apex_scratch){end - scratch, scratch},
                                           &got, NULL);
            ck_assert(good || !was_good);
            was_good = good;
        }
        ck_assert(was_good);
    }
    size_t length = apex_encode_client(&clients[0], bytes, sizeof bytes);
    apex_client_message got;
    const char *why = "";
    ck_assert(!apex_decode_client(bytes, length, (apex_scratch){memory, 16}, &got, &why));
    ck_assert_str_eq(why, "message needs more memory than the decoder was given");
}

// Any datagram that is a message at all is decoded in the scratch that proto.h names. The dearest
// are lists of empty elements, two bytes each.
TEST(memory_stays_below_a_factor) {
    static const struct {
        uint8_t kind, element;
        uint32_t count;
    } lists_of_nothing[] = {
        {APEX_SERVER_ROSTER, 2, 590},
        {APEX_SERVER_RESULTS, 5, 590},
        {APEX_SERVER_STANDINGS, 3, 65},
        {APEX_SERVER_STATS, 14, 64},
    };
    for (size_t i = 0; i < sizeof lists_of_nothing / sizeof lists_of_nothing[0]; i++) {
        uint32_t body = lists_of_nothing[i].count * 2;
        size_t length = 0;
        bytes[length++] = (uint8_t)(lists_of_nothing[i].kind << 3 | 2);
        bytes[length++] = (uint8_t)(body | 0x80);
        bytes[length++] = (uint8_t)(body >> 7);
        for (uint32_t n = 0; n < lists_of_nothing[i].count; n++) {
            bytes[length++] = (uint8_t)(lists_of_nothing[i].element << 3 | 2);
            bytes[length++] = 0;
        }
        ck_assert(decode_server(bytes, length, DECODE_BASE + DECODE_FACTOR * length));
    }
    for (int i = 0; i < CLIENT_SAMPLES; i++) {
        size_t length = apex_encode_client(&clients[i], bytes, sizeof bytes);
        ck_assert(decode_client(bytes, length, DECODE_BASE + DECODE_FACTOR * length));
    }
}

// A server's scratch must do for all that a client may send in a datagram, however it is packed:
// 1,200 bytes of fields of two bytes each that nobody knows.
TEST(a_datagram_of_unknown_fields_is_bounded) {
    size_t length = 0;
    while (length + 2 <= APEX_DATAGRAM_BYTES_MAX) {
        bytes[length++] = 14 << 3; // no field of ClientMessage
        bytes[length++] = 1;
    }
    apex_client_message got;
    const char *why = "";
    apex_scratch scratch = {memory, APEX_DECODE_SCRATCH_BYTES};
    ck_assert(!apex_decode_client(bytes, length, scratch, &got, &why));
    ck_assert_str_eq(why, "message has no body that this version knows");
}

// Nothing beyond the caller's buffers: both directions are inside the tick.
TEST(nothing_is_taken_from_the_heap) {
    if (!heap_count_works()) {
        return; // the sanitizer owns the heap; every other build counts
    }
    uint32_t failed = 0;
    heap_count_start();
    for (int i = 0; i < CLIENT_SAMPLES; i++) {
        apex_client_message got;
        size_t length = apex_encode_client(&clients[i], bytes, sizeof bytes);
        failed += !apex_decode_client(bytes, length, (apex_scratch){memory, 1 << 20}, &got, NULL);
    }
    for (int i = 0; i < SERVER_SAMPLES; i++) {
        apex_server_message got;
        size_t length = apex_encode_server(&servers[i], bytes, sizeof bytes);
        failed += !apex_decode_server(bytes, length, (apex_scratch){memory, 1 << 20}, &got, NULL);
    }
    heap_count count = heap_count_stop();
    ck_assert_uint_eq(failed, 0);
    ck_assert_uint_eq(count.allocs, 0);
    ck_assert_uint_eq(count.frees, 0);
}
