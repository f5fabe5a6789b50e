// ENet's commands are written by hand, byte by byte, as its protocol header defines them.
#include "support/net/enet_attack.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/assert.h"

static void put_u16(uint8_t *out, uint32_t value) {
    out[0] = (uint8_t)(value >> 8);
    out[1] = (uint8_t)value;
}

static void put_u32(uint8_t *out, uint32_t value) {
    put_u16(out, value >> 16);
    put_u16(out + 2, value & 0xFFFF);
}

void enet_attack_open_at(enet_attack *attack, uint16_t port, uint32_t from) {
    *attack = (enet_attack){.socket = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0)};
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(from)};
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    APEX_ASSERT(attack->socket >= 0);
    APEX_ASSERT(bind(attack->socket, (struct sockaddr *)&own, sizeof own) == 0);
    APEX_ASSERT(connect(attack->socket, (struct sockaddr *)&to, sizeof to) == 0);
}

void enet_attack_open(enet_attack *attack, uint16_t port) {
    enet_attack_open_at(attack, port, INADDR_LOOPBACK);
}

void enet_attack_close(enet_attack *attack) {
    close(attack->socket);
}

void enet_attack_send(const enet_attack *attack, const void *bytes, size_t length) {
    uint8_t sealed[APEX_SEAL_DATAGRAM_BYTES_MAX];
    if (attack->seal != NULL) {
        APEX_ASSERT(length <= sizeof sealed - APEX_SEAL_MORE_BYTES);
        memcpy(sealed + APEX_SEAL_HEAD_BYTES, bytes, length);
        length = apex_seal_close(attack->seal, sealed, length);
        bytes = sealed;
    }
    // Loopback refuses only when the server's queue is full, and a flood may lose something.
    ssize_t sent = send(attack->socket, bytes, length, 0);
    (void)sent;
}

size_t enet_attack_receive(const enet_attack *attack, void *bytes, size_t capacity) {
    ssize_t length = recv(attack->socket, bytes, capacity, 0);
    if (length <= 0 || attack->seal == NULL) {
        return length > 0 ? (size_t)length : 0;
    }
    uint8_t *content = NULL;
    size_t content_length = 0;
    APEX_ASSERT(apex_seal_open(attack->seal, bytes, (size_t)length, &content, &content_length));
    memmove(bytes, content, content_length);
    return content_length;
}

bool enet_attack_ask_seal(enet_attack *attack, apex_seal_client *asking, apex_seal *seal) {
    uint8_t bytes[APEX_SEAL_DATAGRAM_BYTES_MAX];
    size_t length = enet_attack_receive(attack, bytes, sizeof bytes);
    apex_seal_client_take(asking, bytes, length, seal);
    if (asking->step == APEX_SEAL_OPENED) {
        attack->seal = seal;
        return true;
    }
    length = apex_seal_client_ask(asking, bytes);
    enet_attack_send(attack, bytes, length);
    return false;
}

void enet_attack_connect(const enet_attack *attack, uint32_t connect_id, uint32_t data) {
    uint8_t bytes[ENET_ATTACK_CONNECT_BYTES] = {0};
    put_u16(bytes, 0x8FFF);
    uint8_t *command = bytes + 4;
    command[0] = 0x82;
    command[1] = 0xFF;
    put_u16(command + 2, 1);
    put_u16(command + 4, 7); // the peer id that the server shall use for us
    command[6] = 0xFF;
    command[7] = 0xFF;
    put_u32(command + 8, 1400);
    put_u32(command + 12, 65536);
    put_u32(command + 16, 2);
    put_u32(command + 28, 5000);
    put_u32(command + 32, 2);
    put_u32(command + 36, 2);
    memcpy(command + 40, &connect_id, sizeof connect_id);
    put_u32(command + 44, data);
    enet_attack_send(attack, bytes, sizeof bytes);
}

bool enet_attack_verify(enet_attack *attack) {
    uint8_t bytes[2048];
    size_t length = 0;
    while ((length = enet_attack_receive(attack, bytes, sizeof bytes)) > 0) {
        const uint8_t *command = bytes + 4;
        if (length < 48 || (command[0] & 0x0F) != 3) {
            continue;
        }
        attack->peer_id = (uint16_t)(command[4] << 8 | command[5]);
        attack->session = command[7];
        uint8_t acknowledge[8] = {1, 0xFF, command[2], command[3], command[2], command[3]};
        memcpy(acknowledge + 6, bytes + 2, 2);
        enet_attack_commands(attack, acknowledge, sizeof acknowledge);
        return true;
    }
    return false;
}

void enet_attack_commands(const enet_attack *attack, const void *commands, size_t length) {
    uint8_t bytes[8192];
    APEX_ASSERT(length + 4 <= sizeof bytes);
    put_u16(bytes, 0x8000u | (uint32_t)attack->session << 12 | attack->peer_id);
    put_u16(bytes + 2, 0);
    memcpy(bytes + 4, commands, length);
    enet_attack_send(attack, bytes, length + 4);
}
