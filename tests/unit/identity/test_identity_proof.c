// Keys, fingerprints and proofs, as PyNaCl and Python's hashlib computed them from the same bytes:
// the driver's secret is the bytes 0 to 31; the server's key, the challenge and the binding are 64
// to 95, 96 to 127 and 128 to 159.
#include "support/base/check_main.h"

#include <stdio.h>
#include <string.h>

#include "identity/identity.h"

static uint8_t server_key[32], challenge[32], binding[32];
static apex_driver_key driver;

static const char driver_hex[] = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8";
static const char sealed_hex[] = "76a20e298336e3988d1091b02f5cbe96c94ccb12f870fd80d306458382a255fd"
                                 "7e3b418e649659847aa44831b52db9029f6edf115565609657209584a9ce3604";
static const char plain_hex[] = "5905e7e17bf4347b7a00bce2df26ceb94d4be8313bf3e75cef67ae4bb735dde1"
                                "9839ee3fc37caa2e4e4ee1843cb42dcb3229de8482ae1d64412459dc164ea70b";

static const char *hex_of(const uint8_t *bytes, size_t length) {
    static char text[2 * 64 + 1];
    for (size_t i = 0; i < length; i++) {
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    }
    return text;
}

static void count_up(uint8_t out[32], uint8_t from) {
    for (uint8_t i = 0; i < 32; i++) {
        out[i] = (uint8_t)(from + i);
    }
}

static void start(void) {
    uint8_t secret[32];
    ck_assert(apex_identity_begin());
    count_up(secret, 0);
    count_up(server_key, 64);
    count_up(challenge, 96);
    count_up(binding, 128);
    apex_driver_key_of(secret, &driver);
}

FIXTURE(start, NULL)

static apex_proof_for everything(void) {
    return (apex_proof_for){server_key, challenge, binding};
}

TEST(a_key_is_made_of_its_secret) {
    uint8_t secret[32];
    count_up(secret, 0);
    ck_assert_str_eq(hex_of(driver.key, 32), driver_hex);
    ck_assert_mem_eq(driver.secret, secret, 32);
    apex_driver_key again = driver;
    memset(again.key, 0, sizeof again.key);
    apex_driver_key_of(again.secret, &again); // in place
    ck_assert_mem_eq(&again, &driver, sizeof again);
}

TEST(new_keys_differ_and_sign) {
    apex_driver_key one;
    apex_driver_key other;
    uint8_t signature[64];
    apex_driver_key_make(&one);
    apex_driver_key_make(&other);
    ck_assert_mem_ne(one.secret, other.secret, 32);
    apex_proof_for what = everything();
    apex_prove(&one, &what, signature);
    ck_assert(apex_proof_ok(one.key, &what, signature));
    ck_assert(!apex_proof_ok(other.key, &what, signature));
    apex_driver_key_forget(&one);
    ck_assert_mem_eq(&one, &(apex_driver_key){0}, sizeof one);
}

TEST(a_fingerprint_is_a_hash_of_the_key) {
    uint8_t fingerprint[APEX_FINGERPRINT_BYTES];
    char text[APEX_FINGERPRINT_TEXT_BYTES];
    apex_fingerprint(driver.key, fingerprint);
    apex_fingerprint_text(fingerprint, text);
    ck_assert_str_eq(text, "40bca4eaf9d2b097ff8dbaa4d61767ed");
}

TEST(a_fingerprint_is_read_back) {
    static const uint8_t expected[APEX_FINGERPRINT_BYTES] = {0x40, 0xbc, 0xa4, 0xea, 0xf9, 0xd2,
                                                             0xb0, 0x97, 0xff, 0x8d, 0xba, 0xa4,
                                                             0xd6, 0x17, 0x67, 0xed};
    uint8_t read[APEX_FINGERPRINT_BYTES];
    ck_assert(apex_fingerprint_read("40bca4eaf9d2b097ff8dbaa4d61767ed", read));
    ck_assert_mem_eq(read, expected, sizeof read);
    ck_assert(
        apex_fingerprint_read("40BCA4EAF9D2B097FF8DBAA4D61767ED", read)); // typed off a screen
    ck_assert_mem_eq(read, expected, sizeof read);
    static const char *const none[] = {"",
                                       "40bca4eaf9d2b097ff8dbaa4d61767e",
                                       "40bca4eaf9d2b097ff8dbaa4d61767ed0",
                                       "40bca4eaf9d2b097ff8dbaa4d61767ed00",
                                       "40bca4eaf9d2b097ff8dbaa4d61767eg",
                                       " 40bca4eaf9d2b097ff8dbaa4d61767e",
                                       "40:bca4eaf9d2b097ff8dbaa4d61767e"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        ck_assert_msg(!apex_fingerprint_read(none[i], read), "%s", none[i]);
    }
}

TEST(a_key_is_read_back_from_its_text) {
    char text[APEX_DRIVER_KEY_TEXT_BYTES];
    uint8_t read[APEX_DRIVER_KEY_BYTES];
    apex_driver_key_text(driver.key, text);
    ck_assert_str_eq(text, driver_hex);
    ck_assert(apex_driver_key_read(text, read));
    ck_assert_mem_eq(read, driver.key, sizeof read);
    text[63] = '\0';
    ck_assert(!apex_driver_key_read(text, read));
}

TEST(a_proof_is_the_signature_that_is_described) {
    uint8_t signature[64];
    apex_proof_for what = everything();
    apex_prove(&driver, &what, signature);
    ck_assert_str_eq(hex_of(signature, 64), sealed_hex);
    ck_assert(apex_proof_ok(driver.key, &what, signature));
    what.binding = NULL;
    ck_assert(!apex_proof_ok(driver.key, &what, signature));
    apex_prove(&driver, &what, signature);
    ck_assert_str_eq(hex_of(signature, 64), plain_hex);
    ck_assert(apex_proof_ok(driver.key, &what, signature));
}

TEST(a_proof_is_for_one_server_moment_and_connection) {
    uint8_t signature[64];
    apex_proof_for what = everything();
    apex_prove(&driver, &what, signature);
    uint8_t *const parts[] = {server_key, challenge, binding};
    for (size_t part = 0; part < 3; part++) {
        for (size_t byte = 0; byte < 32; byte++) {
            parts[part][byte] ^= 1;
            ck_assert_msg(!apex_proof_ok(driver.key, &what, signature), "part %zu, byte %zu", part,
                          byte);
            parts[part][byte] ^= 1;
        }
    }
    ck_assert(apex_proof_ok(driver.key, &what, signature));
}

TEST(a_changed_signature_proves_nothing) {
    uint8_t signature[64];
    apex_proof_for what = everything();
    apex_prove(&driver, &what, signature);
    for (size_t bit = 0; bit < 512; bit++) {
        signature[bit / 8] ^= (uint8_t)(1u << bit % 8);
        ck_assert_msg(!apex_proof_ok(driver.key, &what, signature), "bit %zu", bit);
        signature[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
}

// The order of the curve's group, added to S of a signature, gives another one that a careless
// verifier takes.
TEST(a_signature_has_no_second_form) {
    static const uint8_t order[32] = {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58,       0xd6,
                                      0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, [31] = 0x10};
    uint8_t signature[64];
    apex_proof_for what = everything();
    apex_prove(&driver, &what, signature);
    unsigned carry = 0;
    for (size_t i = 0; i < 32; i++) {
        carry += signature[32 + i] + order[i];
        signature[32 + i] = (uint8_t)carry;
        carry >>= 8;
    }
    ck_assert(!apex_proof_ok(driver.key, &what, signature));
}

// Of these points a signature can be made that fits whatever is signed: R of small order and S = 0.
TEST(a_key_of_small_order_is_nobody) {
    uint8_t keys[3][32] = {{0}, {1}};
    memset(keys[2], 0xff, 32); // -1
    keys[2][0] = 0xec;
    keys[2][31] = 0x7f;
    apex_proof_for what = everything();
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        for (size_t r = 0; r < sizeof keys / sizeof keys[0]; r++) {
            uint8_t signature[64] = {0};
            memcpy(signature, keys[r], 32);
            ck_assert(!apex_proof_ok(keys[i], &what, signature));
        }
    }
}
