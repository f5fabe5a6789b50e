// builds: float double
// Tests of a hub that rings between tyre and spring: as long and as far in a race of 50 ticks a
// second as in one of 60, whose substeps are shorter.

#include "support/base/check_main.h"
#include "support/physics/linear_car.h"

#include <math.h>
#include <stdio.h>

enum { SUBSTEPS_50 = 200, SUBSTEPS_60 = 240 };

// The motion of hub 0 in the second after it was kicked upwards at 0.2 m/s, under a car that stood.
typedef struct hub_ring {
    double path_m;    // up and down together
    double highest_m; // above where it was
    double lowest_m;  // below it
} hub_ring;

static hub_ring ring(uint32_t substep_hz, double damping_ns_per_m) {
    apex_car_def def = scene_corvette();
    for (uint32_t a = 0; a < def.axle_count; a++) {
        def.axles[a].tyre.vertical_damping_ns_per_m = damping_ns_per_m;
    }
    apex_world_def world = scene_world_def(1);
    world.tick_hz = world.substep_hz = substep_hz; // each substep is seen
    scene_solo solo = scene_solo_create_in(&world, &def, scene_flat());
    solo.controls.gear = APEX_GEAR_NEUTRAL;
    scene_solo_run(&solo, 5 * substep_hz);
    apex_car_state state = scene_solo_state(&solo);
    double rest_m = state.wheels[0].travel_m;
    for (uint32_t w = 0; w < 4; w++) {
        state.wheels[w].travel_mps += 0.2;
    }
    ck_assert(apex_world_set_car(solo.world, solo.car, &state));
    hub_ring seen = {.path_m = 0.0};
    for (uint32_t i = 0; i < substep_hz; i++) {
        scene_solo_run(&solo, 1);
        state = scene_solo_state(&solo);
        seen.path_m += fabs(state.wheels[0].travel_mps) / substep_hz;
        seen.highest_m = fmax(seen.highest_m, state.wheels[0].travel_m - rest_m);
        seen.lowest_m = fmin(seen.lowest_m, state.wheels[0].travel_m - rest_m);
    }
    scene_solo_destroy(&solo);
    return seen;
}

// The carcass's damping is folded into a substep, so that a hub gives way within it: folded for one
// that is shorter than the world's it takes more of the motion than there is.
TEST(hubs_ring_alike_at_50_and_at_60_ticks_a_second) {
    const double DAMPING_NS_PER_M[] = {300.0, 5000.0, 20000.0, 60000.0};
    for (size_t i = 0; i < sizeof DAMPING_NS_PER_M / sizeof *DAMPING_NS_PER_M; i++) {
        hub_ring slow = ring(SUBSTEPS_50, DAMPING_NS_PER_M[i]);
        hub_ring fast = ring(SUBSTEPS_60, DAMPING_NS_PER_M[i]);
        expect_share("path", slow.path_m, fast.path_m, 0.08);
        expect_share("highest", slow.highest_m, fast.highest_m, 0.08);
        expect_near("lowest", slow.lowest_m, fast.lowest_m, 0.06 * fast.highest_m);
    }
}

// Kicked at v against a damper c, a mass m goes m v / c: 0.2 m/s, 40 kg and 20,000 N s/m are
// 0.4 mm, of which the tyre's own spring gives back less than half on the way.
TEST(a_stiff_carcass_stops_a_hub_where_a_damper_would) {
    hub_ring fast = ring(SUBSTEPS_60, 20000.0);
    ck_assert_double_gt(fast.highest_m, 0.5 * 0.2 * 40.0 / 20000.0);
    ck_assert_double_lt(fast.highest_m, 0.2 * 40.0 / 20000.0);
}
