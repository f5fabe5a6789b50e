/// The quality of a client's link by its snapshots: how many arrived, and how evenly.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct client_link_quality {
    uint32_t period_ticks; ///< from one snapshot to the next; 0: not known
    bool begun;
    uint32_t newest_slot; ///< snapshots are counted by tick / period_ticks
    uint64_t seen;        ///< a bit for each of the last 64: it came; the newest is bit 0
    uint64_t expected, arrived;
    uint32_t last_tick;
    uint64_t last_us;
    double jitter_s;
    bool is_good;
} client_link_quality;

void client_link_quality_begin(client_link_quality *quality, uint32_t tick_hz,
                               uint32_t snapshot_hz);
/// A part of a snapshot, in whatever order. @param ticks_per_s of the client's clock.
void client_link_quality_note(client_link_quality *quality, uint32_t tick, double ticks_per_s,
                              uint64_t now_us);
/// Share of snapshots of which nothing arrived; those still under way count as lost.
double client_link_quality_loss(const client_link_quality *quality);
/// @return whether of the newest 64 snapshots nearly all came, and evenly: a line that is good
/// stays so until it is clearly worse. False before so many were expected.
bool client_link_quality_is_good(client_link_quality *quality);
/// Jitter in microseconds, or UINT32_MAX where it is more.
uint32_t client_link_quality_jitter_us(const client_link_quality *quality);
