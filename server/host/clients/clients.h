/// Clients: the sessions that are connected, the cars they drive and what they asked to be sent.
#pragma once

#include "host/clients/controls_buffer.h"
#include "net/net.h"
#include "replicate/replicate.h"

typedef struct host_client {
    apex_session_id session; ///< zero: the place is free
    apex_player_id player;   ///< zero: a spectator, or not in yet
    bool admitted;           ///< joined or spectating
    apex_viewer viewer;
    uint32_t telemetry_period_ticks; ///< 0: none
    uint32_t nearest_period_ticks;   ///< of the nearest cars between snapshots; 0: not so
    bool subscribed; ///< has said what it wants; before that it gets snapshots at the usual rate
    bool wants_stats, wants_standings, wants_sectors;
    bool wants_deltas;           ///< else whole snapshots
    uint32_t snapshot_bytes_max; ///< of a delta snapshot; 0: as many as the server gives
    uint32_t focus_car;          ///< a spectator's wire id; 0: none
    bool needs_roster;           ///< just admitted: send it everything
    bool needs_past;             ///< and what happened before it came; until then it hears nothing
    bool told_playback;          ///< the state of the recording that it watches
    uint64_t heard_us;           ///< when its newest message came
    bool is_paused;              ///< it has been silent for too long to be sent what has a rate
    uint32_t shown_tick1;    ///< 1 + the tick of its last snapshot, of a recording's, like the next
    uint32_t measured_tick1; ///< and of its last telemetry
    bool kicked;             ///< close it in the coming tick
    apex_leave_why leaves_why; ///< said to the race when its session is closed
    bool demoted;              ///< put it among the spectators in the coming tick
    bool leaving;              ///< has said Leave: nothing that comes after it counts
    bool lost;                 ///< its link broke: the server drives, and nobody listens
    uint64_t hand_back_us; ///< back, but the server drives until its controls are here, or until
                           ///< then; 0: it drives itself
    bool driver_changed;   ///< to be told in the roster of this tick
    bool is_silent;    ///< its controls were waited for in vain: that is done again once it speaks
    uint32_t given_up; ///< times in a row, with no sample in time between
    uint32_t awaited_from_tick; ///< not before, however much it speaks
    bool told_silent;           ///< and the log has said so
    bool has_conduct;           ///< has been told of its conduct, which is the next
    apex_conduct conduct;
    host_controls_buffer controls;
} host_client;

typedef struct host_clients {
    uint32_t capacity;
    uint32_t end;                  ///< one past the last place that is taken
    host_client *at;               ///< by session.index1 - 1
    apex_viewer_memory **memories; ///< likewise; NULL until somebody there wants deltas
    uint32_t *of_player;           ///< by player.index1 - 1: place in `at` plus one, or 0
    uint32_t player_capacity;
    bool newcomers_wait; ///< some client needs a roster
    bool kicks_wait;     ///< some client is to be closed
    bool demotions_wait; ///< some client is to watch from now on
    apex_controls_counters controls_counters;
    uint64_t paused_silent; ///< times that a viewer was
    uint64_t nearest_sent;  ///< snapshots of the nearest cars alone
    uint64_t refused_unknown_car, refused_race, refused_busy, refused_name, refused_name_held;
    uint64_t refused_entry; ///< by the event's list of entries
} host_clients;

apex_err host_clients_create(host_clients *clients, uint32_t capacity, uint32_t player_capacity);
void host_clients_destroy(host_clients *clients);

host_client *host_client_open(host_clients *clients, apex_session_id session);
/// NULL for a session that is not open here.
host_client *host_client_of(const host_clients *clients, apex_session_id session);
/// NULL for a player nobody is connected for: a server bot.
host_client *host_client_of_player(const host_clients *clients, apex_player_id player);
void host_client_seat(host_clients *clients, host_client *client, apex_player_id player);
/// It watches from now on, and has no player.
void host_client_unseat(host_clients *clients, host_client *client);
/// Its memory of acknowledged cars; NULL before host_client_remember.
apex_viewer_memory *host_client_memory(host_clients *clients, const host_client *client);
/// The same, to be read.
const apex_viewer_memory *host_client_has(const host_clients *clients, const host_client *client);
/// The client wants delta snapshots from now on, beginning with nothing. @return false: no memory.
bool host_client_remember(host_clients *clients, host_client *client);
/// As just opened, but for the player.
void host_client_reopen(host_clients *clients, host_client *client);
void host_client_close(host_clients *clients, host_client *client);
