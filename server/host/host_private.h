/// The server's parts and the frame that a tick passes from stage to stage.
#pragma once

#include "base/arena.h"
#include "base/jobs.h"
#include "driver/driver.h"
#include "host/clients/clients.h"
#include "host/host.h"
#include "host/load/lateness.h"
#include "host/load/metrics.h"
#include "host/load/overload.h"
#include "replay/replay.h"
#include "replicate/replicate.h"
#include "store/store.h"

/// What one viewer is to be sent in this tick.
typedef struct host_outbox {
    host_client *client;
    bool has_own; ///< capture: `own` is its car
    apex_own_car own;
    apex_viewer_packets *packets;
} host_outbox;

/// What somebody wishes of a recording, for instance that it stands still.
typedef struct host_wish {
    const host_client *client;
    apex_playback_wish wish;
} host_wish;

/// A tick as data: each stage fills its own field and reads earlier ones.
typedef struct host_frame {
    uint64_t now_us;
    const apex_link_event *links; ///< receive
    size_t link_count;
    const apex_mail *mail; ///< receive
    size_t mail_count;
    host_wish *wishes; ///< ingest
    size_t wish_count;
    const apex_race_event *events; ///< step
    size_t event_count;
    apex_snapshot snapshot; ///< capture
    apex_snapshot_parts parts;
    host_outbox *outbox; ///< capture: for whom; encode: what
    size_t outbox_count;
    bool is_whole_due; ///< capture: one of them at least is to be sent a whole snapshot
    uint32_t *telemetry_due, *standings_due, *race_state_due; ///< capture: places in clients
    size_t telemetry_count, standings_count, race_state_count;
    bool has_jumped;          ///< step, of a recording: it is at another moment all of a sudden
    uint64_t stage_began_us;  ///< the stage under way
    uint32_t drivers_changed; ///< how often the server took a car over or gave it back
} host_frame;

/// A message that may go out when the store has its record.
typedef struct host_untold {
    uint64_t record; ///< 0: may go at once
    apex_race_event event;
    /// Of the event's players when it happened: when it is told they may have left.
    char name[APEX_WIRE_NAME_BYTES], other_name[APEX_WIRE_NAME_BYTES];
    bool is_results;
} host_untold;

/// The newest events that were told to all and are worth reading later, for those who come then.
typedef struct host_past {
    uint64_t next;                                        ///< how many there ever were
    apex_race_event_message events[APEX_PAST_EVENTS_MAX]; ///< a ring
} host_past;

/// Events that may wait: of a small race a pile-up's, of a large one all that its players do when
/// they leave at once.
enum { HOST_UNTOLD_MIN = 8192, HOST_UNTOLD_A_PLAYER = 8, HOST_ANNOUNCEMENTS_MAX = 8 };

/// With more clients than this not everybody is told at once of everybody else.
enum { HOST_CROWD_CLIENTS = 128 };

/// Players whose line of the roster has changed and was not sent yet.
typedef struct host_roster_news {
    apex_player_id *players;
    uint32_t count, capacity;
} host_roster_news;

/// The cars that the server drives from the start, see bots.h.
typedef struct host_bots {
    uint32_t count;          ///< seated at the start; who was removed since stays in the list
    apex_player_id *players; ///< [count]
    bool *made_room;         ///< [count] for a person; seated again where there is a place
    apex_driver_lot *lots;   ///< [count], of the race `drawn_race`
    uint32_t drawn_race;     ///< its number; 0: none yet
} host_bots;

/// Whether anybody is here, see idle.c.
typedef struct host_idle {
    bool on;           ///< nobody is: the race makes no ticks
    bool was_told;     ///< in the log, once at least
    uint64_t heard;    ///< bytes off the wire
    uint64_t heard_us; ///< when there was anything; 0: never
} host_idle;

/// Results of the newest race, kept for late comers until the next race ends.
typedef struct host_results {
    apex_standing *lines;
    uint32_t line_count;  ///< the classification
    uint32_t apart_count; ///< and after it who never took the start
    uint32_t race_number, laps;
    uint64_t state_hash, seed;
    uint64_t record; ///< the store's number; 0: not queued
    bool told;
} host_results;

typedef struct host_def_blob {
    apex_def_name name;
    uint8_t *content; ///< CarDef or TrackDef
    uint8_t *message; ///< a ServerMessage that carries it
    size_t message_bytes;
} host_def_blob;

struct apex_server {
    apex_race_file file;
    char track_name[APEX_NAME_BYTES];
    uint32_t car_count;
    char car_names[APEX_RACE_CAR_DEFS_MAX][APEX_NAME_BYTES];
    const char *car_name_list[APEX_RACE_CAR_DEFS_MAX];
    uint32_t speed_permille;
    uint64_t start_us, start_unix_us;
    uint64_t race_began_unix_us;
    uint32_t lobby_logged; ///< 1 + the players of the lobby whose wait the log has told; 0: none
    uint64_t now_us;
    uint64_t ticked_us;       ///< when the last tick was made
    uint64_t awaits_since_us; ///< the coming tick waits for controls; 0: it does not
    uint64_t rounds;          ///< ticks of the server, those in which it was idle included
    uint32_t shown_tick;      ///< the newest that clients may know of
    /// Why nothing can be done to the race but watch it, as a sentence; NULL: it is being driven.
    const char *read_only_why;
    uint64_t (*clock_us)(void); ///< of what takes how long; NULL: nobody measures

    apex_track *track;
    apex_race *race;
    apex_replica *replica;
    apex_view_limits view_limits;
    apex_jobs *jobs;
    apex_controls *controls;   ///< of the coming tick, by player slot
    apex_transport *transport; ///< NULL: links are fed
    apex_sessions *sessions;
    host_clients clients;
    host_bots bots;
    apex_store *store;
    apex_replay_writer *recorder;
    apex_arena frame_arena;
    host_frame frame;
    uint32_t own_links_max; ///< of the transport: those fed are numbered from there on
    bool (*fed_line)(const void *context, apex_link link, apex_link_line *out);
    const void *fed_line_context; ///< of the links that are fed; NULL above: nobody knows
    const apex_link_event *fed;
    size_t fed_count;

    uint32_t def_count;
    host_def_blob defs[APEX_WIRE_DEFS_MAX];
    host_results results;
    host_roster_news roster_news;
    bool newcomers_wait; ///< some client needs a roster
    bool kicks_wait;     ///< some client is to be closed
    bool demotions_wait; ///< some client is to watch from now on
    host_untold *untold; ///< ring
    uint32_t untold_capacity;
    uint64_t untold_first, untold_next;
    host_past past;
    uint64_t never_told, never_told_logged_us; ///< events that were dropped; newest log line of it
    host_metrics metrics;
    host_overload overload;
    host_lateness lateness;
    bool idles; ///< see apex_server_def
    host_idle idle;
    apex_controls_counters controls_counters;
    uint64_t refused_unknown_car, refused_race, refused_busy;

    apex_reason stop_reason;
    char stop_text[APEX_WIRE_TEXT_BYTES];
    bool stopping, goodbyes_said;
    uint64_t stop_us, goodbye_us; ///< when the stop was asked for, when goodbyes were said
    _Atomic bool store_failing;   ///< the blocking work's, read by whoever reports
    uint32_t announcement_count;  ///< to be said in the coming tick
    char announcements[HOST_ANNOUNCEMENTS_MAX][APEX_WIRE_TEXT_BYTES];
};

// tick.c: stages, and what is around them
void host_begin_tick(apex_server *server, uint64_t now_us);
void host_stage_done(apex_server *server, host_stage stage); ///< measures it
void host_end_frame(apex_server *server);
void host_receive(apex_server *server);
/// The status and, where somebody is due one, a whole snapshot; who is due what.
void host_capture(apex_server *server);
/// Once the race is over and all of it told, closes every session.
void host_say_goodbye(apex_server *server, bool is_over);
void host_send_out(apex_server *server);

// ingest.c: what came from clients, into the race
void host_ingest(apex_server *server);

// admission.c
uint32_t host_period_of_hz(const apex_server *server, uint32_t hz); ///< in ticks; 0 for 0
void host_admit(apex_server *server, host_client *client);

// idle.c: after ingest, which knows who is here
void host_idle_note(apex_server *server);

// await.c: at speed max
/// Controls have come; `tick` is the coming one.
void host_await_heard(host_client *client, uint32_t tick);

// demote.c: drivers whose cars nobody drives
void host_demote_note(apex_server *server);
void host_demote_waiting(apex_server *server);

// resume.c: players whose link broke
void host_resume_lost(apex_server *server, host_client *client);
void host_resume_back(apex_server *server, host_client *client);
void host_resume_hand_back(apex_server *server, host_client *client, uint32_t tick);

// controls of every player for the coming tick
void host_collect_controls(apex_server *server);

// tell.c: what happened, to clients, once it is stored
void host_store_events(apex_server *server);
apex_race_result host_result_of(const apex_server *server);
void host_tell(apex_server *server);
uint64_t host_unix_us(const apex_server *server);

// race_log.c: what the log says of a race
void host_log_events(const apex_server *server); ///< after host_store_events, which keeps results
void host_log_lobby(apex_server *server);

// past.c: what happened before a client came
void host_past_note(host_past *past, const apex_race_event_message *event);
/// Oldest first. @return how many.
uint32_t host_past_list(const host_past *past, apex_race_event_message out[APEX_PAST_EVENTS_MAX]);

// lists.c: roster, standings, results as messages
/// Everything that was told before they came, to those who have just come.
void host_greet(apex_server *server);
void host_send_roster(apex_server *server);
void host_note_in_roster(apex_server *server, apex_player_id player); // his line has changed
void host_send_standings(apex_server *server);
void host_send_results(apex_server *server);
void host_keep_results(apex_server *server);

// view.c: snapshots, telemetry, statistics
apex_view_limits host_view_limits(apex_snapshot_preset preset);
/// Who is to be sent what in this tick, found in one walk over all clients.
void host_find_due(apex_server *server);
void host_encode_views(apex_server *server);
void host_send_views(apex_server *server);
void host_send_stats(apex_server *server);

// defs.c: definitions as clients get them
apex_err host_defs_create(apex_server *server, const apex_server_def *def);
void host_defs_destroy(apex_server *server);
void host_send_def(apex_server *server, host_client *client, uint64_t hash);
void host_welcome(apex_server *server, apex_session_id session);

// record.c
apex_err host_record_begin(apex_server *server, const apex_server_def *def);
void host_record_tick(apex_server *server);
void host_record_end(apex_server *server);
