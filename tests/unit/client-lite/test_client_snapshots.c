// The newest of every car out of parts that come late, twice, out of order or not; and the roster.
#include "support/base/check_main.h"

#include "test_client_script.h"

enum { TICK_HZ = 60 };

static apex_wire_car car_at(uint32_t id, int32_t x_mm) {
    return (apex_wire_car){.id = id, .x_mm = x_mm};
}

static void take(client_snapshots *snapshots, uint32_t tick, const apex_wire_car cars[],
                 uint32_t count) {
    apex_snapshot_message part = {.tick = tick,
                                  .phase = 3,
                                  .race_time_ms = (int32_t)tick,
                                  .parts = 1,
                                  .car_count = count,
                                  .cars = cars};
    ck_assert(client_snapshots_take(snapshots, &part, (uint64_t)tick * 1000));
}

static int32_t x_of(const client_snapshots *snapshots, uint32_t id) {
    const apex_wire_car *car = client_snapshots_find(snapshots, id);
    ck_assert_ptr_nonnull(car);
    return car->x_mm;
}

static void check_sorted(const client_snapshots *snapshots) {
    for (size_t i = 1; i < snapshots->count; i++) {
        ck_assert_uint_lt(snapshots->cars[i - 1].id, snapshots->cars[i].id);
    }
}

TEST(parts_of_one_tick_make_one_whole) {
    client_snapshots snapshots = {0};
    client_snapshots_begin(&snapshots, TICK_HZ);
    apex_wire_car first[] = {car_at(10, 1), car_at(20, 2)};
    apex_wire_car second[] = {car_at(30, 3), car_at(40, 4)};
    take(&snapshots, 100, second, 2); // the later part overtook
    take(&snapshots, 100, first, 2);
    ck_assert_uint_eq(snapshots.count, 4);
    check_sorted(&snapshots);
    ck_assert_int_eq(x_of(&snapshots, 10), 1);
    ck_assert_int_eq(x_of(&snapshots, 40), 4);
    ck_assert_uint_eq(snapshots.parts, 2);
    ck_assert_uint_eq(snapshots.late, 0);
    client_snapshots_free(&snapshots);
}

TEST(a_late_part_renews_only_what_is_older) {
    client_snapshots snapshots = {0};
    client_snapshots_begin(&snapshots, TICK_HZ);
    apex_wire_car old[] = {car_at(1, 100), car_at(2, 100), car_at(3, 100)};
    apex_wire_car newest[] = {car_at(1, 300)};
    apex_wire_car late[] = {car_at(1, 200), car_at(2, 200), car_at(4, 200)};
    take(&snapshots, 100, old, 3);
    take(&snapshots, 106, newest, 1);
    take(&snapshots, 103, late, 3);
    ck_assert_int_eq(x_of(&snapshots, 1), 300);
    ck_assert_int_eq(x_of(&snapshots, 2), 200);
    ck_assert_int_eq(x_of(&snapshots, 3), 100);
    ck_assert_int_eq(x_of(&snapshots, 4), 200);
    ck_assert_uint_eq(snapshots.tick, 106);
    ck_assert_int_eq(snapshots.race_time_ms, 106);
    ck_assert_uint_eq(snapshots.received_us, 106000);
    ck_assert_uint_eq(snapshots.late, 1);
    client_snapshots_free(&snapshots);
}

TEST(a_car_nobody_mentions_for_fifteen_seconds_is_forgotten) {
    client_snapshots snapshots = {0};
    client_snapshots_begin(&snapshots, TICK_HZ);
    apex_wire_car both[] = {car_at(1, 0), car_at(2, 0)};
    apex_wire_car one[] = {car_at(2, 0)};
    take(&snapshots, 1000, both, 2);
    take(&snapshots, 1900, one, 1);
    ck_assert_ptr_nonnull(client_snapshots_find(&snapshots, 1));
    take(&snapshots, 1901, one, 1);
    ck_assert_ptr_null(client_snapshots_find(&snapshots, 1));
    ck_assert_uint_eq(snapshots.count, 1);
    take(&snapshots, 1000, both, 2); // a copy from the past brings nothing back
    ck_assert_ptr_null(client_snapshots_find(&snapshots, 1));
    client_snapshots_free(&snapshots);
}

TEST(thousands_of_cars_in_any_order) {
    client_snapshots snapshots = {0};
    client_snapshots_begin(&snapshots, TICK_HZ);
    enum { MANY = 4096 };
    for (uint32_t i = 0; i < MANY; i++) {
        apex_wire_car car = car_at(1 + (i * 2741u) % MANY, (int32_t)i); // 2741 is odd: all ids
        take(&snapshots, 7, &car, 1);
    }
    ck_assert_uint_eq(snapshots.count, MANY);
    check_sorted(&snapshots);
    ck_assert_int_eq(x_of(&snapshots, 1 + 2741), 1);
    client_snapshots_free(&snapshots);
}

TEST(more_cars_than_a_race_can_have_are_not_kept) {
    client_snapshots snapshots = {0};
    client_snapshots_begin(&snapshots, TICK_HZ);
    apex_wire_car car = {0};
    for (uint32_t id = 1; id <= CLIENT_CARS_MAX; id++) {
        car.id = id;
        take(&snapshots, 7, &car, 1);
    }
    apex_wire_car last[] = {car_at(5, 55), car_at(CLIENT_CARS_MAX + 1, 1)};
    apex_snapshot_message part = {.tick = 8, .parts = 1, .car_count = 2, .cars = last};
    ck_assert(!client_snapshots_take(&snapshots, &part, 0));
    ck_assert_uint_eq(snapshots.count, CLIENT_CARS_MAX);
    ck_assert_int_eq(x_of(&snapshots, 5), 55);
    client_snapshots_free(&snapshots);
}

static void tell_roster(script *self, bool complete, const apex_roster_entry entries[],
                        uint32_t count) {
    apex_server_message message = {.kind = APEX_SERVER_ROSTER};
    message.roster = (apex_roster){.complete = complete, .entry_count = count, .entries = entries};
    script_tell(self, &message);
}

static void tell_cars(script *self, uint32_t tick, const apex_wire_car cars[], uint32_t count) {
    apex_server_message message = script_snapshot(tick, cars, count);
    script_tell(self, &message);
}

static script racing(void) {
    apex_client_def def = script_def();
    script self = script_begin(&def);
    script_driving(&self); // as player 7 in car 3
    apex_roster_entry entries[] = {{.player = 9, .car = 5, .name = "eve", .car_def = "boxster-s"},
                                   {.player = 7, .car = 3, .name = "ada", .car_def = "boxster-s"},
                                   {.player = 8, .car = 4, .name = "bob", .car_def = "boxster-s"}};
    tell_roster(&self, true, entries, 3);
    apex_wire_car cars[] = {car_at(3, 30), car_at(4, 40), car_at(5, 50)};
    tell_cars(&self, 600, cars, 3);
    ck_assert_uint_eq(self.session->undecodable, 0);
    return self;
}

TEST(the_roster_is_kept_by_player) {
    script self = racing();
    const client_knowledge *knowledge = &self.session->knowledge;
    ck_assert_uint_eq(knowledge->roster_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(knowledge->roster[i].player, 7 + i);
    }
    apex_roster_entry change = {
        .player = 8, .car = 4, .name = "bob", .car_def = "boxster-s", .driven_by_server = true};
    tell_roster(&self, false, &change, 1);
    ck_assert_uint_eq(knowledge->roster_count, 3);
    ck_assert(knowledge->roster[1].driven_by_server);
    script_end(&self);
}

TEST(who_leaves_takes_the_car_along) {
    script self = racing();
    apex_roster_entry gone = {.player = 8, .car = 0, .name = "bob"};
    tell_roster(&self, false, &gone, 1);
    ck_assert_uint_eq(self.session->knowledge.roster_count, 2);
    ck_assert_uint_eq(self.session->knowledge.roster[1].player, 9);
    ck_assert_ptr_null(client_snapshots_find(&self.session->snapshots, 4));
    ck_assert_ptr_nonnull(client_snapshots_find(&self.session->snapshots, 5));
    tell_roster(&self, false, &gone, 1); // told twice
    ck_assert_uint_eq(self.session->knowledge.roster_count, 2);
    script_end(&self);
}

TEST(a_complete_roster_forgets_everybody_else) {
    script self = racing();
    apex_roster_entry only = {.player = 7, .car = 3, .name = "ada", .car_def = "boxster-s"};
    tell_roster(&self, true, &only, 1);
    ck_assert_uint_eq(self.session->knowledge.roster_count, 1);
    ck_assert_uint_eq(self.session->snapshots.count, 1);
    ck_assert_uint_eq(self.session->snapshots.cars[0].id, 3);
    script_end(&self);
}

TEST(a_new_car_for_oneself_is_noticed) {
    script self = racing();
    apex_roster_entry moved = {.player = 7, .car = 6, .name = "ada", .car_def = "corvette-c5"};
    tell_roster(&self, false, &moved, 1);
    ck_assert_uint_eq(self.session->car, 6);
    ck_assert_ptr_null(client_snapshots_find(&self.session->snapshots, 3));
    script_end(&self);
}

TEST(a_snapshot_in_flight_does_not_bring_a_car_back_for_long) {
    script self = racing();
    apex_roster_entry gone = {.player = 8, .car = 0, .name = "bob"};
    tell_roster(&self, false, &gone, 1);
    apex_wire_car with_bob[] = {car_at(3, 30), car_at(4, 40), car_at(5, 50)};
    apex_wire_car without[] = {car_at(3, 30), car_at(5, 50)};
    tell_cars(&self, 603, with_bob, 3);
    tell_cars(&self, 606, without, 2);
    tell_cars(&self, 1504, without, 2);
    ck_assert_ptr_null(client_snapshots_find(&self.session->snapshots, 4));
    script_end(&self);
}
