// Metrics: that what is written can be read, and that the numbers are those of the server.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "host/host_private.h"
#include "support/api/api_rig.h"
#include "support/api/exposition_check.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { SECOND = 60 };

static api_rig rig;

static apex_race_file small_race(void) {
    apex_race_file file = api_rig_race_file();
    snprintf(file.race.name, sizeof file.race.name, "the \"great\\small\" race");
    file.bots = 2;
    return file;
}

static void begin(void) {
    apex_race_file file = small_race();
    api_rig_begin(&rig, &file);
}

static void end(void) {
    api_rig_end(&rig);
}

static void scrape(void) {
    ck_assert_uint_eq(api_rig_get_as(&rig, "/metrics", ""), 200);
    ck_assert_str_eq(rig.answer.type, "text/plain; version=0.0.4; charset=utf-8");
    char why[EXPOSITION_WHY_BYTES];
    ck_assert_msg(exposition_check(rig.body, why), "%s", why);
}

static void assert_value(const char *series, double value) {
    double got = exposition_value(rig.body, series);
    ck_assert_msg(got == value, "%s is %.17g, not %.17g", series, got, value);
}

FIXTURE(begin, end)

TEST(the_checker_sees_what_is_wrong) {
#define FAMILY(name, type) "# HELP " name " Help.\n# TYPE " name " " type "\n"
    static const char *const bad[] = {
        "a 1\n",
        FAMILY("a", "gauge") "a 1",
        FAMILY("a", "gauge") "b 1\n",
        FAMILY("a", "gauge") "a  1\n",
        FAMILY("a", "gauge") "a one\n",
        FAMILY("a", "gauge") "a NaN\n",
        FAMILY("a", "gauge") "a 1\na 2\n",
        FAMILY("a", "gauge") "a{b=\"x\\q\"} 1\n",
        FAMILY("a", "gauge") "a{b=\"x} 1\n",
        FAMILY("a", "gauge") "a{b=\"x\",b=\"y\"} 1\n",
        FAMILY("a", "gauge") "a{2b=\"x\"} 1\n",
        FAMILY("a", "gauge") "a{b=\"x\"}1\n",
        FAMILY("a", "gauge") "a 1\n" FAMILY("b", "gauge") "b 1\na{c=\"d\"} 1\n",
        FAMILY("a", "gauge") "a 1\n" FAMILY("a", "gauge") "a{b=\"c\"} 1\n",
        FAMILY("a", "counter") "a 1\n",
        FAMILY("a_total", "gauge") "a_total 1\n",
        FAMILY("a_total", "counter") "a_total -1\n",
        "# TYPE a gauge\na 1\n",
        FAMILY("h", "histogram") "h_bucket{le=\"1\"} 1\nh_sum 1\nh_count 1\n",
        FAMILY("h", "histogram") "h_bucket{le=\"+Inf\"} 1\nh_sum 1\n",
        FAMILY("h", "histogram") "h_bucket{le=\"+Inf\"} 1\nh_count 1\n",
        FAMILY("h", "histogram") "h_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 2\n",
        FAMILY("h", "histogram") "h_bucket{le=\"2\"} 1\nh_bucket{le=\"1\"} 1\n"
                                 "h_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 1\n",
        FAMILY("h", "histogram") "h_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\n"
                                 "h_sum 1\nh_count 1\n",
    };
    char why[EXPOSITION_WHY_BYTES];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_msg(!exposition_check(bad[i], why), "taken for good: %s", bad[i]);
        ck_assert_uint_gt(strlen(why), 0);
    }
    ck_assert(exposition_check(
        FAMILY("h", "histogram") "h_bucket{r=\"1\",le=\"1\"} 1\n"
                                 "h_bucket{r=\"1\",le=\"+Inf\"} 1\nh_sum{r=\"1\"} 1\n"
                                 "h_count{r=\"1\"} 1\n" FAMILY(
                                     "a", "gauge") "a{b=\"\\\"\\\\\\n\"} 1.5e3\n",
        why));
#undef FAMILY
}

TEST(a_fresh_server_can_be_read) {
    scrape();
    assert_value("apex_ticks_total{race=\"1\"}", 0);
    assert_value("apex_players{race=\"1\"}", 2);
    assert_value(
        "apex_race_info{race=\"1\",name=\"the \\\"great\\\\small\\\" race\",track=\"oval\"}", 1);
    assert_value("apex_race_phase{race=\"1\",phase=\"lobby\"}", 1);
    assert_value("apex_race_phase{race=\"1\",phase=\"race\"}", 0);
    assert_value("apex_tick_seconds_count{race=\"1\"}", 0);
    ck_assert_ptr_null(strstr(rig.body, "apex_web_connections")); // there is no gateway
    ck_assert_ptr_null(strstr(rig.body, "transport=\"udp\""));    // and no socket
}

TEST(ticks_fall_into_the_right_buckets) {
    static const uint64_t work_us[] = {0, 24, 25, 99, 100, 139, 140, 17919, 17920, 102400, 5000000};
    for (size_t i = 0; i < sizeof work_us / sizeof work_us[0]; i++) {
        apex_server_account(rig.servers[0], work_us[i], 3 * i);
    }
    apex_server_account_dropped(rig.servers[0], 300);
    race_rig_tick(rig.race, 7);
    scrape();
    // Each bound counts what is shorter than it.
    assert_value("apex_tick_seconds_bucket{race=\"1\",le=\"0.000025\"}", 2);
    assert_value("apex_tick_seconds_bucket{race=\"1\",le=\"0.00007\"}", 3);
    assert_value("apex_tick_seconds_bucket{race=\"1\",le=\"0.0001\"}", 4);
    assert_value("apex_tick_seconds_bucket{race=\"1\",le=\"0.00014\"}", 6);
    assert_value("apex_tick_seconds_bucket{race=\"1\",le=\"0.0002\"}", 7);
    assert_value("apex_tick_seconds_bucket{race=\"1\",le=\"0.01792\"}", 8);
    assert_value("apex_tick_seconds_bucket{race=\"1\",le=\"0.0256\"}", 9);
    assert_value("apex_tick_seconds_bucket{race=\"1\",le=\"0.1024\"}", 9);
    assert_value("apex_tick_seconds_bucket{race=\"1\",le=\"+Inf\"}", 11);
    assert_value("apex_tick_seconds_count{race=\"1\"}", 11);
    assert_value("apex_tick_seconds_sum{race=\"1\"}", 5.138766);
    assert_value("apex_tick_late_seconds_bucket{race=\"1\",le=\"0.000025\"}", 9);
    assert_value("apex_tick_late_seconds_sum{race=\"1\"}", 0.000165);
    assert_value("apex_ticks_total{race=\"1\"}", 7);
    assert_value("apex_ticks_dropped_total{race=\"1\"}", 300);
    assert_value("apex_overload_strain{race=\"1\"}", 0);
}

static bool look(const void *data, apex_process_figures *out) {
    (void)data;
    *out = (apex_process_figures){
        .started_unix_us = 1790000000250000,
        .times = {.ran_us = 12345678,
                  .tells_waits = true,
                  .loop_waited_us = 2500000,
                  .others_waited_us = 125000},
        .resident_bytes = 73000000,
        .virtual_bytes = 912000000,
        .open_files = 19,
        .files_max = 16384,
        .threads = 6,
    };
    return true;
}

static bool see_little(const void *data, apex_process_figures *out) {
    (void)data;
    *out = (apex_process_figures){.times = {.ran_us = 500000}};
    return true;
}

// The names are those that every dashboard of processes asks for.
TEST(the_process_is_told_once_by_the_usual_names) {
    rig.servers[1] = rig.servers[0];
    rig.api.server_count = 2;
    scrape();
    ck_assert_ptr_null(strstr(rig.body, "process_"));
    ck_assert_ptr_null(strstr(rig.body, "apex_run_delay"));
    assert_value("apex_log_lines_dropped_total", (double)apex_log_dropped());
    rig.api.look = look;
    race_rig_tick(rig.race, 1);
    scrape();
    assert_value("process_cpu_seconds_total", 12.345678);
    assert_value("process_start_time_seconds", 1790000000.25);
    assert_value("process_resident_memory_bytes", 73000000);
    assert_value("process_virtual_memory_bytes", 912000000);
    assert_value("process_open_fds", 19);
    assert_value("process_max_fds", 16384);
    assert_value("process_threads", 6);
    assert_value("apex_run_delay_seconds_total{thread=\"loop\"}", 2.5);
    assert_value("apex_run_delay_seconds_total{thread=\"others\"}", 0.125);
    ck_assert_ptr_null(strstr(rig.body, "apex_process_"));
    rig.api.look = see_little;
    race_rig_tick(rig.race, 1);
    scrape();
    assert_value("process_cpu_seconds_total", 0.5);
    ck_assert_ptr_null(strstr(rig.body, "process_start_time_seconds"));
    ck_assert_ptr_null(strstr(rig.body, "process_open_fds"));
    ck_assert_ptr_null(strstr(rig.body, "apex_run_delay"));
}

TEST(a_race_counts_as_it_goes) {
    apex_client_def def = apex_default_client_def();
    def.name = "Ada";
    size_t ada = race_rig_connect(rig.race, &def);
    def.spectate = true;
    race_rig_connect(rig.race, &def);
    def = apex_default_client_def();
    def.car = "hovercraft";
    race_rig_connect(rig.race, &def);
    race_rig_tick(rig.race, 10);
    race_rig_inject(rig.race, ada, APEX_CHANNEL_STATE, (const uint8_t *)"\xff\xff", 2);
    ck_assert_uint_eq(api_rig_post(&rig, "/api/races/1/start", ""), 200);
    ck_assert(race_rig_until(rig.race, APEX_PHASE_RACE, 5 * SECOND));
    race_rig_set_loss(rig.race, 0.9);
    race_rig_tick(rig.race, 3 * SECOND);
    ck_assert_uint_eq(api_rig_post(&rig, "/api/races/1/lockdown", "{\"on\": true}"), 200);
    host_clients *clients = &rig.servers[0]->clients;
    clients->nearest_sent = 4321;
    scrape();
    assert_value("apex_nearest_snapshots_total{race=\"1\"}", 4321);
    assert_value("apex_cars{race=\"1\"}", 3);
    assert_value("apex_players{race=\"1\"}", 3);
    assert_value("apex_players_running{race=\"1\"}", 3);
    assert_value("apex_player_capacity{race=\"1\"}", 6);
    assert_value("apex_clients{race=\"1\"}", 3);
    assert_value("apex_guests{race=\"1\"}", 1); // and two bots
    assert_value("apex_race_lockdown{race=\"1\"}", 1);
    assert_value("apex_race_number{race=\"1\"}", 1);
    assert_value("apex_race_phase{race=\"1\",phase=\"lobby\"}", 0);
    assert_value("apex_race_phase{race=\"1\",phase=\"race\"}", 1);
    assert_value("apex_refusals_total{race=\"1\",layer=\"session\",reason=\"message\"}", 1);
    assert_value("apex_refusals_total{race=\"1\",layer=\"race\",reason=\"unknown_car\"}", 1);
    assert_value("apex_refusals_total{race=\"1\",layer=\"transport\",reason=\"no_link\"}", 0);
    assert_value("apex_sessions_total{race=\"1\",event=\"welcomed\"}", 3);
    assert_value("apex_sessions_total{race=\"1\",event=\"keys_proved\"}", 0);
    assert_value("apex_store_queue{race=\"1\"}", 0);
    const apex_controls_counters controls = apex_server_controls_counters(rig.servers[0]);
    ck_assert_uint_gt(controls.missed, 20);
    assert_value("apex_controls_total{race=\"1\",outcome=\"on_tick\"}",
                 (double)controls.used_on_tick);
    assert_value("apex_controls_total{race=\"1\",outcome=\"repeated\"}", (double)controls.missed);
    assert_value("apex_input_gap_ticks_sum{race=\"1\"}", (double)controls.missed);
    assert_value("apex_input_depth_ticks_count{race=\"1\"}", (double)controls.used_on_tick);
    assert_value("apex_input_depth_ticks_bucket{race=\"1\",le=\"1\"}",
                 (double)(controls.depths[0] + controls.depths[1]));
    assert_value("apex_input_gap_ticks_bucket{race=\"1\",le=\"4\"}",
                 (double)(controls.gaps[0] + controls.gaps[1] + controls.gaps[2]));
}

static bool far_away(const void *context, apex_link link, apex_link_quality *out) {
    (void)context;
    *out = (apex_link_quality){.round_trip_ms = 80, .jitter_ms = 3};
    return link.index1 > 0;
}

static void scrape_as(const char *token, uint32_t status) {
    ck_assert_uint_eq(api_rig_get_as(&rig, "/metrics", token), status);
    char why[EXPOSITION_WHY_BYTES];
    ck_assert_msg(status != 200 || exposition_check(rig.body, why), "%s", why);
}

#define ADA "A\"da\\"

static double of_ada(const char *name, const char *labels) {
    char series[256];
    apex_standing lines[8];
    size_t count = apex_race_standings(apex_server_race(rig.servers[0]), lines, 8);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(lines[i].name, ADA) == 0) {
            snprintf(series, sizeof series, "%s{race=\"1\",player=\"%u\",name=\"A\\\"da\\\\\"%s}",
                     name, apex_player_wire_id(lines[i].player), labels);
            return exposition_value(rig.body, series);
        }
    }
    return -1.0;
}

TEST(players_are_told_to_operators_alone) {
    apex_client_def def = apex_default_client_def();
    def.name = ADA;
    def.want_defs = true;
    race_rig_pilot(rig.race, race_rig_connect(rig.race, &def));
    race_rig_tick(rig.race, SECOND);
    ck_assert_uint_eq(api_rig_post(&rig, "/api/races/1/start", ""), 200);
    ck_assert(race_rig_until(rig.race, APEX_PHASE_RACE, 5 * SECOND));
    race_rig_tick(rig.race, 8 * SECOND);
    scrape_as("", 200);
    ck_assert_ptr_null(strstr(rig.body, "apex_player_round_trip"));
    scrape_as("a word that is wrong", 401);
    ck_assert_ptr_null(strstr(rig.body, "apex_player_round_trip"));
    scrape_as(API_RIG_TOKEN, 200);
    ck_assert_ptr_null(strstr(rig.body, "\napex_player_round_trip_seconds{")); // nobody knows it
    ck_assert(of_ada("apex_player_loss_ratio", "") == 0.0);
    race_rig_set_loss(rig.race, 0.5);
    rig.servers[0]->network.fed_quality = far_away;
    race_rig_tick(rig.race, 8 * SECOND);
    scrape_as(API_RIG_TOKEN, 200);
    ck_assert(of_ada("apex_player_round_trip_seconds", "") == 0.08);
    ck_assert(of_ada("apex_player_jitter_seconds", "") == 0.003);
    double lost = of_ada("apex_player_loss_ratio", "");
    ck_assert_msg(lost > 0.1 && lost < 0.6, "%g", lost);
    const apex_controls_counters controls = apex_server_controls_counters(rig.servers[0]);
    ck_assert(of_ada("apex_player_controls_total", ",outcome=\"on_tick\"") ==
              (double)controls.used_on_tick);
    ck_assert(of_ada("apex_player_controls_total", ",outcome=\"repeated\"") ==
              (double)controls.missed);
    ck_assert_uint_gt(controls.missed, 10);
    ck_assert_ptr_null(strstr(rig.body, "name=\"Bot")); // a bot of the server has no line
    scrape_as("", 200); // an answer kept for operators is not for everybody
    ck_assert_ptr_null(strstr(rig.body, "apex_player_round_trip"));
    ck_assert_uint_eq(api_rig_get(&rig, "/api/races/1/status"), 200);
    ck_assert_ptr_nonnull(
        strstr(rig.body, "\"round_trip_ms\":80,\"jitter_ms\":3,\"loss_ratio\":0."));
}

TEST(two_races_share_families) {
    apex_race_file file = small_race();
    file.bots = 1;
    race_rig *other = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(other);
    rig.servers[1] = race_rig_server(other);
    rig.api.server_count = 2;
    race_rig_tick(other, 30);
    scrape();
    assert_value("apex_players{race=\"1\"}", 2);
    assert_value("apex_players{race=\"2\"}", 1);
    assert_value("apex_ticks_total{race=\"1\"}", 0);
    assert_value("apex_ticks_total{race=\"2\"}", 30);
    race_rig_destroy(other);
}

TEST(the_gateway_has_its_own) {
    uint64_t counters[APEX_WEB_COUNTERS];
    for (uint64_t i = 0; i < APEX_WEB_COUNTERS; i++) {
        counters[i] = 1000 + i;
    }
    rig.api.web_counters = counters;
    rig.api.web_connections = 42;
    scrape();
    assert_value("apex_web_connections", 42);
    assert_value("apex_web_connections_total", 1000 + APEX_WEB_CONNECTIONS);
    assert_value("apex_web_requests_total", 1000 + APEX_WEB_REQUESTS);
    assert_value("apex_web_links_opened_total", 1000 + APEX_WEB_LINKS_OPENED);
    assert_value("apex_web_links_closed_total", 1000 + APEX_WEB_LINKS_CLOSED);
    assert_value("apex_web_snapshots_skipped_total", 1000 + APEX_WEB_SNAPSHOTS_SKIPPED);
    assert_value("apex_packets_total{transport=\"web\",direction=\"in\"}",
                 1000 + APEX_WEB_MESSAGES_IN);
    assert_value("apex_bytes_total{transport=\"web\",direction=\"out\"}",
                 1000 + APEX_WEB_BYTES_OUT);
    assert_value("apex_refusals_total{layer=\"web\",reason=\"origin\"}",
                 1000 + APEX_WEB_REFUSED_ORIGIN);
    assert_value("apex_refusals_total{layer=\"web\",reason=\"closed_unanswered\"}",
                 1000 + APEX_WEB_CLOSED_UNANSWERED);
}

TEST(recordings_are_told_where_there_are_any) {
    scrape();
    ck_assert_ptr_null(strstr(rig.body, "apex_playback"));
    const apex_playback_figures figures = {
        .watched = 3, .waiting = 4, .opened = 50, .failed = 60, .ticks = 7000, .work_us = 8500000};
    rig.api.playbacks = &figures;
    race_rig_tick(rig.race, 1);
    scrape();
    assert_value("apex_playbacks", 3);
    assert_value("apex_playbacks_waiting", 4);
    assert_value("apex_playbacks_opened_total", 50);
    assert_value("apex_playbacks_failed_total", 60);
    assert_value("apex_playback_ticks_total", 7000);
    assert_value("apex_playback_seconds_total", 8.5);
}

static uint64_t told_us;

static uint64_t a_millisecond_later(void) {
    told_us += 1000;
    return told_us;
}

TEST(the_time_of_a_tick_is_that_of_its_stages) {
    static apex_server_def def;
    char why[APEX_HOST_WHY_BYTES] = "";
    apex_race_file file = small_race();
    ck_assert_int_eq(apex_server_def_load(&file, NULL, &def, why), APEX_OK);
    def.speed_permille = 1000;
    def.now_us = 1000000;
    def.clock_us = a_millisecond_later;
    apex_server *server = NULL;
    ck_assert_int_eq(apex_server_create(&def, &server, why), APEX_OK);
    apex_track_def_free(&def.track);
    for (uint64_t tick = 0; tick < 5; tick++) {
        apex_server_tick(server, def.now_us + tick * 16667);
    }
    rig.servers[1] = server;
    rig.api.server_count = 2;
    scrape();
    static const char *const stages[] = {"receive", "ingest", "step", "store",
                                         "capture", "encode", "send", "record"};
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        char series[96];
        snprintf(series, sizeof series, "apex_stage_seconds_total{race=\"2\",stage=\"%s\"}",
                 stages[i]);
        assert_value(series, 0.005);
    }
    assert_value("apex_stage_seconds_total{race=\"1\",stage=\"step\"}", 0); // it has no clock
    apex_server_destroy(server);
}
