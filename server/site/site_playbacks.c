#include "site/site_playbacks.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "base/assert.h"
#include "base/log.h"
#include "playback/playback.h"
#include "playback/recordings.h"
#include "site/farewell.h"

enum {
    WATCHED_MAX = 8,
    WATCHED_OF_ADDRESS_MAX = 4,  // one house does not keep all others out
    LINKS_MAX = 2 * WATCHED_MAX, // who is one too many still hears why
    VIEWERS_MAX = LINKS_MAX,     // and some have left while their server was at work
    EVENTS_MAX = 64,             // of a viewer between two ticks
    BYTES_MAX = 16 * 1024,       // of them
};

// Whose recording has stood still for so long gives way to who comes and finds no place.
static const uint64_t STILL_US = 60 * 1000000ull;

typedef enum viewer_state {
    VIEWER_FREE,
    VIEWER_WAITING, // for others to be opened
    VIEWER_OPENING, // on another thread
    VIEWER_WATCHING,
    VIEWER_TICKING, // likewise: watching, and its server is not to be touched
} viewer_state;

// What came of a viewer for one tick.
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
    char house[APEX_ADDRESS_BYTES]; // that it came from
    bool is_gone;                   // the browser left; nobody is to be told anything
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

static void free_viewer(recording_viewer *viewer) {
    apex_playback_close(viewer->playback);
    viewer->playback = NULL;
    viewer->state = VIEWER_FREE;
}

static bool is_anything(const site_playbacks *playbacks, viewer_state state) {
    for (uint32_t i = 0; i < VIEWERS_MAX; i++) {
        if (playbacks->viewers[i].state == state) {
            return true;
        }
    }
    return false;
}

static void free_when_idle(site_playbacks *playbacks) {
    if (playbacks->web == NULL && !playbacks->has_timer &&
        !is_anything(playbacks, VIEWER_OPENING) && !is_anything(playbacks, VIEWER_TICKING)) {
        free(playbacks);
    }
}

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
        free_viewer(viewer);
        free_when_idle(playbacks);
        return;
    }
    if (viewer->err != APEX_OK) {
        count_failure(playbacks, viewer);
        site_farewell(playbacks->web, playbacks->room, viewer->link, APEX_REASON_RACE_CLOSED,
                      viewer->why);
        free_viewer(viewer);
        return;
    }
    playbacks->figures.opened++;
    viewer->state = VIEWER_WATCHING;
    viewer->due_us = playbacks->now_us;
    viewer->moved_us = playbacks->now_us;
    // The turn of the loop that brought this here ticks it, too.
}

static void ask(site_playbacks *playbacks, recording_viewer *viewer) {
    const char *name = apex_web_link_path(playbacks->web, playbacks->room, viewer->link);
    viewer->err = APEX_ERR_NOT_FOUND;
    snprintf(viewer->why, sizeof viewer->why, "there is no recording of that name");
    struct stat status;
    int directory = open(playbacks->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_there = directory >= 0 && apex_is_recording(directory, name, &status);
    if (directory >= 0) {
        close(directory);
    }
    if (!is_there) {
        site_farewell(playbacks->web, playbacks->room, viewer->link, APEX_REASON_RACE_CLOSED,
                      viewer->why);
        return;
    }
    snprintf(viewer->path, sizeof viewer->path, "%s/%s", playbacks->directory, name);
    viewer->state = VIEWER_WAITING;
    viewer->asked = ++playbacks->asked;
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

// One after the other, and none for who has left meanwhile: laying a track takes all of a core, and
// who opens recordings all the time would have all cores and all of the disk's threads.
static void open_next(site_playbacks *playbacks) {
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

// Kept until the recording's next tick. @return false if there is no room for it.
static bool keep(recording_viewer *viewer, const apex_link_event *event) {
    viewer_mail *mail = &viewer->mails[viewer->coming];
    if (mail->event_count == EVENTS_MAX || event->length > BYTES_MAX - mail->byte_count) {
        return false;
    }
    apex_link_event *kept = &mail->events[mail->event_count++];
    *kept = *event;
    if (event->kind == APEX_LINK_BYTES) {
        kept->bytes = mail->bytes + mail->byte_count;
        memcpy(mail->bytes + mail->byte_count, event->bytes, event->length);
        mail->byte_count += event->length;
    }
    return true;
}

static void empty(viewer_mail *mail) {
    mail->event_count = 0;
    mail->byte_count = 0;
}

static recording_viewer *viewer_of(site_playbacks *playbacks, apex_link link) {
    for (uint32_t i = 0; i < VIEWERS_MAX; i++) {
        recording_viewer *viewer = &playbacks->viewers[i];
        bool is_it = viewer->state != VIEWER_FREE && viewer->link.index1 == link.index1 &&
                     viewer->link.generation == link.generation;
        if (is_it) {
            return viewer;
        }
    }
    return NULL;
}

// @return NULL if as many as may are watching.
static recording_viewer *find_place(site_playbacks *playbacks) {
    recording_viewer *place = NULL;
    uint32_t watched = 0;
    for (uint32_t i = 0; i < VIEWERS_MAX; i++) {
        recording_viewer *viewer = &playbacks->viewers[i];
        place = viewer->state == VIEWER_FREE ? viewer : place;
        watched += viewer->state != VIEWER_FREE && !viewer->is_gone;
    }
    return watched < WATCHED_MAX ? place : NULL;
}

static uint32_t count_of_house(const site_playbacks *playbacks, const char *house) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < VIEWERS_MAX; i++) {
        const recording_viewer *viewer = &playbacks->viewers[i];
        count +=
            viewer->state != VIEWER_FREE && !viewer->is_gone && strcmp(viewer->house, house) == 0;
    }
    return count;
}

// @param house NULL: whichever. @return whether somebody has given way.
static bool make_way(site_playbacks *playbacks, const char *house) {
    recording_viewer *stillest = NULL;
    for (uint32_t i = 0; i < VIEWERS_MAX; i++) {
        recording_viewer *viewer = &playbacks->viewers[i];
        bool watches = viewer->state == VIEWER_WATCHING || viewer->state == VIEWER_TICKING;
        bool is_still = watches && !viewer->is_gone &&
                        viewer->moved_us + STILL_US <= playbacks->now_us &&
                        (house == NULL || strcmp(viewer->house, house) == 0);
        if (is_still && (stillest == NULL || viewer->moved_us < stillest->moved_us)) {
            stillest = viewer;
        }
    }
    if (stillest == NULL) {
        return false;
    }
    site_farewell(playbacks->web, playbacks->room, stillest->link, APEX_REASON_SERVER_FULL,
                  "your recording stood still, and somebody else wished to watch one; load it "
                  "again to go on");
    stillest->is_gone = true;
    return true;
}

static void welcome(site_playbacks *playbacks, const apex_link_event *event) {
    char house[APEX_ADDRESS_BYTES];
    apex_house_of(event->address, house);
    if (count_of_house(playbacks, house) >= WATCHED_OF_ADDRESS_MAX && !make_way(playbacks, house)) {
        char text[APEX_HOST_WHY_BYTES];
        snprintf(text, sizeof text,
                 "%u recordings are watched from your address already; close one of them",
                 WATCHED_OF_ADDRESS_MAX);
        site_farewell(playbacks->web, playbacks->room, event->link, APEX_REASON_SERVER_FULL, text);
        return;
    }
    recording_viewer *viewer = find_place(playbacks);
    if (viewer == NULL && make_way(playbacks, NULL)) {
        viewer = find_place(playbacks);
    }
    if (viewer == NULL) {
        site_farewell(playbacks->web, playbacks->room, event->link, APEX_REASON_SERVER_FULL,
                      "as many recordings are watched here as may be; try again later");
        return;
    }
    memcpy(viewer->house, house, sizeof house);
    viewer->link = event->link;
    viewer->is_gone = false;
    empty(&viewer->mails[0]);
    empty(&viewer->mails[1]);
    ask(playbacks, viewer);
}

static void hear(site_playbacks *playbacks, const apex_link_event *event) {
    if (event->kind == APEX_LINK_OPENED) {
        welcome(playbacks, event);
    }
    recording_viewer *viewer = viewer_of(playbacks, event->link);
    if (viewer == NULL) {
        return;
    }
    viewer->is_gone |= event->kind == APEX_LINK_CLOSED;
    if (!keep(viewer, event) && event->kind == APEX_LINK_BYTES) {
        apex_web_close_link(playbacks->web, playbacks->room, event->link);
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
    empty(&viewer->mails[1 - viewer->coming]);
    note_movement(viewer);
    if (playbacks->web == NULL || viewer->is_gone) {
        free_viewer(viewer);
        free_when_idle(playbacks);
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
static void tick_next(site_playbacks *playbacks, uint64_t now_us) {
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
static void wake_for_next(site_playbacks *playbacks) {
    uint64_t next_us = UINT64_MAX;
    for (uint32_t i = 0; i < VIEWERS_MAX; i++) {
        const recording_viewer *viewer = &playbacks->viewers[i];
        if (viewer->state == VIEWER_WATCHING && viewer->due_us < next_us) {
            next_us = viewer->due_us;
        }
    }
    if (next_us == UINT64_MAX || is_anything(playbacks, VIEWER_TICKING)) {
        uv_timer_stop(&playbacks->timer);
        return;
    }
    uint64_t wait_us = next_us > playbacks->now_us ? next_us - playbacks->now_us : 0;
    uv_timer_start(&playbacks->timer, on_timer, (wait_us + 999) / 1000, 0);
}

void site_playbacks_run(site_playbacks *playbacks, uint64_t now_us) {
    playbacks->now_us = now_us;
    const apex_link_event *events = NULL;
    size_t count = apex_web_receive(playbacks->web, playbacks->room, now_us, &events);
    for (size_t i = 0; i < count; i++) {
        hear(playbacks, &events[i]);
    }
    for (uint32_t i = 0; i < VIEWERS_MAX; i++) {
        recording_viewer *viewer = &playbacks->viewers[i];
        bool is_idle = viewer->state == VIEWER_WATCHING || viewer->state == VIEWER_WAITING;
        if (is_idle && viewer->is_gone) {
            free_viewer(viewer);
        }
    }
    open_next(playbacks);
    tick_next(playbacks, now_us);
    wake_for_next(playbacks);
}

apex_playback_figures site_playbacks_figures(const site_playbacks *playbacks) {
    apex_playback_figures figures = playbacks->figures;
    for (uint32_t i = 0; i < VIEWERS_MAX; i++) {
        viewer_state state = playbacks->viewers[i].state;
        figures.watched += state == VIEWER_WATCHING || state == VIEWER_TICKING;
        figures.waiting += state == VIEWER_WAITING || state == VIEWER_OPENING;
    }
    return figures;
}

apex_err site_playbacks_create(const apex_site_def *def, apex_web *web, site_playbacks **out) {
    site_playbacks *playbacks = calloc(1, sizeof *playbacks);
    if (playbacks == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    apex_web_room_def room = {.path = "/replay/", .links_max = LINKS_MAX, .link_base = 0};
    apex_err err = apex_web_open_room(web, &room, &playbacks->room);
    if (err != APEX_OK) {
        free(playbacks);
        return err;
    }
    playbacks->web = web;
    playbacks->loop = def->loop;
    playbacks->now_us = def->now_us;
    playbacks->clock_us = def->clock_us;
    snprintf(playbacks->directory, sizeof playbacks->directory, "%s", def->replays_dir);
    memcpy(playbacks->token_key, def->token_key, sizeof playbacks->token_key);
    for (uint32_t i = 0; i < VIEWERS_MAX; i++) {
        playbacks->viewers[i].owner = playbacks;
    }
    uv_timer_init(playbacks->loop, &playbacks->timer);
    playbacks->timer.data = playbacks;
    playbacks->has_timer = true;
    *out = playbacks;
    return APEX_OK;
}

static void timer_closed(uv_handle_t *handle) {
    site_playbacks *playbacks = handle->data;
    playbacks->has_timer = false;
    free_when_idle(playbacks);
}

void site_playbacks_destroy(site_playbacks *playbacks) {
    if (playbacks == NULL) {
        return;
    }
    playbacks->web = NULL;
    for (uint32_t i = 0; i < VIEWERS_MAX; i++) {
        viewer_state state = playbacks->viewers[i].state;
        if (state == VIEWER_WATCHING || state == VIEWER_WAITING) {
            free_viewer(&playbacks->viewers[i]);
        }
    }
    uv_close((uv_handle_t *)&playbacks->timer, timer_closed);
}
