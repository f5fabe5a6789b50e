// The gate in front of ENet: walks a raw datagram before ENet 1.3.17 sees it, and refuses what a
// client has no business to send. Knows ENet's bytes but not its headers, so that it can be tested
// and fuzzed alone.
//
// It keeps out, beside garbage: compressed datagrams (nothing behind it could be checked),
// fragments (a 24-byte command makes ENet allocate 128 KB, and incomplete ones are never given
// back), and commands so far ahead of what was received that ENet would keep them waiting for
// ever: 8 bytes a piece on the wire, some 200 on the heap, and without limit if they are empty.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NET_GATE_DATAGRAM_BYTES_MAX = 1500, // ENet's default MTU is 1400; Ethernet's this
    NET_GATE_COMMANDS_MAX = 32,         // the most that ENet itself puts into a datagram
    NET_GATE_AHEAD_MAX = 256,           // reliable commands that may wait for a lost one
    NET_GATE_NO_PEER = 0xFFF,           // the peer id of a datagram that wants to connect
    NET_GATE_CHANNELS = 2,
};

typedef enum net_gate_verdict {
    NET_GATE_PASS,
    NET_GATE_MALFORMED,
    NET_GATE_OVERSIZE,
    NET_GATE_COMPRESSED,
    NET_GATE_FRAGMENT,
    NET_GATE_FRAGMENT_RELIABLE, // its sender will repeat it until somebody gives up
    NET_GATE_COMMANDS,
    NET_GATE_SEQUENCE,
} net_gate_verdict;

typedef struct net_gate_header {
    uint16_t peer_id;
    uint8_t session;
    bool has_sent_time;
    size_t bytes; // of the header
} net_gate_header;

// The newest reliable command of each channel that was received without a gap before it.
typedef struct net_gate_received {
    uint16_t reliable[NET_GATE_CHANNELS];
} net_gate_received;

net_gate_verdict net_gate_read_header(const uint8_t *bytes, size_t length, net_gate_header *header);

// All commands after the header. `received` is the sender's; for a datagram that wants to connect
// it is all zero. *says_goodbye is set if a command is a DISCONNECT, and left alone otherwise.
net_gate_verdict net_gate_walk(const uint8_t *bytes, size_t length, const net_gate_header *header,
                               net_gate_received received, bool *says_goodbye);

// A command of a datagram that has passed the walk.
typedef struct net_gate_command {
    uint8_t number;       // ENet's, without its flags
    bool asks_answer;     // an acknowledgement
    const uint8_t *bytes; // the command with what it carries
    size_t length;
    const uint8_t *data; // what it carries
    size_t data_bytes;
} net_gate_command;

net_gate_command net_gate_read_command(const uint8_t *bytes, size_t at);

// The commands of a datagram that has passed the walk, but for acknowledgements: of those a client
// sends as many as it is sent.
uint32_t net_gate_count(const uint8_t *bytes, size_t length, const net_gate_header *header);
// @return whether one of its commands, which have passed the walk, is a reliable packet.
bool net_gate_has_message(const uint8_t *bytes, size_t length, const net_gate_header *header);
// @return whether the first one is an acknowledgement.
bool net_gate_acknowledges(const uint8_t *bytes, const net_gate_header *header);

// The one packet of a datagram that holds an unsequenced packet, asks for no acknowledgement and
// has nothing else in it. Such a datagram passes the walk.
typedef struct net_gate_packet {
    uint8_t channel;
    const uint8_t *bytes;
    size_t length;
} net_gate_packet;

// False for any other datagram.
bool net_gate_read_lone_packet(const uint8_t *bytes, size_t length, const net_gate_header *header,
                               net_gate_packet *packet);

typedef struct net_gate_connect {
    uint16_t peer_id;       // by which the client wants to be spoken to
    uint32_t id;            // of the attempt, in network order: one that is repeated has the same
    uint32_t channels;      // that it asks for
    const uint8_t *command; // 48 bytes
} net_gate_connect;

// The datagram passed the walk and its peer id was NET_GATE_NO_PEER.
net_gate_connect net_gate_read_connect(const uint8_t *bytes, const net_gate_header *header);
