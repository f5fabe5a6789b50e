// A lobby, its driver and a token that says something in every field: as PyNaCl, struct and hashlib
// of Python made it. The driver's secret is the bytes 0 to 31, the lobby's 32 to 63; the server's
// key is 64 to 95.
#pragma once

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "identity/identity.h"

enum { LOBBY_TOKEN_BYTES = 196 };

static const char lobby_token_text[] =
    "QVBYVAEAJYQ7OgDxU2UAAAAABfFTZQAAAAA88VNlAAAAAKChoqOkpaanqKmqq6ytrq8ihIV5ZSb9E-PShoQQLb2fBwAAAA"
    "OhB7_zzhC-HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4AAIsABkAWhFhZGFAbG9iYnkuZXhhbXBsZQRab8OrBNvhbbYGJQBN"
    "5VR-mxn8KzNx9bXr7VCt9UGNEhP7lBN_HEPE67_goTY-JFQUqUQik0fcMZ2ekCnxgeKI_TI6Dg";

static inline void lobby_key_from(uint8_t first, apex_driver_key *out) {
    uint8_t secret[32];
    for (uint8_t i = 0; i < 32; i++) {
        secret[i] = (uint8_t)(first + i);
    }
    apex_driver_key_of(secret, out);
}

static inline apex_join_token lobby_token(void) {
    static const uint8_t audience[APEX_FINGERPRINT_BYTES] = {0x22, 0x84, 0x85, 0x79, 0x65, 0x26,
                                                             0xfd, 0x13, 0xe3, 0xd2, 0x86, 0x84,
                                                             0x10, 0x2d, 0xbd, 0x9f};
    apex_driver_key driver;
    apex_join_token token = {.issuer = {0x25, 0x84, 0x3b, 0x3a},
                             .issued_s = 1700000000,
                             .not_before_s = 1700000005,
                             .expires_s = 1700000060,
                             .race = 7,
                             .role = APEX_TOKEN_DRIVER,
                             .car = 2,
                             .start_number = 44,
                             .ballast_kg = 25,
                             .restrictor_percent = 90,
                             .subject = "ada@lobby.example",
                             .name = "Zo\xc3\xab"};
    for (uint8_t i = 0; i < 16; i++) {
        token.number[i] = (uint8_t)(160 + i);
    }
    memcpy(token.audience, audience, sizeof token.audience);
    lobby_key_from(0, &driver);
    memcpy(token.holder, driver.key, sizeof token.holder);
    return token;
}

static inline void lobby_assert_same(const apex_join_token *token, const apex_join_token *other) {
    ck_assert_mem_eq(token->issuer, other->issuer, sizeof token->issuer);
    ck_assert_uint_eq(token->issued_s, other->issued_s);
    ck_assert_uint_eq(token->not_before_s, other->not_before_s);
    ck_assert_uint_eq(token->expires_s, other->expires_s);
    ck_assert_mem_eq(token->number, other->number, sizeof token->number);
    ck_assert_mem_eq(token->audience, other->audience, sizeof token->audience);
    ck_assert_uint_eq(token->race, other->race);
    ck_assert_mem_eq(token->holder, other->holder, sizeof token->holder);
    ck_assert_uint_eq(token->role, other->role);
    ck_assert_uint_eq(token->car, other->car);
    ck_assert_uint_eq(token->start_number, other->start_number);
    ck_assert_uint_eq(token->ballast_kg, other->ballast_kg);
    ck_assert_uint_eq(token->restrictor_percent, other->restrictor_percent);
    ck_assert_str_eq(token->subject, other->subject);
    ck_assert_str_eq(token->name, other->name);
}
