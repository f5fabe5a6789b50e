/// What each viewer is sent of a race: captured once a tick as integers, cut into datagrams, spread
/// over the ticks between two snapshots. Reads the race, writes wire values; knows no session.
///
/// Capture and cut run on the loop thread; encode may run on any worker, each call for another
/// viewer. What is handed out lives on the frame arena.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "proto/proto.h"
#include "race/race.h"

/// Ids as they stand on the wire; 0 for none.
uint32_t apex_car_wire_id(apex_car_id car);
uint32_t apex_player_wire_id(apex_player_id player);

/// A race at one tick, quantised: units of wire.proto's Car, sorted by id.
typedef struct apex_snapshot {
    uint32_t tick;
    uint32_t phase;
    int32_t race_time_ms;
    uint32_t car_count;
    const apex_wire_car *cars;
} apex_snapshot;

/// SI to integers, rounded to nearest, clamped to what the field holds.
apex_wire_car apex_replicate_quantise(const apex_car_pose *pose);

/// No cars if the frame has no room.
apex_snapshot apex_replicate_capture(const apex_race *race, apex_arena *frame);

/// Where a snapshot is cut so that each part fits a datagram: part p has the cars first[p] up to
/// first[p + 1]. A snapshot without cars has one part.
typedef struct apex_snapshot_parts {
    uint32_t count;
    const uint32_t *first;
} apex_snapshot_parts;

apex_snapshot_parts apex_replicate_cut(const apex_snapshot *snapshot, apex_arena *frame);

/// Datagrams a viewer gets in one snapshot. With more parts than this a viewer is served the
/// part with its own car and, in turn, all others.
enum { APEX_VIEWER_PARTS_MAX = 8 };

/// What is remembered of a viewer from one snapshot to the next.
typedef struct apex_viewer {
    uint32_t period_ticks; ///< from one snapshot to the next; 0: none wanted
    uint32_t turn;         ///< its place among the ticks of a period
    uint32_t own_car;      ///< wire id, 0 for a spectator
    uint32_t next_part;
    uint32_t controls_tick; ///< newest tick whose controls came in time
    int32_t controls_depth; ///< ticks its newest controls are ahead
} apex_viewer;

bool apex_viewer_is_due(const apex_viewer *viewer, uint64_t tick);

typedef struct apex_viewer_packets {
    uint32_t count;
    uint32_t length[APEX_VIEWER_PARTS_MAX];
    uint8_t bytes[APEX_VIEWER_PARTS_MAX][APEX_DATAGRAM_BYTES_MAX];
} apex_viewer_packets;

/// The viewer's datagrams of this snapshot, in FULL encoding.
void apex_replicate_encode(const apex_snapshot *snapshot, const apex_snapshot_parts *parts,
                           apex_viewer *viewer, apex_viewer_packets *out);

/// @return false if the player has no car.
bool apex_replicate_telemetry(const apex_race *race, apex_player_id player, apex_telemetry *out);
