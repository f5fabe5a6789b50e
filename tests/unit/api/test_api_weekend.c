// Sessions, flags and penalties over HTTP: what everybody may see, and what stewards order.
#include <stdio.h>
#include <string.h>

#include "support/api/api_rig.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { SECOND = 60 };

static const char RACE[] = "/api/races/1", SESSION[] = "/api/races/1/session",
                  FLAG[] = "/api/races/1/flag", PENALISE[] = "/api/races/1/penalise",
                  PARDON[] = "/api/races/1/pardon";

static api_rig rig;

static void begin(void) {
    apex_race_file file = api_rig_race_file();
    file.bots = 1;
    file.race.countdown_s = 1.0;
    apex_weekend_def *weekend = &file.race.weekend;
    *weekend = apex_default_weekend_def();
    weekend->session_count = 2;
    weekend->sessions[0] = apex_default_session_def(APEX_SESSION_PRACTICE);
    snprintf(weekend->sessions[0].name, APEX_NAME_BYTES, "FP");
    weekend->sessions[0].duration_s = 30.0;
    weekend->sessions[1] = apex_default_session_def(APEX_SESSION_RACE);
    weekend->sessions[1].laps = 3;
    weekend->rules = apex_preset_rules(APEX_RULES_LEAGUE);
    api_rig_begin(&rig, &file);
    ck_assert_uint_eq(api_rig_post(&rig, "/api/races/1/start", ""), 200);
    ck_assert(race_rig_until(rig.race, APEX_PHASE_RACE, 10 * SECOND));
    race_rig_tick(rig.race, SECOND);
}

static void end(void) {
    api_rig_end(&rig);
}

static void assert_error(const char *part) {
    const char *error = api_rig_text(&rig, "error");
    ck_assert_msg(strstr(error, part) != NULL, "'%s' does not say '%s'", error, part);
}

FIXTURE(begin, end)

TEST(everybody_sees_the_sessions) {
    ck_assert_uint_eq(api_rig_get_as(&rig, RACE, NULL), 200);
    ck_assert_double_eq(api_rig_number(&rig, "session.index"), 0.0);
    ck_assert_str_eq(api_rig_text(&rig, "session.kind"), "practice");
    ck_assert_str_eq(api_rig_text(&rig, "session.name"), "FP");
    ck_assert_double_eq(api_rig_number(&rig, "session.duration_s"), 30.0);
    ck_assert_double_le(api_rig_number(&rig, "session.left_s"), 29.1);
    ck_assert_double_ge(api_rig_number(&rig, "session.left_s"), 28.0);
    ck_assert_str_eq(api_rig_text(&rig, "flag"), "green");
    ck_assert_str_eq(api_rig_text(&rig, "sessions.1.kind"), "race");
    ck_assert_double_eq(api_rig_number(&rig, "sessions.1.laps"), 3.0);
    ck_assert(json_is_null(api_rig_at(&rig, "sessions.1.duration_s")));
    ck_assert_uint_eq(json_array_size(api_rig_at(&rig, "penalties")), 0);
    ck_assert_str_eq(api_rig_text(&rig, "order.0.pit"), "road");
    ck_assert(json_is_null(api_rig_at(&rig, "order.0.best_counting_s")));
}

TEST(sessions_are_ordered) {
    ck_assert_uint_eq(api_rig_post_as(&rig, SESSION, "{\"do\": \"end\"}", ""), 401);
    ck_assert_uint_eq(api_rig_post(&rig, SESSION, "{\"do\": \"extend\", \"seconds\": 60}"), 200);
    ck_assert_str_eq(api_rig_text(&rig, "done"), "the session goes on for 60 s more");
    ck_assert_uint_eq(api_rig_post(&rig, SESSION, "{\"do\": \"extend\", \"seconds\": 0}"), 400);
    ck_assert_uint_eq(api_rig_post(&rig, SESSION, "{\"do\": \"end\", \"seconds\": 1}"), 400);
    assert_error("do what?");
    ck_assert_uint_eq(api_rig_post(&rig, SESSION, "{\"do\": \"end\"}"), 200);
    ck_assert_uint_eq(api_rig_post(&rig, SESSION, "{\"do\": \"end\"}"), 409);
    assert_error("no session is under way that could end");
    race_rig_tick(rig.race, 5);
    ck_assert_uint_eq(api_rig_get(&rig, RACE), 200);
    ck_assert(json_is_true(api_rig_at(&rig, "session.chequered")));
    ck_assert_uint_eq(api_rig_post(&rig, SESSION, "{\"do\": \"skip\"}"), 200);
    race_rig_tick(rig.race, 5);
    ck_assert_uint_eq(api_rig_get(&rig, RACE), 200);
    ck_assert_double_eq(api_rig_number(&rig, "session.index"), 1.0);
}

TEST(orders_of_stewards_are_read_strictly) {
    static const struct {
        const char *path, *body;
        uint32_t status;
        const char *error;
    } cases[] = {
        {FLAG, "{\"flag\": \"blue\"}", 400, "which flag?"},
        {FLAG, "{}", 400, "which flag?"},
        {PENALISE, "{\"name\": \"Bot 1\"}", 400, "to change one"},
        {PENALISE, "{\"name\": \"Bot 1\", \"penalty\": \"fine\"}", 400, "API.md lists"},
        {PENALISE, "{\"name\": \"Bot 1\", \"player\": 1, \"penalty\": \"time\"}", 400, "API.md"},
        {PENALISE, "{\"penalty\": \"time\", \"amount\": 5}", 400, "API.md"},
        {PENALISE, "{\"name\": \"Bot 1\", \"penalty\": \"time\", \"amount\": \"5\"}", 400,
         "API.md"},
        {PENALISE, "{\"name\": \"Bea\", \"penalty\": \"time\", \"amount\": 5}", 404, "Bea"},
        {PENALISE, "{\"number\": 9, \"penalty\": \"time\", \"amount\": 5}", 404, "number 9"},
        {PARDON, "{\"number\": 9}", 404, "no penalty of this session has the number 9"},
        {PARDON, "{\"number\": -1}", 400, "pardon which?"},
        {PARDON, "{\"penalty\": 1}", 400, "has no key \"penalty\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t status = api_rig_post(&rig, cases[i].path, cases[i].body);
        ck_assert_msg(status == cases[i].status, "%s is answered %u", cases[i].body, status);
        assert_error(cases[i].error);
    }
}

// An event without sessions and rules says nothing of them, and takes no such order.
TEST(another_event_has_none_of_it) {
    api_rig_end(&rig);
    apex_race_file file = api_rig_race_file();
    file.bots = 1;
    api_rig_begin(&rig, &file);
    race_rig_tick(rig.race, 2);
    ck_assert_uint_eq(api_rig_get(&rig, RACE), 200);
    ck_assert_ptr_null(json_object_get(rig.json, "session"));
    ck_assert_ptr_null(json_object_get(rig.json, "penalties"));
    ck_assert_ptr_null(json_object_get(api_rig_at(&rig, "order.0"), "pit"));
    ck_assert_uint_eq(api_rig_post(&rig, SESSION, "{\"do\": \"end\"}"), 409);
    assert_error("this event has no sessions");
    ck_assert_uint_eq(api_rig_post(&rig, FLAG, "{\"flag\": \"red\"}"), 409);
    assert_error("this event has no rules to go by");
    const char *body = "{\"name\": \"Bot 1\", \"penalty\": \"time\", \"amount\": 5}";
    ck_assert_uint_eq(api_rig_post(&rig, PENALISE, body), 409);
    assert_error("this event has no rules to go by");
}
