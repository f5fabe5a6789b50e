// A viewer who comes late to a recording hears what was told of it since somebody last went
// elsewhere.

#include "test_playback_cinema.h"

TEST(the_past_of_a_recording_begins_where_one_went) {
    static cinema self;
    tape_record();
    cinema_open(&self);
    watcher *first = cinema_begin(&self);
    cinema_run(&self, 300);
    apex_client_def def = watcher_def();
    watcher *late = cinema_enter(&self, &def);
    cinema_run(&self, 10);
    uint32_t phases = late->past_told[APEX_EVENT_PHASE];
    ck_assert_uint_ge(phases, 2); // countdown, race
    ck_assert_uint_eq(late->past_told[APEX_EVENT_LIGHTS], 0);
    uint32_t firsts = first->past_told[APEX_EVENT_PHASE];
    ck_assert_uint_le(firsts, 1); // it began to play while he came in
    watcher_seek(first, tape.ticks / 2);
    cinema_run(&self, 120);
    // Those who were there are told nothing again, and a newcomer nothing of what was left out.
    ck_assert_uint_eq(first->past_told[APEX_EVENT_PHASE], firsts);
    ck_assert_uint_eq(late->past_told[APEX_EVENT_PHASE], phases);
    watcher *later = cinema_enter(&self, &def);
    cinema_run(&self, 10);
    ck_assert_int_eq(apex_client_state_of(later->client), APEX_CLIENT_SPECTATING);
    ck_assert_uint_eq(later->past_told[APEX_EVENT_PHASE], 0);
    cinema_close(&self);
    tape_drop();
}
