// A viewer's memory: which cars compete for its bytes, and what has come of the packets sent.
#pragma once

#include "replicate/replica.h"

/// A car that competes for a viewer's bytes.
typedef struct viewer_car {
    uint16_t slot;
    uint8_t class;    ///< in which it is sent; a change of it makes all baselines useless
    bool is_rival;    ///< next in the running order
    float priority;   ///< grows until the car is sent
    uint64_t carried; ///< by which packets, in this class
} viewer_car;

/// Packets by place: a bit each for the last 64, the one before a packet in the bit above its own.
enum { VIEWER_PACKETS = 64 };

static inline uint32_t viewer_packet_place(uint16_t sequence) {
    return (0u - sequence) % VIEWER_PACKETS;
}

struct apex_viewer_memory {
    uint16_t next_sequence, repaired_sequence;
    uint32_t snapshots;
    uint32_t next_listed;             ///< place among the live ones where the list goes on
    uint32_t chosen_tick, seen_count; ///< of the choice of cars that compete
    uint32_t car_count;
    uint32_t bytes_left;                   ///< by the last snapshot of all, and those since
    uint32_t nearest_count;                ///< side by side with the own car in that
    uint16_t nearest[APEX_NEAREST_MAX];    ///< slots
    apex_snapshot_ack heard;               ///< acknowledged since the last packet, as one
    uint64_t open;                         ///< packets that may still be acknowledged
    uint64_t acknowledged;                 ///< packets
    uint32_t judged, lost;                 ///< of late: packets whose fate is known; in vain
    uint32_t packet_ticks[VIEWER_PACKETS]; ///< [place]
    viewer_car cars[APEX_VIEWER_CARS_MAX]; ///< rising in slot
};

/// The slot whose neighbours it wants; 0 only while nobody is there.
uint32_t viewer_focus(const captured_cars *cars, const apex_delta_view *view);
/// Chooses the cars that compete, anew when it is time.
void viewer_choose(apex_viewer_memory *memory, const apex_replica *replica,
                   const apex_delta_view *view);
/// Ticks since the newest acknowledged packet that carried the car; 0: nothing to lean on.
uint32_t viewer_base_age(const apex_viewer_memory *memory, const viewer_car *car,
                         const captured_cars *cars);
/// Begins a packet. @return its sequence.
uint16_t viewer_begin_packet(apex_viewer_memory *memory, uint32_t tick);
/// The packet that was begun last carries no car, but those that are noted from now on.
void viewer_note_none(apex_viewer_memory *memory);
/// Of each car that competes, whether the packet that was begun last carries it.
void viewer_note_car(const apex_viewer_memory *memory, viewer_car *car, bool is_carried);
