// Keys and datagrams byte by byte, as another implementation computed them: by Python's hashlib and
// by X25519, ChaCha20-Poly1305 and SipHash written down from RFC 7748, RFC 8439 and the paper on
// SipHash. So whoever implements PROTOCOL.md arrives at the same.
#include "support/base/check_main.h"

#include "seal/keys.h"

#include <stdio.h>
#include <string.h>

static const char *hex_of(const uint8_t *bytes, size_t length) {
    static char text[4][2 * 256 + 1];
    static int turn;
    char *out = text[turn++ % 4];
    for (size_t i = 0; i < length; i++) {
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
    }
    return out;
}

static void read_hex(const char *hex, uint8_t *out, size_t bytes) {
    ck_assert_uint_eq(strlen(hex), 2 * bytes);
    for (size_t i = 0; i < bytes; i++) {
        unsigned value = 0;
        ck_assert_int_eq(sscanf(hex + 2 * i, "%2x", &value), 1);
        out[i] = (uint8_t)value;
    }
}

// The secrets are the bytes 0 to 31 (the server's own), 32 to 63 (the client's fresh one) and 64 to
// 95 (the server's fresh one).
static void make_keys(bool is_server, apex_seal *seal, uint8_t proof[SEAL_PROOF_BYTES]) {
    uint8_t with_server_key[32];
    uint8_t with_fresh_key[32];
    uint8_t server_key[32];
    uint8_t client_fresh[32];
    uint8_t server_fresh[32];
    read_hex("9663aa1da97e848a914a436d04163dfbb89178f107f1b5b77ed3854203382854", with_server_key,
             32);
    read_hex("04c304fb1ca83cee75e206344231f33797e07d9929db670994b7c6fbeb1dc255", with_fresh_key,
             32);
    read_hex("8f40c5adb68f25624ae5b214ea767a6ec94d829d3d7b5e1ad1ba6f3e2138285f", server_key, 32);
    read_hex("358072d6365880d1aeea329adf9121383851ed21a28e3b75e965d0d2cd166254", client_fresh, 32);
    read_hex("79a631eede1bf9c98f12032cdeadd0e7a079398fc786b88cc846ec89af85a51a", server_fresh, 32);
    seal_shared shared = {.with_server_key = with_server_key,
                          .with_fresh_key = with_fresh_key,
                          .server_key = server_key,
                          .client_fresh = client_fresh,
                          .server_fresh = server_fresh,
                          .number = 0x01020304};
    seal_make_keys(&shared, is_server, seal, proof);
}

TEST(keys_are_as_described) {
    apex_seal seal;
    uint8_t proof[SEAL_PROOF_BYTES];
    make_keys(false, &seal, proof);
    ck_assert_str_eq(hex_of(seal.sender.key, 32),
                     "22efac0ceb8ac1b55ce6495ee455ad619c437e9f9ceb8bbc220782825b8abea4");
    ck_assert_str_eq(hex_of(seal.receiver.key, 32),
                     "1d53b50fe2cb9684b911a1609188847eb33b6cf35634c8624f5f9ee134e76a05");
    ck_assert_str_eq(hex_of(seal.sender.mask_key, 16), "521051753e2d9f540d55f56ced55bc8f");
    ck_assert_str_eq(hex_of(seal.receiver.mask_key, 16), "f98eb38f1addd58d3664d45af2c0df42");
    ck_assert_str_eq(hex_of(seal.binding, 32),
                     "f0209d7421d2f02fe14833ac2690c43d4513993395dbf41e9e3d6869575cc3c4");
    ck_assert_str_eq(hex_of(proof, 16), "116ad0c4c784a1cee3433121b5385868");
    ck_assert_uint_eq(seal.number, 0x01020304);
}

TEST(the_two_ends_send_what_the_other_receives) {
    apex_seal client;
    apex_seal server;
    uint8_t client_proof[SEAL_PROOF_BYTES];
    uint8_t server_proof[SEAL_PROOF_BYTES];
    make_keys(false, &client, client_proof);
    make_keys(true, &server, server_proof);
    ck_assert_mem_eq(client.sender.key, server.receiver.key, 32);
    ck_assert_mem_eq(client.receiver.key, server.sender.key, 32);
    ck_assert_mem_eq(client.sender.mask_key, server.receiver.mask_key, 16);
    ck_assert_mem_eq(client.receiver.mask_key, server.sender.mask_key, 16);
    ck_assert_mem_eq(client.binding, server.binding, sizeof client.binding);
    ck_assert_mem_eq(client_proof, server_proof, sizeof client_proof);
}

static size_t close_hello(apex_seal *seal, uint8_t out[64]) {
    memcpy(out + APEX_SEAL_HEAD_BYTES, "hello", 5);
    return apex_seal_close(seal, out, 5);
}

TEST(datagrams_are_as_described) {
    apex_seal seal;
    uint8_t proof[SEAL_PROOF_BYTES];
    uint8_t out[64];
    make_keys(false, &seal, proof);
    ck_assert_str_eq(hex_of(out, close_hello(&seal, out)),
                     "c504030201b591d01a07d7744c9ee194c93bfa968422c5d04ea3f383050f");
    // The 65,537th is the first of the second key.
    for (uint32_t i = 1; i < 65536; i++) {
        close_hello(&seal, out);
    }
    ck_assert_str_eq(hex_of(out, close_hello(&seal, out)),
                     "c50403020179f2ce1c82f13400ee566d597e390156de34bd46f35299cc56");
    ck_assert_str_eq(hex_of(seal.sender.key, 32),
                     "7fd9cd1c1d4ad378fa81cdb2157ab2e4f095ef093822b565cefddfe2552dfdbd");
}
