// The table of tokens that have been used, by lobby and number.
#pragma once

#include "identity/identity.h"

// A token that somebody has come with.
typedef struct identity_used {
    uint8_t number[16];
    uint8_t lobby[APEX_DRIVER_KEY_BYTES];
    uint8_t key[APEX_DRIVER_KEY_BYTES]; // of who came with it; zeros: somebody without
    uint64_t forget_s;                  // from then on it is too old anyway
} identity_used;

// NULL: nobody has used it, or it was forgotten.
const identity_used *identity_used_find(const apex_used_tokens *tokens,
                                        const uint8_t lobby[APEX_DRIVER_KEY_BYTES],
                                        const uint8_t number[16]);
// @return false: the table is full of tokens that could still be used, or has forgotten those of
// its time.
bool identity_used_keep(apex_used_tokens *tokens, const identity_used *used, uint64_t now_s);
