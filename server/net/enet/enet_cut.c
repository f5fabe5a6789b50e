// Packets that may be lost never reach ENet, neither alone nor among other commands: it would keep
// in mind which numbers have come, and one forged number, thousands ahead, would have it take all
// of the owner's packets for old. Here they have no numbers. Ticks and counters in the messages say
// what is new, and what comes twice does no harm.
//
// Over a plain link anybody may have sent a DISCONNECT who can send in its owner's name. It is
// acknowledged, as its sender would otherwise repeat it, and the owner is pinged: his ENet answers,
// unless it was he who has gone. Commands by which a peer slows us down are acknowledged and left
// out. Over a sealed link all of these are the owner's (DECISIONS 57).
#include "net/enet/enet_cut.h"

#include <string.h>

#include "net/enet/datagram_gate.h"
#include "net/enet/enet_events.h"

enum { ACKNOWLEDGEMENT_BYTES = 8 };

typedef struct cutting {
    net_host *host;
    ENetPeer *peer;
    net_link_record *record;
    const uint8_t *sent_time; // of the datagram; there is one where a command asks to be answered
    size_t left;              // bytes for ENet
    uint8_t answer[2 + NET_GATE_COMMANDS_MAX * ACKNOWLEDGEMENT_BYTES];
    size_t answer_bytes;
} cutting;

static bool is_for_ourselves(uint8_t number) {
    return number == ENET_PROTOCOL_COMMAND_SEND_UNRELIABLE ||
           number == ENET_PROTOCOL_COMMAND_SEND_UNSEQUENCED;
}

// Commands that would change what becomes of the link.
static bool is_in_doubt(const cutting *cut, uint8_t number) {
    bool is_plain = cut->record->sealed1 == 0 && cut->record->state == NET_LINK_OPEN;
    return is_plain && (number == ENET_PROTOCOL_COMMAND_DISCONNECT ||
                        number == ENET_PROTOCOL_COMMAND_BANDWIDTH_LIMIT ||
                        number == ENET_PROTOCOL_COMMAND_THROTTLE_CONFIGURE);
}

// As ENet would: protocol.h of 1.3.17.
static void acknowledge(cutting *cut, const net_gate_command *command) {
    uint8_t *at = cut->answer + cut->answer_bytes;
    at[0] = ENET_PROTOCOL_COMMAND_ACKNOWLEDGE;
    at[1] = command->bytes[1];
    memcpy(at + 2, command->bytes + 2, 2); // its number, twice
    memcpy(at + 4, command->bytes + 2, 2);
    memcpy(at + 6, cut->sent_time, 2);
    cut->answer_bytes += ACKNOWLEDGEMENT_BYTES;
}

static void doubt(cutting *cut, const net_gate_command *command) {
    if (command->asks_answer) {
        acknowledge(cut, command);
    }
    if (command->number == ENET_PROTOCOL_COMMAND_DISCONNECT && !cut->record->is_doubtful) {
        cut->record->is_doubtful = true;
        cut->record->doubted_us = cut->host->transport->awake_us;
        enet_peer_ping(cut->peer);
    }
}

static void sort(cutting *cut, const net_gate_command *command) {
    if (is_for_ourselves(command->number)) {
        net_enet_take_bytes(cut->host->transport, cut->peer, command->bytes[1], command->data,
                            command->data_bytes);
    } else if (is_in_doubt(cut, command->number)) {
        doubt(cut, command);
    } else {
        memcpy(cut->host->left + cut->left, command->bytes, command->length);
        cut->left += command->length;
    }
}

static void send_answer(cutting *cut, uint32_t slot) {
    uint32_t session = (uint32_t)cut->peer->outgoingSessionID << ENET_PROTOCOL_HEADER_SESSION_SHIFT;
    uint32_t word = cut->peer->outgoingPeerID | session;
    cut->answer[0] = (uint8_t)(word >> 8);
    cut->answer[1] = (uint8_t)word;
    memcpy(net_enet_room(cut->host, slot), cut->answer, cut->answer_bytes);
    net_enet_dispatch(cut->host, slot, cut->answer_bytes);
}

bool net_enet_cut(net_host *host, ENetPeer *peer, net_arrival *arrival, size_t header_bytes) {
    uint32_t slot = net_enet_slot(peer);
    cutting cut = {.host = host,
                   .peer = peer,
                   .record = &host->transport->links.records[slot],
                   .sent_time = arrival->bytes + 2,
                   .left = header_bytes,
                   .answer_bytes = 2};
    memcpy(host->left, arrival->bytes, header_bytes);
    bool was_doubtful = cut.record->is_doubtful;
    bool says_more = false;
    for (size_t at = header_bytes; at < arrival->length;) {
        net_gate_command command = net_gate_read_command(arrival->bytes, at);
        says_more = says_more || !is_in_doubt(&cut, command.number);
        sort(&cut, &command);
        at += command.length;
    }
    if (was_doubtful && says_more) {
        cut.record->is_doubtful = false;
    }
    if (cut.answer_bytes > 2) {
        send_answer(&cut, slot);
    }
    arrival->bytes = host->left;
    arrival->length = cut.left;
    return cut.left > header_bytes;
}
