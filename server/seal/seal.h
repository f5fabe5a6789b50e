/// The seal of datagrams: who reads along learns nothing but a connection's number, who changes,
/// forges or repeats one is found out. Both ends use it, over any transport of datagrams.
///
/// Client and server agree on keys in two exchanges, of which the first costs the server a hash:
///
///     HELLO   client -> server   a fresh public key
///     COOKIE  server -> client   the server's own public key, and proof that the client receives
///     OPEN    client -> server   the cookie and the fresh key again
///     ACCEPT  server -> client   a number, a fresh key, and proof that it is the server
///
/// X25519 of the client's fresh key with both of the server's makes the keys of the two directions;
/// what was sealed stays closed when the server's own key is stolen later. No answer is longer than
/// what asks for it. Then each datagram is sealed by ChaCha20-Poly1305 with a counter as its nonce.
/// Every 65,536 datagrams a direction takes a new key, which is a hash of the old one. All bytes
/// are described in proto/PROTOCOL.md.
///
/// Nothing here knows a socket, a clock or an allocation. One thread. The pattern of the handshake
/// is NK of the Noise protocol framework, revision 34, with a cookie as WireGuard has it
/// (DECISIONS 56).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    APEX_SEAL_KEY_BYTES = 32,
    APEX_SEAL_BINDING_BYTES = 32,
    APEX_SEAL_MORE_BYTES = 25,      ///< by which a sealed datagram is longer than what is in it
    APEX_SEAL_HANDSHAKE_BYTES = 64, ///< of HELLO and OPEN; the answers are shorter
    APEX_SEAL_DATAGRAM_BYTES_MAX = 1500,
    APEX_SEAL_ADDRESS_BYTES_MAX = 32, ///< of what a cookie is bound to
};

/// The kind of a datagram, by its first byte. ENet's own have the bit 0x40 only where they are
/// compressed, which ours never are.
typedef enum apex_seal_kind {
    APEX_SEAL_NONE = 0, ///< not one of these
    APEX_SEAL_HELLO = 0xC1,
    APEX_SEAL_COOKIE = 0xC2,
    APEX_SEAL_OPEN = 0xC3,
    APEX_SEAL_ACCEPT = 0xC4,
    APEX_SEAL_DATA = 0xC5,
} apex_seal_kind;

/// By first byte and length alone; what is in it may be anything.
apex_seal_kind apex_seal_kind_of(const uint8_t *bytes, size_t length);

/// Must be called once before anything else here. @return false if the system gives no randomness.
bool apex_seal_begin(void);

// Datagrams.

/// One direction's keys and how far they have been used. Secret; wipe it by apex_seal_forget.
typedef struct apex_seal_sender {
    uint8_t key[APEX_SEAL_KEY_BYTES];
    uint8_t mask_key[16];
    uint64_t counter; ///< of the next datagram
} apex_seal_sender;

enum { APEX_SEAL_WINDOW_WORDS = 16 };

typedef struct apex_seal_receiver {
    uint64_t newest;                  ///< counter received so far, plus one; 0: none
    uint8_t key[APEX_SEAL_KEY_BYTES]; ///< of the newest
    uint8_t mask_key[16];
    bool has_key_before;
    uint64_t window[APEX_SEAL_WINDOW_WORDS]; ///< which of the last 1,024 have been received
    uint8_t key_before[APEX_SEAL_KEY_BYTES], key_after[APEX_SEAL_KEY_BYTES];
} apex_seal_receiver;

/// A connection as one of its ends has it.
typedef struct apex_seal {
    uint32_t number; ///< the connection's, given by the server
    apex_seal_sender sender;
    apex_seal_receiver receiver;
    uint8_t binding[APEX_SEAL_BINDING_BYTES]; ///< both ends know it, and nobody else: what is
                                              ///< signed together with it was meant for this
} apex_seal;

/// Seals `length` bytes at most APEX_SEAL_DATAGRAM_BYTES_MAX - APEX_SEAL_MORE_BYTES long, which
/// stand at out + APEX_SEAL_HEAD_BYTES, in place. @return the datagram's length.
enum { APEX_SEAL_HEAD_BYTES = 9 };
size_t apex_seal_close(apex_seal *seal, uint8_t *out, size_t length);

/// The number that a DATA datagram says; false for one too short.
bool apex_seal_number_of(const uint8_t *bytes, size_t length, uint32_t *number);

/// Opens a DATA datagram in place. @return false where it is forged, changed, for another
/// connection or direction, repeated, or older than the last 1,024; nothing has changed then.
/// *content points into it, *content_length is what is left.
bool apex_seal_open(apex_seal *seal, uint8_t *bytes, size_t length, uint8_t **content,
                    size_t *content_length);

void apex_seal_forget(apex_seal *seal);

// The server's side of the handshake.

typedef struct apex_seal_door {
    uint8_t secret[APEX_SEAL_KEY_BYTES];
    uint8_t key[APEX_SEAL_KEY_BYTES]; ///< public: what clients pin
    uint8_t cookie_key[32];           ///< of this run of the program
} apex_seal_door;

/// A new pair of keys. `secret` is what to keep for the next run.
void apex_seal_make_secret(uint8_t secret[APEX_SEAL_KEY_BYTES]);
void apex_seal_door_init(apex_seal_door *door, const uint8_t secret[APEX_SEAL_KEY_BYTES]);

/// Where a handshake's datagram came from, as bytes: address and port.
typedef struct apex_seal_from {
    const uint8_t *address;
    size_t address_bytes; ///< APEX_SEAL_ADDRESS_BYTES_MAX at most
    uint64_t now_us;
} apex_seal_from;

/// Answers a HELLO by a COOKIE. @return its length; 0 where the HELLO is malformed.
size_t apex_seal_answer_hello(const apex_seal_door *door, const apex_seal_from *from,
                              const uint8_t *hello, size_t length,
                              uint8_t out[APEX_SEAL_HANDSHAKE_BYTES]);

/// @return whether an OPEN carries a cookie given to this address in the last 10 to 20 seconds.
/// Costs a hash.
bool apex_seal_check_open(const apex_seal_door *door, const apex_seal_from *from,
                          const uint8_t *open, size_t length);

/// The client's fresh key of an OPEN that was checked: by it an OPEN that is repeated is known.
const uint8_t *apex_seal_open_key(const uint8_t *open);

/// Answers an OPEN that was checked by an ACCEPT with this number, and fills the connection. Costs
/// three multiplications on the curve. @return the length; 0 where the key is no good.
size_t apex_seal_accept(const apex_seal_door *door, const uint8_t *open, uint32_t number,
                        apex_seal *seal, uint8_t out[APEX_SEAL_HANDSHAKE_BYTES]);

// The client's side.

typedef enum apex_seal_step {
    APEX_SEAL_GREETING, ///< sends HELLO
    APEX_SEAL_OPENING,  ///< sends OPEN
    APEX_SEAL_OPENED,
} apex_seal_step;

typedef struct apex_seal_client {
    apex_seal_step step;
    bool is_pinned;                          ///< server_key was known beforehand
    bool met_another;                        ///< a COOKIE came with a key other than the pinned one
    uint8_t server_key[APEX_SEAL_KEY_BYTES]; ///< from OPENING on
    uint8_t secret[APEX_SEAL_KEY_BYTES], key[APEX_SEAL_KEY_BYTES]; ///< fresh
    uint8_t cookie[16];
} apex_seal_client;

/// @param pinned the server's key; NULL trusts the one that answers first.
void apex_seal_client_init(apex_seal_client *client, const uint8_t *pinned);

/// What is to be sent now, and again after a while without an answer. A client whose OPEN is not
/// answered for some seconds begins again by apex_seal_client_init: its cookie is too old.
size_t apex_seal_client_ask(const apex_seal_client *client, uint8_t out[APEX_SEAL_HANDSHAKE_BYTES]);

/// Takes a COOKIE or an ACCEPT. @return whether it led a step on; `seal` is filled with OPENED.
bool apex_seal_client_take(apex_seal_client *client, const uint8_t *bytes, size_t length,
                           apex_seal *seal);
