// Records on their way to the disk: numbers, order, failures, a full ring.
#include "test_store_scene.h"

#include <jansson.h>
#include <signal.h>
#include <sys/resource.h>

#include "store/ring.h"
#include "support/base/check_main.h"

// 2026-03-01T12:00:00Z
#define NOON_US (UINT64_C(1772366400) * 1000000u)

static char journal_path[STORE_PATH_BYTES];

static apex_store *store_in_folder(void) {
    store_folder_make();
    store_path(journal_path, "events.jsonl");
    apex_store *store = NULL;
    ck_assert_int_eq(apex_store_create(store_folder, &store), APEX_OK);
    return store;
}

static uint64_t put_event(apex_store *store, int64_t value) {
    apex_race_event event = {.kind = APEX_EVENT_LAP, .tick = 7, .race_number = 2, .value = value};
    return apex_store_event(store, &event, &(apex_store_player){.name = "ada"}, NOON_US);
}

static uint64_t put_result(apex_store *store, uint32_t number) {
    apex_race_result result = {
        .race_number = number, .track = "ring", .laps = 1, .ended_unix_us = NOON_US};
    return apex_store_result(store, &result);
}

// Lines of the journal, each holding the value one above that of the line before.
static size_t lines_in_order(int64_t first) {
    size_t length = 0;
    char *text = store_read(journal_path, &length);
    ck_assert_ptr_nonnull(text);
    size_t lines = 0;
    for (char *line = text; line < text + length; lines++) {
        char *end = memchr(line, '\n', (size_t)(text + length - line));
        ck_assert_ptr_nonnull(end);
        *end = '\0';
        json_t *root = json_loads(line, 0, NULL);
        ck_assert_msg(root != NULL, "no JSON: %s", line);
        ck_assert_int_eq(json_integer_value(json_object_get(root, "value")),
                         first + (int64_t)lines);
        json_decref(root);
        line = end + 1;
    }
    free(text);
    return lines;
}

static bool exists(const char *name) {
    char path[STORE_PATH_BYTES];
    store_path(path, name);
    return access(path, F_OK) == 0;
}

TEST(an_event_is_a_line_with_every_field) {
    apex_store *store = store_in_folder();
    apex_race_event event = {
        .kind = APEX_EVENT_FINISHED,
        .tick = UINT64_C(0x1234567890),
        .race_number = 3,
        .value = -1,
        .time_us = UINT64_C(0x123456789a),
    };
    const apex_store_player ada = {.name = "Łu \"x\"\n",
                                   .who = {.has_driver = true, .driver = {0xAB, 1}}};
    ck_assert_uint_eq(apex_store_event(store, &event, &ada, NOON_US + 1), 1);
    ck_assert_int_eq(apex_store_work(store), APEX_OK);
    size_t length = 0;
    char *text = store_read(journal_path, &length);
    ck_assert_ptr_eq(strchr(text, '\n'), text + length - 1); // one line, whatever the name holds
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_uint_eq(json_object_size(root), 8);
    ck_assert_str_eq(json_string_value(json_object_get(root, "driver")),
                     "ab010000000000000000000000000000");
    ck_assert_int_eq(json_integer_value(json_object_get(root, "unix_us")), NOON_US + 1);
    ck_assert_int_eq(json_integer_value(json_object_get(root, "race")), 3);
    ck_assert_int_eq(json_integer_value(json_object_get(root, "tick")), 0x1234567890);
    ck_assert_str_eq(json_string_value(json_object_get(root, "event")),
                     apex_race_event_name(APEX_EVENT_FINISHED));
    ck_assert_str_eq(json_string_value(json_object_get(root, "player")), "Łu \"x\"\n");
    ck_assert_int_eq(json_integer_value(json_object_get(root, "value")), -1);
    ck_assert_int_eq(json_integer_value(json_object_get(root, "time_us")), 0x123456789a);
    json_decref(root);
    free(text);
    apex_store_destroy(store);
    store_folder_drop();
}

TEST(a_penalty_says_what_it_is) {
    apex_store *store = store_in_folder();
    const apex_race_event event = {.kind = APEX_EVENT_PENALTY, .race_number = 3, .value = 12};
    const apex_penalty penalty = {.number = 12,
                                  .offence = APEX_OFFENCE_PIT_SPEED,
                                  .kind = APEX_PENALTY_TIME,
                                  .state = APEX_PENALTY_CONVERTED,
                                  .amount = 7.5,
                                  .lap = 4,
                                  .added_us = 7500000,
                                  .by_stewards = true};
    const apex_store_player ada = {.name = "ada", .penalty = &penalty};
    ck_assert_uint_eq(apex_store_event(store, &event, &ada, NOON_US), 1);
    ck_assert_uint_eq(put_event(store, 1), 2); // in no slot of a penalty
    ck_assert_int_eq(apex_store_work(store), APEX_OK);
    size_t length = 0;
    char *text = store_read(journal_path, &length);
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, NULL);
    const json_t *told = json_object_get(root, "penalty");
    ck_assert_int_eq(json_integer_value(json_object_get(root, "value")), 12);
    ck_assert_uint_eq(json_object_size(told), 7);
    ck_assert_str_eq(json_string_value(json_object_get(told, "kind")), "time");
    ck_assert_str_eq(json_string_value(json_object_get(told, "offence")), "pit-speed");
    ck_assert_str_eq(json_string_value(json_object_get(told, "state")), "converted");
    ck_assert_double_eq(json_number_value(json_object_get(told, "amount")), 7.5);
    ck_assert_int_eq(json_integer_value(json_object_get(told, "lap")), 4);
    ck_assert_int_eq(json_integer_value(json_object_get(told, "added_us")), 7500000);
    ck_assert(json_is_true(json_object_get(told, "by_stewards")));
    ck_assert_ptr_null(strstr(strchr(text, '\n'), "penalty"));
    json_decref(root);
    free(text);
    apex_store_destroy(store);
    store_folder_drop();
}

TEST(a_number_is_committed_when_it_is_in_the_file) {
    apex_store *store = store_in_folder();
    ck_assert_uint_eq(apex_store_committed(store), 0);
    ck_assert(!apex_store_has_work(store));
    for (int64_t value = 1; value <= 1300; value++) { // more than two batches
        ck_assert_uint_eq(put_event(store, value), (uint64_t)value);
    }
    ck_assert_uint_eq(apex_store_committed(store), 0);
    ck_assert(apex_store_has_work(store));
    ck_assert_uint_eq(lines_in_order(1), 0);
    ck_assert_int_eq(apex_store_work(store), APEX_OK);
    ck_assert_uint_eq(apex_store_committed(store), 1300);
    ck_assert(!apex_store_has_work(store));
    ck_assert_uint_eq(lines_in_order(1), 1300);
    ck_assert_int_eq(apex_store_work(store), APEX_OK);
    ck_assert_uint_eq(lines_in_order(1), 1300);
    apex_store_destroy(store);
    // The next run writes on behind it.
    ck_assert_int_eq(apex_store_create(store_folder, &store), APEX_OK);
    ck_assert_uint_eq(put_event(store, 1301), 1);
    apex_store_destroy(store);
    ck_assert_uint_eq(lines_in_order(1), 1301);
    store_folder_drop();
}

TEST(results_stand_between_the_events_round_them) {
    apex_store *store = store_in_folder();
    ck_assert_str_eq(apex_store_newest_results(store), "");
    put_event(store, 1);
    put_result(store, 1);
    put_result(store, 2);
    put_event(store, 2);
    put_event(store, 3);
    ck_assert_uint_eq(put_result(store, 3), 6);
    ck_assert_int_eq(apex_store_work(store), APEX_OK);
    ck_assert_uint_eq(apex_store_committed(store), 6);
    ck_assert_uint_eq(lines_in_order(1), 3);
    ck_assert(exists("20260301-120000-race-1.json"));
    ck_assert(exists("20260301-120000-race-2.json"));
    ck_assert(exists("20260301-120000-race-3.json"));
    char newest[STORE_PATH_BYTES];
    store_path(newest, "20260301-120000-race-3.json");
    ck_assert_str_eq(apex_store_newest_results(store), newest);
    json_t *root = json_load_file(newest, 0, NULL);
    ck_assert_int_eq(json_integer_value(json_object_get(root, "race_number")), 3);
    json_decref(root);
    apex_store_destroy(store);
    store_folder_drop();
}

// Two servers, one after the other in one second, and files that others have put there.
TEST(a_result_never_takes_the_name_of_a_file_that_is_there) {
    apex_store *store = store_in_folder();
    char taken[STORE_PATH_BYTES], newest[STORE_PATH_BYTES];
    put_result(store, 1);
    put_result(store, 1);
    apex_store_destroy(store);
    store_path(taken, "20260301-120000-race-1-3.json");
    store_write(taken, "theirs", 6);
    store_path(newest, "20260301-120000-race-1-4.json.part");
    store_write(newest, "half", 4);
    ck_assert_int_eq(apex_store_create(store_folder, &store), APEX_OK);
    put_result(store, 1);
    ck_assert_int_eq(apex_store_work(store), APEX_OK);
    store_path(newest, "20260301-120000-race-1-5.json");
    ck_assert_str_eq(apex_store_newest_results(store), newest);
    ck_assert(exists("20260301-120000-race-1.json"));
    ck_assert(exists("20260301-120000-race-1-2.json"));
    ck_assert(!exists("20260301-120000-race-1-4.json"));
    size_t length = 0;
    char *text = store_read(taken, &length);
    ck_assert_str_eq(text, "theirs");
    free(text);
    apex_store_destroy(store);
    store_folder_drop();
}

// No assertion while it is low: check itself writes a file.
static apex_err work_with_files_up_to(apex_store *store, rlim_t bytes) {
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    bool is_set = getrlimit(RLIMIT_FSIZE, &limit) == 0;
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = bytes;
    is_set = is_set && setrlimit(RLIMIT_FSIZE, &limit) == 0;
    apex_err err = apex_store_work(store);
    limit.rlim_cur = before;
    if (!is_set || setrlimit(RLIMIT_FSIZE, &limit) != 0) {
        abort();
    }
    return err;
}

// No room for the result: everything before it is stored and told, nothing behind it.
TEST(a_failed_result_holds_up_what_follows_and_nothing_is_doubled) {
    apex_store *store = store_in_folder();
    put_event(store, 1);
    put_event(store, 2);
    ck_assert_uint_eq(put_result(store, 1), 3);
    put_event(store, 3);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_ne(work_with_files_up_to(store, 250), APEX_OK);
        ck_assert_uint_eq(apex_store_committed(store), 2);
        ck_assert(apex_store_has_work(store));
        ck_assert_uint_eq(lines_in_order(1), 2);
    }
    ck_assert_str_eq(apex_store_newest_results(store), "");
    ck_assert_int_eq(apex_store_work(store), APEX_OK);
    ck_assert_uint_eq(apex_store_committed(store), 4);
    ck_assert_uint_eq(lines_in_order(1), 3);
    ck_assert(exists("20260301-120000-race-1.json"));
    ck_assert_uint_eq(store_files_in(store_folder), 2);
    apex_store_destroy(store);
    store_folder_drop();
}

TEST(a_store_that_is_destroyed_does_what_is_left) {
    apex_store *store = store_in_folder();
    put_event(store, 1);
    put_result(store, 4);
    apex_store_destroy(store);
    ck_assert_uint_eq(lines_in_order(1), 1);
    ck_assert(exists("20260301-120000-race-4.json"));
    store_folder_drop();
}

TEST(a_full_ring_takes_no_more_until_there_is_room) {
    apex_store *store = store_in_folder();
    int64_t taken = 0;
    while (put_event(store, taken + 1) != 0) {
        taken++;
        ck_assert_int_lt(taken, 100000);
    }
    // One place stays free: with all taken, the newest would stand where the oldest waits.
    ck_assert_int_eq(taken, STORE_RECORDS_MAX - 1);
    ck_assert_uint_eq(apex_store_waiting(store), STORE_RECORDS_MAX - 1);
    ck_assert_uint_eq(put_event(store, 0), 0);
    ck_assert_uint_eq(put_result(store, 1), 0);
    ck_assert_int_eq(apex_store_work(store), APEX_OK);
    ck_assert_uint_eq(apex_store_committed(store), (uint64_t)taken);
    // Once round the ring, so that each place is used again.
    for (int64_t i = 0; i < taken; i++) {
        ck_assert_uint_eq(put_event(store, taken + 1 + i), (uint64_t)(taken + 1 + i));
    }
    ck_assert_int_eq(apex_store_work(store), APEX_OK);
    ck_assert_uint_eq(lines_in_order(1), (size_t)(2 * taken));
    apex_store_destroy(store);
    store_folder_drop();
}

static void assert_nowhere(const char *directory) {
    apex_store *store = NULL;
    ck_assert_int_eq(apex_store_create(directory, &store), APEX_OK);
    for (uint64_t number = 1; number <= 20000; number++) { // never full
        uint64_t got = number % 1000 == 0 ? put_result(store, 1) : put_event(store, 1);
        ck_assert_uint_eq(got, number);
        ck_assert_uint_eq(apex_store_committed(store), number);
    }
    ck_assert(!apex_store_has_work(store));
    ck_assert_int_eq(apex_store_work(store), APEX_OK);
    ck_assert_str_eq(apex_store_newest_results(store), "");
    apex_store_destroy(store);
}

TEST(without_a_directory_all_is_committed_at_once) {
    assert_nowhere(NULL);
    assert_nowhere("");
}

TEST(a_directory_is_made_or_refused) {
    store_folder_make();
    apex_store *store = NULL;
    char path[STORE_PATH_BYTES];
    store_path(path, "results");
    ck_assert_int_eq(apex_store_create(path, &store), APEX_OK);
    apex_store_destroy(store);
    store_path(path, "results/events.jsonl"); // a file is in the way
    ck_assert_int_eq(apex_store_create(path, &store), APEX_ERR_NOT_FOUND);
    ck_assert_int_eq(unlink(path), 0);
    store_path(path, "no/such");
    ck_assert_int_eq(apex_store_create(path, &store), APEX_ERR_NOT_FOUND);
    char endless[2000];
    memset(endless, 'x', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    ck_assert_int_eq(apex_store_create(endless, &store), APEX_ERR_INVALID);
    apex_store_destroy(NULL);
    store_folder_drop();
}

// Half a record that a crash left is cut; records of odd bytes are lines like all others.
TEST(a_store_opens_after_a_crash) {
    store_folder_make();
    store_path(journal_path, "events.jsonl");
    const char left[] = "{\"unix_us\":1,\"race\":1,\"tick\":0,\"event\":\"lap\",\"value\":1}\n"
                        "{\"unix_us\":2,\"race\":1,\"pla";
    store_write(journal_path, left, sizeof left - 1);
    apex_store *store = NULL;
    ck_assert_int_eq(apex_store_create(store_folder, &store), APEX_OK);
    put_event(store, 2);
    apex_race_event event = {.kind = APEX_EVENT_LEFT, .value = 3};
    ck_assert_uint_eq(
        apex_store_event(store, &event, &(apex_store_player){.name = "J\xf6rg"}, NOON_US), 2);
    put_event(store, 4);
    apex_store_destroy(store);
    ck_assert_uint_eq(lines_in_order(1), 4);
    store_folder_drop();
}
