// Datagrams that no ENet client would send, from plain sockets; for the reproducers of ENet's
// defects. Loopback only.

#ifndef APEX_TESTS_ENET_ATTACK_H
#define APEX_TESTS_ENET_ATTACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "seal/seal.h"

typedef struct enet_attack {
    int socket;
    uint16_t peer_id; // ours on the server, after a handshake
    uint8_t session;  // that the server wants to see in our headers
    apex_seal *seal;  // of all that goes either way; NULL: plain
} enet_attack;

enum { ENET_ATTACK_CONNECT_BYTES = 52 };

void enet_attack_open(enet_attack *attack, uint16_t port);
// From an address of 127/8, which are all this machine's: 0x7F000102 is 127.0.1.2.
void enet_attack_open_at(enet_attack *attack, uint16_t port, uint32_t from);
void enet_attack_close(enet_attack *attack);
void enet_attack_send(const enet_attack *attack, const void *bytes, size_t length);
// The next datagram from the server, or 0 when there is none.
size_t enet_attack_receive(const enet_attack *attack, void *bytes, size_t capacity);
// A step of the handshake: takes what has come, says what is next. @return whether it is over; then
// the attack comes from within the client.
bool enet_attack_ask_seal(enet_attack *attack, apex_seal_client *asking, apex_seal *seal);

// One CONNECT, as a stock client with this connect id would send it.
void enet_attack_connect(const enet_attack *attack, uint32_t connect_id, uint32_t data);
// Looks for the server's VERIFY_CONNECT and acknowledges it; then the peer is connected.
bool enet_attack_verify(enet_attack *attack);
// Sends commands under the header of a connected peer.
void enet_attack_commands(const enet_attack *attack, const void *commands, size_t length);

#endif
