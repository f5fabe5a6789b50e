// Recordings are opened and ticked on a thread of libuv's pool, one at a time; what came of it is
// taken up on the loop's (DECISIONS 36). Eight viewers who drag their sliders may ask for 64 ms of
// work in each tick of 17; they share what one thread can make, and the race beside them keeps its
// rate (e2e.recordings_web). Of the eight places one address has four at most.

#include "site/recording_work.h"

#include <string.h>

#include "base/assert.h"
#include "base/log.h"
#include "site/farewell.h"

static void open_recording(uv_work_t *work) {
    recording_viewer *viewer = work->data;
    viewer->err = apex_playback_open(&viewer->def, &viewer->playback, viewer->why);
}

// Anybody may ask for what is not there: each doubling is a line, which fills no disk.
static void count_failure(site_playbacks *playbacks, const recording_viewer *viewer) {
    uint64_t count = ++playbacks->figures.failed;
    if ((count & (count - 1)) == 0) {
        apex_log(APEX_LOG_WARN, "replay", "%llu recordings could not be opened so far; %s: %s",
                 (unsigned long long)count, viewer->path, viewer->why);
    }
}

static void recording_opened(uv_work_t *work, int status) {
    recording_viewer *viewer = work->data;
    site_playbacks *playbacks = viewer->owner;
    (void)status; // nobody takes work back
    if (playbacks->web == NULL || viewer->is_gone) {
        site_viewer_free(viewer);
        site_playbacks_free_when_idle(playbacks);
        return;
    }
    if (viewer->err != APEX_OK) {
        count_failure(playbacks, viewer);
        site_farewell(playbacks->web, playbacks->room, viewer->link, APEX_REASON_RACE_CLOSED,
                      viewer->why);
        site_viewer_free(viewer);
        return;
    }
    playbacks->figures.opened++;
    viewer->state = VIEWER_WATCHING;
    viewer->due_us = playbacks->now_us;
    viewer->moved_us = playbacks->now_us;
    // The turn of the loop that brought this here ticks it, too.
}

static void begin(site_playbacks *playbacks, recording_viewer *viewer) {
    viewer->def = apex_default_playback_def();
    viewer->def.path = viewer->path;
    viewer->def.clients_max = LINKS_MAX; // links keep their numbers
    viewer->def.now_us = playbacks->now_us;
    viewer->def.clock_us = playbacks->clock_us;
    memcpy(viewer->def.token_key, playbacks->token_key, sizeof viewer->def.token_key);
    viewer->work.data = viewer;
    viewer->state = VIEWER_OPENING;
    int queued = uv_queue_work(playbacks->loop, &viewer->work, open_recording, recording_opened);
    APEX_ASSERT(queued == 0); // it fails only without work
}

// One after the other, and none for a viewer that has left meanwhile: laying a track takes all of a
// core, and a client that opens recordings all the time would have all cores and all of the disk's
// threads.
void site_open_next(site_playbacks *playbacks) {
    recording_viewer *next = NULL;
    for (uint32_t i = 0; i < VIEWERS_MAX; i++) {
        recording_viewer *viewer = &playbacks->viewers[i];
        if (viewer->state == VIEWER_OPENING) {
            return;
        }
        if (viewer->state == VIEWER_WAITING && (next == NULL || viewer->asked < next->asked)) {
            next = viewer;
        }
    }
    if (next != NULL) {
        begin(playbacks, next);
    }
}

static void tick_recording(uv_work_t *work) {
    recording_viewer *viewer = work->data;
    const viewer_mail *mail = &viewer->mails[1 - viewer->coming];
    uint64_t (*clock_us)(void) = viewer->owner->clock_us;
    uint64_t began_us = clock_us != NULL ? clock_us() : 0;
    apex_server_feed(apex_playback_server(viewer->playback), mail->events, mail->event_count);
    apex_playback_tick(viewer->playback, viewer->tick_us);
    viewer->work_us = clock_us != NULL ? clock_us() - began_us : 0;
}

static void note_movement(recording_viewer *viewer) {
    apex_playback_state state = apex_playback_state_of(viewer->playback);
    if (state.playing || state.seeking) {
        viewer->moved_us = viewer->tick_us;
    }
}

static void send_outbox(site_playbacks *playbacks, const recording_viewer *viewer) {
    const apex_link_packet *packets = NULL;
    apex_server *server = apex_playback_server(viewer->playback);
    size_t count = apex_server_outbox(server, &packets);
    apex_web_send(playbacks->web, playbacks->room, packets, count);
    const apex_link *closing = NULL;
    if (apex_server_closing(server, &closing) > 0) {
        apex_web_close_link(playbacks->web, playbacks->room, viewer->link);
    }
}

static void recording_ticked(uv_work_t *work, int status) {
    recording_viewer *viewer = work->data;
    site_playbacks *playbacks = viewer->owner;
    (void)status; // nobody takes work back
    viewer->state = VIEWER_WATCHING;
    playbacks->figures.ticks += apex_playback_ticks_made(viewer->playback);
    playbacks->figures.work_us += viewer->work_us;
    site_viewer_empty(&viewer->mails[1 - viewer->coming]);
    note_movement(viewer);
    if (playbacks->web == NULL || viewer->is_gone) {
        site_viewer_free(viewer);
        site_playbacks_free_when_idle(playbacks);
        return;
    }
    send_outbox(playbacks, viewer);
}

static void begin_tick(site_playbacks *playbacks, recording_viewer *viewer, uint64_t now_us) {
    viewer->coming = 1 - viewer->coming;
    viewer->tick_us = now_us;
    viewer->work.data = viewer;
    uint64_t period_us = 1000000u / apex_server_tick_hz(apex_playback_server(viewer->playback));
    bool is_behind = viewer->due_us + 4 * period_us < now_us; // lost time stays lost
    viewer->due_us = (is_behind ? now_us : viewer->due_us) + period_us;
    viewer->state = VIEWER_TICKING;
    int queued = uv_queue_work(playbacks->loop, &viewer->work, tick_recording, recording_ticked);
    APEX_ASSERT(queued == 0); // it fails only without work
}

// Races that are driven have the loop's thread for themselves, and recordings, however many are
// watched and whatever is asked of them, one other: a seek is milliseconds of work.
void site_tick_next(site_playbacks *playbacks, uint64_t now_us) {
    recording_viewer *next = NULL;
    for (uint32_t i = 0; i < VIEWERS_MAX; i++) {
        recording_viewer *viewer = &playbacks->viewers[i];
        if (viewer->state == VIEWER_TICKING) {
            return;
        }
        bool is_due = viewer->state == VIEWER_WATCHING && viewer->due_us <= now_us;
        if (is_due && (next == NULL || viewer->due_us < next->due_us)) {
            next = viewer;
        }
    }
    if (next != NULL) {
        begin_tick(playbacks, next, now_us);
    }
}

static void on_timer(uv_timer_t *timer) {
    (void)timer; // the turn of the loop that it makes is all that is wanted
}

// The end of a tick under way makes a turn of the loop by itself.
void site_wake_for_next(site_playbacks *playbacks) {
    uint64_t next_us = UINT64_MAX;
    for (uint32_t i = 0; i < VIEWERS_MAX; i++) {
        const recording_viewer *viewer = &playbacks->viewers[i];
        if (viewer->state == VIEWER_WATCHING && viewer->due_us < next_us) {
            next_us = viewer->due_us;
        }
    }
    if (next_us == UINT64_MAX || site_viewers_any(playbacks, VIEWER_TICKING)) {
        uv_timer_stop(&playbacks->timer);
        return;
    }
    uint64_t wait_us = next_us > playbacks->now_us ? next_us - playbacks->now_us : 0;
    uv_timer_start(&playbacks->timer, on_timer, (wait_us + 999) / 1000, 0);
}
