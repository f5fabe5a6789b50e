// Sealing and opening one datagram: C5, the connection's number, the counter's low 32 bits under a
// mask, what is sealed, and a tag.
//
// The mask is a keyed hash of the tag, as QUIC's header protection has it: without it a counter in
// the clear would tell how long somebody has driven, and tie the datagrams of a client that has
// moved to those from before.
#include <sodium.h>
#include <string.h>

#include "base/assert.h"
#include "seal/aead.h"
#include "seal/keys.h"
#include "seal/window.h"

enum {
    NUMBER_OFFSET = 1,
    COUNTER_OFFSET = SEAL_SAID_BYTES, // kind and number are authenticated
    KEY_DATAGRAMS_LOG2 = 16,
};

_Static_assert(APEX_SEAL_HEAD_BYTES == (int)COUNTER_OFFSET + 4,
               "a head is kind, number and counter");
_Static_assert(APEX_SEAL_MORE_BYTES == APEX_SEAL_HEAD_BYTES + (int)SEAL_TAG_BYTES, "and a tag");
_Static_assert(crypto_shorthash_KEYBYTES == sizeof((apex_seal_sender *)0)->mask_key, "SipHash");

bool apex_seal_begin(void) {
    return sodium_init() >= 0;
}

void apex_seal_forget(apex_seal *seal) {
    sodium_memzero(seal, sizeof *seal);
}

apex_seal_kind apex_seal_kind_of(const uint8_t *bytes, size_t length) {
    if (length == 0 || length > APEX_SEAL_DATAGRAM_BYTES_MAX) {
        return APEX_SEAL_NONE;
    }
    switch (bytes[0]) {
    case APEX_SEAL_HELLO:
    case APEX_SEAL_COOKIE:
    case APEX_SEAL_OPEN:
    case APEX_SEAL_ACCEPT:
    case APEX_SEAL_DATA:
        return (apex_seal_kind)bytes[0];
    default:
        return APEX_SEAL_NONE;
    }
}

static void put_u32(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

static uint32_t read_u32(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint32_t mask_of(const uint8_t mask_key[16], const uint8_t tag[SEAL_TAG_BYTES]) {
    uint8_t hash[crypto_shorthash_BYTES];
    crypto_shorthash(hash, tag, SEAL_TAG_BYTES, mask_key);
    return read_u32(hash);
}

// Little endian, behind four zeros: each key seals each counter once.
static void nonce_of(uint64_t counter, uint8_t nonce[SEAL_NONCE_BYTES]) {
    memset(nonce, 0, SEAL_NONCE_BYTES);
    put_u32(nonce + 4, (uint32_t)counter);
    put_u32(nonce + 8, (uint32_t)(counter >> 32));
}

size_t apex_seal_close(apex_seal *seal, uint8_t *out, size_t length) {
    apex_seal_sender *sender = &seal->sender;
    APEX_ASSERT(length <= APEX_SEAL_DATAGRAM_BYTES_MAX - APEX_SEAL_MORE_BYTES);
    APEX_ASSERT(sender->counter < UINT64_MAX);
    uint64_t counter = sender->counter++;
    if (counter > 0 && counter % (1u << KEY_DATAGRAMS_LOG2) == 0) {
        seal_next_key(sender->key, sender->key);
    }
    seal_aead with = {.key = sender->key, .said = out};
    nonce_of(counter, with.nonce);
    out[0] = APEX_SEAL_DATA;
    put_u32(out + NUMBER_OFFSET, seal->number);
    uint8_t *content = out + APEX_SEAL_HEAD_BYTES;
    seal_aead_close(&with, content, length);
    put_u32(out + COUNTER_OFFSET, (uint32_t)counter ^ mask_of(sender->mask_key, content + length));
    return length + APEX_SEAL_MORE_BYTES;
}

bool apex_seal_number_of(const uint8_t *bytes, size_t length, uint32_t *number) {
    if (length < APEX_SEAL_MORE_BYTES) {
        return false;
    }
    *number = read_u32(bytes + NUMBER_OFFSET);
    return true;
}

// The counter with these low bits that lies nearest to the newest.
static uint64_t counter_near(uint64_t newest, uint32_t low) {
    uint64_t half = 1ull << 31;
    uint64_t from = newest > half ? newest - half : 0;
    uint64_t counter = (from & ~(uint64_t)UINT32_MAX) | low;
    return counter >= from ? counter : counter + (1ull << 32);
}

static uint64_t key_number(uint64_t counter) {
    return counter >> KEY_DATAGRAMS_LOG2;
}

// Its key, if that is the newest one or a neighbour.
static const uint8_t *key_for(const apex_seal_receiver *receiver, uint64_t counter) {
    uint64_t present = key_number(receiver->newest > 0 ? receiver->newest - 1 : 0);
    uint64_t wanted = key_number(counter);
    if (wanted == present) {
        return receiver->key;
    }
    if (wanted == present + 1) {
        return receiver->key_after;
    }
    return wanted + 1 == present && receiver->has_key_before ? receiver->key_before : NULL;
}

static void take_next_key(apex_seal_receiver *receiver) {
    memcpy(receiver->key_before, receiver->key, APEX_SEAL_KEY_BYTES);
    memcpy(receiver->key, receiver->key_after, APEX_SEAL_KEY_BYTES);
    seal_next_key(receiver->key, receiver->key_after);
    receiver->has_key_before = true;
}

bool apex_seal_open(apex_seal *seal, uint8_t *bytes, size_t length, uint8_t **content,
                    size_t *content_length) {
    apex_seal_receiver *receiver = &seal->receiver;
    uint32_t number = 0;
    if (length > APEX_SEAL_DATAGRAM_BYTES_MAX || !apex_seal_number_of(bytes, length, &number) ||
        bytes[0] != APEX_SEAL_DATA || number != seal->number) {
        return false;
    }
    const uint8_t *tag = bytes + length - SEAL_TAG_BYTES;
    uint32_t low = read_u32(bytes + COUNTER_OFFSET) ^ mask_of(receiver->mask_key, tag);
    uint64_t counter = counter_near(receiver->newest, low);
    const uint8_t *key = key_for(receiver, counter);
    if (key == NULL || !seal_window_is_new(receiver, counter)) {
        return false;
    }
    seal_aead with = {.key = key, .said = bytes};
    nonce_of(counter, with.nonce);
    uint8_t *sealed = bytes + APEX_SEAL_HEAD_BYTES;
    size_t opened = length - APEX_SEAL_MORE_BYTES;
    if (!seal_aead_open(&with, sealed, opened)) {
        return false;
    }
    bool is_next_key = key == receiver->key_after;
    seal_window_add(receiver, counter);
    if (is_next_key) {
        take_next_key(receiver);
    }
    *content = sealed;
    *content_length = opened;
    return true;
}
