/// The inside of a playback: what is played, where it stands, and where it is going.
/// Its tick is a second list of stages over the frame of a server, so it sees that one's parts.
#pragma once

#include "host/tick_stages.h"
#include "playback/playback.h"
#include "playback/scout.h"
#include "playback/stills.h"

struct apex_playback {
    apex_server *server; ///< whose race, clients and frame it plays to
    apex_replay_reader *reader;
    apex_replay_extent extent;
    uint8_t *fresh; ///< the race before its first tick, saved
    size_t saved_bytes;
    uint64_t tick; ///< that the race has made, those before the recording included
    uint64_t goal; ///< seeking: where it is to be
    bool is_playing, is_seeking;
    bool is_asked; ///< for another goal, since the last tick of the server
    bool is_lost;  ///< the reader is not where the race is
    uint32_t speed_permille, owed_permille;
    uint32_t epoch;
    bool has_news, has_jumped; ///< to be told in this tick of the server
    bool has_marks_news;
    char notice[APEX_WIRE_TEXT_BYTES]; ///< to be told; "" if there is none
    apex_race_event
        *roster_events; ///< of this tick of the server: players who came, left, or changed hands
    uint32_t roster_event_count, roster_event_capacity;
    playback_cost cost;
    playback_stills stills;
    playback_scout scout;
};

/// The parts of its server that a recording is played to: what its step may write beside itself.
typedef struct playback_parts {
    host_frame *frame; ///< its events
    apex_race *race;
    apex_jobs *jobs;
    host_news *news;
    host_clients *clients; ///< what they have of a moment that it left
    apex_replica *replica;
    apex_replica_codes *codes;
} playback_parts;

/// Plays what is due, or goes on its way to where it was asked to; gathers marks.
void playback_advance(apex_playback *playback, const playback_parts *parts, bool is_watched);
/// Does what a viewer wishes.
void playback_grant(apex_playback *playback, const apex_playback_wish *wish);
