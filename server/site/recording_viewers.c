// Places of those who watch recordings: few at a time, and few of one address.

#include "site/recording_viewers.h"

#include <stdlib.h>
#include <string.h>

#include "site/farewell.h"

// A viewer whose recording has stood still for so long gives way to one that comes and finds no
// place.
static const uint64_t STILL_US = 60 * 1000000ull;

void site_viewer_free(recording_viewer *viewer) {
    apex_playback_close(viewer->playback);
    viewer->playback = NULL;
    viewer->state = VIEWER_FREE;
}

bool site_viewers_any(const site_playbacks *playbacks, viewer_state state) {
    for (uint32_t i = 0; i < VIEWERS_MAX; i++) {
        if (playbacks->viewers[i].state == state) {
            return true;
        }
    }
    return false;
}

void site_playbacks_free_when_idle(site_playbacks *playbacks) {
    if (playbacks->web == NULL && !playbacks->has_timer &&
        !site_viewers_any(playbacks, VIEWER_OPENING) &&
        !site_viewers_any(playbacks, VIEWER_TICKING)) {
        free(playbacks);
    }
}

bool site_viewer_keep(recording_viewer *viewer, const apex_link_event *event) {
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

void site_viewer_empty(viewer_mail *mail) {
    mail->event_count = 0;
    mail->byte_count = 0;
}

recording_viewer *site_viewer_of(site_playbacks *playbacks, apex_link link) {
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
    return watched < SITE_WATCHED_MAX ? place : NULL;
}

static uint32_t count_of_house(const site_playbacks *playbacks, apex_house house) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < VIEWERS_MAX; i++) {
        const recording_viewer *viewer = &playbacks->viewers[i];
        count += viewer->state != VIEWER_FREE && !viewer->is_gone &&
                 apex_house_is_same(viewer->house, house);
    }
    return count;
}

// @param house NULL: whichever. @return whether somebody has given way.
static bool make_way(site_playbacks *playbacks, const apex_house *house) {
    recording_viewer *stillest = NULL;
    for (uint32_t i = 0; i < VIEWERS_MAX; i++) {
        recording_viewer *viewer = &playbacks->viewers[i];
        bool watches = viewer->state == VIEWER_WATCHING || viewer->state == VIEWER_TICKING;
        bool is_still = watches && !viewer->is_gone &&
                        viewer->moved_us + STILL_US <= playbacks->now_us &&
                        (house == NULL || apex_house_is_same(viewer->house, *house));
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

recording_viewer *site_viewer_admit(site_playbacks *playbacks, const apex_link_event *event) {
    apex_house house = apex_house_of(event->address);
    if (count_of_house(playbacks, house) >= SITE_WATCHED_OF_ADDRESS_MAX &&
        !make_way(playbacks, &house)) {
        char text[APEX_HOST_WHY_BYTES];
        snprintf(text, sizeof text,
                 "%u recordings are watched from your address already; close one of them",
                 SITE_WATCHED_OF_ADDRESS_MAX);
        site_farewell(playbacks->web, playbacks->room, event->link, APEX_REASON_SERVER_FULL, text);
        return NULL;
    }
    recording_viewer *viewer = find_place(playbacks);
    if (viewer == NULL && make_way(playbacks, NULL)) {
        viewer = find_place(playbacks);
    }
    if (viewer == NULL) {
        site_farewell(playbacks->web, playbacks->room, event->link, APEX_REASON_SERVER_FULL,
                      "as many recordings are watched here as may be; try again later");
        return NULL;
    }
    viewer->house = house;
    viewer->link = event->link;
    viewer->is_gone = false;
    site_viewer_empty(&viewer->mails[0]);
    site_viewer_empty(&viewer->mails[1]);
    return viewer;
}
