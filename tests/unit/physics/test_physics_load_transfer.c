// builds: float double
// Tests of load transfer by springs, dampers and the centre of mass against the textbooks'
// quasi-static formulas: axle loads (Monster), transfer along (h / L) M a, across by roll stiffness
// and roll centres (Gillespie, "Fundamentals of Vehicle Dynamics", ch. 6), roll and pitch angles;
// slopes, banked turns, and the flight from a ramp.

#include "support/base/check_main.h"
#include "support/physics/linear_car.h"
#include "support/physics/scenes.h"

#include <math.h>
#include <stdio.h>

static const double GRAVITY = 9.81;

/// One axle's suspension in the formulas' words.
typedef struct axle_springs {
    double spring_n_per_m, bar_n_per_m, roll_centre_m;
} axle_springs;

static const axle_springs SOFT_FRONT = {30e3, 14e3, 0.04}, SOFT_REAR = {26e3, 3e3, 0.12};
static const double HEIGHT_M = 0.52, TRACK_M = 1.5, TYRE_N_PER_M = 1.0e6;
static const double WHEEL_M = 0.34;

static linear_car heavy_car(void) {
    linear_car car = linear_abe();
    car.com_height_m = HEIGHT_M;
    return car;
}

static apex_car_def sprung_car(apex_suspension_kind kind) {
    linear_car car = heavy_car();
    apex_car_def def = linear_car_def(&car);
    const axle_springs *const springs[2] = {&SOFT_FRONT, &SOFT_REAR};
    for (uint32_t a = 0; a < 2; a++) {
        apex_axle_def *axle = &def.axles[a];
        axle->track_width_m = TRACK_M;
        axle->suspension.kind = kind;
        axle->suspension.unsprung_mass_kg = 30.0;
        axle->suspension.spring_n_per_m = springs[a]->spring_n_per_m;
        axle->suspension.anti_roll_n_per_m = springs[a]->bar_n_per_m;
        axle->suspension.roll_centre_height_m = springs[a]->roll_centre_m;
        axle->suspension.bump_ns_per_m = axle->suspension.rebound_ns_per_m = 3500.0;
        axle->tyre.vertical_stiffness_n_per_m = TYRE_N_PER_M;
    }
    return def;
}

// Of the spring and the tyre below it.
static double ride_rate(const axle_springs *springs) {
    return springs->spring_n_per_m * TYRE_N_PER_M / (springs->spring_n_per_m + TYRE_N_PER_M);
}

TEST(axle_loads_at_rest) {
    linear_car car = heavy_car();
    apex_car_def def = sprung_car(APEX_SUSPENSION_DOUBLE_WISHBONE);
    scene_solo solo = linear_solo(&def, scene_flat());
    linear_run(&solo, 3.0);
    apex_car_work work = scene_solo_work(&solo);
    double weight = car.mass_kg * GRAVITY, length = car.front_m + car.rear_m;
    for (int w = 0; w < 4; w++) {
        double lever = w < 2 ? car.rear_m : car.front_m;
        expect_share("wheel load at rest, N", work.wheels[w].load_n, 0.5 * weight * lever / length,
                     2e-4);
    }
    linear_motion now = linear_motion_of(&solo);
    expect_near("pitch at rest", now.pitch_rad, 0.0, 1e-5);
    expect_near("height at rest", scene_solo_pose(&solo).position_m[2], HEIGHT_M, 1e-5);
    scene_solo_destroy(&solo);
}

// Pushed or braked until the body stands still on its springs.
static void check_along(double along_mps2) {
    linear_car car = heavy_car();
    apex_car_def def = sprung_car(APEX_SUSPENSION_DOUBLE_WISHBONE);
    linear_set_push(&def, car.mass_kg * fabs(along_mps2));
    linear_set_brake(&def, car.mass_kg * fabs(along_mps2), 0.6);
    scene_solo solo = linear_solo(&def, scene_flat());
    linear_place(&solo, along_mps2 < 0.0 ? 30.0 : 5.0);
    solo.controls.brake = along_mps2 < 0.0 ? 255 : 0;
    solo.controls.throttle = along_mps2 > 0.0 ? 255 : 0;
    solo.controls.gear = along_mps2 > 0.0 ? 1 : APEX_GEAR_NEUTRAL;
    linear_run(&solo, 2.5);
    double before = linear_motion_of(&solo).forward_mps;
    linear_run(&solo, 0.5);
    linear_motion now = linear_motion_of(&solo);
    double gained = 2.0 * (now.forward_mps - before), length = car.front_m + car.rear_m;
    apex_car_work work = scene_solo_work(&solo);
    double front = work.wheels[0].load_n + work.wheels[1].load_n;
    double rear = work.wheels[2].load_n + work.wheels[3].load_n;
    double at_rest = car.mass_kg * GRAVITY * car.rear_m / length;
    double transfer = HEIGHT_M / length * car.mass_kg * gained;
    char what[64];
    snprintf(what, sizeof what, "%.1f m/s2 along: transfer (h / L) M a, N", along_mps2);
    expect_share(what, at_rest - front, transfer, 0.04);
    // The body has pitched about its wheels, and its weight acts that much further back; and it has
    // risen, as the springs in front are not those behind.
    double height = scene_solo_pose(&solo).position_m[2];
    double leaning = car.mass_kg * GRAVITY * (HEIGHT_M - WHEEL_M) * -now.pitch_rad / length;
    expect_share("the same as the body now stands", at_rest - front,
                 transfer * height / HEIGHT_M + leaning, 5e-3);
    expect_share("sum of the loads, N", front + rear, car.mass_kg * GRAVITY, 1e-3);
    // Hubs are led square to the body, which has pitched: a little of the push spares a spring.
    double give = 0.5 / ride_rate(&SOFT_FRONT) + 0.5 / ride_rate(&SOFT_REAR);
    snprintf(what, sizeof what, "%.1f m/s2 along: pitch, rad", along_mps2);
    expect_share(what, now.pitch_rad, -transfer * give / length, 0.05);
    scene_solo_destroy(&solo);
}

TEST(transfer_and_pitch_along) {
    check_along(2.0);
    check_along(4.0);
    check_along(-3.0);
    check_along(-6.0);
}

typedef struct roll_formula {
    double roll_rad;
    double transfer_n[2]; // from the inner to the outer wheel of an axle
} roll_formula;

// Gillespie 6-41 and following: roll about the axis through the roll centres, with springs and
// tyres in series.
static roll_formula gillespie(double across_mps2) {
    linear_car car = heavy_car();
    double length = car.front_m + car.rear_m, weight = car.mass_kg * GRAVITY;
    const axle_springs *const springs[2] = {&SOFT_FRONT, &SOFT_REAR};
    const double share[2] = {car.rear_m / length, car.front_m / length};
    double axis = 0.0, stiffness[2], all = 0.0;
    for (int a = 0; a < 2; a++) {
        double rate = springs[a]->spring_n_per_m + 2.0 * springs[a]->bar_n_per_m;
        rate = rate * TYRE_N_PER_M / (rate + TYRE_N_PER_M);
        stiffness[a] = 0.5 * rate * TRACK_M * TRACK_M;
        axis += share[a] * springs[a]->roll_centre_m;
        all += stiffness[a];
    }
    double arm = HEIGHT_M - axis;
    roll_formula of = {.roll_rad = car.mass_kg * across_mps2 * arm / (all - weight * arm)};
    for (int a = 0; a < 2; a++) {
        double force = car.mass_kg * across_mps2 * share[a];
        of.transfer_n[a] =
            (force * springs[a]->roll_centre_m + stiffness[a] * of.roll_rad) / TRACK_M;
    }
    return of;
}

static void check_across(apex_suspension_kind kind, double steer_rad) {
    linear_car car = heavy_car();
    apex_car_def def = sprung_car(kind);
    linear_set_steer(&def, fabs(steer_rad));
    scene_solo solo = linear_solo(&def, scene_flat());
    linear_place(&solo, 18.0);
    solo.controls.steer = steer_rad > 0.0 ? APEX_STEER_MAX : -APEX_STEER_MAX;
    linear_run(&solo, 3.0);
    apex_car_work work = scene_solo_work(&solo);
    linear_motion now = linear_motion_of(&solo);
    double force = 0.0;
    for (int w = 0; w < 4; w++) {
        force += work.wheels[w].force_lat_n;
    }
    double across = force / car.mass_kg;
    roll_formula of = gillespie(across);
    char what[64];
    snprintf(what, sizeof what, "%.2f m/s2 across: roll, rad", across);
    expect_share(what, now.roll_rad, of.roll_rad, 0.03);
    double left = 0.0, right = 0.0;
    for (int a = 0; a < 2; a++) {
        double transfer = 0.5 * (work.wheels[2 * a + 1].load_n - work.wheels[2 * a].load_n);
        snprintf(what, sizeof what, "%.2f m/s2 across: transfer of the %s axle, N", across,
                 a == 0 ? "front" : "rear");
        expect_share(what, transfer, of.transfer_n[a], 0.02);
        left += work.wheels[2 * a].load_n;
        right += work.wheels[2 * a + 1].load_n;
    }
    // About the ground, whatever the springs: the moment of the force and of the weight moved out.
    double moment = car.mass_kg * (across + GRAVITY * now.roll_rad) * HEIGHT_M;
    expect_share("both axles: moment over track, N", 0.5 * (right - left), moment / TRACK_M, 0.01);
    expect_share("sum of the loads, N", left + right, car.mass_kg * GRAVITY, 2e-3);
    scene_solo_destroy(&solo);
}

TEST(transfer_and_roll_across) {
    check_across(APEX_SUSPENSION_DOUBLE_WISHBONE, 0.01);
    check_across(APEX_SUSPENSION_DOUBLE_WISHBONE, 0.04);
    check_across(APEX_SUSPENSION_STRUT, -0.04);
    check_across(APEX_SUSPENSION_SOLID_AXLE, 0.04);
}

static double tilted(double x_m, double y_m) {
    return 0.15 * x_m + 0.1 * y_m;
}

// Parked across and along a slope: loads are those of the weight's parts, moved by its height.
TEST(axle_loads_on_a_slope) {
    linear_car car = heavy_car();
    apex_car_def def = sprung_car(APEX_SUSPENSION_DOUBLE_WISHBONE);
    linear_set_brake(&def, 3e4, 0.5);
    scene_ground *ground = scene_ground_create(48.0, tilted);
    scene_solo solo = linear_solo(&def, scene_ground_of(ground));
    linear_place(&solo, 0.0);
    solo.controls.brake = 255;
    linear_run(&solo, 6.0);
    apex_car_work work = scene_solo_work(&solo);
    double down = sqrt(1.0 + 0.15 * 0.15 + 0.1 * 0.1), weight = car.mass_kg * GRAVITY / down;
    double all = 0.0, along = 0.0, across = 0.0;
    for (int w = 0; w < 4; w++) {
        double load = work.wheels[w].load_n;
        all += load;
        along += load * (w < 2 ? car.front_m : -car.rear_m);
        across += load * (w % 2 == 0 ? 0.5 : -0.5) * TRACK_M;
    }
    // Uphill is ahead and to the left: load goes back, and to the right; and a little more as the
    // body leans on its springs.
    expect_share("slope: sum of the loads, N", all, weight, 1e-3);
    expect_share("slope: moment along, N m", along, -weight * 0.15 * HEIGHT_M, 0.03);
    expect_share("slope: moment across, N m", across, -weight * 0.1 * HEIGHT_M, 0.12);
    ck_assert_double_gt(work.wheels[3].load_n, work.wheels[2].load_n);
    scene_solo_destroy(&solo);
    scene_ground_destroy(ground);
}

static const double BANK = 0.3, BANK_RADIUS_M = 60.0;

// A funnel: rises with the distance from its middle.
static double funnel(double x_m, double y_m) {
    return BANK * hypot(x_m, y_m);
}

// Drives round at a radius and means what its tyres push sideways, per mass, and its loads.
typedef struct banked_lap {
    double side_mps2, load_n, speed_mps, radius_m;
} banked_lap;

static banked_lap drive_bank(double speed_mps) {
    linear_car car = heavy_car();
    apex_car_def def = sprung_car(APEX_SUSPENSION_DOUBLE_WISHBONE);
    linear_set_steer(&def, 0.2);
    linear_set_push(&def, 1500.0);
    scene_ground *ground = scene_ground_create(96.0, funnel);
    scene_solo solo = linear_solo(&def, scene_ground_of(ground));
    apex_placement at = {.x_m = BANK_RADIUS_M,
                         .z_m = BANK * BANK_RADIUS_M,
                         .yaw_rad = 1.5707963267948966,
                         .speed_mps = speed_mps};
    apex_world_place_car(solo.world, solo.car, &at);
    banked_lap lap = {0.0, 0.0, 0.0, 0.0};
    double lean = 0.05;
    int counted = 0;
    for (int i = 0; i < 240 * 30; i++) {
        linear_motion now = linear_motion_of(&solo);
        double radius = hypot(now.x_m, now.y_m);
        double outward = (now.x_m * cos(now.yaw_rad + now.beta_rad) +
                          now.y_m * sin(now.yaw_rad + now.beta_rad)) /
                         radius;
        lean += 1e-5 * (radius - BANK_RADIUS_M);
        double steer = lean + 0.004 * (radius - BANK_RADIUS_M) + 0.3 * outward;
        solo.controls.steer = (int16_t)(fmax(fmin(steer / 0.2, 1.0), -1.0) * APEX_STEER_MAX);
        bool is_slow = now.speed_mps < speed_mps;
        solo.controls.throttle = is_slow ? 255 : 0;
        solo.controls.clutch = is_slow ? 0 : 255;
        solo.controls.gear = 1;
        scene_solo_run(&solo, 1);
        if (i >= 240 * 10) {
            apex_car_work work = scene_solo_work(&solo);
            for (int w = 0; w < 4; w++) {
                lap.side_mps2 += work.wheels[w].force_lat_n / car.mass_kg;
                lap.load_n += work.wheels[w].load_n;
            }
            lap.speed_mps += now.speed_mps;
            lap.radius_m += radius;
            counted++;
        }
    }
    lap.side_mps2 /= counted;
    lap.load_n /= counted;
    lap.speed_mps /= counted;
    lap.radius_m /= counted;
    scene_solo_destroy(&solo);
    scene_ground_destroy(ground);
    return lap;
}

static void check_bank(double speed_mps) {
    banked_lap lap = drive_bank(speed_mps);
    double c = 1.0 / sqrt(1.0 + BANK * BANK), s = BANK * c;
    double outward = lap.speed_mps * lap.speed_mps / lap.radius_m;
    char what[64];
    expect_near("banked turn: radius, m", lap.radius_m, BANK_RADIUS_M, 0.5);
    snprintf(what, sizeof what, "banked turn at %.1f m/s: side force, m/s2", speed_mps);
    expect_near(what, lap.side_mps2, outward * c - GRAVITY * s, 0.05);
    snprintf(what, sizeof what, "banked turn at %.1f m/s: load, N", speed_mps);
    expect_share(what, lap.load_n, 1500.0 * (GRAVITY * c + outward * s), 0.005);
}

// Too slow, at the speed that needs no tyres (sqrt(g R tan)), and too fast.
TEST(banked_turn) {
    check_bank(8.0);
    check_bank(sqrt(GRAVITY * BANK_RADIUS_M * BANK));
    check_bank(19.0);
}

// A ramp of 20 % that ends 2.4 m above a plain.
static double jump(double x_m, double y_m) {
    (void)y_m;
    return x_m < 8.0 ? 0.0 : (x_m <= 20.0 ? 0.2 * (x_m - 8.0) : 0.0);
}

typedef struct flight {
    apex_car_pose start, end; // in free fall, with settled hubs; last moment in the air
    double seconds;
    int took_off, landed;
    double landing_mps;
    double landed_height_m; // four seconds later
} flight;

static void note_events(const scene_solo *solo, flight *found) {
    size_t count;
    const apex_car_event *events = apex_world_car_events(solo->world, &count);
    for (size_t i = 0; i < count; i++) {
        found->took_off += events[i].kind == APEX_CAR_TOOK_OFF;
        if (events[i].kind == APEX_CAR_LANDED) {
            found->landing_mps = found->landed == 0 ? events[i].value : found->landing_mps;
            found->landed++;
        }
    }
}

static bool is_loaded(const scene_solo *solo) {
    apex_car_work work = scene_solo_work(solo);
    for (int w = 0; w < 4; w++) {
        if (work.wheels[w].load_n > 0.0) {
            return true;
        }
    }
    return false;
}

static flight fly(double speed_mps) {
    apex_car_def def = sprung_car(APEX_SUSPENSION_DOUBLE_WISHBONE);
    for (uint32_t a = 0; a < 2; a++) { // hubs must reach their stops to hang still
        def.axles[a].suspension.travel_rebound_m = 0.08;
        def.axles[a].suspension.travel_bump_m = 0.2;
        def.axles[a].suspension.bump_stop_n_per_m = 2e5;
    }
    scene_ground *ground = scene_ground_create(160.0, jump);
    scene_solo solo = linear_solo(&def, scene_ground_of(ground));
    apex_placement at = {.x_m = 0.0, .speed_mps = speed_mps};
    apex_world_place_car(solo.world, solo.car, &at);
    flight found = {.seconds = -1.0};
    int free_ticks = 0;
    for (int i = 0; i < 240 * 6; i++) { // to the end of the asphalt
        scene_solo_run(&solo, 1);
        note_events(&solo, &found);
        bool flies =
            found.landed == 0 && scene_solo_pose(&solo).position_m[0] > 20.0 && !is_loaded(&solo);
        free_ticks += flies ? 1 : 0;
        if (flies && free_ticks == 72) {
            found.start = scene_solo_pose(&solo);
        }
        if (flies && free_ticks >= 72) {
            found.end = scene_solo_pose(&solo);
            found.seconds = (free_ticks - 72) / 240.0;
        }
    }
    found.landed_height_m = scene_solo_pose(&solo).position_m[2];
    scene_solo_destroy(&solo);
    scene_ground_destroy(ground);
    return found;
}

TEST(a_ramp_makes_a_projectile) {
    flight found = fly(24.0);
    ck_assert_double_gt(found.seconds, 0.3);
    double t = found.seconds, v = found.start.velocity_mps[2];
    double fallen = found.end.position_m[2] - found.start.position_m[2];
    // Semi-implicit Euler falls by g h t / 2 further than the parabola.
    expect_near("flight: height against the parabola, m", fallen,
                v * t - 0.5 * GRAVITY * t * (t + 1.0 / 240.0), 2e-3);
    expect_near("flight: vertical speed, m/s", found.end.velocity_mps[2], v - GRAVITY * t, 5e-3);
    expect_near("flight: way along, m", found.end.position_m[0] - found.start.position_m[0],
                found.start.velocity_mps[0] * t, 1e-3);
    for (int i = 0; i < 3; i++) {
        expect_near("flight: angular velocity", found.end.angular_radps[i],
                    found.start.angular_radps[i], 2e-3);
    }
    expect_near("flight: took off, times", found.took_off, 1, 0.0);
    ck_assert_int_ge(found.landed, 1);
    expect_near("flight: landing speed, m/s", found.landing_mps, found.end.velocity_mps[2], 0.1);
    expect_near("landed: height, m", found.landed_height_m, HEIGHT_M, 1e-3);
}
