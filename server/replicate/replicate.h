/// Snapshots: what each viewer is sent of a race, captured once a tick as integers, cut into
/// datagrams, spread over the ticks between two snapshots. Reads the race, writes wire values;
/// knows no session.
///
/// Capture and cut run on the loop thread; encode may run on any worker, each call for another
/// viewer. Results live on the frame arena.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "proto/proto.h"
#include "race/race.h"

/// Ids as they stand on the wire; 0 for none.
uint32_t apex_car_wire_id(apex_car_id car);
apex_car_id apex_car_of_wire_id(uint32_t id); ///< which there may be or not
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

/// The time and phase of a race, without cars.
apex_snapshot apex_replicate_status(const apex_race *race);
/// No cars if the frame has no room.
apex_snapshot apex_replicate_capture(const apex_race *race, apex_arena *frame);

/// The cuts of a snapshot whose parts each fit a datagram: part p has the cars first[p] up to
/// first[p + 1]. A snapshot without cars has one part.
typedef struct apex_snapshot_parts {
    uint32_t count;
    const uint32_t *first;
    uint32_t bytes_max; ///< of each
} apex_snapshot_parts;

/// @param bytes the budget of a snapshot: what is longer is cut into parts of half of it, so that a
/// viewer has one with its own car and another in turn. Parts have APEX_PART_BYTES_MIN at least.
apex_snapshot_parts apex_replicate_cut(const apex_snapshot *snapshot, uint32_t bytes,
                                       apex_arena *frame);

/// Datagrams a viewer gets in one snapshot. With more parts than this, or than parts_max, a viewer
/// is served the part with its own car and, in turn, all others.
enum { APEX_VIEWER_PARTS_MAX = 8, APEX_PART_BYTES_MIN = 150 };

/// A viewer, as far as it is remembered from one snapshot to the next.
typedef struct apex_viewer {
    uint32_t period_ticks;  ///< from one snapshot to the next; 0: none wanted
    uint32_t turn;          ///< its place among the ticks of a period
    uint32_t own_car;       ///< wire id, 0 for a spectator
    bool wants_own_car;     ///< whole and exact
    uint32_t next_part;     ///< of a FULL snapshot: whose turn it is
    uint32_t parts_max;     ///< of a FULL snapshot, the exact own car apart; 0: no limit of its own
    uint32_t controls_tick; ///< newest tick whose controls came in time
    int32_t controls_depth; ///< ticks its newest controls were ahead, least since the last snapshot
} apex_viewer;

bool apex_viewer_is_due(const apex_viewer *viewer, uint64_t tick);

typedef struct apex_viewer_packets {
    uint32_t count;
    uint32_t next_part; ///< with which the viewer's next snapshot goes on
    uint32_t length[APEX_VIEWER_PARTS_MAX];
    uint8_t bytes[APEX_VIEWER_PARTS_MAX][APEX_DATAGRAM_BYTES_MAX];
} apex_viewer_packets;

/// The viewer's datagrams of this snapshot, in FULL encoding.
/// @param own the viewer's car whole and exact; NULL: not wanted, or not there
void apex_replicate_encode(const apex_snapshot *snapshot, const apex_snapshot_parts *parts,
                           const apex_own_car *own, const apex_viewer *viewer,
                           apex_viewer_packets *out);

/// All cars as they were in the ticks of the last second, in delta.h's integers: what changes are
/// coded against.
typedef struct apex_replica apex_replica;

/// @return NULL when memory is refused.
apex_replica *apex_replica_create(uint32_t car_capacity, uint32_t tick_hz);
void apex_replica_destroy(apex_replica *replica);
/// Once a tick, after the race has made it.
void apex_replica_capture(apex_replica *replica, const apex_race *race);
/// The race was moved to another moment: what was captured before is of no use any more.
void apex_replica_forget(apex_replica *replica);
/// The car in this slot at a tick of the last APEX_DELTA_AGE_MAX, or NULL.
const apex_delta_car *apex_replica_car(const apex_replica *replica, uint32_t tick, uint32_t slot);

/// The codes of the newest tick's cars: made once for all viewers, and shared by the workers that
/// encode.
typedef struct apex_replica_codes apex_replica_codes;

/// @param car_capacity the replica's. @return NULL when memory is refused.
apex_replica_codes *apex_replica_codes_create(uint32_t car_capacity);
void apex_replica_codes_destroy(apex_replica_codes *codes); ///< NULL is fine
/// With the replica: of one tick there may be two pasts, and what was coded against the one is of
/// no use against the other.
void apex_replica_codes_forget(apex_replica_codes *codes);

/// Limits of the bytes and cars that a viewer may be sent.
typedef struct apex_view_limits {
    uint32_t bytes_max;      ///< of a snapshot, APEX_DELTA_BYTES_MIN..APEX_DATAGRAM_BYTES_MAX
    uint32_t neighbours_max; ///< cars that compete for them, APEX_VIEWER_NEIGHBOURS_MIN to
                             ///< APEX_VIEWER_CARS_MAX
    float near_m;            ///< cars further off are told less finely
    uint32_t listed_cars;    ///< of the others, in each snapshot, 0..APEX_DELTA_LISTED_MAX
} apex_view_limits;

apex_view_limits apex_view_limits_lan(void);
apex_view_limits apex_view_limits_internet(void);
apex_view_limits apex_view_limits_crowd(void);
/// The limits of a viewer without a car who wants to see all: the rest of a datagram is for the
/// list.
apex_view_limits apex_view_limits_spectator(const apex_replica *replica);

enum { APEX_VIEWER_NEIGHBOURS_MIN = 8, APEX_VIEWER_CARS_MAX = 255 };

/// Up to so many cars within this distance of a driver's are side by side with it: between two
/// snapshots they are told of by themselves, in what the last one left of its bytes.
enum { APEX_NEAREST_MAX = 4, APEX_NEAREST_M = 15 };
/// Of IP, UDP, ENet and the envelope, about: they count as well.
enum { APEX_SNAPSHOT_HEADERS_BYTES = 48 };

/// The memory of what a viewer has of which car, and of the packets on their way to it.
typedef struct apex_viewer_memory apex_viewer_memory;

apex_viewer_memory *apex_viewer_memory_create(void);
void apex_viewer_memory_destroy(apex_viewer_memory *memory);
/// Forgets everything: a new viewer has the place.
void apex_viewer_memory_clear(apex_viewer_memory *memory);
/// The race was moved to another moment: everything is sent anew. Packets go on being numbered, so
/// that what the viewer says of earlier ones is not taken for later ones.
void apex_viewer_memory_forget(apex_viewer_memory *memory);
/// Takes what the viewer says has come, and that it lost what changes lean on: then everything is
/// sent anew, once for each time. Packets that were never sent, or long ago, are passed over. Of
/// several between two snapshots only the newest counts, as each tells of all that its predecessors
/// told of; but a loss is not forgotten.
void apex_viewer_acknowledge(apex_viewer_memory *memory, const apex_snapshot_ack *ack);
/// Once before each snapshot that is encoded: what was acknowledged since the last one counts now.
void apex_viewer_settle(apex_viewer_memory *memory);

/// Of a million snapshots how many the viewer has not acknowledged within the 64 that followed: of
/// the last 128 to 256, which are six to thirteen seconds at 20 Hz (DECISIONS 42), and two to four
/// side by side with others.
/// @return false: too few so far
bool apex_viewer_lost_ppm(const apex_viewer_memory *memory, uint32_t *out);

/// The limit of a snapshot of the nearest alone; 0: nobody was side by side with the viewer in the
/// last snapshot of all, or it left too few bytes.
uint32_t apex_viewer_nearest_bytes(const apex_viewer_memory *memory);

/// The source of a snapshot, beside the replica and the viewer's memory.
typedef struct apex_delta_view {
    const apex_viewer *viewer;
    const apex_view_limits *limits;
    uint32_t focus_slot; ///< whose neighbours it wants; 0: the leader of the list
    uint32_t phase;
    int32_t race_time_ms;
    bool wants_nearest; ///< some of the next kind are to follow
    bool only_nearest;  ///< between two snapshots, of cars side by side alone: no race, no controls
} apex_delta_view;

/// One snapshot of the newest tick for one viewer: the bytes of DeltaSnapshot.data. Viewers may be
/// encoded at the same time.
/// @param codes the replica's: what one call codes the others find there
/// @param memory this viewer's, settled: it notes what the packet carries
/// @return bytes, at most limits->bytes_max.
size_t apex_replica_encode(const apex_replica *replica, const apex_delta_view *view,
                           apex_replica_codes *codes, apex_viewer_memory *memory,
                           uint8_t out[APEX_DATAGRAM_BYTES_MAX]);

/// Captures the viewer's own car whole, bit for bit.
/// @return false if it wants none, has none, or its numbers left the range that the wire has.
bool apex_replicate_own_car(const apex_world *world, const apex_viewer *viewer, apex_own_car *out);

/// @return false if the player has no car.
bool apex_replicate_telemetry(const apex_race *race, apex_player_id player, apex_telemetry *out);
