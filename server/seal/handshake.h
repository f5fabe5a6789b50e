// The datagrams of the handshake, byte by byte.
#pragma once

#include "seal/keys.h"

enum {
    SEAL_VERSION = 1,
    SEAL_COOKIE_BYTES = 16,
    SEAL_NUMBER_BYTES = 4,
    SEAL_ECHO_BYTES = 8,

    SEAL_VERSION_OFFSET = 1,
    SEAL_BODY_OFFSET = 2, // behind kind and version

    // HELLO: a fresh key, and zeros up to APEX_SEAL_HANDSHAKE_BYTES.
    SEAL_HELLO_KEY = SEAL_BODY_OFFSET,
    // COOKIE: the server's own key, a cookie, and the beginning of the HELLO's key, which shows
    // that who answers has read it.
    SEAL_COOKIE_KEY = SEAL_BODY_OFFSET,
    SEAL_COOKIE_COOKIE = SEAL_COOKIE_KEY + APEX_SEAL_KEY_BYTES,
    SEAL_COOKIE_ECHO = SEAL_COOKIE_COOKIE + SEAL_COOKIE_BYTES,
    SEAL_COOKIE_LENGTH = SEAL_COOKIE_ECHO + SEAL_ECHO_BYTES,
    // OPEN: the cookie, the fresh key, and zeros.
    SEAL_OPEN_COOKIE = SEAL_BODY_OFFSET,
    SEAL_OPEN_KEY = SEAL_OPEN_COOKIE + SEAL_COOKIE_BYTES,
    // ACCEPT: a number, a fresh key, a proof.
    SEAL_ACCEPT_NUMBER = SEAL_BODY_OFFSET,
    SEAL_ACCEPT_KEY = SEAL_ACCEPT_NUMBER + SEAL_NUMBER_BYTES,
    SEAL_ACCEPT_PROOF = SEAL_ACCEPT_KEY + APEX_SEAL_KEY_BYTES,
    SEAL_ACCEPT_LENGTH = SEAL_ACCEPT_PROOF + SEAL_PROOF_BYTES,
};
