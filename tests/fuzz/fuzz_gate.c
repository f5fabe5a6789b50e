// links: net
// What passes the gate is walked once more as ENet 1.3.17 walks it (protocol.c,
// enet_protocol_handle_incoming_commands), and must not get to where ENet is weak. The datagram
// lies against the end of its block, so that a sanitizer sees each byte read beyond it.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "net/enet/datagram_gate.h"

static uint16_t read_u16(const uint8_t *bytes) {
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

// The bytes that ENet takes for a command; it would stop at one that is not whole.
static size_t command_length(const uint8_t *command, size_t left) {
    static const size_t lengths[16] = {0, 8, 48, 44, 8, 4, 6, 8, 24, 8, 12, 16, 24};
    require(left >= 4);
    size_t length = lengths[command[0] & 0x0F];
    require(length > 0 && length <= left);
    return length;
}

static size_t data_length(const uint8_t *command) {
    switch (command[0] & 0x0F) {
    case 6:
        return read_u16(command + 4);
    case 7:
    case 9:
        return read_u16(command + 6);
    default:
        return 0;
    }
}

static void check_command(const uint8_t *command, bool has_peer, bool has_time) {
    int number = command[0] & 0x0F;
    require(number != 3 && number != 8 && number != 12);
    require((number == 2) == !has_peer);
    require(has_time || (command[0] & 0x80) == 0);
    if (number == 6 || number == 7 || number == 9) {
        require(command[1] < NET_GATE_CHANNELS);
    }
}

// As ENet counts: in order from `newest`, what waits and how far ahead it lies.
static void check_waiting(const uint8_t *command, net_gate_received *newest) {
    int number = command[0] & 0x0F;
    if (number != 6 && number != 7) {
        return;
    }
    uint16_t *last = &newest->reliable[command[1]];
    uint16_t ahead = (uint16_t)(read_u16(command + 2) - *last);
    if (number == 7) {
        require(ahead == 0 || ahead >= 0x8000);
    } else {
        require(ahead <= NET_GATE_AHEAD_MAX || ahead >= 0x8000);
        *last = (uint16_t)(*last + (ahead == 1));
    }
}

static void check_passed(const uint8_t *bytes, size_t length, net_gate_received received) {
    uint16_t word = read_u16(bytes);
    bool has_time = (word & 0x8000) != 0;
    bool has_peer = (word & 0x0FFF) != 0x0FFF;
    require((word & 0x4000) == 0 && length <= NET_GATE_DATAGRAM_BYTES_MAX);
    size_t at = has_time ? 4 : 2;
    int commands = 0;
    for (; at < length; commands++) {
        const uint8_t *command = bytes + at;
        net_gate_command read = net_gate_read_command(bytes, at);
        at += command_length(command, length - at);
        require(read.bytes == command && read.data == bytes + at);
        require(read.number == (command[0] & 0x0F) && read.asks_answer == (command[0] >= 0x80));
        require(read.data_bytes == data_length(command));
        require(read.length == (size_t)(read.data - command) + read.data_bytes);
        check_command(command, has_peer, has_time);
        check_waiting(command, &received);
        at += data_length(command);
        require(at <= length);
        has_peer = true;
    }
    require(commands > 0 && commands <= NET_GATE_COMMANDS_MAX);
}

// A datagram that is taken for a lone packet never gets to ENet, and must be what ENet would have
// taken it for, whatever was received before.
static void check_lone(const uint8_t *bytes, size_t length, const net_gate_header *header,
                       net_gate_received received) {
    net_gate_packet packet;
    if (!net_gate_read_lone_packet(bytes, length, header, &packet)) {
        return;
    }
    bool goodbye = false;
    require(net_gate_walk(bytes, length, header, received, &goodbye) == NET_GATE_PASS && !goodbye);
    const uint8_t *command = bytes + ((bytes[0] & 0x80) ? 4 : 2);
    require((command[0] & 0x8F) == 9 && packet.channel == command[1]);
    require(packet.length == read_u16(command + 6));
    require(packet.bytes == command + 8 && packet.bytes + packet.length == bytes + length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    // The first four bytes say what was received before.
    if (size < 4) {
        return 0;
    }
    net_gate_received received = {{read_u16(data), read_u16(data + 2)}};
    size_t length = size - 4;
    uint8_t *bytes = malloc(length > 0 ? length : 1);
    require(bytes);
    memcpy(bytes, data + 4, length);
    net_gate_header header = {0};
    if (net_gate_read_header(bytes, length, &header) == NET_GATE_PASS) {
        bool wants_to_connect = header.peer_id == NET_GATE_NO_PEER;
        check_lone(bytes, length, &header, received);
        received = wants_to_connect ? (net_gate_received){{0}} : received;
        bool goodbye = false;
        if (net_gate_walk(bytes, length, &header, received, &goodbye) == NET_GATE_PASS) {
            check_passed(bytes, length, received);
            if (wants_to_connect) {
                (void)net_gate_read_connect(bytes, &header);
            }
        }
    }
    free(bytes);
    return 0;
}
