/// Who somebody is: a driver is an Ed25519 key, whose possession is proved to each server anew, and
/// whose fingerprint stays while names change. A lobby that a server trusts says by a signed token
/// what a driver may: who may come, as whom, in which car.
///
/// A proof is a signature of
///
///     "apex driver v1" and a zero byte (15 bytes) | key of the server (32) | challenge (32) |
///     binding of the sealed connection (32; zeros where the link has no seal)
///
/// so a proof for one server, one link or one connection is none for another. A token is the bytes
/// below, signed as "apex join token v1" and a zero byte (19 bytes) before them; all numbers are
/// little-endian:
///
///     "APXT", version 1, flags 0      6
///     id of the lobby's key           4   the first bytes of BLAKE2b-256 of its public key
///     issued, not before, expires    24   seconds of 1970 in UTC
///     number of its own              16   random, by which it is used once
///     audience                       16   BLAKE2b-128 of the server's key; zeros: any server
///     race                            4   0: any of the server's
///     holder                         32   the driver's key; zeros: whoever brings it
///     role, car, number, ballast in kg, restrictor in %   7   1, 1, 2, 2, 1; all bits set: free
///     subject, name                   1 + 64, 1 + 31 at most, UTF-8
///     signature                      64
///
/// Nothing here knows a socket or a clock, and only the gate's creation allocates. One thread a
/// gate; thread-safe otherwise. Why keys and tokens are as they are: DECISIONS 59.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
    APEX_DRIVER_KEY_BYTES = 32,
    APEX_DRIVER_SECRET_BYTES = 32, ///< the seed of an Ed25519 key
    APEX_SIGNATURE_BYTES = 64,
    APEX_FINGERPRINT_BYTES = 16,
    APEX_FINGERPRINT_TEXT_BYTES = 33, ///< 32 hexadecimal digits and the zero
    APEX_DRIVER_KEY_TEXT_BYTES = 65,  ///< 64, likewise
    APEX_JOIN_TOKEN_BYTES_MAX = 400,
    APEX_JOIN_TOKEN_TEXT_BYTES = 535, ///< base64url without padding, and the zero
};

/// A driver's key with its secret half. Wipe it by apex_driver_key_forget.
typedef struct apex_driver_key {
    uint8_t secret[APEX_DRIVER_SECRET_BYTES];
    uint8_t key[APEX_DRIVER_KEY_BYTES];
} apex_driver_key;

/// Must be called once before anything else here. @return false if the system gives no randomness.
bool apex_identity_begin(void);

void apex_driver_key_make(apex_driver_key *out);
void apex_driver_key_of(const uint8_t secret[APEX_DRIVER_SECRET_BYTES], apex_driver_key *out);
void apex_driver_key_forget(apex_driver_key *key);

/// BLAKE2b-128 of a public key, a driver's or a server's.
void apex_fingerprint(const uint8_t key[APEX_DRIVER_KEY_BYTES],
                      uint8_t out[APEX_FINGERPRINT_BYTES]);
void apex_fingerprint_text(const uint8_t fingerprint[APEX_FINGERPRINT_BYTES],
                           char out[APEX_FINGERPRINT_TEXT_BYTES]);
/// @return false unless it is 32 hexadecimal digits.
bool apex_fingerprint_read(const char *text, uint8_t out[APEX_FINGERPRINT_BYTES]);
/// A public key, or a secret one, whose text is to be wiped then.
void apex_driver_key_text(const uint8_t key[APEX_DRIVER_KEY_BYTES],
                          char out[APEX_DRIVER_KEY_TEXT_BYTES]);
/// @return false unless it is 64 hexadecimal digits.
bool apex_driver_key_read(const char *text, uint8_t out[APEX_DRIVER_KEY_BYTES]);

/// What a proof is for; see above. Each 32 bytes.
typedef struct apex_proof_for {
    const uint8_t *server_key, *challenge;
    const uint8_t *binding; ///< NULL: the link has no seal
} apex_proof_for;

void apex_prove(const apex_driver_key *key, const apex_proof_for *what,
                uint8_t signature[APEX_SIGNATURE_BYTES]);
/// Costs some 50 us.
bool apex_proof_ok(const uint8_t key[APEX_DRIVER_KEY_BYTES], const apex_proof_for *what,
                   const uint8_t signature[APEX_SIGNATURE_BYTES]);

// Tokens.

enum {
    APEX_TOKEN_FREE_BYTE = 0xFF, ///< role, car, restrictor: the token says nothing of it
    APEX_TOKEN_FREE = 0xFFFF,    ///< number, ballast
    APEX_TOKEN_ISSUER_BYTES = 4,
    APEX_TOKEN_SUBJECT_BYTES = 65,
    APEX_TOKEN_NAME_BYTES = 32,
    APEX_TOKEN_LIFE_S_MAX = 600, ///< from issued to expires: for joining, not for staying
    APEX_TOKEN_SKEW_S = 30,      ///< by which clocks may differ, either way
};

typedef enum apex_token_role {
    APEX_TOKEN_DRIVER,
    APEX_TOKEN_SPECTATOR,
} apex_token_role;

typedef struct apex_join_token {
    uint8_t issuer[APEX_TOKEN_ISSUER_BYTES];
    uint64_t issued_s, not_before_s, expires_s;
    uint8_t number[16];
    uint8_t audience[APEX_FINGERPRINT_BYTES];
    uint32_t race;
    uint8_t holder[APEX_DRIVER_KEY_BYTES];
    uint8_t role; ///< apex_token_role or APEX_TOKEN_FREE_BYTE
    uint8_t car;  ///< index in the race's list of cars, or APEX_TOKEN_FREE_BYTE
    uint16_t start_number, ballast_kg;
    uint8_t restrictor_percent;
    char subject[APEX_TOKEN_SUBJECT_BYTES]; ///< of the driver with the lobby, for bans and results
    char name[APEX_TOKEN_NAME_BYTES];       ///< as which he comes; "": his own choice
} apex_join_token;

/// The id of a lobby's key.
void apex_token_issuer(const uint8_t lobby[APEX_DRIVER_KEY_BYTES],
                       uint8_t out[APEX_TOKEN_ISSUER_BYTES]);
void apex_join_token_new_number(apex_join_token *token); ///< random
/// Signs. `issuer` is filled in; role and restrictor must be ones that there are. @return bytes
/// written, APEX_JOIN_TOKEN_BYTES_MAX at most.
size_t apex_join_token_sign(const apex_join_token *token, const apex_driver_key *lobby,
                            uint8_t out[APEX_JOIN_TOKEN_BYTES_MAX]);
/// Reads what a token says, whoever has signed it. @return false unless it is one: of the right
/// length, of this version, without a flag, its role and restrictor ones that there are, its texts
/// UTF-8 of characters that are seen. `out` holds anything then.
bool apex_join_token_parse(const uint8_t *bytes, size_t length, apex_join_token *out);
/// @return whether this lobby has signed these bytes. Costs some 50 us.
bool apex_join_token_is_signed(const uint8_t *bytes, size_t length,
                               const uint8_t lobby[APEX_DRIVER_KEY_BYTES]);

/// Tokens that have been used.
typedef struct apex_used_tokens apex_used_tokens;

/// @param tokens_max kept at a time, 1..65536; a full table refuses. @return APEX_ERR_NO_MEMORY.
apex_err apex_used_tokens_create(uint32_t tokens_max, apex_used_tokens **out);
void apex_used_tokens_destroy(apex_used_tokens *tokens);

/// The lobbies that a server trusts, and the tokens that have been used. Secret-free.
typedef struct apex_token_gate apex_token_gate;

typedef struct apex_token_gate_def {
    const uint8_t (*lobbies)[APEX_DRIVER_KEY_BYTES]; ///< copied
    uint32_t lobby_count;                            ///< 1..16
    uint8_t audience[APEX_FINGERPRINT_BYTES];        ///< of this server
    bool any_audience;                               ///< tokens for any server are good here, too
    apex_used_tokens *used; ///< borrowed: gates of one thread that share them take a token once;
                            ///< NULL: the gate has its own
    uint32_t used_max;      ///< of its own
} apex_token_gate_def;

/// @return APEX_ERR_NO_MEMORY.
apex_err apex_token_gate_create(const apex_token_gate_def *def, apex_token_gate **out);
void apex_token_gate_destroy(apex_token_gate *gate);
/// From now on these lobbies are trusted, 0..16 of them. What was used stays used, also for a lobby
/// that is trusted no longer and is again.
void apex_token_gate_trust(apex_token_gate *gate, const uint8_t (*lobbies)[APEX_DRIVER_KEY_BYTES],
                           uint32_t count, bool any_audience);

typedef enum apex_token_verdict {
    APEX_TOKEN_GOOD,
    APEX_TOKEN_MALFORMED, ///< no token (see apex_join_token_parse), or its signature is wrong
    APEX_TOKEN_STRANGER,  ///< of a lobby that is not trusted
    APEX_TOKEN_ELSEWHERE, ///< for another server or race
    APEX_TOKEN_EARLY,     ///< issued in the future, or not good yet
    APEX_TOKEN_LATE,      ///< expired, issued before the server began, or lives too long
    APEX_TOKEN_ANOTHERS,  ///< its holder is another key, or it has none and the link no privacy
    APEX_TOKEN_USED,      ///< by another driver or by a guest, or the table is full
} apex_token_verdict;

typedef struct apex_token_visit {
    uint64_t now_s;
    uint64_t began_s; ///< tokens issued before are refused: what was used is not known
    uint32_t race;
    const uint8_t *key; ///< that was proved; NULL: none
    bool is_private;    ///< nobody reads along: a token without a holder is taken only then
} apex_token_visit;

/// Checks a token, and takes it as used if it is good. The same driver may come with it again until
/// it expires; a guest may not, since nobody can tell that he is the same. The verdict is the first
/// that applies of those above. `out` is what the token says, also of one that is refused for what
/// it says; zeros where its lobby did not sign it. Costs some 50 us once its lobby is known: limit
/// the rate of strangers first.
apex_token_verdict apex_token_gate_take(apex_token_gate *gate, const apex_token_visit *visit,
                                        const uint8_t *bytes, size_t length, apex_join_token *out);

/// Base64url without padding. @return bytes; 0 for text that is none or too long.
size_t apex_join_token_read(const char *text, uint8_t out[APEX_JOIN_TOKEN_BYTES_MAX]);
void apex_join_token_text(const uint8_t *bytes, size_t length,
                          char out[APEX_JOIN_TOKEN_TEXT_BYTES]);
