/// Browsers that watch recordings: their places, their mail, and the one whose turn it is to give
/// way.
#pragma once

#include <uv.h>

#include "net/house.h"
#include "playback/playback.h"
#include "site/site.h"
#include "web/web.h"

enum {
    SITE_WATCHED_MAX = 8,
    SITE_WATCHED_OF_ADDRESS_MAX = 4,  // one house does not keep all others out
    LINKS_MAX = 2 * SITE_WATCHED_MAX, // a viewer too many still hears why
    VIEWERS_MAX = LINKS_MAX,          // and some have left while their server was at work
    EVENTS_MAX = 64,                  // of a viewer between two ticks
    BYTES_MAX = 16 * 1024,            // of them
};

typedef struct site_playbacks site_playbacks;

typedef enum viewer_state {
    VIEWER_FREE,
    VIEWER_WAITING, // for others to be opened
    VIEWER_OPENING, // on another thread
    VIEWER_WATCHING,
    VIEWER_TICKING, // likewise: watching, and its server is not to be touched
} viewer_state;

// A viewer's mail for one tick.
typedef struct viewer_mail {
    uint32_t event_count;
    size_t byte_count;
    apex_link_event events[EVENTS_MAX];
    uint8_t bytes[BYTES_MAX]; // theirs
} viewer_mail;

typedef struct recording_viewer {
    site_playbacks *owner;
    viewer_state state;
    apex_link link;
    apex_house house; // that it came from
    bool is_gone;     // the browser left; nobody is to be told anything
    apex_playback *playback;
    uint64_t asked; // WAITING: as how manieth of all
    uint64_t due_us;
    viewer_mail mails[2]; // of the tick to come, and of the one under way
    uint32_t coming;      // which is which
    uint64_t tick_us;     // of the tick under way
    uint64_t moved_us;    // newest tick in which the recording played, or was on its way
    uint64_t work_us;     // that the last tick took
    uv_work_t work;
    apex_playback_def def; // of the work
    char path[2 * APEX_HOST_PATH_BYTES];
    apex_err err;
    char why[APEX_HOST_WHY_BYTES];
} recording_viewer;

struct site_playbacks {
    apex_web *web; // NULL: closing
    apex_web_room room;
    uv_loop_t *loop;
    uv_timer_t timer; // wakes the loop for the next tick
    bool has_timer;
    char directory[APEX_HOST_PATH_BYTES];
    uint8_t token_key[16];
    uint64_t now_us;
    uint64_t (*clock_us)(void);
    uint64_t asked;
    apex_playback_figures figures; // but for those of now
    recording_viewer viewers[VIEWERS_MAX];
};

void site_viewer_free(recording_viewer *viewer);
bool site_viewers_any(const site_playbacks *playbacks, viewer_state state);
/// Once the site has closed and no work is under way.
void site_playbacks_free_when_idle(site_playbacks *playbacks);
/// NULL if none has that link.
recording_viewer *site_viewer_of(site_playbacks *playbacks, apex_link link);
/// A place for a link that has just opened; others that stand still may have to give way to it.
/// @return NULL if as many watch as may, and it has been told so.
recording_viewer *site_viewer_admit(site_playbacks *playbacks, const apex_link_event *event);
/// Kept until the recording's next tick. @return false if there is no room for it.
bool site_viewer_keep(recording_viewer *viewer, const apex_link_event *event);
void site_viewer_empty(viewer_mail *mail);
