// links: seal
// A benchmark of what the seal costs: a datagram sealed and opened, by what is in it, and what a
// stranger can make the server compute: the answer to a HELLO, a look at the cookie of an OPEN, and
// the keys of one whose cookie was good.

#include "windows.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "seal/seal.h"

enum { WINDOWS = 15, DATAGRAMS = 4000, ANSWERS = 4000, ACCEPTS = 200 };

typedef struct ends {
    apex_seal_door door;
    apex_seal_from from;
    apex_seal_client client;
    apex_seal mine, theirs;
    uint8_t hello[APEX_SEAL_HANDSHAKE_BYTES], open[APEX_SEAL_HANDSHAKE_BYTES];
    uint8_t answer[APEX_SEAL_HANDSHAKE_BYTES];
    uint8_t datagram[APEX_SEAL_DATAGRAM_BYTES_MAX];
    size_t bytes; // in a datagram
} ends;

static void meet(ends *self) {
    uint8_t secret[APEX_SEAL_KEY_BYTES];
    apex_seal_make_secret(secret);
    apex_seal_door_init(&self->door, secret);
    apex_seal_client_init(&self->client, self->door.key);
    self->from = (apex_seal_from){.address = (const uint8_t *)"1.2.3.4:5", .address_bytes = 9};
    size_t length = apex_seal_client_ask(&self->client, self->hello);
    length = apex_seal_answer_hello(&self->door, &self->from, self->hello, length, self->answer);
    bool took = apex_seal_client_take(&self->client, self->answer, length, &self->mine);
    APEX_ASSERT(took);
    apex_seal_client_ask(&self->client, self->open);
    length = apex_seal_accept(&self->door, self->open, 1, &self->theirs, self->answer);
    took = apex_seal_client_take(&self->client, self->answer, length, &self->mine);
    APEX_ASSERT(took);
}

static void seal_and_open(ends *self) {
    size_t length = apex_seal_close(&self->mine, self->datagram, self->bytes);
    uint8_t *content = NULL;
    size_t opened = 0;
    bool is_open = apex_seal_open(&self->theirs, self->datagram, length, &content, &opened);
    APEX_ASSERT(is_open && opened == self->bytes);
}

static void answer_hello(ends *self) {
    size_t length = apex_seal_answer_hello(&self->door, &self->from, self->hello,
                                           APEX_SEAL_HANDSHAKE_BYTES, self->answer);
    APEX_ASSERT(length > 0);
}

static void check_open(ends *self) {
    bool is_good =
        apex_seal_check_open(&self->door, &self->from, self->open, APEX_SEAL_HANDSHAKE_BYTES);
    APEX_ASSERT(is_good);
}

static void accept_open(ends *self) {
    apex_seal seal;
    size_t length = apex_seal_accept(&self->door, self->open, 2, &seal, self->answer);
    APEX_ASSERT(length > 0);
}

static double median_ns(ends *self, void (*act)(ends *), int count) {
    double ns[WINDOWS];
    for (int window = 0; window < WINDOWS; window++) {
        double begin_ms = windows_thread_ms();
        for (int i = 0; i < count; i++) {
            act(self);
        }
        ns[window] = (windows_thread_ms() - begin_ms) * 1e6 / count;
    }
    return windows_median(ns, WINDOWS);
}

int main(int count, char **names) {
    static ends self;
    static const size_t sizes[] = {64, 300, 1200};
    if (!apex_seal_begin()) {
        return 1;
    }
    meet(&self);
    if (windows_is_wanted(count, names, "seal.datagram_ns")) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            self.bytes = sizes[i];
            printf("seal.datagram_ns.%zu %.0f ns\n", sizes[i],
                   median_ns(&self, seal_and_open, DATAGRAMS));
        }
    }
    if (windows_is_wanted(count, names, "seal.hello_ns")) {
        printf("seal.hello_ns %.0f ns\n", median_ns(&self, answer_hello, ANSWERS));
        printf("seal.cookie_ns %.0f ns\n", median_ns(&self, check_open, ANSWERS));
        printf("seal.accept_ns %.0f ns\n", median_ns(&self, accept_open, ACCEPTS));
    }
    return 0;
}
