// builds: float double
// Tyres against closed forms: Fiala's brush and its trail, the relaxation length as a distance, the
// patch as a spring on a slope (Pacejka, "Tyre and Vehicle Dynamics", ch. 3 and 7).

#include "physics/dynamics/pass/stages.h"
#include "physics/world/world.h"
#include "support/base/check_main.h"
#include "support/physics/linear_car.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// A front tyre of a world's car, rolled by hand.
typedef struct bench {
    scene_solo solo;
    const physics_tyre_lanes *tyre;
    physics_wheel_lanes wheel;
    physics_tyre_input in;
    physics_grip grip;
} bench;

static void bench_open(bench *at, const apex_car_def *def) {
    memset(at, 0, sizeof *at);
    at->solo = linear_solo(def, scene_flat());
    const physics_drive *drive = &at->solo.world->cars.drives[0];
    at->tyre = &drive->numbers->axles[0].tyre;
    at->in = (physics_tyre_input){.plan = &drive->tyres[0],
                                  .h_s = R(1.0) / R(240.0),
                                  .gravity_mps2 = R(9.81),
                                  .load_n = lanes_all(R(4000.0)),
                                  .friction = lanes_all(R(1.0)),
                                  .patch_share = lanes_all(R(1.0))};
}

static void bench_close(bench *at) {
    scene_solo_destroy(&at->solo);
}

// Rolls with this slip, as the wheel's spin and the drift of its contact say.
static void bench_roll(bench *at, double speed_mps, double slip, double tangent) {
    at->in.speed_x_mps = lanes_all((real)speed_mps);
    at->in.speed_y_mps = lanes_all((real)(-speed_mps * tangent));
    at->in.spin_radps = lanes_all((real)(speed_mps * (1.0 + slip))) / at->tyre->radius_m;
    physics_tyre_predict_base(at->tyre, &at->in, &at->wheel, &at->grip);
}

// Forces once nothing changes any more.
static physics_grip settled(const apex_car_def *def, double slip, double tangent) {
    bench at;
    bench_open(&at, def);
    for (int i = 0; i < 300; i++) {
        bench_roll(&at, 20.0, slip, tangent);
    }
    bench_close(&at);
    return at.grip;
}

// 80 kN per unit of slip at 4 kN of load and friction 1: slides from a slip of 0.15 on.
static apex_car_def brush_car(void) {
    linear_car abe = linear_abe();
    apex_car_def def = linear_car_def(&abe);
    for (uint32_t a = 0; a < 2; a++) {
        apex_tyre_def *tyre = &def.axles[a].tyre;
        tyre->model = APEX_TYRE_BRUSH;
        tyre->longitudinal.stiffness = tyre->lateral.stiffness = 20.0;
        tyre->longitudinal.d = tyre->lateral.d = 1.0;
    }
    return def;
}

TEST(brush_forces_are_fialas) {
    const double WORKED[][2] = {{0.01, 747.852}, {0.05, 2814.815}, {0.1, 3851.852}};
    apex_car_def def = brush_car();
    char what[64];
    for (int i = 0; i < 3; i++) {
        physics_grip grip = settled(&def, 0.0, WORKED[i][0]);
        snprintf(what, sizeof what, "brush: side force at tan %.2f, N", WORKED[i][0]);
        expect_near(what, (double)grip.lat_n[0], WORKED[i][1], 2e-3);
        grip = settled(&def, -WORKED[i][0], 0.0);
        expect_near("the same along it, braking", (double)grip.long_n[0], -WORKED[i][1], 0.02);
    }
    physics_grip grip = settled(&def, 0.0, 0.145);
    ck_assert_double_lt((double)grip.lat_n[0], 4000.0);
    ck_assert_double_lt((double)grip.slip[0], 1.0);
    const double SLIDING[2] = {0.1501, 0.6};
    for (int i = 0; i < 2; i++) {
        grip = settled(&def, 0.0, SLIDING[i]);
        expect_near("brush: slides past tan 0.15, N", (double)grip.lat_n[0], 4000.0, 1e-2);
        ck_assert_double_gt((double)grip.slip[0], 1.0);
    }
}

static double fiala(double slip) {
    double z = fmin(slip / 0.15, 1.0);
    return 4000.0 * (3.0 * z - 3.0 * z * z + z * z * z);
}

// One brush for both directions: the force lies along the slip, as large as the slip is long. The
// textbook's slip is that of the rolling circumference, (kappa, tan) / (1 + kappa); the patch is
// stretched over the way of the hub, (kappa, tan). Its force is kappa times the slope.
TEST(combined_brush_is_the_vector_form) {
    const double SLIPS[][2] = {{0.03, 0.04}, {0.05, 0.05}, {-0.04, 0.06}, {0.02, 0.11}};
    apex_car_def def = brush_car();
    for (int i = 0; i < 4; i++) {
        double k = SLIPS[i][0], t = SLIPS[i][1], size = hypot(k, t);
        physics_grip grip = settled(&def, k, t);
        double x = (double)grip.long_n[0], y = (double)grip.lat_n[0];
        expect_share("combined brush: size, N", hypot(x, y), fiala(size), 1e-5);
        expect_near("combined brush: direction", atan2(y, x), atan2(t, k), 1e-5);
        expect_share("combined brush: by theoretical slip", hypot(x, y), fiala(size / (1.0 + k)),
                     1.1 * fabs(k));
    }
}

// Trail of a parabolic brush in units of half the contact's length, from the yawing moment that
// wheels with a known force give the body within a substep.
static double measured_trail(double tangent) {
    const double HALF_CONTACT_M = 0.12;
    linear_car abe = linear_abe();
    apex_car_def def = brush_car();
    for (uint32_t a = 0; a < 2; a++) {
        def.axles[a].tyre.pneumatic_trail_m = HALF_CONTACT_M / 3.0;
    }
    scene_solo solo = linear_solo(&def, scene_flat());
    linear_place(&solo, 20.0);
    apex_car_state state = scene_solo_state(&solo);
    state.velocity_mps[1] = -20.0 * tangent;
    for (uint32_t w = 0; w < 4; w++) {
        state.wheels[w].deflection_lat_m = 0.05 * tangent;
    }
    ck_assert(apex_world_set_car(solo.world, solo.car, &state));
    scene_solo_run(&solo, 1);
    apex_car_work work = scene_solo_work(&solo);
    double turn = linear_motion_of(&solo).yaw_radps * 240.0 * abe.yaw_kgm2, all = 0.0;
    for (uint32_t w = 0; w < 4; w++) {
        double force = work.wheels[w].force_lat_n;
        turn -= force * (w < 2 ? abe.front_m : -abe.rear_m);
        all += force;
    }
    scene_solo_destroy(&solo);
    return -turn / all / HALF_CONTACT_M;
}

TEST(brush_trail_is_the_closed_form) {
    expect_near("brush: trail per half contact at tan 0.01", measured_trail(0.01), 0.28991, 2e-3);
    expect_near("brush: trail per half contact at tan 0.05", measured_trail(0.05), 0.14035, 1e-3);
    expect_near("brush: trail per half contact at tan 0.1", measured_trail(0.1), 0.02564, 1e-3);
    expect_near("brush: trail once it slides", measured_trail(0.2), 0.0, 1e-3);
}

// Share of its final force that a tyre has after rolling a distance with a slip that began at once.
static double share_after(const apex_car_def *def, double speed_mps, double travel_m, double h_s) {
    bench at;
    bench_open(&at, def);
    at.in.h_s = (real)h_s;
    double before = 0.0, now = 0.0, rolled = 0.0;
    while (rolled < travel_m) {
        bench_roll(&at, speed_mps, 0.0, 0.01);
        before = now;
        now = (double)at.grip.lat_n[0];
        rolled += speed_mps * h_s;
    }
    bench_close(&at);
    double part = (rolled - travel_m) / (speed_mps * h_s);
    double whole = 4000.0 * def->axles[0].tyre.lateral.stiffness * 0.01;
    return (now + part * (before - now)) / whole;
}

// By distance, whatever the speed. Implicit Euler answers 1 / (1 + k) a substep where the formula
// says exp(-k), k the way of a substep per relaxation length: at 20 m/s that is 0.21, and 4 % of
// the force; it falls with k.
TEST(side_force_builds_up_over_a_distance) {
    const double LENGTH_M = 0.4, SPEED[] = {2.5, 5.0, 10.0, 20.0, 40.0};
    linear_car abe = linear_abe();
    apex_car_def def = linear_car_def(&abe);
    def.axles[0].tyre.lateral.relaxation_m = LENGTH_M;
    char what[64];
    for (int i = 0; i < 5; i++) {
        for (int n = 1; n <= 3; n++) {
            double expected = 1.0 - exp(-n), way = n * LENGTH_M;
            double k = SPEED[i] / 240.0 / LENGTH_M;
            snprintf(what, sizeof what, "force after %d relaxation lengths at %.1f m/s", n,
                     SPEED[i]);
            expect_near(what, share_after(&def, SPEED[i], way, 1.0 / 240.0), expected, 0.2 * k);
            double fine = share_after(&def, SPEED[i], way, 1.0 / 240.0 / 64.0);
            expect_near("the same at 1/64 of the substep", fine, expected, 4e-3 * k + 1e-3);
        }
    }
}

static double up_along(double x_m, double y_m) {
    (void)y_m;
    return 0.2 * x_m;
}

static double up_across(double x_m, double y_m) {
    (void)x_m;
    return 0.2 * y_m;
}

// Parked with locked wheels: the patches are springs, stretched by x = sigma m g sin / C.
static void check_slope(scene_height *height, bool is_along) {
    linear_car abe = linear_abe();
    abe.rear_n_per_rad = abe.front_n_per_rad * abe.front_m / abe.rear_m; // one stiffness per load
    apex_car_def def = linear_car_def(&abe);
    linear_set_brake(&def, 3e4, 0.5);
    scene_ground *ground = scene_ground_create(64.0, height);
    scene_solo solo = linear_solo(&def, scene_ground_of(ground));
    linear_place(&solo, 0.0);
    solo.controls.brake = 255;
    linear_run(&solo, 10.0);
    apex_car_state state = scene_solo_state(&solo);
    apex_car_work work = scene_solo_work(&solo);
    const apex_tyre_def *tyre = &def.axles[0].tyre;
    const apex_tyre_axis *axis = is_along ? &tyre->longitudinal : &tyre->lateral;
    double stretch = 0.0, load = 0.0, force = 0.0;
    for (uint32_t w = 0; w < 4; w++) {
        const apex_wheel_state *wheel = &state.wheels[w];
        double of = is_along ? wheel->deflection_long_m : wheel->deflection_lat_m;
        stretch += of * work.wheels[w].load_n;
        load += work.wheels[w].load_n;
        force += is_along ? work.wheels[w].force_long_n : work.wheels[w].force_lat_n;
    }
    double angle = atan(0.2), weight = abe.mass_kg * 9.81;
    expect_share("slope: load, N", load, weight * cos(angle), 1e-3);
    expect_share("slope: holding force, N", force, weight * sin(angle), 1e-3);
    double stiffness = axis->stiffness * weight * cos(angle);
    expect_share("slope: stretch of the patches, m", stretch / load,
                 axis->relaxation_m * weight * sin(angle) / stiffness, 2e-3);
    scene_solo_destroy(&solo);
    scene_ground_destroy(ground);
}

TEST(on_a_slope_patches_are_springs) {
    check_slope(up_along, true);
    check_slope(up_across, false);
}
