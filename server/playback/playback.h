/// A recording as a race that is watched: it takes its commands and controls from a file, at the
/// speed that its viewers wish, from where they wish.
#pragma once

#include "playback/rerun.h"
#include "proto/proto.h"

/// How long a tick of the race takes, from what the loop measured of whole ticks of the server, so
/// that seeking and fast playing can be cut to what there is time for.
typedef struct host_pace {
    double tick_us;
    uint32_t made; ///< ticks of races, in this tick of the server
} host_pace;

/// Ticks that there is time for; at least one.
uint32_t host_pace_room(const host_pace *pace, double budget_us);
void host_pace_learn(host_pace *pace, uint64_t work_us);

// --- Marks: what happened when -------------------------------------------------------------------

typedef enum host_mark_group {
    HOST_MARKS_PHASES, ///< starts and results
    HOST_MARKS_BEST_LAPS,
    HOST_MARKS_HOME,
    HOST_MARKS_OUT,
    HOST_MARKS_CONTACTS, ///< the heaviest
    HOST_MARK_GROUPS
} host_mark_group;

enum { HOST_MARKS_A_GROUP_MAX = 96 };

typedef struct host_mark {
    apex_playback_mark mark;
    int64_t weight;
} host_mark;

typedef struct host_marks {
    uint32_t counts[HOST_MARK_GROUPS];
    host_mark groups[HOST_MARK_GROUPS][HOST_MARKS_A_GROUP_MAX];
} host_marks;

/// Notes an event, if it is worth it and there is room, or if it outweighs another.
void host_marks_note(host_marks *marks, const apex_race_event *event, uint32_t tick_hz);
/// All, in order of time. @return how many.
uint32_t host_marks_list(const host_marks *marks, apex_playback_mark out[APEX_PLAYBACK_MARKS_MAX]);

/// A second race that runs ahead through the whole recording, a little in each tick of the server.
typedef struct host_scout {
    apex_replay_reader *reader; ///< NULL: all is found, or nothing more can be
    apex_race *race;
    uint64_t tick;
    bool is_waiting; ///< it came to the end of a file that may grow
    host_marks marks;
    uint32_t list_count;
    apex_playback_mark list[APEX_PLAYBACK_MARKS_MAX];
} host_scout;

typedef struct host_playback host_playback;
void host_scout_go_on(host_playback *playback, uint32_t tick_hz);
void host_scout_end(host_scout *scout);

// --- Stills: where it has been ------------------------------------------------------------------

enum { HOST_STILLS_MAX = 32 };

/// Saved races of some ticks that were played or passed; a newer one takes an older one's place.
typedef struct host_stills {
    uint32_t count; ///< places; of a large race there are fewer, or none
    size_t still_bytes;
    uint64_t ticks[HOST_STILLS_MAX]; ///< 0: none there
    uint8_t *bytes;
} host_stills;

typedef struct host_still {
    uint64_t tick; ///< 0: none
    const uint8_t *bytes;
} host_still;

bool host_stills_create(host_stills *stills, size_t still_bytes);
void host_stills_destroy(host_stills *stills);
/// Keeps the race, if this is one of the ticks.
void host_stills_keep(host_stills *stills, const apex_race *race, uint64_t tick);
/// The last one up to the goal, if it lies after the other.
host_still host_stills_find(const host_stills *stills, uint64_t after, uint64_t goal);

// --- The playback --------------------------------------------------------------------------------

struct host_playback {
    apex_replay_reader *reader;
    apex_replay_extent extent;
    uint8_t *fresh; ///< the race before its first tick, saved
    size_t saved_bytes;
    uint64_t tick; ///< that the race has made
    uint64_t goal; ///< seeking: where it is to be
    bool is_playing, is_seeking;
    bool is_asked; ///< for another goal, since the last tick of the server
    bool is_lost;  ///< the reader is not where the race is
    uint32_t speed_permille, owed_permille;
    uint32_t epoch;
    bool has_news, has_jumped; ///< to be told in this tick of the server
    bool has_marks_news;
    uint64_t shown_tick;               ///< newest that viewers may know of
    char notice[APEX_WIRE_TEXT_BYTES]; ///< to be told; "" if there is none
    apex_race_event
        *roster_events; ///< of this tick of the server: who came, left, or changed hands
    uint32_t roster_event_count, roster_event_capacity;
    host_pace pace;
    host_stills stills;
    host_scout scout;
};

struct apex_server;

void host_playback_destroy(host_playback *playback); ///< NULL is fine
/// Somebody's line of the roster has changed in this tick of the server.
void host_playback_note_roster(host_playback *playback, apex_player_id player);
/// Plays what is due, or goes on its way to where it was asked to; gathers marks.
void host_playback_step(struct apex_server *server);
void host_playback_ask(struct apex_server *server, const apex_playback_wish *wish);
/// Where the recording stands, before anything else of it is told.
void host_playback_tell(struct apex_server *server);

/// Whether the race is on its way to somewhere, and not to be looked at; false for a live one.
bool host_playback_hides(const struct apex_server *server);
/// The tick that the race is in, as far as clients are concerned.
uint32_t host_shown_tick(const struct apex_server *server);
