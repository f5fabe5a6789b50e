// links: replicate content client
// Delta snapshots from the race to what a client has of it, over links that lose, delay, double and
// reorder both ways: whatever a client takes is what the server had, to the last bit.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "client-lite/view/deltas.h"
#include "replicate/viewer.h"
#include "support/base/check_main.h"
#include "support/proto/listed_car.h"
#include "support/race/crowd_race.h"
#include "support/race/lively_race.h"

enum { PLAYERS = 24, TICK_HZ = 60, PERIOD_TICKS = 3, FLIGHTS_MAX = 512 };

/// A packet or an acknowledgement on its way.
typedef struct flight {
    uint32_t due_tick;
    bool is_up;
    apex_snapshot_ack ack;
    size_t length;
    uint8_t bytes[APEX_DATAGRAM_BYTES_MAX];
} flight;

typedef struct test_link {
    double loss, doubles;
    uint32_t delay_ticks, jitter_ticks;
} test_link;

/// One viewer and its link.
typedef struct test_view {
    apex_replica *replica;
    apex_replica_codes *codes;
    apex_viewer viewer;
    apex_viewer_memory *memory;
    apex_view_limits limits;
    test_link link;
    client_deltas deltas;
    uint64_t random;
    flight *flights;
    uint32_t flight_count;
    uint32_t taken, sent;
    uint64_t bytes, cars;
    uint32_t seen_tick[4096]; ///< [slot] newest that was shown
} test_view;

static uint32_t random_below(test_view *view, uint32_t count) {
    view->random = view->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((view->random >> 33) % count);
}

static bool happens(test_view *view, double share) {
    return random_below(view, 1000000) < (uint32_t)(share * 1e6);
}

static void open_view(test_view *view, uint32_t capacity, uint32_t own_slot) {
    memset(view, 0, sizeof *view);
    view->replica = apex_replica_create(capacity, TICK_HZ);
    view->codes = apex_replica_codes_create(capacity);
    view->memory = apex_viewer_memory_create();
    view->flights = calloc(FLIGHTS_MAX, sizeof *view->flights);
    ck_assert(view->replica != NULL && view->codes != NULL && view->memory != NULL &&
              view->flights != NULL);
    view->viewer.period_ticks = PERIOD_TICKS;
    view->viewer.own_car = own_slot != 0 ? 1u << 16 | own_slot : 0;
    view->limits = apex_view_limits_internet();
    view->random = 77;
    client_deltas_begin(&view->deltas, TICK_HZ);
}

static void close_view(test_view *view) {
    client_deltas_free(&view->deltas);
    free(view->flights);
    apex_viewer_memory_destroy(view->memory);
    apex_replica_codes_destroy(view->codes);
    apex_replica_destroy(view->replica);
}

static void depart(test_view *view, const flight *what, uint32_t tick) {
    uint32_t copies = happens(view, view->link.doubles) ? 2 : 1;
    if (happens(view, view->link.loss)) {
        return;
    }
    for (uint32_t i = 0; i < copies; i++) {
        ck_assert_uint_lt(view->flight_count, FLIGHTS_MAX);
        flight *one = &view->flights[view->flight_count++];
        *one = *what;
        uint32_t jitter = random_below(view, view->link.jitter_ticks + 1);
        one->due_tick = tick + view->link.delay_ticks + jitter;
    }
}

// @return whether it is, in one of the classes, what the server had.
static bool is_true(const test_view *view, const apex_wire_car *shown, uint32_t tick) {
    const apex_delta_car *near_car =
        apex_replica_car(view->replica, tick, apex_delta_slot(shown->id));
    apex_wire_car wanted[3];
    if (near_car == NULL) {
        return false;
    }
    apex_delta_car far_car = apex_delta_far_car(near_car);
    apex_delta_car listed = listed_car(&far_car);
    memset(wanted, 0, sizeof wanted);
    apex_delta_to_wire(near_car, APEX_DELTA_NEAR, &wanted[0]);
    apex_delta_to_wire(&far_car, APEX_DELTA_FAR, &wanted[1]);
    apex_delta_to_wire(&listed, APEX_DELTA_LISTED, &wanted[2]);
    bool is_near = shown->x_mm == wanted[0].x_mm && shown->y_mm == wanted[0].y_mm &&
                   shown->yaw_q == wanted[0].yaw_q && shown->vx_cmps == wanted[0].vx_cmps &&
                   shown->rpm == wanted[0].rpm && shown->gear == wanted[0].gear &&
                   shown->damage_zones == wanted[0].damage_zones;
    bool is_far = shown->x_mm == wanted[1].x_mm && shown->y_mm == wanted[1].y_mm &&
                  shown->yaw_q == wanted[1].yaw_q && shown->vx_cmps == wanted[1].vx_cmps;
    bool is_listed = memcmp(shown, &wanted[2], sizeof *shown) == 0;
    return shown->id == near_car->id && (is_near || is_far || is_listed);
}

static void receive(test_view *view, const flight *packet, uint32_t now) {
    apex_snapshot_message message = {.delta = packet->bytes, .delta_length = packet->length}, whole;
    if (client_deltas_take(&view->deltas, &message, now, &whole)) {
        view->taken++;
        for (uint32_t i = 0; i < whole.car_count; i++) {
            if (!is_true(view, &whole.cars[i], whole.tick)) {
                ck_abort_msg("at tick %u car %08x is shown that never was", whole.tick,
                             whole.cars[i].id);
            }
            uint32_t *seen = &view->seen_tick[apex_delta_slot(whole.cars[i].id)];
            *seen = whole.tick > *seen ? whole.tick : *seen;
        }
        view->cars += whole.car_count;
    }
    flight ack = {.is_up = true, .ack = client_deltas_ack(&view->deltas)};
    depart(view, &ack, now);
}

static void deliver(test_view *view, uint32_t now) {
    for (uint32_t i = 0; i < view->flight_count;) {
        if (view->flights[i].due_tick > now) {
            i++;
            continue;
        }
        flight arrived = view->flights[i];
        view->flights[i] = view->flights[--view->flight_count];
        if (arrived.is_up) {
            apex_viewer_acknowledge(view->memory, &arrived.ack);
        } else {
            receive(view, &arrived, now);
        }
    }
}

static void serve(test_view *view, const apex_race *race) {
    apex_race_status status = apex_race_status_of(race);
    uint32_t now = (uint32_t)status.tick;
    apex_replica_capture(view->replica, race);
    deliver(view, now);
    if (now % PERIOD_TICKS != 0) {
        return;
    }
    apex_delta_view delta = {.viewer = &view->viewer,
                             .limits = &view->limits,
                             .phase = (uint32_t)status.phase,
                             .race_time_ms = (int32_t)(status.race_time_us / 1000)};
    flight packet = {.is_up = false};
    apex_viewer_settle(view->memory);
    packet.length =
        apex_replica_encode(view->replica, &delta, view->codes, view->memory, packet.bytes);
    ck_assert_uint_le(packet.length, view->limits.bytes_max);
    view->bytes += packet.length;
    view->sent++;
    depart(view, &packet, now);
}

static lively_race *start_race(void) {
    static const lively_race_def DEF = {"oval", {"boxster-s", "corvette-c5"}, PLAYERS, 6, 21};
    return lively_race_create(&DEF);
}

static const test_link LINKS[] = {
    {0.0, 0.0, 0, 0},  {0.01, 0.0, 1, 2},  {0.05, 0.02, 3, 3},
    {0.25, 0.1, 3, 6}, {0.25, 0.1, 12, 6}, {0.5, 0.2, 6, 12},
};

enum { LINK_COUNT = sizeof LINKS / sizeof *LINKS };

static void assert_nobody_stands_still(const test_view *view, const lively_race *lively) {
    uint32_t now = (uint32_t)apex_race_status_of(lively_race_of(lively)).tick;
    for (uint32_t slot = 1; slot <= PLAYERS; slot++) {
        ck_assert_uint_lt(now - view->seen_tick[slot], TICK_HZ); // for a second
    }
}

static void assert_all_was_told(const test_view *view) {
    // Whatever came could be read: no change leant on what was not there.
    ck_assert_uint_eq(view->deltas.undecodable, 0);
    ck_assert_uint_gt(view->taken, (uint32_t)((0.95 - view->link.loss) * view->sent));
    // Of the newest hundreds, by those that were acknowledged: also what was lost on the way back
    // was told by a later one.
    uint32_t lost_ppm = UINT32_MAX;
    ck_assert(apex_viewer_lost_ppm(view->memory, &lost_ppm));
    double error = (double)lost_ppm / 1e6 - view->link.loss;
    ck_assert_msg(error > -0.1 && error < 0.1, "%g lost of %g", (double)lost_ppm / 1e6,
                  view->link.loss);
    ck_assert(view->link.loss > 0.0 || lost_ppm == 0);
}

// One race, of which each view takes only what is its own: a viewer behind each link, and the last
// one with a small budget, which is shared and kept.
TEST(what_a_client_takes_is_what_was) {
    static test_view views[LINK_COUNT + 1];
    test_view *small = &views[LINK_COUNT];
    lively_race *lively = start_race();
    for (uint32_t i = 0; i <= LINK_COUNT; i++) {
        open_view(&views[i], PLAYERS, 3);
        views[i].link = LINKS[i % LINK_COUNT];
    }
    small->limits.bytes_max = APEX_DELTA_BYTES_MIN;
    for (uint32_t tick = 0; tick < 20 * TICK_HZ; tick++) {
        lively_race_tick(lively);
        for (uint32_t i = 0; i < LINK_COUNT; i++) {
            serve(&views[i], lively_race_of(lively));
        }
        if (tick < 10 * TICK_HZ) {
            serve(small, lively_race_of(lively));
        }
        if (tick + 1 == 10 * TICK_HZ) {
            assert_nobody_stands_still(small, lively);
        }
    }
    for (uint32_t i = 0; i < LINK_COUNT; i++) {
        assert_all_was_told(&views[i]);
        assert_nobody_stands_still(&views[i], lively);
    }
    for (uint32_t i = 0; i <= LINK_COUNT; i++) {
        close_view(&views[i]);
    }
    lively_race_destroy(lively);
}

TEST(a_client_that_has_lost_everything_gets_it_anew) {
    static test_view view;
    lively_race *lively = start_race();
    open_view(&view, PLAYERS, 3);
    view.link = (test_link){.delay_ticks = 3};
    for (uint32_t tick = 0; tick < 6 * TICK_HZ; tick++) {
        lively_race_tick(lively);
        serve(&view, lively_race_of(lively));
        if (tick == 3 * TICK_HZ) {
            apex_snapshot_ack ack = view.deltas.ack;
            client_deltas_begin(&view.deltas, TICK_HZ);
            view.deltas.ack = (apex_snapshot_ack){.newest = ack.newest};
            view.taken = 0;
        }
        if (tick == 3 * TICK_HZ + TICK_HZ / 2) {
            ck_assert_uint_gt(view.taken, 5);
            ck_assert_uint_gt(view.deltas.undecodable, 0);
            ck_assert_uint_lt(view.deltas.undecodable, 4); // a round trip's worth
            view.deltas.undecodable = 0;
        }
    }
    ck_assert_uint_eq(view.deltas.undecodable, 0);
    close_view(&view);
    lively_race_destroy(lively);
}

TEST(a_client_that_hears_nothing_for_long_comes_back) {
    static test_view view;
    lively_race *lively = start_race();
    open_view(&view, PLAYERS, 3);
    uint64_t bytes = 0;
    // 200 packets: more than half of what 8 bits of their sequence can tell apart.
    for (uint32_t tick = 0; tick < 16 * TICK_HZ; tick++) {
        bool is_away = tick >= 2 * TICK_HZ && tick < 12 * TICK_HZ;
        view.link.loss = is_away ? 1.0 : 0.0;
        lively_race_tick(lively);
        serve(&view, lively_race_of(lively));
        bytes = tick == 14 * TICK_HZ ? view.bytes : bytes;
    }
    uint32_t packets = 2 * TICK_HZ / PERIOD_TICKS;
    ck_assert_uint_eq(view.taken, 6 * TICK_HZ / PERIOD_TICKS);
    ck_assert_uint_eq(view.deltas.undecodable, 0);
    // Cars by themselves would take five times as much.
    ck_assert_uint_lt(view.bytes - bytes, packets * 120);
    close_view(&view);
    lively_race_destroy(lively);
}

enum { CROWD = 400, OWN_SLOT = 57 };

static double distance_m(const test_view *view, uint32_t slot, uint32_t tick) {
    const apex_delta_car *own = apex_replica_car(view->replica, tick, OWN_SLOT);
    const apex_delta_car *car = apex_replica_car(view->replica, tick, slot);
    double x_m = 0.01 * (car->q[APEX_DELTA_X] - own->q[APEX_DELTA_X]);
    double y_m = 0.01 * (car->q[APEX_DELTA_Y] - own->q[APEX_DELTA_Y]);
    return sqrt(x_m * x_m + y_m * y_m);
}

// A second viewer of the crowd has a small budget and a bad link; `serve` holds each of his
// packets to the limit.
TEST(in_a_crowd_the_near_come_often_and_all_come_round) {
    static test_view view, small;
    crowd_race *crowd = crowd_race_create(CROWD);
    open_view(&view, CROWD, OWN_SLOT);
    view.limits = apex_view_limits_crowd();
    open_view(&small, CROWD, OWN_SLOT);
    small.limits = apex_view_limits_lan();
    small.limits.bytes_max = APEX_DELTA_BYTES_MIN;
    small.link = LINKS[3];
    uint32_t own = 0, near_count = 0, near_seen = 0, now = 0;
    for (uint32_t tick = 0; tick < 12 * TICK_HZ; tick++) {
        crowd_race_tick(crowd);
        serve(&view, crowd_race_of(crowd));
        if (tick < 5 * TICK_HZ) {
            serve(&small, crowd_race_of(crowd));
        }
        now = (uint32_t)apex_race_status_of(crowd_race_of(crowd)).tick;
        if (tick < 2 * TICK_HZ || now % PERIOD_TICKS != 1) {
            continue; // a packet that was sent a tick ago has come now
        }
        own += view.seen_tick[OWN_SLOT] == now - 1;
        for (uint32_t slot = 1; slot <= CROWD; slot++) {
            bool is_near = distance_m(&view, slot, now) < 20.0;
            near_count += is_near;
            near_seen += is_near && view.seen_tick[slot] == now - 1;
        }
    }
    ck_assert_uint_eq(own, 10 * TICK_HZ / PERIOD_TICKS);
    ck_assert_uint_gt(near_count, 1000);
    ck_assert_msg(near_seen > 0.95 * near_count, "%u of %u near ones", near_seen, near_count);
    for (uint32_t slot = 1; slot <= CROWD; slot++) {
        ck_assert_uint_ne(view.seen_tick[slot], 0);
        ck_assert_uint_lt(now - view.seen_tick[slot], 8 * TICK_HZ);
    }
    ck_assert_uint_eq(view.deltas.undecodable, 0);
    ck_assert_uint_gt(small.taken, 50);
    close_view(&small);
    close_view(&view);
    crowd_race_destroy(crowd);
}

static uint32_t place_of(const apex_standing lines[], size_t count, uint32_t slot) {
    uint32_t place = 0;
    while (place < count && lines[place].car_id.index1 != slot) {
        place++;
    }
    return place;
}

// Two before and two behind in the running order, and nobody else; also where few compete.
TEST(who_races_the_viewer_competes_however_far_away) {
    static test_view view;
    apex_standing lines[2 * PLAYERS];
    lively_race *lively = start_race();
    uint32_t looks = 0;
    size_t count = 0; // of the order when it was last looked at
    open_view(&view, PLAYERS, 3);
    view.limits.neighbours_max = 8;
    for (uint32_t tick = 0; tick < 10 * TICK_HZ; tick++) {
        lively_race_tick(lively);
        serve(&view, lively_race_of(lively));
        const apex_viewer_memory *memory = view.memory;
        if (view.replica->cars.tick % (TICK_HZ / 2) == 0) {
            count = apex_race_standings(lively_race_of(lively), lines, 2 * PLAYERS);
        }
        if (memory->chosen_tick != view.replica->cars.tick || count == 0) {
            continue;
        }
        uint32_t own = place_of(lines, count, 3), rivals = 0;
        for (uint32_t i = 0; i < memory->car_count; i++) {
            uint32_t place = place_of(lines, count, memory->cars[i].slot);
            uint32_t apart = place > own ? place - own : own - place;
            ck_assert_uint_eq(memory->cars[i].is_rival, apart == 1 || apart == 2);
            rivals += memory->cars[i].is_rival;
        }
        ck_assert_uint_eq(rivals, (own >= 2 ? 2 : own) + (own + 3 <= count ? 2 : count - own - 1));
        looks++;
    }
    ck_assert_uint_ge(looks, 10);
    close_view(&view);
    lively_race_destroy(lively);
}
