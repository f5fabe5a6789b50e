// The seal of a client's datagrams: asks for it, again and again until it is answered, and then
// opens and closes. A plain one lets everything through as it is.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seal/seal.h"

typedef struct client_sealing {
    bool is_plain, is_pinned;
    uint8_t pinned[APEX_SEAL_KEY_BYTES];
    apex_seal_client asking;
    apex_seal seal;
    bool has_begun;       // times are set
    bool has_told;        // that another server has answered
    uint32_t begun_ms;    // when this try began
    uint32_t asked_ms;    // when something was last asked
    uint32_t wait_ms;     // until it is asked again
    apex_seal_step asked; // what
} client_sealing;

// @param server_key APEX_SEAL_KEY_BYTES; NULL: trust the server that answers first, and from then
// on no other.
void client_sealing_init(client_sealing *sealing, bool is_plain, const uint8_t *server_key);
// A new try, for a new link.
void client_sealing_begin(client_sealing *sealing);
void client_sealing_forget(client_sealing *sealing);

// What is to be sent now. @return its length; 0: nothing for now.
size_t client_sealing_ask(client_sealing *sealing, uint32_t now_ms,
                          uint8_t out[APEX_SEAL_HANDSHAKE_BYTES]);
bool client_sealing_is_ready(const client_sealing *sealing);
// @return true once, after only another server than the known one has answered for some seconds.
bool client_sealing_takes_another_key(client_sealing *sealing);
// NULL: none is known.
const uint8_t *client_sealing_server_key(const client_sealing *sealing);
// The binding of the connection, APEX_SEAL_BINDING_BYTES; NULL: there is none yet, or no seal.
const uint8_t *client_sealing_binding(const client_sealing *sealing);

// What has come. @return whether there is something in it for ENet, which *bytes then points to.
bool client_sealing_open(client_sealing *sealing, uint8_t **bytes, size_t *length);
// Where in a datagram its content begins.
size_t client_sealing_head(const client_sealing *sealing);
// The content stands there. @return the datagram's length.
size_t client_sealing_close(client_sealing *sealing, uint8_t *datagram, size_t length);
