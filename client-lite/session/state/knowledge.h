/// The knowledge of a client is what it was told, the newest of each kind: definitions, roster,
/// standings, results, telemetry, statistics; and the events and notices of one update.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/proto.h"

enum {
    CLIENT_EVENTS_MAX = 4096, ///< in one update; what is beyond is dropped and counted
    CLIENT_NOTICES_MAX = 32,
};

typedef struct client_def_slot {
    uint8_t *bytes; ///< NULL until it is here
} client_def_slot;

typedef struct client_knowledge {
    bool welcomed;
    bool has_standings, has_results, has_stats, has_telemetry, has_race_state, has_playback;
    bool has_session, has_conduct;
    size_t event_count, event_capacity, notice_count;
    apex_race_event_message *events;
    apex_race_event_message *past; ///< events from before, of one update; NULL but then
    size_t past_count;
    uint64_t heard_tick1;      ///< 1 + the tick of the newest event that was heard; 0: none was
    uint64_t dropped;          ///< events and notices past the maximum, messages without memory
    apex_roster_entry *roster; ///< sorted by player
    size_t roster_count, roster_capacity;

    apex_welcome welcome;
    client_def_slot defs[APEX_WIRE_DEFS_MAX]; ///< as welcome.defs
    apex_standings standings;                 ///< lines owned
    apex_results results;                     ///< lines owned
    apex_server_stats stats;                  ///< counts owned
    apex_telemetry telemetry;
    apex_race_state race_state;
    apex_playback_state playback; ///< marks owned
    apex_race_session session;
    apex_conduct conduct;
    apex_penalty_message *penalties; ///< room for all; NULL until there is one
    size_t penalty_count;
    const char *notices[CLIENT_NOTICES_MAX];
    char notice_texts[CLIENT_NOTICES_MAX][APEX_WIRE_TEXT_BYTES];
} client_knowledge;

void client_knowledge_free(client_knowledge *knowledge);
/// Forgets the events, past and new, and the notices of the last update.
void client_knowledge_begin_update(client_knowledge *knowledge);

void client_knowledge_event(client_knowledge *knowledge, const apex_race_event_message *event);
/// Keeps what was not heard before: a client that comes back is told again of what it saw.
void client_knowledge_past(client_knowledge *knowledge, const apex_past_events *past);
void client_knowledge_notice(client_knowledge *knowledge, const char *text);
void client_knowledge_standings(client_knowledge *knowledge, const apex_standings *standings);
void client_knowledge_results(client_knowledge *knowledge, const apex_results *results);
/// Keeps the marks of an earlier one if this has none.
void client_knowledge_playback(client_knowledge *knowledge, const apex_playback_state *state);
void client_knowledge_stats(client_knowledge *knowledge, const apex_server_stats *stats);

/// Merges one change. @return the car id the player had before, 0 if none or unchanged.
uint32_t client_knowledge_roster_change(client_knowledge *knowledge,
                                        const apex_roster_entry *entry);
void client_knowledge_roster_clear(client_knowledge *knowledge);
bool client_knowledge_roster_has_car(const client_knowledge *knowledge, uint32_t car);

typedef enum client_def_verdict {
    CLIENT_DEF_TAKEN,
    CLIENT_DEF_UNASKED, ///< not in the welcome, or here already
    CLIENT_DEF_WRONG,   ///< its bytes are not what its hash promises
    CLIENT_DEF_NO_MEMORY,
} client_def_verdict;

client_def_verdict client_knowledge_def(client_knowledge *knowledge, const apex_def_content *def);
bool client_knowledge_defs_complete(const client_knowledge *knowledge);
/// @param name NULL: the first of its kind. @return index into welcome.defs, or -1.
int client_knowledge_def_find(const client_knowledge *knowledge, apex_def_kind kind,
                              const char *name);
