// Walking a raw ENet datagram: its header, its commands, and whether a client may send them.
#include "net/enet/datagram_gate.h"

#include <string.h>

#include "base/assert.h"
#include "net/enet/wire_words.h"

// ENet's command numbers and layouts: protocol.h of 1.3.17.
enum {
    COMMAND_ACKNOWLEDGE = 1,
    COMMAND_CONNECT = 2,
    COMMAND_VERIFY_CONNECT = 3,
    COMMAND_DISCONNECT = 4,
    COMMAND_SEND_RELIABLE = 6,
    COMMAND_SEND_UNRELIABLE = 7,
    COMMAND_SEND_FRAGMENT = 8,
    COMMAND_SEND_UNSEQUENCED = 9,
    COMMAND_SEND_UNRELIABLE_FRAGMENT = 12,
    COMMAND_COUNT = 13,

    COMMAND_MASK = 0x0F,
    COMMAND_FLAG_ACKNOWLEDGE = 0x80,
    CONNECT_PEER_OFFSET = 4,
    CONNECT_ID_OFFSET = 40,
    CONNECT_CHANNELS_OFFSET = 16,

    HEADER_FLAG_SENT_TIME = 0x8000,
    HEADER_FLAG_COMPRESSED = 0x4000,
    HEADER_SESSION_SHIFT = 12,
    HEADER_SESSION_MASK = 3,
    HEADER_BYTES = 2,
    HEADER_BYTES_WITH_TIME = 4,
};

static const uint8_t command_bytes[COMMAND_COUNT] = {0, 8, 48, 44, 8, 4, 6, 8, 24, 8, 12, 16, 24};

net_gate_verdict net_gate_read_header(const uint8_t *bytes, size_t length,
                                      net_gate_header *header) {
    if (length > NET_GATE_DATAGRAM_BYTES_MAX) {
        return NET_GATE_OVERSIZE;
    }
    if (length < HEADER_BYTES) {
        return NET_GATE_MALFORMED;
    }
    uint16_t word = net_read_u16(bytes);
    header->peer_id = word & NET_GATE_NO_PEER;
    header->session = (uint8_t)(word >> HEADER_SESSION_SHIFT & HEADER_SESSION_MASK);
    header->has_sent_time = (word & HEADER_FLAG_SENT_TIME) != 0;
    header->bytes = header->has_sent_time ? HEADER_BYTES_WITH_TIME : HEADER_BYTES;
    if (word & HEADER_FLAG_COMPRESSED) {
        return NET_GATE_COMPRESSED;
    }
    return length > header->bytes ? NET_GATE_PASS : NET_GATE_MALFORMED;
}

// The bytes that follow a command, from its dataLength; false for a command that carries none.
static bool data_length(const uint8_t *command, uint8_t number, size_t *bytes) {
    switch (number) {
    case COMMAND_SEND_RELIABLE:
        *bytes = net_read_u16(command + 4);
        return true;
    case COMMAND_SEND_UNRELIABLE:
    case COMMAND_SEND_UNSEQUENCED:
        *bytes = net_read_u16(command + 6);
        return true;
    default:
        *bytes = 0;
        return false;
    }
}

// Sequence numbers wrap, so "ahead" is the signed distance.
static bool is_in_sequence(const uint8_t *command, uint8_t number, net_gate_received *received) {
    uint16_t sequence = net_read_u16(command + 2);
    uint16_t *newest = &received->reliable[command[1]];
    int ahead = (int16_t)(uint16_t)(sequence - *newest);
    if (number == COMMAND_SEND_UNRELIABLE) {
        return ahead <= 0;
    }
    if (number == COMMAND_SEND_RELIABLE) {
        if (ahead == 1) {
            *newest = sequence;
        }
        return ahead <= NET_GATE_AHEAD_MAX;
    }
    return true;
}

static net_gate_verdict check_command(const uint8_t *command, const net_gate_header *header,
                                      bool is_first) {
    uint8_t number = command[0] & COMMAND_MASK;
    if (number == COMMAND_SEND_FRAGMENT) {
        return NET_GATE_FRAGMENT_RELIABLE;
    }
    if (number == COMMAND_SEND_UNRELIABLE_FRAGMENT) {
        return NET_GATE_FRAGMENT;
    }
    bool is_connecting = header->peer_id == NET_GATE_NO_PEER && is_first;
    if (number == COMMAND_VERIFY_CONNECT || (number == COMMAND_CONNECT) != is_connecting) {
        return NET_GATE_MALFORMED;
    }
    // ENet would neither answer it nor, if it is a DISCONNECT, ever leave the state it puts it in.
    if ((command[0] & COMMAND_FLAG_ACKNOWLEDGE) && !header->has_sent_time) {
        return NET_GATE_MALFORMED;
    }
    return NET_GATE_PASS;
}

net_gate_verdict net_gate_walk(const uint8_t *bytes, size_t length, const net_gate_header *header,
                               net_gate_received received, bool *says_goodbye) {
    size_t at = header->bytes;
    for (int count = 0; at < length; count++) {
        if (count == NET_GATE_COMMANDS_MAX) {
            return NET_GATE_COMMANDS;
        }
        const uint8_t *command = bytes + at;
        uint8_t number = command[0] & COMMAND_MASK;
        if (number == 0 || number >= COMMAND_COUNT || length - at < command_bytes[number]) {
            return NET_GATE_MALFORMED;
        }
        net_gate_verdict verdict = check_command(command, header, count == 0);
        if (verdict != NET_GATE_PASS) {
            return verdict;
        }
        *says_goodbye = *says_goodbye || number == COMMAND_DISCONNECT;
        at += command_bytes[number];
        size_t data_bytes = 0;
        if (data_length(command, number, &data_bytes)) {
            if (data_bytes > length - at || command[1] >= NET_GATE_CHANNELS) {
                return NET_GATE_MALFORMED;
            }
            if (!is_in_sequence(command, number, &received)) {
                return NET_GATE_SEQUENCE;
            }
        }
        at += data_bytes;
    }
    return NET_GATE_PASS;
}

net_gate_command net_gate_read_command(const uint8_t *bytes, size_t at) {
    const uint8_t *command = bytes + at;
    uint8_t number = command[0] & COMMAND_MASK;
    size_t data_bytes = 0;
    data_length(command, number, &data_bytes);
    return (net_gate_command){.number = number,
                              .asks_answer = (command[0] & COMMAND_FLAG_ACKNOWLEDGE) != 0,
                              .bytes = command,
                              .length = command_bytes[number] + data_bytes,
                              .data = command + command_bytes[number],
                              .data_bytes = data_bytes};
}

uint32_t net_gate_count(const uint8_t *bytes, size_t length, const net_gate_header *header) {
    uint32_t count = 0;
    for (size_t at = header->bytes; at < length;) {
        net_gate_command command = net_gate_read_command(bytes, at);
        count += command.number != COMMAND_ACKNOWLEDGE;
        at += command.length;
    }
    return count;
}

bool net_gate_has_message(const uint8_t *bytes, size_t length, const net_gate_header *header) {
    bool has_one = false;
    for (size_t at = header->bytes; at < length && !has_one;) {
        net_gate_command command = net_gate_read_command(bytes, at);
        has_one = command.number == COMMAND_SEND_RELIABLE;
        at += command.length;
    }
    return has_one;
}

bool net_gate_acknowledges(const uint8_t *bytes, const net_gate_header *header) {
    return (bytes[header->bytes] & COMMAND_MASK) == COMMAND_ACKNOWLEDGE;
}

bool net_gate_read_lone_packet(const uint8_t *bytes, size_t length, const net_gate_header *header,
                               net_gate_packet *packet) {
    const uint8_t *command = bytes + header->bytes;
    size_t head_bytes = header->bytes + command_bytes[COMMAND_SEND_UNSEQUENCED];
    if (header->peer_id == NET_GATE_NO_PEER || length < head_bytes ||
        (command[0] & COMMAND_MASK) != COMMAND_SEND_UNSEQUENCED ||
        (command[0] & COMMAND_FLAG_ACKNOWLEDGE) || command[1] >= NET_GATE_CHANNELS ||
        net_read_u16(command + 6) != length - head_bytes) {
        return false;
    }
    *packet = (net_gate_packet){
        .channel = command[1], .bytes = bytes + head_bytes, .length = length - head_bytes};
    return true;
}

net_gate_connect net_gate_read_connect(const uint8_t *bytes, const net_gate_header *header) {
    APEX_ASSERT(header->peer_id == NET_GATE_NO_PEER);
    const uint8_t *command = bytes + header->bytes;
    const uint8_t *channels = command + CONNECT_CHANNELS_OFFSET;
    net_gate_connect connect = {
        .peer_id = net_read_u16(command + CONNECT_PEER_OFFSET) & NET_GATE_NO_PEER,
        .channels = (uint32_t)net_read_u16(channels) << 16 | net_read_u16(channels + 2),
        .command = command,
    };
    memcpy(&connect.id, command + CONNECT_ID_OFFSET, sizeof connect.id);
    return connect;
}
