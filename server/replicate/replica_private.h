/// The parts of delta snapshots: the captured seconds, neighbours, codes, and what each viewer has.
#pragma once

#include <stdatomic.h>

#include "replicate/replicate.h"

enum { REPLICA_TICKS = APEX_DELTA_AGE_MAX + 1 };

/// Cars by place: those of a cell stand together.
typedef struct replica_grid {
    uint32_t *starts; ///< [cell], and the end
    uint16_t *slots;  ///< rising within a cell
    uint32_t *cells;  ///< [slot]
} replica_grid;

/// A code and what it is the code of: once coded it stays for the rest of the tick.
typedef struct coded_car {
    _Alignas(64) _Atomic uint64_t of; ///< see codes.c
    apex_delta_code code;
} coded_car;

enum { CODES_A_CAR = 8 };

struct apex_replica {
    uint32_t capacity, tick_hz;
    uint32_t tick;                 ///< newest
    uint32_t ticks[REPLICA_TICKS]; ///< which tick a row holds
    apex_delta_car *rows;          ///< [tick % REPLICA_TICKS][slot], slots from 1; id 0: nobody
    apex_delta_car *far_row;       ///< [slot], of the newest tick
    double *along_mps;             ///< [slot], of the last capture
    uint32_t *since_tick;          ///< [slot] who is there has been there since; 0: nobody is
    float (*place_m)[2];           ///< [slot] in the plan, of the newest tick
    uint16_t *live;                ///< slots that hold somebody, rising
    uint32_t live_count;
    apex_standing *standings; ///< of the running order, for a moment
    uint16_t *order;          ///< slots in the running order, looked up twice a second
    uint16_t *ranks;          ///< [slot] place in it, from 1; 0: not in it
    uint32_t order_count, order_capacity;
    replica_grid grid;
    coded_car *codes; ///< [slot * CODES_A_CAR], by whichever worker came first
};

static inline apex_delta_car *replica_row(const apex_replica *replica, uint32_t tick) {
    return replica->rows + (size_t)(tick % REPLICA_TICKS) * (replica->capacity + (size_t)1);
}

/// The newest of a car; id 0: nobody.
static inline const apex_delta_car *replica_newest(const apex_replica *replica, uint32_t slot) {
    return &replica_row(replica, replica->tick)[slot];
}

/// What apex_replica_capture does with a race's poses.
/// @param poses [slot - 1], up to the slot `end`; nobody is there where its id's index is 0.
void replica_capture(apex_replica *replica, uint32_t tick, const apex_car_pose poses[],
                     uint32_t end);

/// As in Car.
uint8_t replica_flags(const apex_car_pose *pose);
uint32_t replica_zones(const apex_car_pose *pose);

bool replica_grid_create(replica_grid *grid, uint32_t capacity);
void replica_grid_destroy(replica_grid *grid);
void replica_grid_fill(apex_replica *replica);
/// The slots nearest to one, itself among them: at most `most`, no further than a kilometre or so;
/// rising. @return how many.
uint32_t replica_grid_nearest(const apex_replica *replica, uint32_t slot, uint32_t most,
                              uint16_t out[]);

typedef struct code_wish {
    uint32_t slot;
    apex_delta_class class;
    uint32_t age_ticks; ///< of the baseline; 0: by itself
} code_wish;

/// Coded once a tick for all viewers. @param spare is used where the car has no place left.
const apex_delta_code *replica_code(const apex_replica *replica, code_wish wish,
                                    apex_delta_code *spare);

bool replica_order_create(apex_replica *replica, uint32_t lines_max);
void replica_order_destroy(apex_replica *replica);
void replica_order_forget(apex_replica *replica);
/// Looks at the race's order, when it is time.
void replica_order_update(apex_replica *replica, const apex_race *race);
/// The slots of those up to two places before and behind. @return how many, at most 4.
uint32_t replica_order_rivals(const apex_replica *replica, uint32_t slot, uint16_t out[4]);

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
    uint32_t chosen_tick, seen_count; ///< when who competes was last chosen, of how many
    uint32_t car_count;
    apex_snapshot_ack heard;               ///< acknowledged since the last packet, as one
    uint64_t open;                         ///< packets that may still be acknowledged
    uint64_t acknowledged;                 ///< packets
    uint32_t judged, lost;                 ///< of late: packets whose fate is known; in vain
    uint32_t packet_ticks[VIEWER_PACKETS]; ///< [place]
    viewer_car cars[APEX_VIEWER_CARS_MAX]; ///< rising in slot
};

/// The slot whose neighbours it wants; 0 only while nobody is there.
uint32_t viewer_focus(const apex_replica *replica, const apex_delta_view *view);
/// Takes what was acknowledged since the last packet into account.
void viewer_settle(apex_viewer_memory *memory);
/// Who competes, anew when it is time.
void viewer_choose(apex_viewer_memory *memory, const apex_replica *replica,
                   const apex_delta_view *view);
/// Ticks since the newest acknowledged packet that carried the car; 0: nothing to lean on.
uint32_t viewer_base_age(const apex_viewer_memory *memory, const viewer_car *car,
                         const apex_replica *replica);
/// Begins a packet. @return its sequence.
uint16_t viewer_begin_packet(apex_viewer_memory *memory, uint32_t tick);
/// Of each car that competes, whether the packet that was begun last carries it.
void viewer_note_car(const apex_viewer_memory *memory, viewer_car *car, bool is_carried);
