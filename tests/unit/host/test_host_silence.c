// A race that waits for its drivers gives up one that is silent, each time for longer, and takes it
// back at a word that comes in time.
#include "support/base/check_main.h"

#include <stdio.h>

#include "host/ingest/await.h"
#include "support/host/race_rig.h"

static race_rig *rig;
static host_clients clients;
static host_client *client;

// A driver of whom nothing has come. The race does not know him: it has nothing to say of him.
static void start(void) {
    apex_race_file file = apex_default_race_file();
    snprintf(file.track, sizeof file.track, "oval");
    rig = race_rig_create(&file, 0, NULL);
    ck_assert_ptr_nonnull(rig);
    ck_assert_int_eq(host_clients_create(&clients, 4, 8), APEX_OK);
    client = host_client_open(&clients, (apex_session_id){.index1 = 2, .generation = 1});
    client->admitted = true;
    client->player = (apex_player_id){.index1 = 7, .generation = 9};
}

static void stop(void) {
    host_clients_destroy(&clients);
    race_rig_destroy(rig);
}

FIXTURE(start, stop)

static const apex_race *race(void) {
    return apex_server_race(race_rig_server(rig));
}

TEST(each_time_the_race_goes_on_for_longer) {
    uint32_t tick = (uint32_t)apex_world_tick(apex_race_world(race())) + 1;
    static const uint32_t without[] = {0,    16,   32,   64,   128,  256, 512,
                                       1024, 2048, 4096, 8192, 8192, 8192};
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
        ck_assert(host_is_anybody_awaited(&clients, race()));
        host_await_no_longer(&clients, race());
        ck_assert(client->is_silent);
        ck_assert(!host_is_anybody_awaited(&clients, race()));
        ck_assert_uint_eq(client->awaited_from_tick, tick + without[i]);
        // Any word ends the silence; the time without waiting runs out by itself.
        client->controls.newest = tick > 1 ? tick - 1 : UINT32_MAX;
        host_await_heard(client, tick);
        ck_assert(!client->is_silent);
        ck_assert(host_is_anybody_awaited(&clients, race()) == (without[i] == 0));
        client->awaited_from_tick = 0;
    }
}

TEST(a_word_in_time_makes_all_good) {
    client->is_silent = true;
    client->given_up = 3;
    client->awaited_from_tick = 5000;
    client->controls.newest = 499;
    host_await_heard(client, 500);
    ck_assert(!client->is_silent);
    ck_assert_uint_eq(client->given_up, 3);
    ck_assert_uint_eq(client->awaited_from_tick, 5000);
    client->controls.newest = 500;
    host_await_heard(client, 500);
    ck_assert_uint_eq(client->given_up, 0);
    ck_assert_uint_eq(client->awaited_from_tick, 0);
}

TEST(who_does_not_drive_is_not_awaited) {
    ck_assert(host_is_anybody_awaited(&clients, race()));
    bool *const ends[] = {&client->lost, &client->leaving, &client->kicked, &client->is_silent};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        *ends[i] = true;
        ck_assert(!host_is_anybody_awaited(&clients, race()));
        *ends[i] = false;
    }
    client->admitted = false;
    ck_assert(!host_is_anybody_awaited(&clients, race()));
    client->admitted = true;
    client->controls.newest = (uint32_t)apex_world_tick(apex_race_world(race())) + 1;
    ck_assert(!host_is_anybody_awaited(&clients, race())); // it has come
}
