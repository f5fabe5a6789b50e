// Tests of the reasons why ticks were dropped: a starved server is told from a slow one, and from
// one that was stopped.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/log.h"
#include "host/load/lateness.h"
#include "support/api/api_rig.h"
#include "support/base/check_main.h"

enum { SECOND_US = 1000000, TICK_US = 16667 };

TEST(each_cause_is_told_from_the_others) {
    static const struct {
        const char *what;
        host_second second;
        host_lateness_cause cause;
    } cases[] = {
        {"nothing dropped", {SECOND_US, 990000, 0, true, 0, 0, 0}, HOST_LATE_NOT},
        {"7 % of a core", {SECOND_US, 70000, 930000, true, 12, 200000, 0}, HOST_LATE_STARVED},
        {"a hiccup of 200 ms", {SECOND_US, 100000, 200000, true, 8, 133000, 0}, HOST_LATE_STARVED},
        {"every second tick too long",
         {SECOND_US, 990000, 10000, true, 30, 500000, 480000},
         HOST_LATE_SLOW},
        {"slow, and some waits",
         {SECOND_US, 900000, 100000, true, 6, 100000, 90000},
         HOST_LATE_SLOW},
        {"one long tick", {SECOND_US, 350000, 1000, true, 8, 133000, 183000}, HOST_LATE_SLOW},
        {"races that share a core",
         {SECOND_US, 980000, 20000, true, 20, 333000, 0},
         HOST_LATE_SLOW},
        {"stopped", {3 * SECOND_US, 100000, 2000, true, 120, 2000000, 0}, HOST_LATE_HELD_UP},
        {"half of it waited", {SECOND_US, 400000, 100000, true, 12, 200000, 0}, HOST_LATE_STARVED},
        {"less than half of it waited",
         {SECOND_US, 300000, 99999, true, 12, 200000, 0},
         HOST_LATE_HELD_UP},
        {"81 % of what it asked for",
         {SECOND_US, 430000, 100000, true, 12, 200000, 0},
         HOST_LATE_HELD_UP},
        {"half of it in ticks", {SECOND_US, 300000, 0, true, 12, 200000, 100000}, HOST_LATE_SLOW},
        {"less than half of it in ticks",
         {SECOND_US, 300000, 0, true, 12, 200000, 99999},
         HOST_LATE_HELD_UP},
        {"busy", {SECOND_US, 850000, 0, true, 12, 200000, 0}, HOST_LATE_SLOW},
        {"nearly busy", {SECOND_US, 849999, 0, true, 12, 200000, 0}, HOST_LATE_HELD_UP},
        {"nobody tells", {SECOND_US, 70000, 0, false, 12, 200000, 0}, HOST_LATE_UNTOLD},
        {"nobody tells, but slow",
         {SECOND_US, 990000, 0, false, 12, 200000, 190000},
         HOST_LATE_SLOW},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        host_lateness_cause cause = host_lateness_cause_of(&cases[i].second);
        ck_assert_msg(cause == cases[i].cause, "%s: %d", cases[i].what, (int)cause);
    }
}

TEST(shares_are_of_what_was_asked_for) {
    ck_assert_uint_eq(host_lateness_given_percent(&(host_second){.wall_us = SECOND_US}), 100);
    const host_second second = {.wall_us = 2 * SECOND_US, .ran_us = 140000, .waited_us = 1860000};
    ck_assert_uint_eq(host_lateness_given_percent(&second), 7);
    ck_assert_uint_eq(host_lateness_a_second(&second, second.waited_us), 930000);
    ck_assert_uint_eq(host_lateness_a_second(&(host_second){.waited_us = 5}, 5), 0);
}

static api_rig rig;
static FILE *logged;

static void begin(void) {
    apex_race_file file = api_rig_race_file();
    api_rig_begin(&rig, &file);
    logged = tmpfile();
    ck_assert_ptr_nonnull(logged);
    apex_log_set_level(APEX_LOG_WARN);
    apex_log_set_file(logged);
}

static void end(void) {
    apex_log_set_file(NULL);
    fclose(logged);
    api_rig_end(&rig);
}

static const char *log_so_far(void) {
    static char text[16384];
    fflush(logged);
    rewind(logged);
    size_t length = fread(text, 1, sizeof text - 1, logged);
    text[length] = '\0';
    fseek(logged, 0, SEEK_END);
    return text;
}

static size_t lines_with(const char *words) {
    size_t count = 0;
    for (const char *at = strstr(log_so_far(), words); at != NULL; at = strstr(at + 1, words)) {
        count++;
    }
    return count;
}

// A second in which the loop's thread ran and waited for so long, others as long as the loop.
static void pass_second(uint64_t ran_us, uint64_t waited_us) {
    static apex_process_times times;
    times.tells_waits = true;
    times.now_us += SECOND_US;
    times.ran_us += ran_us;
    times.loop_waited_us += waited_us / 2;
    times.others_waited_us += waited_us - waited_us / 2;
    apex_server_account_process(rig.servers[0], &times);
}

FIXTURE(begin, end)

TEST(a_starved_server_says_so_and_once_what_would_help) {
    pass_second(10000, 0);
    apex_server_account_dropped(rig.servers[0], 12);
    pass_second(70000, 930000);
    ck_assert_uint_eq(lines_with("behind: 12 ticks dropped, 12 so far: the machine gave this "
                                 "program 7 % of the processor time it asked for (waiting for a "
                                 "processor 930 ms of the last second)"),
                      1);
    ck_assert_uint_eq(lines_with("CPUWeight"), 1);
    pass_second(70000, 930000); // nothing was dropped
    ck_assert_uint_eq(lines_with("behind:"), 1);
    apex_server_account_dropped(rig.servers[0], 5);
    pass_second(100000, 500000);
    ck_assert_uint_eq(lines_with("behind: 5 ticks dropped, 17 so far: the machine gave"), 1);
    ck_assert_uint_eq(lines_with("what would help"), 1);
    ck_assert_uint_eq(lines_with("ticks take longer"), 0);
}

FIXTURE(NULL, NULL)

// Waits since the start are not those of the second in which they were first told.
TEST(waits_that_were_not_told_before_are_of_no_second) {
    host_lateness lateness = {0};
    apex_process_times times = {.now_us = SECOND_US, .ran_us = 10000};
    ck_assert(!host_lateness_note(&lateness, &times, TICK_US));
    times = (apex_process_times){2 * SECOND_US, 20000, true, 42000000, 9000000};
    lateness.gathering_dropped = 5;
    ck_assert(host_lateness_note(&lateness, &times, TICK_US));
    ck_assert_uint_eq(lateness.second.waited_us, 0);
    ck_assert(!lateness.second.tells_waits);
    times.now_us += SECOND_US;
    times.loop_waited_us += 400000;
    host_lateness_note(&lateness, &times, TICK_US);
    ck_assert_uint_eq(lateness.second.waited_us, 400000);
    ck_assert(lateness.second.tells_waits);
}

FIXTURE(begin, end)

TEST(a_slow_server_says_so_instead) {
    pass_second(10000, 0);
    uint64_t cpu_us = 1000000;
    apex_server_account_cpu(rig.servers[0], cpu_us);
    for (int tick = 0; tick < 30; tick++) {
        apex_server_account(rig.servers[0], 2 * TICK_US, 0);
        apex_server_account_cpu(rig.servers[0], cpu_us += 2 * TICK_US);
    }
    apex_server_account_dropped(rig.servers[0], 30);
    pass_second(600000, 1000);
    ck_assert_uint_eq(lines_with("behind: 30 ticks dropped, 30 so far: ticks take longer than "
                                 "their time (computing 600 ms of the last second)"),
                      1);
    ck_assert_uint_eq(lines_with("--tick-hz"), 1);
    ck_assert_uint_eq(lines_with("the machine gave"), 0);
}

// Ticks that lasted long without computing are nobody's reproach to the race.
TEST(a_tick_that_stood_still_is_not_slow) {
    pass_second(10000, 0);
    uint64_t cpu_us = 1000000;
    apex_server_account_cpu(rig.servers[0], cpu_us);
    apex_server_account(rig.servers[0], SECOND_US, 0);
    apex_server_account_cpu(rig.servers[0], cpu_us + 900);
    apex_server_account_dropped(rig.servers[0], 55);
    pass_second(20000, 3000);
    ck_assert_uint_eq(lines_with("was stopped, or waited for a disk"), 1);
    ck_assert_uint_eq(lines_with("what would help"), 0);
}

TEST(status_tells_how_long_it_waited) {
    ck_assert_uint_eq(api_rig_get(&rig, "/api/races/1/status"), 200);
    ck_assert(json_is_null(api_rig_at(&rig, "run_delay_s")));
    ck_assert(json_is_null(api_rig_at(&rig, "given_percent_last_s")));
    apex_process_times times = {.now_us = 5 * SECOND_US,
                                .ran_us = 1000000,
                                .tells_waits = true,
                                .loop_waited_us = 1000000,
                                .others_waited_us = 500000};
    apex_server_account_process(rig.servers[0], &times);
    times.now_us += 2 * SECOND_US;
    times.ran_us += 500000;
    times.loop_waited_us += 1000000;
    times.others_waited_us += 500000;
    apex_server_account_process(rig.servers[0], &times);
    race_rig_tick(rig.race, 1);
    ck_assert_uint_eq(api_rig_get(&rig, "/api/races/1/status"), 200);
    ck_assert(api_rig_number(&rig, "run_delay_s") == 3.0);
    ck_assert(api_rig_number(&rig, "run_delay_last_s") == 0.75);
    ck_assert(api_rig_number(&rig, "given_percent_last_s") == 25);
    char *said = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&said, &length);
    apex_server_console(rig.servers[0], "status", out);
    fclose(out);
    ck_assert_msg(strstr(said, "waited for a processor 750 ms of the last second, 3.0 s since the "
                               "start; given 25 % of what it asked for") != NULL,
                  "%s", said);
    free(said);
}
