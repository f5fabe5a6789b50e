// An event of sessions as two clients hear of it: one drives, one watches; and what operators
// order.

#include "test_host_weekend_scene.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

FIXTURE(start, stop)

static uint32_t heard_of(size_t client, uint32_t kind, int64_t value, uint32_t ticks) {
    uint32_t heard = 0;
    for (uint32_t i = 0; i < ticks; i++) {
        race_rig_tick(rig, 1);
        size_t count;
        const apex_race_event_message *events =
            apex_client_events(race_rig_client(rig, client), &count);
        for (size_t k = 0; k < count; k++) {
            heard += events[k].kind == kind && events[k].value == value;
        }
    }
    return heard;
}

TEST(both_know_the_session_and_all_that_follow) {
    const size_t both[] = {driver, watcher};
    for (size_t i = 0; i < 2; i++) {
        const apex_race_session *session = seen_by(both[i]);
        ck_assert_uint_eq(session->index, 0);
        ck_assert_uint_eq(session->count, 2);
        ck_assert_uint_eq(session->kind, APEX_WIRE_SESSION_QUALIFYING);
        ck_assert_str_eq(session->name, "Q");
        ck_assert_uint_eq(session->duration_ms, 1000 * QUALIFYING_S);
        ck_assert_int_lt(session->left_us, (QUALIFYING_S - 0) * 1000000);
        ck_assert_int_gt(session->left_us, (QUALIFYING_S - 3) * 1000000);
        ck_assert(!session->chequered);
        ck_assert_uint_eq(session->session_count, 2);
        ck_assert_str_eq(session->sessions[1].name, "Sprint");
        ck_assert_uint_eq(session->sessions[1].kind, APEX_WIRE_SESSION_RACE);
        ck_assert_uint_eq(session->sessions[1].laps, 2);
        ck_assert_uint_eq(session->class_count, 1);
        ck_assert_str_eq(session->classes[0], "GT");
    }
}

// The lists came once; the clock comes each second.
TEST(the_clock_goes_on_and_the_lists_stay) {
    int64_t before_us = seen_by(watcher)->left_us;
    race_rig_tick(rig, 3 * SECOND);
    int64_t gone_us = before_us - seen_by(watcher)->left_us;
    ck_assert_int_ge(gone_us, 2000000);
    ck_assert_int_le(gone_us, 4000000);
    ck_assert_uint_eq(seen_by(watcher)->session_count, 2);
}

TEST(an_end_by_order_is_told_at_once) {
    assert_answer("session end", "the session ends");
    ck_assert_uint_eq(heard_of(watcher, APEX_WIRE_EVENT_CHEQUERED, 0, 3), 1);
    ck_assert(seen_by(watcher)->chequered);
    ck_assert(seen_by(driver)->chequered);
    assert_answer("session end", "no session is under way that could end; it is in its phase");
    assert_answer("session extend 60", "only a session by time whose flag is not out");
}

TEST(an_extension_moves_the_clock_at_once) {
    assert_answer("session extend 0.5", "by 1 to 86400 seconds");
    assert_answer("session extend 100", "goes on for 100 s more");
    race_rig_tick(rig, 3);
    ck_assert_int_gt(seen_by(driver)->left_us, (100 + QUALIFYING_S - 3) * 1000000LL);
    console("status");
    ck_assert_ptr_nonnull(strstr(answer, "session 1 of 2: qualifying Q, 1:5"));
}

TEST(the_next_session_is_told) {
    assert_answer("session skip", "on to the next session");
    ck_assert_uint_eq(heard_of(watcher, APEX_WIRE_EVENT_SESSION, 1, 5), 1);
    const apex_race_session *session = seen_by(watcher);
    ck_assert_uint_eq(session->index, 1);
    ck_assert_uint_eq(session->kind, APEX_WIRE_SESSION_RACE);
    ck_assert_str_eq(session->name, "Sprint");
    ck_assert_uint_eq(session->laps, 2);
    ck_assert_uint_eq(session->duration_ms, 0);
    ck_assert_uint_eq(session->session_count, 2);
}

// A driver is told his pits once, and again only when they change.
TEST(a_driver_knows_his_own_conduct) {
    const apex_conduct *conduct = apex_client_conduct(race_rig_client(rig, driver));
    ck_assert_ptr_nonnull(conduct);
    ck_assert_ptr_null(apex_client_conduct(race_rig_client(rig, watcher)));
}

TEST(who_comes_late_is_told_it_all) {
    apex_client_def def = apex_default_client_def();
    def.spectate = true;
    size_t late = race_rig_connect(rig, &def);
    race_rig_tick(rig, 10);
    ck_assert_uint_eq(seen_by(late)->session_count, 2);
    ck_assert_uint_eq(seen_by(late)->index, 0);
    size_t count;
    (void)apex_client_penalties(race_rig_client(rig, late), &count);
    ck_assert_uint_eq(count, 0);
}

// The flag falls with a lap, and laps are on disk before they are told.
TEST(a_disk_that_stands_still_holds_the_flag_back) {
    assert_answer("session skip", "on to the next session");
    race_rig_tick(rig, 3);
    ck_assert(race_rig_until(rig, APEX_PHASE_RACE, 20 * SECOND));
    race_rig_tick(rig, 2 * SECOND);
    race_rig_hold_disk(rig, true);
    ck_assert(race_rig_until(rig, APEX_PHASE_RESULTS, 240 * SECOND));
    race_rig_tick(rig, SECOND);
    ck_assert(!seen_by(watcher)->chequered);
    ck_assert_uint_eq(seen_by(watcher)->lead_laps, 0);
    race_rig_hold_disk(rig, false);
    race_rig_tick(rig, 10);
    ck_assert(seen_by(watcher)->chequered);
    ck_assert_uint_eq(seen_by(watcher)->lead_laps, 2);
    race_rig_tick(rig, SECOND / 2);
    const apex_standings *standings = apex_client_standings(race_rig_client(rig, watcher));
    ck_assert_uint_eq(standings->lines[0].laps, 2);
    ck_assert_uint_eq(standings->lines[0].status, APEX_WIRE_RESULT_CLASSIFIED);
}

TEST(orders_that_cannot_be_say_why) {
    assert_answer("session", "session end, session extend SECONDS, or session skip?");
    assert_answer("flag blue", "flag green, flag full-course, or flag red?");
    assert_answer("penalise Ada", "for example: penalise #65537 time 5 blocking");
    assert_answer("penalise Ada", "drive-through");
    assert_answer("penalise Bea time 5", "nobody here is called \"Bea\"");
    assert_answer("pardon x", "the number of a penalty");
    assert_answer("pardon 77", "no penalty of this session has the number 77");
    assert_answer("change 77 time 5", "no penalty of this session has the number 77");
}
