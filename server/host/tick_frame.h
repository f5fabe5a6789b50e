/// A tick as data: what its stages pass on. Each stage fills its own fields and reads earlier ones.
#pragma once

#include "base/arena.h"
#include "host/clients/clients.h"
#include "host/load/metrics.h"
#include "host/load/overload.h"
#include "host/server_clock.h"
#include "host/setup.h"
#include "host/simulation/player_names.h"

/// The snapshots that one viewer is to be sent in this tick.
typedef struct host_outbox {
    const host_client *client;  ///< capture, and the next three
    apex_viewer_memory *memory; ///< what it has, to which encode adds; NULL: it gets all, always
    bool has_own;               ///< the next is its car
    apex_own_car own;
    bool only_nearest;            ///< between two snapshots: of cars side by side with him
    apex_viewer_packets *packets; ///< encode; NULL: the tick had no room for them
} host_outbox;

/// A client that is due telemetry, and of which car.
typedef struct host_telemetry_due {
    uint32_t place; ///< in clients
    uint32_t car1;  ///< 1 + that in telemetry_cars; 0: it looks at no car
} host_telemetry_due;

/// A car's telemetry, for all clients that look at it.
typedef struct host_car_telemetry {
    apex_player_id player; ///< capture, and the next two
    bool has_car;          ///< its telemetry is the next
    apex_telemetry telemetry;
    const uint8_t *bytes; ///< encode, and the next; on the frame
    size_t length;        ///< 0: it has no car, or the tick no room
} host_car_telemetry;

/// A long message, encoded once for all clients that are sent it.
typedef struct host_message {
    const uint8_t *bytes; ///< on the frame
    size_t length;        ///< 0: there was no room for it
} host_message;

/// A client's wish of a recording, for instance that it stands still.
typedef struct host_wish {
    const host_client *client;
    apex_playback_wish wish;
} host_wish;

/// A driver who is due what has changed of his conduct.
typedef struct host_conduct_due {
    uint32_t place; ///< in clients
    apex_conduct conduct;
} host_conduct_due;

typedef struct host_frame {
    uint64_t now_us, unix_us; ///< begin, and the next eight: the same moment on both clocks
    uint64_t uptime_us;
    uint64_t (*clock_us)(void); ///< by which stages are measured; NULL: they are not
    uint64_t round;      ///< number of the server's rounds, those in which it is idle included
    uint32_t shown_tick; ///< the newest that clients may know of; step goes on to the next
    host_strain strain;  ///< decides what is left out
    apex_arena *arena;   ///< of what lives until the next tick
    const host_setup *setup;
    const host_names *names;      ///< of players, and who they are
    uint32_t tick_hz;             ///< begin: the race's
    const apex_link_event *links; ///< receive
    size_t link_count;
    const apex_mail *mail; ///< receive
    size_t mail_count;
    host_wish *wishes; ///< ingest
    size_t wish_count;
    const apex_race_event *events; ///< step
    size_t event_count;
    apex_snapshot snapshot;    ///< capture
    apex_snapshot_parts parts; ///< encode
    host_outbox *outbox;       ///< capture: viewers; encode: packets
    size_t outbox_count;
    size_t nearest_count; ///< capture: of those, of the nearest cars alone
    uint32_t share_bytes; ///< encode: of the bandwidth, for each of them
    bool is_whole_due;    ///< capture: one of them at least is to be sent a whole snapshot
    uint32_t *standings_due, *race_state_due; ///< capture: places in clients
    size_t standings_count, race_state_count;
    host_message *standings;           ///< capture: of standings_due
    host_telemetry_due *telemetry_due; ///< capture
    size_t telemetry_count;
    host_car_telemetry *telemetry_cars; ///< capture: whose; encode: as bytes
    uint32_t telemetry_car_count;
    apex_race_status status;    ///< capture: as clients are told it
    apex_race_session session;  ///< likewise, of an event with control; without its lists
    bool session_changed;       ///< capture: all are to be told
    host_conduct_due *conducts; ///< capture: what drivers are to be told of their own
    size_t conduct_count;
    const apex_standing *order; ///< capture: all of it, where somebody is to be told it; else NULL
    size_t order_count;
    apex_roster_entry *roster_changes; ///< capture: that all are to be told
    uint32_t roster_change_count;
    bool has_new_roster;      ///< capture: too much of it has changed to be told but as a whole
    bool has_jumped;          ///< step, of a recording: it is at another moment all of a sudden
    uint64_t stage_began_us;  ///< the stage under way
    uint32_t drivers_changed; ///< times that the server took a car over or gave it back
} host_frame;

/// The tick shown stays the same. The caller sets the strain.
void host_begin_frame(host_frame *frame, const host_clock *clock, const host_setup *setup,
                      const host_names *names, apex_arena *arena);
/// Counts what the stage took.
void host_stage_done(host_frame *frame, host_metrics *metrics, host_stage stage);
