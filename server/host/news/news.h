/// News are all that there is to tell: events that wait for the store, results, changes of the
/// roster, and what those who come later are told of the past.
#pragma once

#include "host/news/penalty_news.h"
#include "host/news/told_order.h"
#include "proto/proto.h"
#include "race/race.h"
#include "store/store.h"

/// A message that may go out when the store has its record.
typedef struct host_untold {
    uint64_t record; ///< 0: may go at once
    apex_race_event event;
    /// Of the event's players when it happened: when it is told they may have left.
    char name[APEX_WIRE_NAME_BYTES], other_name[APEX_WIRE_NAME_BYTES];
    bool is_results;
    apex_penalty penalty; ///< of a penalty's event, as it was then; number 0: none
} host_untold;

/// The newest events that were told to all and are worth reading later, for those who come then.
typedef struct host_past {
    uint64_t next;                                        ///< number of all that there ever were
    apex_race_event_message events[APEX_PAST_EVENTS_MAX]; ///< a ring
} host_past;

/// Events that may wait: of a small race a pile-up's, of a large one all that its players do when
/// they leave at once.
enum { HOST_UNTOLD_MIN = 8192, HOST_UNTOLD_A_PLAYER = 8, HOST_ANNOUNCEMENTS_MAX = 8 };

/// With more clients than this not everybody is told at once of everybody else
/// (DECISIONS 31).
enum { HOST_CROWD_CLIENTS = 128 };

/// Players whose line of the roster has changed and was not sent yet.
typedef struct host_roster_news {
    apex_player_id *players;
    uint32_t count, capacity;
} host_roster_news;

/// Results of the newest race, kept for late comers until the next race ends.
typedef struct host_results {
    apex_standing *lines;
    apex_store_who *who;         ///< of each
    host_line_conduct *conducts; ///< likewise; NULL: of an event without control
    uint32_t line_count;         ///< the classification
    uint32_t apart_count;        ///< and after it those who never took the start
    uint32_t race_number, laps;
    uint64_t state_hash, seed;
    uint64_t record; ///< the store's number; 0: not queued
    bool told;
} host_results;

typedef struct host_news {
    apex_store *store;
    _Atomic bool store_failing; ///< written by the blocking work, read for reports
    uint64_t race_began_unix_us;
    host_results results;
    host_roster_news roster;
    host_told_order order;
    uint64_t newest_record; ///< that the store was given
    host_untold *untold;    ///< ring
    uint32_t untold_capacity;
    uint64_t untold_first, untold_next;
    host_past past;
    host_penalties penalties;                  ///< that were told
    apex_race_session session;                 ///< as captured last, of an event with control
    uint64_t never_told, never_told_logged_us; ///< events that were dropped; newest log line of it
    uint32_t lobby_logged; ///< 1 + the players of the lobby whose wait the log has told; 0: none
    uint32_t announcement_count; ///< to be said in the coming tick
    char announcements[HOST_ANNOUNCEMENTS_MAX][APEX_WIRE_TEXT_BYTES];
} host_news;
