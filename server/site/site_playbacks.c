// The room of recordings: what browsers ask for is looked up, admitted and handed to their servers.

#include "site/site_playbacks.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "playback/recordings.h"
#include "site/farewell.h"
#include "site/recording_work.h"

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

static void hear(site_playbacks *playbacks, const apex_link_event *event) {
    if (event->kind == APEX_LINK_OPENED) {
        recording_viewer *viewer = site_viewer_admit(playbacks, event);
        if (viewer != NULL) {
            ask(playbacks, viewer);
        }
    }
    recording_viewer *viewer = site_viewer_of(playbacks, event->link);
    if (viewer == NULL) {
        return;
    }
    viewer->is_gone |= event->kind == APEX_LINK_CLOSED;
    if (!site_viewer_keep(viewer, event) && event->kind == APEX_LINK_BYTES) {
        apex_web_close_link(playbacks->web, playbacks->room, event->link);
    }
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
            site_viewer_free(viewer);
        }
    }
    site_open_next(playbacks);
    site_tick_next(playbacks, now_us);
    site_wake_for_next(playbacks);
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
    site_playbacks_free_when_idle(playbacks);
}

void site_playbacks_destroy(site_playbacks *playbacks) {
    if (playbacks == NULL) {
        return;
    }
    playbacks->web = NULL;
    for (uint32_t i = 0; i < VIEWERS_MAX; i++) {
        viewer_state state = playbacks->viewers[i].state;
        if (state == VIEWER_WATCHING || state == VIEWER_WAITING) {
            site_viewer_free(&playbacks->viewers[i]);
        }
    }
    uv_close((uv_handle_t *)&playbacks->timer, timer_closed);
}
