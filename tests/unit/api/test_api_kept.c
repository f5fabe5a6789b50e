// Answers that are kept for all who ask within a tick, and dear ones for longer.
#include <stdio.h>
#include <string.h>

#include "host/host_private.h"
#include "support/api/api_rig.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

static api_rig rig;
static uint64_t clock_now_us, reading_us; // its time, and its step on each look

static uint64_t slow_clock(void) {
    clock_now_us += reading_us;
    return clock_now_us;
}

static void begin(void) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.results_dir[0] = '\0';
    file.bots = 3;
    file.race.player_capacity = 6;
    file.race.start_players = 6;
    api_rig_begin(&rig, &file);
    race_rig_tick(rig.race, 2);
    reading_us = 0;
}

static void end(void) {
    api_rig_end(&rig);
}

static uint64_t edition_of(const char *path) {
    ck_assert_uint_eq(api_rig_get(&rig, path), 200);
    return rig.answer.edition;
}

FIXTURE(begin, end)

TEST(a_tick_has_one_answer) {
    static const char *const paths[] = {"/api/races", "/api/races/1", "/api/races/1/status",
                                        "/metrics"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        uint64_t first = edition_of(paths[i]);
        ck_assert_uint_ne(first, 0);
        ck_assert_uint_eq(edition_of(paths[i]), first);
        race_rig_tick(rig.race, 1);
        uint64_t second = edition_of(paths[i]);
        ck_assert_uint_gt(second, first);
        ck_assert_uint_eq(edition_of(paths[i]), second);
    }
    ck_assert_uint_eq(api_rig_get(&rig, "/healthz"), 200);
    ck_assert_uint_eq(rig.answer.edition, 0); // says what is, not what was
}

TEST(each_path_has_its_own) {
    rig.servers[1] = rig.servers[0];
    rig.api.server_count = 2;
    edition_of("/api/races/1");
    ck_assert(api_rig_number(&rig, "id") == 1);
    edition_of("/api/races/2");
    ck_assert(api_rig_number(&rig, "id") == 2);
    edition_of("/api/races");
    ck_assert_uint_eq(json_array_size(rig.json), 2);
    edition_of("/api/races/1/status");
    ck_assert(api_rig_number(&rig, "tick") >= 2);
    edition_of("/api/races/1");
    ck_assert_uint_eq(json_array_size(api_rig_at(&rig, "order")), 3);
}

// An answer that was kept for an operator is nobody else's.
TEST(what_is_kept_is_not_given_to_all) {
    edition_of("/api/races/1/status");
    ck_assert_uint_eq(api_rig_get_as(&rig, "/api/races/1/status", "not the token at all"), 401);
    ck_assert_uint_eq(rig.answer.edition, 0);
    ck_assert_uint_eq(api_rig_get_as(&rig, "/api/races/1/status", ""), 401);
}

TEST(an_order_is_seen_at_once) {
    reading_us = 4000;
    rig.servers[0]->clock.clock_us = slow_clock;
    edition_of("/api/races/1/status");
    ck_assert(!api_rig_is(&rig, "stopping"));
    ck_assert_uint_eq(api_rig_post(&rig, "/api/races/1/quit", ""), 200);
    edition_of("/api/races/1/status");
    ck_assert(api_rig_is(&rig, "stopping"));
}

// An answer that took 4 ms is good for 200 ms, and one of 1 s for a second; a cheap one for a tick.
TEST(a_dear_answer_is_kept_for_longer) {
    reading_us = 4000;
    rig.servers[0]->clock.clock_us = slow_clock;
    uint64_t dear = edition_of("/api/races/1");
    uint64_t written_us = rig.api.now_us;
    race_rig_tick(rig.race, 3);
    rig.api.now_us = written_us + 199000;
    ck_assert_uint_eq(edition_of("/api/races/1"), dear);
    rig.api.now_us = written_us + 200001;
    ck_assert_uint_gt(edition_of("/api/races/1"), dear);

    reading_us = 1000000;
    race_rig_tick(rig.race, 60);
    dear = edition_of("/api/races");
    rig.api.now_us += 1001000;
    race_rig_tick(rig.race, 1);
    ck_assert_uint_gt(edition_of("/api/races"), dear);
}

// The clock is the server's own: what is written again and again never takes more than its share.
TEST(asking_takes_no_more_than_its_share) {
    reading_us = 4000;
    rig.servers[0]->clock.clock_us = NULL;
    uint64_t until_us = rig.api.now_us + 10000000, last = 0;
    uint32_t written = 0;
    for (uint64_t now_us = rig.api.now_us; now_us < until_us; now_us += 1000) {
        rig.servers[0]->clock.rounds++; // a tick, as far as answers are concerned
        rig.servers[0]->clock.clock_us = slow_clock;
        rig.api.now_us = now_us;
        uint64_t edition = edition_of("/api/races/1");
        written += edition != last;
        last = edition;
    }
    ck_assert_uint_le(written * 4000, 10000000 / 45);
    ck_assert_uint_ge(written * 4000, 10000000 / 60);
}
