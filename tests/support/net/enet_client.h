// Stock ENet clients, as anybody would write one: no knowledge of Apex but two channels.

#ifndef APEX_TESTS_ENET_CLIENT_H
#define APEX_TESTS_ENET_CLIENT_H

#include <enet/enet.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct enet_client {
    ENetHost *host;
    ENetPeer *peer;
    ENetAddress server;
    bool is_connected;
    bool is_disconnected;
    uint32_t disconnect_data;
    uint32_t packets;        // received
    size_t bytes;            // of them
    size_t last_length;      // of the newest packet, and
    uint8_t last_channel;    // its channel
    uint8_t last_bytes[256]; // its first bytes
} enet_client;

void enet_client_open(enet_client *client, uint16_t port, size_t channels);
void enet_client_close(enet_client *client);
void enet_client_connect(enet_client *client, size_t channels);
// Waits at most `wait_ms` for something to come.
void enet_client_service(enet_client *client, uint32_t wait_ms);
void enet_client_send(enet_client *client, uint8_t channel, const void *bytes, size_t length);

#endif
