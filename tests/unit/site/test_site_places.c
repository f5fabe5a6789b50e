// labels: tsan
// What a viewer of a recording says between two ticks is kept as it came, up to a bound; and whose
// recording is opened next.
#include "support/base/check_main.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "site/recording_viewers.h"
#include "site/recording_work.h"

static recording_viewer *viewer;
static uint8_t bytes[BYTES_MAX + 1];

static void start(void) {
    viewer = calloc(1, sizeof *viewer);
    ck_assert_ptr_nonnull(viewer);
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * 7);
    }
}

static void stop(void) {
    free(viewer);
}

FIXTURE(start, stop)

static bool says(size_t length) {
    apex_link_event event = {.kind = APEX_LINK_BYTES, .bytes = bytes, .length = length};
    return site_viewer_keep(viewer, &event);
}

TEST(mail_is_kept_side_by_side) {
    ck_assert(says(100));
    ck_assert(says(50));
    const viewer_mail *mail = &viewer->mails[0];
    ck_assert_uint_eq(mail->event_count, 2);
    ck_assert_uint_eq(mail->byte_count, 150);
    ck_assert_ptr_eq(mail->events[1].bytes, mail->bytes + 100);
    ck_assert_mem_eq(mail->events[0].bytes, bytes, 100);
    ck_assert_mem_eq(mail->events[1].bytes, bytes, 50);
    viewer->coming = 1; // a tick has begun with what is there
    ck_assert(says(10));
    ck_assert_uint_eq(viewer->mails[1].byte_count, 10);
    ck_assert_uint_eq(viewer->mails[0].byte_count, 150);
    site_viewer_empty(&viewer->mails[0]);
    ck_assert_uint_eq(viewer->mails[0].event_count + viewer->mails[0].byte_count, 0);
}

TEST(mail_has_bounds) {
    ck_assert(!says(BYTES_MAX + 1));
    ck_assert(says(BYTES_MAX - 1));
    ck_assert(!says(2));
    ck_assert(says(1));
    ck_assert(!says(1));
    site_viewer_empty(&viewer->mails[0]);
    for (uint32_t i = 0; i < EVENTS_MAX; i++) {
        ck_assert(says(1));
    }
    ck_assert(!says(1));
    ck_assert_uint_eq(viewer->mails[0].event_count, EVENTS_MAX);
}

TEST(a_viewer_is_found_by_the_whole_of_its_link) {
    site_playbacks *playbacks = calloc(1, sizeof *playbacks);
    ck_assert_ptr_nonnull(playbacks);
    recording_viewer *last = &playbacks->viewers[VIEWERS_MAX - 1];
    apex_link link = {.index1 = 3, .generation = 5};
    last->link = link;
    ck_assert_ptr_null(site_viewer_of(playbacks, link)); // the place is free
    last->state = VIEWER_WAITING;
    ck_assert_ptr_eq(site_viewer_of(playbacks, link), last);
    ck_assert_ptr_null(site_viewer_of(playbacks, (apex_link){.index1 = 3, .generation = 4}));
    ck_assert_ptr_null(site_viewer_of(playbacks, (apex_link){.index1 = 4, .generation = 5}));
    ck_assert(site_viewers_any(playbacks, VIEWER_WAITING));
    ck_assert(!site_viewers_any(playbacks, VIEWER_TICKING));
    free(playbacks);
}

// The viewer that has asked first is served first, one at a time, wherever its place is.
TEST(recordings_are_opened_in_the_order_of_asking) {
    apex_log_set_level(APEX_LOG_ERROR);
    uv_loop_t loop;
    ck_assert_int_eq(uv_loop_init(&loop), 0);
    site_playbacks *playbacks = calloc(1, sizeof *playbacks);
    ck_assert_ptr_nonnull(playbacks);
    playbacks->loop = &loop;
    playbacks->has_timer = true; // it lives on while nobody is served
    static const uint64_t asked[] = {7, 2, 9, 1};
    for (uint32_t i = 0; i < 4; i++) {
        playbacks->viewers[i].owner = playbacks;
        playbacks->viewers[i].state = VIEWER_WAITING;
        playbacks->viewers[i].asked = asked[i];
    }
    static const uint32_t order[] = {3, 1, 0, 2};
    for (uint32_t i = 0; i < 4; i++) {
        recording_viewer *next = &playbacks->viewers[order[i]];
        site_open_next(playbacks);
        ck_assert_int_eq(next->state, VIEWER_OPENING);
        site_open_next(playbacks); // it waits for that one
        ck_assert(i == 3 || playbacks->viewers[order[i + 1]].state == VIEWER_WAITING);
        uv_run(&loop, UV_RUN_DEFAULT); // nobody is there to be told that there is no such file
        ck_assert_int_eq(next->state, VIEWER_FREE);
    }
    free(playbacks);
    ck_assert_int_eq(uv_loop_close(&loop), 0);
}
