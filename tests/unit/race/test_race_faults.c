// links: content
// The stewards' room: what is told and when, chains, what is kept, saved and believed.
#include "test_race_contact_stage.h"
#include "race/field/along.h"
#include "support/base/check_main.h"

enum { TICK_HZ = 60 };

static void set_up(void) {
    stage_set_up("ridgeway");
    stage_rule.closing_mps = 3.0;
}

FIXTURE(set_up, stage_tear_down)

#define STRAIGHT 2200.0
// Side by side, in the middle of the road, ada a metre ahead.
static const stage_script ADA = {.keys = {{.age_s = 4.0, .along_m = -199.0, .offset_m = 1.0},
                                          {.along_m = 1.0, .offset_m = 1.0}}};
static const stage_script BOB = {
    .keys = {{.age_s = 4.0, .along_m = -200.0, .offset_m = -0.9}, {.offset_m = -0.9}}};
static const stage_script CID = {
    .keys = {{.age_s = 4.0, .along_m = -200.0, .offset_m = -2.8}, {.offset_m = -2.8}}};

static void stage_three(void) {
    stage_car(&ADA, 0, STRAIGHT);
    stage_car(&BOB, 1, STRAIGHT);
    stage_car(&CID, 2, STRAIGHT);
}

static void touch(uint32_t a, uint32_t b, bool is_nose, double closing_mps) {
    apex_contact_event hit = stage_contact(a, b, is_nose, closing_mps);
    stage_judge(&hit, 1);
}

// Time goes on, and nobody touches anybody. @return ticks after which something was told, 0:
// nothing
static uint32_t pass(uint32_t ticks) {
    for (uint32_t i = 1; i <= ticks; i++) {
        scene_tick(stage_race, NULL);
        stage_judge(NULL, 0);
        if (stage_faults.told_now > 0) {
            return i;
        }
    }
    return 0;
}

TEST(from_the_rules_speed_on_a_contact_is_told_at_once) {
    stage_three();
    touch(0, 1, false, 2.99);
    ck_assert_uint_eq(stage_faults.told, 0);
    ck_assert_uint_eq(stage_faults.pending_count, 1);
    stage_three();
    memset(stage_chains, 0, sizeof stage_chains);
    touch(0, 1, false, 3.0);
    ck_assert_uint_eq(stage_faults.told_now, 1);
    const apex_fault *fault = race_faults_told(&stage_faults, 0);
    ck_assert_uint_eq(fault->number, 2); // the light one had a number, too
    ck_assert_uint_eq(fault->chain, 2);
    ck_assert_uint_eq(fault->tick, stage_tick());
    ck_assert_uint_eq(fault->race_number, 1);
    ck_assert_double_eq_tol(fault->s_m, STRAIGHT + 0.5, 0.1);
    ck_assert_double_eq(fault->closing_mps, 3.0);
}

TEST(a_light_contact_without_harm_is_forgotten) {
    stage_three();
    touch(0, 1, false, 1.0);
    ck_assert_uint_eq(pass(2 * TICK_HZ - 1), 0);
    ck_assert_uint_eq(stage_faults.pending_count, 1);
    ck_assert_uint_eq(pass(1), 0);
    ck_assert_uint_eq(stage_faults.pending_count, 0);
    ck_assert_uint_eq(stage_faults.told, 0);
}

TEST_OVER(a_light_contact_is_told_when_it_cost_control, 0, 3) {
    stage_three();
    touch(0, 1, false, 1.0);
    uint64_t hit = stage_tick();
    ck_assert_uint_eq(pass(30), 0);
    uint64_t *marks[] = {&stage_trails[0].lost_tick, &stage_trails[1].off_tick,
                         &stage_trails[1].put_back_tick};
    *marks[_i] = hit; // before the knock did anything
    ck_assert_uint_eq(pass(1), 0);
    *marks[_i] = hit + 1;
    ck_assert_uint_eq(pass(1), 1);
    ck_assert_uint_eq(race_faults_told(&stage_faults, 0)->tick, hit);
    ck_assert_uint_eq(stage_faults.pending_count, 0);
}

// Ada was a metre ahead. @return whether it is told when bob is so far ahead two seconds later
static bool is_told_behind(double behind_m) {
    stage_three();
    memset(stage_chains, 0, sizeof stage_chains);
    touch(0, 1, false, 1.0);
    pass(2 * TICK_HZ - 1);
    scene_tick(stage_race, NULL);
    race_player *players = stage_field()->players;
    players[1].s_m = players[0].s_m + behind_m;
    stage_judge(NULL, 0);
    return stage_faults.told_now > 0;
}

TEST(a_light_contact_is_told_when_it_cost_a_place) {
    ck_assert(!is_told_behind(4.9));
    ck_assert(!is_told_behind(-5.1)); // bob was behind, and is
    ck_assert(is_told_behind(5.1));
}

TEST(who_has_gone_is_judged_no_more) {
    stage_three();
    touch(0, 1, false, 1.0);
    stage_trails[0].lost_tick = stage_tick() + 1;
    stage_field()->players[1].state = APEX_STANDING_DNF;
    stage_judge(NULL, 0);
    ck_assert_uint_eq(stage_faults.told, 0);
    ck_assert_uint_eq(stage_faults.pending_count, 0);
    touch(0, 1, false, 9.0);
    ck_assert_uint_eq(stage_faults.told, 0);
    stage_field()->players[1].state = APEX_STANDING_RUNNING;
    memset(stage_chains, 0, sizeof stage_chains);
    touch(0, 1, false, 9.0);
    ck_assert_uint_eq(stage_faults.told, 1);
}

TEST(a_touch_too_soft_to_tell_is_nobodys_fault) {
    stage_three();
    apex_contact_event hit = stage_contact(0, 1, false, 9.0);
    hit.impulse_ns = 99.0;
    stage_judge(&hit, 1);
    hit.impulse_ns = 100.0;
    hit.began = false;
    stage_judge(&hit, 1);
    hit.began = true;
    hit.kind = APEX_CONTACT_WALL;
    stage_judge(&hit, 1);
    ck_assert_uint_eq(stage_faults.issued, 0);
    hit.kind = APEX_CONTACT_CAR;
    stage_judge(&hit, 1);
    ck_assert_uint_eq(stage_faults.issued, 1);
}

// Two who go on touching are judged once, until they have been apart for a second and a half.
TEST(the_same_two_are_judged_once) {
    stage_three();
    touch(0, 1, false, 9.0);
    for (int i = 0; i < 4; i++) {
        ck_assert_uint_eq(pass(TICK_HZ), 0);
        stage_three();
        touch(0, 1, false, 9.0);
        ck_assert_uint_eq(stage_faults.told, 1);
    }
    ck_assert_uint_eq(pass(3 * TICK_HZ / 2), 0);
    stage_three();
    touch(0, 1, false, 9.0);
    ck_assert_uint_eq(stage_faults.told, 1);
    ck_assert_uint_eq(pass(3 * TICK_HZ / 2 + 1), 0);
    stage_three();
    touch(0, 1, false, 9.0);
    ck_assert_uint_eq(stage_faults.told, 2);
}

// Ada, level with him, moves over onto bob with all the room there is.
static void ada_hits_bob(void) {
    stage_script mover = ADA;
    mover.keys[0] = (stage_key){.age_s = 4.0, .along_m = -199.0, .offset_m = 2.5};
    mover.keys[1] = (stage_key){.age_s = 0.7, .along_m = -34.0, .offset_m = 2.5};
    mover.keys[2] = (stage_key){.along_m = 1.0, .offset_m = 1.0};
    stage_car(&mover, 0, STRAIGHT);
    stage_car(&BOB, 1, STRAIGHT);
    touch(0, 1, false, 9.0);
    ck_assert_uint_eq(race_faults_told(&stage_faults, 0)->shares[0], 90);
}

// So many ticks later bob hits cid, being so far off the road's direction. @return what is told
static const apex_fault *bob_hits_cid(uint32_t ticks, double heading_deg) {
    pass(ticks);
    stage_script bob = BOB;
    bob.keys[1].heading_deg = heading_deg;
    stage_car(&bob, 1, STRAIGHT);
    stage_car(&CID, 2, STRAIGHT);
    touch(1, 2, false, 9.0);
    ck_assert_uint_eq(stage_faults.told, 2);
    return race_faults_told(&stage_faults, 0);
}

static void expect_pushed(const apex_fault *fault) {
    ck_assert_uint_eq(fault->chain, 1);
    ck_assert_uint_eq(fault->number, 2);
    ck_assert_uint_eq(fault->shares[0], 10); // as of the first
    ck_assert_uint_eq(fault->shares[1], 0);
    ck_assert_uint_eq(fault->pusher_share, 90);
    ck_assert_uint_eq(fault->pusher.index1, 1);
    ck_assert_int_eq(fault->reasons[0].kind, APEX_FAULT_PUSHED);
    ck_assert_int_eq(fault->reasons[0].weight, -100);
    for (int slot = 1; slot < 3; slot++) { // whatever follows from it is ada's, too
        ck_assert_uint_eq(stage_chains[slot].by.index1, 1);
        ck_assert_uint_eq(stage_chains[slot].share, fault->shares[slot - 1]);
    }
}

static void expect_his_own(const apex_fault *fault) {
    ck_assert_uint_eq(fault->chain, 2);
    ck_assert_uint_eq(fault->pusher_share, 0);
    ck_assert_uint_eq(fault->shares[0] + fault->shares[1], 100);
}

TEST(who_was_pushed_half_a_second_ago_is_pushed) {
    ada_hits_bob();
    expect_pushed(bob_hits_cid(TICK_HZ / 2, 0.0));
}

TEST(later_he_is_master_of_his_car_again) {
    ada_hits_bob();
    expect_his_own(bob_hits_cid(TICK_HZ / 2 + 1, 0.0));
}

TEST(unless_he_is_not) {
    ada_hits_bob();
    expect_pushed(bob_hits_cid(3 * TICK_HZ / 2, 30.0));
}

TEST(a_chain_ends) {
    ada_hits_bob();
    expect_his_own(bob_hits_cid(3 * TICK_HZ / 2 + 1, 30.0));
}

TEST(who_is_to_blame_is_not_pushed_by_his_own_contact) {
    ada_hits_bob();
    pass(10);
    stage_three();
    stage_script cid = CID;
    cid.keys[0].offset_m = cid.keys[1].offset_m = 2.9; // beside ada
    stage_car(&cid, 2, STRAIGHT);
    touch(0, 2, false, 9.0);
    expect_his_own(race_faults_told(&stage_faults, 0));
}

TEST(the_newest_sixty_four_are_kept) {
    for (uint32_t i = 0; i < RACE_FAULTS_KEPT + 6; i++) {
        memset(stage_chains, 0, sizeof stage_chains);
        stage_three();
        touch(0, 1, false, 9.0);
    }
    ck_assert_uint_eq(stage_faults.told, RACE_FAULTS_KEPT + 6);
    ck_assert_uint_eq(race_faults_told(&stage_faults, 0)->number, RACE_FAULTS_KEPT + 6);
    ck_assert_uint_eq(race_faults_told(&stage_faults, RACE_FAULTS_KEPT - 1)->number, 7);
    ck_assert_ptr_null(race_faults_told(&stage_faults, RACE_FAULTS_KEPT));
}

TEST(where_too_many_wait_the_oldest_goes) {
    for (uint32_t i = 0; i < RACE_FAULTS_PENDING + 1; i++) {
        memset(stage_chains, 0, sizeof stage_chains);
        stage_three();
        touch(0, 1, false, 1.0);
    }
    ck_assert_uint_eq(stage_faults.pending_count, RACE_FAULTS_PENDING);
    ck_assert_uint_eq(stage_faults.pending[0].fault.number, 2);
    ck_assert_uint_eq(stage_faults.pending[RACE_FAULTS_PENDING - 1].fault.number,
                      RACE_FAULTS_PENDING + 1);
}

TEST(a_new_player_has_no_past) {
    ada_hits_bob();
    race_faults_forget(&stage_faults, 1);
    ck_assert_uint_eq(stage_trails[1].count, 0);
    ck_assert_uint_eq(stage_chains[1].tick, 0);
    ck_assert_uint_eq(stage_chains[0].chain, 1);
    race_faults_put_back(&stage_faults, 0, 123);
    ck_assert_uint_eq(stage_trails[0].count, 0);
    ck_assert_uint_eq(stage_trails[0].put_back_tick, 123);
    ck_assert_uint_eq(stage_chains[0].tick, 0);
}

// What the contact did to a car is not what it did before.
TEST(a_moment_of_the_contacts_own_tick_comes_from_it) {
    stage_three();
    stage_trails[1].newest_tick = stage_tick();
    apex_contact_event hit = stage_contact(0, 1, false, 9.0);
    race_touching touching = {.contact = &hit, .slots = {0, 1}};
    race_scene scene;
    race_stage(&stage_faults.history, &stage_faults.corners, stage_field(), &touching, &scene);
    ck_assert_uint_eq(scene.cars[0].count, RACE_HISTORY_MOMENTS + 1);
    ck_assert_uint_eq(scene.cars[1].count, RACE_HISTORY_MOMENTS);
    ck_assert_double_eq_tol(scene.cars[0].moments[1].age_s, 1.0 / TICK_HZ, 1e-9);
    ck_assert_double_eq_tol(scene.cars[1].moments[1].age_s, 6.0 / TICK_HZ, 1e-9);
    for (int i = 0; i < 2; i++) {
        ck_assert_double_eq(scene.cars[i].moments[0].age_s, 0.0);
        ck_assert_double_eq_tol(scene.cars[i].front_axle_m, 1.29, 0.01);
        ck_assert_double_eq_tol(scene.cars[i].rear_axle_m, 1.37, 0.01);
        ck_assert(isinf(scene.cars[i].back_s) && isinf(scene.cars[i].free_ahead_m));
    }
    ck_assert_double_eq_tol(scene.cars[0].moments[0].along_m, 0.5, 0.05);
    ck_assert_double_eq_tol(scene.cars[1].moments[0].along_m, -0.5, 0.05);
    ck_assert_double_eq_tol(scene.normal_along, 0.0, 1e-9);
}

// @return the way that bob sees free ahead when cid is so far ahead of him
static double free_before_bob_m(double ahead_m) {
    stage_three();
    stage_script cid = CID;
    cid.keys[1].along_m = ahead_m;
    stage_car(&cid, 2, STRAIGHT);
    race_along_sort(stage_field());
    apex_contact_event hit = stage_contact(0, 1, false, 9.0);
    race_touching touching = {.contact = &hit, .slots = {0, 1}};
    race_scene scene;
    race_stage(&stage_faults.history, &stage_faults.corners, stage_field(), &touching, &scene);
    return scene.cars[1].free_ahead_m;
}

TEST(who_is_beside_is_not_ahead) {
    ck_assert(isinf(free_before_bob_m(4.5))); // a corvette's length is 4.57 m
    ck_assert_double_eq_tol(free_before_bob_m(4.6), 4.6, 0.03);
    ck_assert_double_eq_tol(free_before_bob_m(59.0), 59.0, 0.03);
    ck_assert(isinf(free_before_bob_m(61.0)));
}

static uint8_t saved[1 << 16];

// @return bytes
static size_t save(race_faults *faults) {
    race_walk io = {.out = saved, .ok = true};
    race_faults_walk(&io, faults);
    for (uint32_t i = 0; i < STAGE_CARS; i++) {
        race_trail_walk(&io, &faults->history.trails[i]);
        race_chain_walk(&io, &faults->chains[i]);
    }
    ck_assert_uint_lt(io.at, sizeof saved);
    return io.at;
}

static race_faults other;
static race_trail other_trails[STAGE_CARS];
static race_chain other_chains[STAGE_CARS];

static bool restore(void) {
    race_faults_make(&other, stage_field(), other_trails, other_chains);
    race_walk io = {.in = saved, .ok = true};
    race_faults_walk(&io, &other);
    for (uint32_t i = 0; i < STAGE_CARS; i++) {
        race_trail_walk(&io, &other_trails[i]);
        race_chain_walk(&io, &other_chains[i]);
    }
    return io.ok && race_faults_ok(&other, stage_tick());
}

TEST(what_was_saved_comes_back) {
    static uint8_t first[sizeof saved];
    ada_hits_bob();
    stage_car(&CID, 2, STRAIGHT);
    touch(1, 2, false, 1.0);
    ck_assert_uint_eq(stage_faults.pending_count, 1);
    stage_faults.kept[0].reasons[0].values[1] = 3.5;
    size_t length = save(&stage_faults);
    memcpy(first, saved, length);
    ck_assert(restore());
    ck_assert_uint_eq(save(&other), length);
    ck_assert_mem_eq(first, saved, length);
    ck_assert_mem_eq(other_trails, stage_trails, sizeof stage_trails);
    ck_assert_uint_eq(other.pending[0].fault.pusher_share, 90);
    ck_assert_double_eq(other.pending[0].ahead_m, stage_faults.pending[0].ahead_m);
    const apex_fault *fault = race_faults_told(&other, 0);
    ck_assert_int_eq(fault->reasons[0].kind, APEX_FAULT_MOVED_OVER);
    ck_assert_double_eq(fault->reasons[0].values[0], stage_faults.kept[0].reasons[0].values[0]);
    ck_assert_double_eq(fault->reasons[0].values[1], 3.5);
}

static void shares_of_110(void) {
    stage_faults.kept[0].shares[1] = 20;
}
static void a_share_of_nobody(void) {
    stage_faults.kept[0].shares[0] = 101;
}
static void a_third_of_two(void) {
    stage_faults.kept[0].reasons[0].whom = 2;
}
static void no_reason(void) {
    stage_faults.kept[0].reasons[0].kind = (apex_fault_reason_kind)APEX_FAULT_REASON_KINDS;
}
static void no_number(void) {
    stage_faults.kept[0].reasons[0].values[0] = (double)NAN;
}
static void too_many_reasons(void) {
    stage_faults.kept[0].reason_count = APEX_FAULT_REASONS_MAX + 1;
}
static void a_player_of_no_slot(void) {
    stage_faults.kept[0].players[1].index1 = STAGE_CARS + 1;
}
static void one_against_himself(void) {
    stage_faults.kept[0].players[1] = stage_faults.kept[0].players[0];
}
static void a_fault_to_come(void) {
    stage_faults.kept[0].tick = stage_tick() + 1;
}
static void a_number_not_given(void) {
    stage_faults.kept[0].number = stage_faults.kept[0].chain = stage_faults.issued + 1;
}
static void a_chain_of_later(void) {
    stage_faults.kept[0].chain = stage_faults.kept[0].number + 1;
}
static void too_many_pending(void) {
    stage_faults.pending_count = RACE_FAULTS_PENDING + 1;
}
static void more_told_than_were(void) {
    stage_faults.told = stage_faults.issued + 1;
}
static void a_blank_one_pending(void) {
    stage_faults.pending_count = 1;
}
static void a_trail_to_come(void) {
    stage_trails[2].newest_tick = stage_tick() + 1;
}
static void a_trail_of_too_many(void) {
    stage_trails[0].count = RACE_HISTORY_MOMENTS + 1;
}
static void a_trail_past_its_end(void) {
    stage_trails[0].next = RACE_HISTORY_MOMENTS;
}
static void a_trail_with_a_hole(void) {
    stage_trails[0].count = 7;
    stage_trails[0].next = 8;
}
static void a_yaw_past_the_back(void) {
    stage_trails[0].moments[3].yaw_mrad = 3143;
}
static void an_unknown_flag(void) {
    stage_trails[0].moments[3].flags = RACE_MOMENT_FLAGS_ALL + 1;
}
static void a_touch_to_come(void) {
    stage_chains[0].tick = stage_tick() + 1;
}
static void a_chain_of_nothing(void) {
    stage_chains[0].chain = stage_faults.issued + 1;
}

static void (*const LIES[])(void) = {shares_of_110,
                                     a_share_of_nobody,
                                     a_third_of_two,
                                     no_reason,
                                     no_number,
                                     too_many_reasons,
                                     a_player_of_no_slot,
                                     one_against_himself,
                                     a_fault_to_come,
                                     a_number_not_given,
                                     a_chain_of_later,
                                     too_many_pending,
                                     more_told_than_were,
                                     a_blank_one_pending,
                                     a_trail_to_come,
                                     a_trail_of_too_many,
                                     a_trail_past_its_end,
                                     a_trail_with_a_hole,
                                     a_yaw_past_the_back,
                                     an_unknown_flag,
                                     a_touch_to_come,
                                     a_chain_of_nothing};
enum { LIES_COUNT = sizeof LIES / sizeof LIES[0] };

TEST_OVER(nothing_of_what_is_read_is_believed, 0, LIES_COUNT) {
    ada_hits_bob();
    stage_car(&CID, 2, STRAIGHT);
    save(&stage_faults);
    ck_assert(restore());
    LIES[_i]();
    save(&stage_faults);
    ck_assert_msg(!restore(), "lie %d", _i);
}
