// Signatures over a word that says what they are for, and what is signed: no signature of one kind
// is one of another.
#pragma once

#include "identity/identity.h"

typedef struct identity_signed {
    const char *word; // its zero is signed, too
    const uint8_t *bytes;
    size_t length; // IDENTITY_SIGNED_BYTES_MAX at most, with the word
} identity_signed;

enum { IDENTITY_SIGNED_BYTES_MAX = 512 };

void identity_sign(const apex_driver_key *key, const identity_signed *what,
                   uint8_t signature[APEX_SIGNATURE_BYTES]);
bool identity_is_signed(const uint8_t key[APEX_DRIVER_KEY_BYTES], const identity_signed *what,
                        const uint8_t signature[APEX_SIGNATURE_BYTES]);
