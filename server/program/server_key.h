/// The file of the key by which clients know a server again.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/host.h"

/// Reads it, or makes it, for its owner alone, where there is none. One line of 64 hexadecimal
/// digits.
/// @return APEX_OK, or with a sentence in `why`: APEX_ERR_REFUSED (one is there that others may
/// read), APEX_ERR_PARSE (it is none), APEX_ERR_EXISTS (it cannot be read); anything else: there is
/// none, and none can be kept there.
apex_err server_key_load(const char *path, uint8_t secret[APEX_SEAL_KEY_BYTES],
                         char why[APEX_HOST_WHY_BYTES]);

enum { SERVER_KEY_TEXT_BYTES = 2 * APEX_SEAL_KEY_BYTES + 1 };
void server_key_text(const uint8_t key[APEX_SEAL_KEY_BYTES], char out[SERVER_KEY_TEXT_BYTES]);
