// Tests that the files in deploy/ for Prometheus and Grafana speak of figures that exist.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "host/host_private.h"
#include "support/api/api_rig.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"

enum { WORD_BYTES = 96 };

static api_rig rig;
static apex_server *listening;

// One server listens, so that figures of sockets are among them.
static apex_server *listen_somewhere(const apex_race_file *file) {
    static apex_server_def def;
    char why[APEX_HOST_WHY_BYTES] = "";
    ck_assert_int_eq(apex_server_def_load(file, NULL, &def, why), APEX_OK);
    snprintf(def.file.address, sizeof def.file.address, "127.0.0.1");
    def.file.port = 0;
    def.listen = true;
    def.speed_permille = 1000;
    def.now_us = 1000000;
    apex_server *server = NULL;
    ck_assert_msg(apex_server_create(&def, &server, why) == APEX_OK, "%s", why);
    apex_track_def_free(&def.track);
    return server;
}

static bool look(const void *data, apex_process_figures *out) {
    (void)data;
    *out = (apex_process_figures){.started_unix_us = 1,
                                  .times = {.tells_waits = true},
                                  .resident_bytes = 1,
                                  .virtual_bytes = 1,
                                  .open_files = 1,
                                  .files_max = 1,
                                  .threads = 1};
    return true;
}

static bool quality(const void *context, apex_link link, apex_link_quality *out) {
    (void)context;
    *out = (apex_link_quality){.round_trip_ms = 80, .jitter_ms = 3};
    return link.index1 > 0;
}

// A player with every figure known.
static void join(void) {
    enum { SECOND = 60 };
    apex_client_def def = apex_default_client_def();
    def.want_defs = true;
    race_rig_pilot(rig.race, race_rig_connect(rig.race, &def));
    rig.servers[0]->network.fed_quality = quality;
    race_rig_tick(rig.race, 8 * SECOND);
}

static void begin(void) {
    static uint64_t web_counters[APEX_WEB_COUNTERS];
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    file.results_dir[0] = '\0';
    api_rig_begin(&rig, &file);
    listening = listen_somewhere(&file);
    rig.servers[1] = listening;
    rig.api.server_count = 2;
    rig.api.web_counters = web_counters;
    static const apex_playback_figures playbacks = {.watched = 1};
    rig.api.playbacks = &playbacks;
    rig.api.look = look;
    static const apex_web_certificate_figures certificate = {.days_left = 80,
                                                             .ends_unix_s = 2000000000};
    rig.api.certificate = &certificate;
    join();
    ck_assert_uint_eq(api_rig_get(&rig, "/metrics"), 200);
}

static void end(void) {
    apex_server_destroy(listening);
    api_rig_end(&rig);
}

static const char *path_of(const char *name) {
    static char path[512];
    const char *root = getenv("APEX_SOURCE_DIR");
    snprintf(path, sizeof path, "%s/deploy/%s", root != NULL ? root : ".", name);
    return path;
}

static size_t word_length(const char *text) {
    return strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789");
}

// A line of the series that has this in its labels; NULL if there is none.
static const char *find_series(const char *name, const char *label) {
    char start[WORD_BYTES + 2];
    size_t length = (size_t)snprintf(start, sizeof start, "\n%s", name);
    for (const char *at = strstr(rig.body, start); at != NULL; at = strstr(at + 1, start)) {
        bool is_name = at[length] == '{' || at[length] == ' ';
        const char *found = strstr(at + 1, label);
        if (is_name && found != NULL && found < at + 1 + strcspn(at + 1, "\n")) {
            return at + 1;
        }
    }
    return NULL;
}

// {label="value",other=~"...",...}: each label is one of the series; a value that is given as it
// stands is there as well.
static void check_selector(const char *name, const char *at, const char *expr) {
    while (*at != '}') {
        at++; // past the brace or comma
        size_t length = word_length(at);
        const char *value = at + length + strcspn(at + length, "\"");
        size_t value_length = strcspn(value + 1, "\"") + 2;
        bool is_plain = at[length] == '=' && at[length + 1] == '"';
        char wanted[2 * WORD_BYTES];
        snprintf(wanted, sizeof wanted, "%.*s=%.*s", (int)length, at,
                 is_plain ? (int)value_length : 1, value);
        bool is_scraped = strncmp(at, "instance=", 9) == 0; // Prometheus adds it
        ck_assert_msg(is_scraped || find_series(name, wanted) != NULL, "no %s{%s} in metrics: %s",
                      name, wanted, expr);
        at = value + value_length;
        ck_assert_msg(*at == ',' || *at == '}', "odd selector: %s", expr);
    }
}

// Ours, and those of every process. NULL: there is none.
static const char *next_name(const char *text) {
    for (text += strcspn(text, "ap"); *text != '\0'; text += 1 + strcspn(text + 1, "ap")) {
        if (strncmp(text, "apex_", 5) == 0 || strncmp(text, "process_", 8) == 0) {
            return text;
        }
    }
    return NULL;
}

static size_t check_expr(const char *expr) {
    size_t count = 0;
    for (const char *at = next_name(expr); at != NULL; at = next_name(at + word_length(at))) {
        size_t length = word_length(at);
        char name[WORD_BYTES];
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        ck_assert_msg(find_series(name, "") != NULL, "no %s in metrics: %s", name, expr);
        if (at[length] == '{') {
            check_selector(name, at + length, expr);
        }
        count++;
    }
    return count;
}

static size_t check_all(const json_t *value) {
    size_t count = 0;
    const char *key = NULL;
    json_t *member = NULL;
    size_t index = 0;
    json_object_foreach((json_t *)value, key, member) {
        bool is_query = strcmp(key, "expr") == 0 || strcmp(key, "definition") == 0;
        count += is_query && json_is_string(member) ? check_expr(json_string_value(member))
                                                    : check_all(member);
    }
    json_array_foreach(value, index, member) {
        count += check_all(member);
    }
    return count;
}

FIXTURE(begin, end)

TEST(the_dashboard_asks_for_what_there_is) {
    json_error_t error;
    json_t *dashboard =
        json_load_file(path_of("grafana-dashboard.json"), JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(dashboard != NULL, "%d: %s", error.line, error.text);
    ck_assert_uint_ge(check_all(dashboard), 60);
    json_decref(dashboard);
}

// Each family is shown somewhere, or nobody would miss it.
TEST(the_dashboard_leaves_nothing_out) {
    json_t *dashboard = json_load_file(path_of("grafana-dashboard.json"), 0, NULL);
    ck_assert_ptr_nonnull(dashboard);
    char *text = json_dumps(dashboard, JSON_COMPACT);
    json_decref(dashboard);
    static const char type[] = "# TYPE ";
    for (const char *at = strstr(rig.body, type); at != NULL; at = strstr(at + 1, type)) {
        char name[WORD_BYTES];
        const char *begin = at + sizeof type - 1;
        snprintf(name, sizeof name, "%.*s", (int)word_length(begin), begin);
        ck_assert_msg(strstr(text, name) != NULL, "%s is not in the dashboard", name);
    }
    free(text);
}

// Reads the whole file. @return whether a plain value follows that key somewhere, and which
static bool yaml_value(const char *path, const char *wanted, char value[WORD_BYTES]) {
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    yaml_parser_t parser;
    ck_assert_int_eq(yaml_parser_initialize(&parser), 1);
    yaml_parser_set_input_file(&parser, file);
    bool found = false, is_next = false;
    for (bool ended = false; !ended;) {
        yaml_event_t event;
        ck_assert_msg(yaml_parser_parse(&parser, &event) == 1, "line %zu: %s",
                      parser.problem_mark.line + 1, parser.problem);
        if (event.type == YAML_SCALAR_EVENT) {
            const char *text = (const char *)event.data.scalar.value;
            if (is_next) {
                snprintf(value, WORD_BYTES, "%s", text);
                found = true;
            }
            is_next = strcmp(text, wanted) == 0;
        }
        ended = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    fclose(file);
    return found;
}

TEST(prometheus_is_sent_to_the_right_place) {
    char value[WORD_BYTES];
    ck_assert(yaml_value(path_of("prometheus.yml"), "metrics_path", value));
    ck_assert_uint_eq(api_rig_get_as(&rig, value, ""), 200);
    ck_assert_ptr_nonnull(strstr(rig.body, "apex_ticks_total"));
    ck_assert(yaml_value(path_of("prometheus.yml"), "targets", value));
    ck_assert_str_eq(value, "localhost:8080"); // the page's address by default
}
