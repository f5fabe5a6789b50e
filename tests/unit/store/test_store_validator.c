// The store's validator finds nothing wrong with a queue that comes and goes, and each planted
// fault.
#include "test_store_scene.h"

#include "store/store_validator.h"

enum { WAITING = 5 };

static apex_store *store;

static void put(uint32_t count) {
    apex_race_event event = {.kind = APEX_EVENT_LAP};
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_uint_gt(apex_store_event(store, &event, &(apex_store_player){.name = "ada"}, 0),
                          0);
    }
}

static void begin(void) {
    store_folder_make();
    ck_assert_int_eq(apex_store_create(store_folder, &store), APEX_OK);
    put(1);
    ck_assert_int_eq(apex_store_work(store), APEX_OK);
    put(WAITING);
}

static void end(void) {
    apex_store_destroy(store);
    store_folder_drop();
}

TEST(a_queue_that_goes_round_is_valid) {
    begin();
    for (int i = 0; i < 10; i++) {
        put(2000);
        ck_assert_ptr_null(store_validate(store));
        ck_assert_int_eq(apex_store_work(store), APEX_OK);
        ck_assert_ptr_null(store_validate(store));
    }
    put(STORE_RECORDS_MAX - 1);
    ck_assert_ptr_null(store_validate(store));
    end();
    ck_assert_int_eq(apex_store_create(NULL, &store), APEX_OK);
    put(WAITING);
    ck_assert_ptr_null(store_validate(store));
    apex_store_destroy(store);
}

static void expect(const char *sentence) {
    ck_assert_ptr_nonnull(store_validate(store));
    ck_assert_str_eq(store_validate(store), sentence);
}

TEST(each_fault_is_found) {
    begin();
    uint64_t committed = store->committed, queued = store->queued;
    ck_assert_uint_eq(queued - committed, WAITING);
    store->committed = queued + 1;
    expect("more records are on disk than there have been");
    store->committed = committed;
    store->queued = committed + STORE_RECORDS_MAX;
    expect("more records wait than the ring has room for");
    store->queued = queued;
    store->ring[queued % STORE_RECORDS_MAX].number--;
    expect("a record is not at the place of its number");
    store->ring[queued % STORE_RECORDS_MAX].number++;
    char first = store->directory[0];
    store->directory[0] = '\0';
    expect("records wait to be written nowhere");
    store->directory[0] = first;
    ck_assert_ptr_null(store_validate(store));
    end();
}
