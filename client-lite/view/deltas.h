/// The decoder of delta snapshots: it turns them back into cars, keeps what the server may lean on,
/// and says what has come.
#pragma once

#include "proto/proto.h"

/// A decoded packet. Its cars stand together in a ring.
typedef struct client_delta_packet {
    uint32_t tick;
    bool is_here;
    uint64_t first; ///< in the ring, counted from the beginning
    uint32_t count;
} client_delta_packet;

typedef struct client_delta_car {
    apex_delta_car car;
    uint8_t class; ///< apex_delta_class
} client_delta_car;

enum {
    CLIENT_DELTA_TICKS = APEX_DELTA_AGE_MAX + 1,
    CLIENT_DELTA_CARS = APEX_DELTA_CARS_MAX + APEX_DELTA_LISTED_MAX,
};

typedef struct client_deltas {
    uint32_t tick_hz;
    uint32_t only_car;   ///< the one that is shown; 0: all
    uint32_t ack_every;  ///< packets from one acknowledgement to the next, about
    uint32_t unacked;    ///< packets since the last
    uint32_t acked_tick; ///< newest that it told of
    client_delta_car *ring;
    uint64_t next;     ///< place in the ring, counted from the beginning
    uint64_t oldest;   ///< place from which on something is needed, when that was last looked up
    uint64_t capacity; ///< of the ring, a power of two
    apex_snapshot_ack ack;
    bool is_ack_due; ///< the server should hear of what has come
    bool has_tick, has_race;
    uint32_t newest_tick;
    uint32_t race_tick, phase; ///< of the newest race head
    int32_t race_time_ms;
    uint64_t undecodable; ///< packets that leant on what was not here, or damaged
    client_delta_packet packets[CLIENT_DELTA_TICKS]; ///< [tick % CLIENT_DELTA_TICKS]
    apex_wire_car cars[CLIENT_DELTA_CARS];           ///< of the newest packet
} client_deltas;

void client_deltas_begin(client_deltas *deltas, uint32_t tick_hz);
void client_deltas_free(client_deltas *deltas);
/// @param near_tick a tick that the server's is near: within 2^15. @param out as a whole snapshot;
/// its cars are good until the next one, those of the list before the others.
/// @return false if it is no packet, or leans on what is not here; the ack then asks for repair.
bool client_deltas_take(client_deltas *deltas, const apex_snapshot_message *message,
                        uint32_t near_tick, apex_snapshot_message *out);
/// Only the head: when, and what it says of controls; no cars. The packet is not acknowledged, as
/// if it had been lost, so nothing will lean on it.
/// @return false if it is no packet.
bool client_deltas_glance(client_deltas *deltas, const apex_snapshot_message *message,
                          uint32_t near_tick, apex_snapshot_message *out);
/// The acknowledgement to tell the server now.
apex_snapshot_ack client_deltas_ack(client_deltas *deltas);
