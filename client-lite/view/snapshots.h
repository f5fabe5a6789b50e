/// The newest known of every car, put together from snapshot parts as they come: in any order,
/// late, twice or not at all.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/proto.h"

enum { CLIENT_CARS_MAX = APEX_ROSTER_ENTRIES_MAX };

typedef struct client_snapshots {
    apex_wire_car *cars; ///< sorted by id
    uint32_t *ticks;     ///< of each car's news
    size_t count, capacity;
    bool any;
    uint32_t tick; ///< newest part's, like the next three
    uint32_t phase;
    int32_t race_time_ms;
    uint64_t received_us;
    uint32_t stale_ticks; ///< a car nothing was heard of for so long is forgotten
    uint64_t parts, late;
} client_snapshots;

void client_snapshots_begin(client_snapshots *snapshots, uint32_t tick_hz);
/// Forgets all cars: what comes is of another time.
void client_snapshots_forget(client_snapshots *snapshots);
/// Ticks come at another rate: cars are forgotten after as long by the client's clock.
void client_snapshots_pace(client_snapshots *snapshots, double ticks_per_s);
void client_snapshots_free(client_snapshots *snapshots);
/// @return false if there was no memory for a new car; what fits is taken.
bool client_snapshots_take(client_snapshots *snapshots, const apex_snapshot_message *part,
                           uint64_t now_us);
void client_snapshots_remove(client_snapshots *snapshots, uint32_t car);
const apex_wire_car *client_snapshots_find(const client_snapshots *snapshots, uint32_t car);
