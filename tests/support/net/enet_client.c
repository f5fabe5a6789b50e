// A client keeps the newest packet that it was sent.
#include "support/net/enet_client.h"

#include <string.h>

#include "base/assert.h"

void enet_client_open(enet_client *client, uint16_t port, size_t channels) {
    *client = (enet_client){0};
    client->host = enet_host_create(NULL, 1, channels, 0, 0);
    APEX_ASSERT(client->host != NULL);
    enet_address_set_host_ip(&client->server, "127.0.0.1");
    client->server.port = port;
    enet_client_connect(client, channels);
}

void enet_client_connect(enet_client *client, size_t channels) {
    client->is_connected = false;
    client->is_disconnected = false;
    client->peer = enet_host_connect(client->host, &client->server, channels, 0);
    APEX_ASSERT(client->peer != NULL);
}

void enet_client_close(enet_client *client) {
    enet_host_destroy(client->host);
}

static void take_event(enet_client *client, const ENetEvent *event) {
    if (event->type == ENET_EVENT_TYPE_CONNECT) {
        client->is_connected = true;
    } else if (event->type == ENET_EVENT_TYPE_DISCONNECT) {
        client->is_connected = false;
        client->is_disconnected = true;
        client->disconnect_data = event->data;
    } else if (event->type == ENET_EVENT_TYPE_RECEIVE) {
        size_t kept = event->packet->dataLength < sizeof client->last_bytes
                          ? event->packet->dataLength
                          : sizeof client->last_bytes;
        memcpy(client->last_bytes, event->packet->data, kept);
        client->last_channel = event->channelID;
        client->last_length = event->packet->dataLength;
        client->bytes += event->packet->dataLength;
        client->packets++;
        enet_packet_destroy(event->packet);
    }
}

void enet_client_service(enet_client *client, uint32_t wait_ms) {
    ENetEvent event;
    while (enet_host_service(client->host, &event, wait_ms) > 0) {
        take_event(client, &event);
        wait_ms = 0;
    }
}

void enet_client_send(enet_client *client, uint8_t channel, const void *bytes, size_t length) {
    ENetPacket *packet = enet_packet_create(
        bytes, length, channel == 0 ? ENET_PACKET_FLAG_RELIABLE : ENET_PACKET_FLAG_UNSEQUENCED);
    APEX_ASSERT(packet != NULL && enet_peer_send(client->peer, channel, packet) == 0);
}
