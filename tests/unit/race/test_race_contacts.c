// links: content
// Staged contacts, each with the share that a steward would give and his main reason.
#include "test_race_contact_stage.h"
#include "support/base/check_main.h"

typedef struct staged_contact {
    const char *name;
    double s_m; // on ridgeway
    bool is_nose;
    stage_script ada, bob;
    uint32_t share; // ada's
    apex_fault_reason_kind main;
    uint32_t whom;    // it is about: 0 ada, 1 bob
    stage_script cid; // whom bob touches in the same tick; without keys he is not there
} staged_contact;

// Places of ridgeway, with what the plan of a corvette does there. STRAIGHT: 54 m/s at 4.1 m left
// of the middle, speed still rising; BRAKING: 43 m/s, falling from 57 to 30 within 120 m; BELL: a
// right bend that turns in at 2762, has its apex at 2826 and its exit at 2888, taken at 24 m/s. The
// road is 6 m wide on each side. A corvette is 4.57 m by 1.87 m; beside a rear axle is less
// than 2.66 m behind, beside a mirror 1.06 m, beside a front axle level.
#define STRAIGHT 2200.0
#define BRAKING  2360.0
#define BELL     2815.0

#define AT(age_s, along_m, offset_m) \
    { age_s, along_m, offset_m, 0.0, 0.0, 0 }
#define BRAKES(age_s, along_m, offset_m, brake) \
    { age_s, along_m, offset_m, 0.0, brake, 0 }
#define TURNED(age_s, along_m, offset_m, degree) \
    { age_s, along_m, offset_m, degree, 0.0, 0 }
#define LOCKED(age_s, along_m, offset_m) \
    { age_s, along_m, offset_m, 0.0, 1.0, RACE_MOMENT_LOCKED }
#define GRASS(age_s, along_m, offset_m) \
    { age_s, along_m, offset_m, 0.0, 0.0, RACE_MOMENT_OFF }

#define RIGHT_BEHIND_AT_50(offset) \
    { AT(4.0, -204.6, offset), AT(0.0, -4.6, offset) }

static const staged_contact CONTACTS[] = {
    {"who sleeps in the braking zone",
     BRAKING,
     true,
     {.keys = {AT(4.0, -226.6, 4.1), AT(0.0, -4.6, 4.1)}},
     {.keys = {AT(4.0, -215.0, 4.1), AT(1.5, -75.0, 4.1), BRAKES(0.0, 0.0, 4.1, 0.9)}},
     .share = 100,
     .main = APEX_FAULT_RAN_INTO_BACK,
     .whom = 0},
    {"who locks up behind",
     BRAKING,
     true,
     {.keys = {AT(4.0, -226.6, 4.1), LOCKED(0.8, -46.0, 4.1), LOCKED(0.0, -4.6, 4.1)}},
     {.keys = {AT(4.0, -215.0, 4.1), AT(1.5, -75.0, 4.1), BRAKES(0.0, 0.0, 4.1, 0.9)}},
     .share = 100,
     .main = APEX_FAULT_RAN_INTO_BACK,
     .whom = 0},
    {"brake test",
     STRAIGHT,
     true,
     {.keys = {AT(4.0, -206.6, 4.0), AT(1.0, -56.6, 4.0), AT(0.0, -4.6, 4.0)}},
     {.keys = {AT(4.0, -192.0, 4.0), BRAKES(1.0, -42.0, 4.0, 0.8), BRAKES(0.5, -19.5, 4.0, 0.8),
               BRAKES(0.0, 0.0, 4.0, 0.8)}},
     .share = 10,
     .main = APEX_FAULT_BRAKE_TESTED,
     .whom = 1},
    {"who brakes for the corner tests nobody",
     2385.0,
     true,
     {.keys = {AT(4.0, -206.6, 4.0), AT(1.0, -56.6, 4.0), AT(0.0, -4.6, 4.0)}},
     {.keys = {AT(4.0, -192.0, 4.0), BRAKES(1.0, -42.0, 4.0, 0.8), BRAKES(0.5, -19.5, 4.0, 0.8),
               BRAKES(0.0, 0.0, 4.0, 0.8)}},
     .share = 100,
     .main = APEX_FAULT_RAN_INTO_BACK,
     .whom = 0},
    {"chop on the straight",
     STRAIGHT,
     true,
     {.keys = {AT(4.0, -224.6, 3.5), AT(0.0, -4.6, 3.5)}},
     {.keys = {AT(4.0, -180.0, -0.5), AT(0.7, -31.5, -0.5), AT(0.0, 0.0, 3.5)}},
     .share = 20,
     .main = APEX_FAULT_MOVED_ACROSS,
     .whom = 1},
    {"who moved across long ago",
     STRAIGHT,
     true,
     {.keys = {AT(4.0, -224.6, 3.5), AT(0.0, -4.6, 3.5)}},
     {.keys = {AT(4.0, -180.0, -0.5), AT(2.6, -117.0, -0.5), AT(1.7, -76.5, 3.5),
               AT(0.0, 0.0, 3.5)}},
     .share = 100,
     .main = APEX_FAULT_RAN_INTO_BACK,
     .whom = 0},
    {"move under braking",
     BRAKING,
     true,
     {.keys = {AT(4.0, -215.0, 1.0), AT(1.5, -80.0, 1.0), BRAKES(0.0, -4.6, 1.0, 0.7)}},
     {.keys = {AT(4.0, -215.0, 4.1), BRAKES(0.7, -32.0, 4.1, 0.9), BRAKES(0.0, 0.0, 1.5, 0.9)}},
     .share = 0,
     .main = APEX_FAULT_MOVED_ACROSS,
     .whom = 1},
    {"squeeze to the edge",
     STRAIGHT,
     false,
     {.keys = {AT(4.0, -200.0, 0.0), AT(1.0, -50.0, 0.0), AT(0.0, 0.0, -2.75)}},
     {.keys = {AT(4.0, -200.0, -4.65), AT(0.0, 0.0, -4.65)}},
     .share = 100,
     .main = APEX_FAULT_SQUEEZED,
     .whom = 0},
    {"who moves over with room left",
     STRAIGHT,
     false,
     {.keys = {AT(4.0, -200.0, 2.1), AT(0.7, -35.0, 2.1), AT(0.0, 0.0, 0.9)}},
     {.keys = {AT(4.0, -200.0, -1.0), AT(0.0, 0.0, -1.0)}},
     .share = 90,
     .main = APEX_FAULT_MOVED_OVER,
     .whom = 0},
    {"side by side held",
     STRAIGHT,
     false,
     {.keys = {AT(4.0, -200.0, 1.2), AT(0.0, 0.0, 1.0)}},
     {.keys = {AT(4.0, -201.0, -1.1), AT(0.0, -1.0, -0.9)}},
     .share = 50,
     .main = APEX_FAULT_SIDE_BY_SIDE,
     .whom = 0},
    {"both drift together",
     STRAIGHT,
     false,
     {.keys = {AT(4.0, -200.0, 1.6), AT(0.7, -35.0, 1.6), AT(0.0, 0.0, 1.0)}},
     {.keys = {AT(4.0, -201.0, -1.4), AT(0.7, -36.0, -1.4), AT(0.0, -1.0, -0.9)}},
     .share = 50,
     .main = APEX_FAULT_SIDE_BY_SIDE,
     .whom = 0},
    {"spin in front",
     STRAIGHT,
     true,
     {.keys = RIGHT_BEHIND_AT_50(2.0)},
     {.keys = {AT(4.0, -185.0, 4.0), AT(1.0, -35.0, 4.0), TURNED(0.0, 0.0, 2.2, 130.0)}},
     .share = 0,
     .main = APEX_FAULT_LOST_CONTROL,
     .whom = 1},
    {"spun out of reach of his brakes",
     STRAIGHT,
     true,
     {.keys = RIGHT_BEHIND_AT_50(2.0)},
     {.keys = {TURNED(4.0, 0.0, 2.0, 90.0), TURNED(0.0, 0.0, 2.0, 90.0)}},
     .share = 0,
     .main = APEX_FAULT_LOST_CONTROL,
     .whom = 1},
    {"spun long ago",
     STRAIGHT,
     true,
     {.keys = {AT(4.0, -184.6, 2.0), AT(0.0, -4.6, 2.0)}}, // at 45 m/s, 160 m stop him
     {.keys = {TURNED(4.0, 0.0, 2.0, 90.0), TURNED(0.0, 0.0, 2.0, 90.0)}},
     .share = 80,
     .main = APEX_FAULT_COULD_AVOID,
     .whom = 0},
    {"rejoin",
     STRAIGHT,
     true,
     {.keys = RIGHT_BEHIND_AT_50(-2.0)},
     {.keys = {GRASS(4.0, -80.0, -9.0), AT(1.5, -30.0, -7.5), AT(0.0, 0.0, -2.5)}},
     .share = 0,
     .main = APEX_FAULT_REJOINED,
     .whom = 1},
    {"back from the grass, but up to speed",
     STRAIGHT,
     true,
     {.keys = {AT(4.0, -217.6, -2.0), AT(0.0, -4.6, -2.0)}},
     {.keys = {GRASS(4.0, -200.0, -7.5), AT(3.5, -175.0, -2.0), AT(0.0, 0.0, -2.0)}},
     .share = 100,
     .main = APEX_FAULT_RAN_INTO_BACK,
     .whom = 0},
    {"slow after a reset",
     STRAIGHT,
     true,
     {.keys = RIGHT_BEHIND_AT_50(-3.0)},
     {.keys = {AT(3.0, -40.0, -3.0), AT(0.0, 0.0, -3.0)}, .put_back_s = 3.0},
     .share = 0,
     .main = APEX_FAULT_REJOINED,
     .whom = 1},
    {"against the lap",
     STRAIGHT,
     true,
     {.keys = RIGHT_BEHIND_AT_50(1.0)},
     {.keys = {TURNED(4.0, 60.0, 1.0, 178.0), TURNED(0.0, 0.0, 1.0, 178.0)}},
     .share = 0,
     .main = APEX_FAULT_WRONG_WAY,
     .whom = 1},
    {"dive-bomb",
     BELL,
     false,
     {.keys = {AT(4.0, -126.0, 1.5), AT(2.1, -67.0, -1.0), AT(0.0, -1.8, -4.1)}},
     {.keys = {AT(4.0, -106.0, 4.0), AT(2.1, -53.0, 2.3), AT(1.4, -35.0, 1.0), AT(0.0, 0.0, -2.2)}},
     .share = 100,
     .main = APEX_FAULT_DIVED_IN,
     .whom = 0},
    {"late, but beside him for long enough",
     BELL,
     false,
     {.keys = {AT(4.0, -110.0, 0.0), AT(2.2, -59.7, -2.4), AT(0.6, -15.9, -4.0),
               AT(0.0, -0.3, -4.7)}},
     {.keys = {AT(4.0, -106.0, 4.0), AT(2.1, -53.0, 2.3), AT(1.4, -35.0, 1.0), AT(0.0, 0.0, -2.8)}},
     .share = 0,
     .main = APEX_FAULT_TURNED_IN,
     .whom = 1},
    {"turned in on",
     BELL,
     false,
     {.keys = {AT(4.0, -106.0, -3.0), AT(2.6, -68.0, -3.6), AT(2.1, -53.8, -3.8),
               AT(0.0, -0.5, -4.7)}},
     {.keys = {AT(4.0, -100.0, 4.0), AT(2.6, -65.0, 3.0), AT(2.1, -53.0, 2.3), AT(0.0, 0.0, -2.8)}},
     .share = 0,
     .main = APEX_FAULT_TURNED_IN,
     .whom = 1},
    {"backed out of it",
     BELL,
     false,
     {.keys = {AT(4.0, -112.0, -3.0), AT(2.6, -67.0, -3.6), AT(2.1, -54.5, -3.8),
               AT(0.0, -3.2, -4.2)}},
     {.keys = {AT(4.0, -100.0, 4.0), AT(2.6, -65.0, 3.0), AT(2.1, -53.0, 2.3), AT(0.0, 0.0, -2.4)}},
     .share = 90,
     .main = APEX_FAULT_BACKED_OUT,
     .whom = 0},
    {"beside the rear axle only",
     BELL,
     false,
     {.keys = {AT(4.0, -106.0, -3.0), AT(2.6, -68.0, -3.6), AT(2.1, -54.8, -3.8),
               AT(0.0, -1.8, -4.2)}},
     {.keys = {AT(4.0, -100.0, 4.0), AT(2.6, -65.0, 3.0), AT(2.1, -53.0, 2.3), AT(0.0, 0.0, -2.4)}},
     .share = 70,
     .main = APEX_FAULT_NOT_FAR_ENOUGH,
     .whom = 0},
    {"outside, not yet ahead",
     2850.0,
     false,
     {.keys = {AT(4.0, -107.0, 4.5), AT(1.0, -27.0, 0.5), AT(0.0, -0.8, -1.4)}},
     {.keys = {AT(4.0, -100.0, 1.0), AT(1.0, -25.0, -4.1), AT(0.0, 0.0, -3.3)}},
     .share = 90,
     .main = APEX_FAULT_OUTSIDE_NOT_AHEAD,
     .whom = 0},
    {"outside, not yet ahead, and the other off his line",
     2850.0,
     false,
     {.keys = {AT(4.0, -107.0, 4.5), AT(1.0, -27.0, -0.5), AT(0.0, -0.8, 1.0)}},
     {.keys = {AT(4.0, -100.0, 1.0), AT(1.0, -25.0, -3.9), AT(0.0, 0.0, -0.9)}},
     .share = 50,
     .main = APEX_FAULT_OUTSIDE_NOT_AHEAD,
     .whom = 0},
    {"outside and ahead, and no room",
     2880.0,
     false,
     {.keys = {AT(4.0, -105.0, 4.5), AT(2.2, -53.0, 0.0), AT(0.0, 1.5, 4.65)}},
     {.keys = {AT(4.0, -100.0, 1.0), AT(2.2, -55.0, -4.0), AT(0.7, -17.5, 0.5),
               AT(0.0, 0.0, 2.75)}},
     .share = 0,
     .main = APEX_FAULT_NO_ROOM_OUTSIDE,
     .whom = 1},
    {"runs wide with room inside",
     2850.0,
     false,
     {.keys = {AT(4.0, -104.0, -2.0), AT(3.0, -75.5, -4.0), AT(0.7, -17.0, -3.2),
               AT(0.0, 0.5, -0.5)}},
     {.keys = {AT(4.0, -100.0, 3.0), AT(3.0, -75.0, 1.0), AT(0.0, 0.0, 1.4)}},
     .share = 90,
     .main = APEX_FAULT_RAN_WIDE,
     .whom = 0},
    {"level through the corner",
     BELL,
     false,
     {.keys = {AT(4.0, -100.0, -2.5), AT(0.0, 0.0, -2.5)}},
     {.keys = {AT(4.0, -100.2, -0.6), AT(0.0, 0.2, -0.6)}},
     .share = 50,
     .main = APEX_FAULT_SIDE_BY_SIDE,
     .whom = 0},
    {"fights under blue",
     STRAIGHT,
     false,
     {.keys = {AT(4.0, -202.0, -1.0), AT(0.0, 0.0, -1.0)}},
     {.keys = {AT(4.0, -180.0, 1.35), AT(0.7, -31.5, 1.35), AT(0.0, 0.0, 0.9)}, .blue = true},
     .share = 20,
     .main = APEX_FAULT_BLUE_IGNORED,
     .whom = 1},
    {"holds his line under blue",
     STRAIGHT,
     false,
     {.keys = {AT(4.0, -202.0, -2.2), AT(0.7, -35.0, -2.2), AT(0.0, 0.0, -1.0)}},
     {.keys = {AT(4.0, -180.0, 0.9), AT(0.0, 0.0, 0.9)}, .blue = true},
     .share = 90,
     .main = APEX_FAULT_MOVED_OVER,
     .whom = 0},
    {"three in a row",
     BRAKING,
     true,
     {.keys = {AT(4.0, -231.2, 4.1), AT(0.0, -4.6, 4.1)}},
     {.keys = {AT(4.0, -215.0, 4.1), AT(1.5, -75.0, 4.1), BRAKES(0.0, 0.0, 4.1, 0.9)}},
     .share = 100,
     .main = APEX_FAULT_RAN_INTO_BACK,
     .whom = 0,
     .cid = {.keys = {AT(4.0, -210.0, 4.1), AT(1.5, -70.0, 4.1), BRAKES(0.0, 4.6, 4.1, 0.9)}}},
    {"three in a row after a move under braking",
     BRAKING,
     true,
     {.keys = {AT(4.0, -215.0, 1.0), AT(1.5, -80.0, 1.0), BRAKES(0.0, -4.6, 1.0, 0.7)}},
     {.keys = {AT(4.0, -215.0, 4.1), BRAKES(0.7, -32.0, 4.1, 0.9), BRAKES(0.0, 0.0, 1.5, 0.9)}},
     .share = 0,
     .main = APEX_FAULT_MOVED_ACROSS,
     .whom = 1,
     .cid = {.keys = {AT(4.0, -215.0, 1.5), AT(0.0, 4.6, 1.5)}}},
};

enum { CONTACT_COUNT = sizeof CONTACTS / sizeof CONTACTS[0] };

_Static_assert(CONTACT_COUNT >= 24, "as many as were asked for");

static void set_up(void) {
    stage_set_up("ridgeway");
}

FIXTURE(set_up, stage_tear_down)

static void stage_all(const staged_contact *staged) {
    stage_car(&staged->ada, 0, staged->s_m);
    stage_car(&staged->bob, 1, staged->s_m);
    if (staged->cid.keys[0].age_s > 0.0) {
        stage_car(&staged->cid, 2, staged->s_m);
    }
    stage_blue1[1] = staged->bob.blue ? 1 : 0;
}

static void say(const staged_contact *staged, const apex_fault *fault) {
    printf("  %s: %u\n", staged->name, fault->shares[0]);
    for (uint32_t i = 0; i < fault->reason_count; i++) {
        char text[APEX_FAULT_REASON_BYTES];
        printf("    %s %+d: %s\n", fault->reasons[i].whom == 0 ? "ada" : "bob",
               fault->reasons[i].weight, apex_fault_reason_text(&fault->reasons[i], text));
    }
    fflush(stdout);
}

static void expect(const staged_contact *staged, const apex_fault *fault) {
    ck_assert_msg(fault != NULL, "%s: nothing was told", staged->name);
    say(staged, fault);
    ck_assert_uint_eq(fault->players[0].index1, 1);
    ck_assert_uint_eq(fault->players[1].index1, 2);
    ck_assert_msg(fault->shares[0] == staged->share, "%s: %u and not %u", staged->name,
                  fault->shares[0], staged->share);
    ck_assert_uint_eq(fault->shares[1], 100 - staged->share);
    ck_assert_uint_eq(fault->pusher.index1, 0);
    ck_assert_uint_gt(fault->reason_count, 0);
    ck_assert_msg(fault->reasons[0].kind == staged->main, "%s: %s and not %s", staged->name,
                  apex_fault_reason_name(fault->reasons[0].kind),
                  apex_fault_reason_name(staged->main));
    ck_assert_uint_eq(fault->reasons[0].whom, staged->whom);
}

TEST_OVER(a_contact_is_judged_as_a_steward_would, 0, CONTACT_COUNT) {
    const staged_contact *staged = &CONTACTS[_i];
    stage_all(staged);
    bool is_row = staged->cid.keys[0].age_s > 0.0;
    apex_contact_event hits[2];
    if (!is_row) {
        hits[0] = stage_contact(0, 1, staged->is_nose, 6.0);
        stage_judge(hits, 1);
        expect(staged, race_faults_told(&stage_faults, 0));
        return;
    }
    // The world tells of the softer one first.
    hits[0] = stage_contact(1, 2, true, 2.0);
    hits[1] = stage_contact(0, 1, true, 6.0);
    stage_judge(hits, 2);
    ck_assert_uint_eq(stage_faults.told_now, 2);
    expect(staged, race_faults_told(&stage_faults, 1));
    const apex_fault *next = race_faults_told(&stage_faults, 0);
    ck_assert_uint_eq(next->players[0].index1, 2);
    ck_assert_uint_eq(next->players[1].index1, 3);
    ck_assert_uint_eq(next->shares[1], 0);
    if (staged->share > 60) { // bob was only pushed
        ck_assert_uint_eq(next->shares[0], 0);
        ck_assert_uint_eq(next->pusher_share, 100);
        ck_assert_uint_eq(next->pusher.index1, 1);
        ck_assert_uint_eq(next->chain, race_faults_told(&stage_faults, 1)->number);
        ck_assert_int_eq(next->reasons[0].kind, APEX_FAULT_PUSHED);
    } else { // he had it coming
        ck_assert_uint_eq(next->shares[0], 100);
        ck_assert_uint_eq(next->chain, next->number);
        ck_assert_int_eq(next->reasons[0].kind, APEX_FAULT_RAN_INTO_BACK);
    }
}
