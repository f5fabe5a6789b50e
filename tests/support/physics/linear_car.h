// Cars for closed forms: linear tyres, springs as stiff as the step bears, nothing that drags, and
// a drive that pushes with the same force at every speed. Built through the public definition, so
// that they serve the float and the double build.

#ifndef APEX_TESTS_LINEAR_CAR_H
#define APEX_TESTS_LINEAR_CAR_H

#include "support/physics/scenes.h"

// A single track: with a centre of mass this low no load moves sideways or along.
#define LINEAR_LOW_M 0.05

typedef struct linear_car {
    double mass_kg, yaw_kgm2;
    double front_m, rear_m;                 // axles ahead of and behind the centre of mass
    double front_n_per_rad, rear_n_per_rad; // cornering stiffness of an axle at its load at rest
    double com_height_m;
    double friction; // at which the tyres' force is cut off; 0: 4, out of the way
} linear_car;

// Abe's textbook car: 1500 kg, 2500 kg m2, 1.1 and 1.6 m, 110 and 120 kN/rad.
linear_car linear_abe(void);
// Two axles on four wheels of 0.34 m, the front one steers, the rear one drives; steers by up to
// 0.1 rad at once.
apex_car_def linear_car_def(const linear_car *car);
// Share 0..1 of all drive that the front axle gets.
void linear_set_drive_share(apex_car_def *def, double front);
// Full throttle in gear pushes with this force: the clutch slips at the torque that gives it.
void linear_set_push(apex_car_def *def, double force_n);
// Full brake asks for this force, divided between the axles.
void linear_set_brake(apex_car_def *def, double force_n, double front);
// Full steering is this angle.
void linear_set_steer(apex_car_def *def, double angle_rad);

// A world of one such car, 240 ticks of one substep each. In neutral until the controls say else.
scene_solo linear_solo(const apex_car_def *def, const apex_ground *ground);
void linear_place(scene_solo *solo, double speed_mps);
// Runs for a time with the controls as they are; rounds to substeps.
void linear_run(scene_solo *solo, double seconds);

// The motion that single-track models know.
typedef struct linear_motion {
    double x_m, y_m, yaw_rad, roll_rad, pitch_rad;
    double speed_mps, beta_rad; // over ground, and its direction from the car's
    double forward_mps, left_mps;
    double yaw_radps;
} linear_motion;

linear_motion linear_motion_of(const scene_solo *solo);

// Prints "what: reference, ours, tolerance", so that a test run by hand is a table.
// @return whether |ours - reference| <= tolerance.
bool linear_is_near(const char *what, double ours, double reference, double tolerance);

// "car: what", until the next call.
const char *linear_named(const char *car, const char *what);

// For tests: absolute, and as a share of the reference.
#define expect_near(what, ours, reference, tolerance) \
    ck_assert_msg(linear_is_near(what, ours, reference, tolerance), "%s", what)
#define expect_share(what, ours, reference, share) \
    expect_near(what, ours, reference, (share)*fabs(reference))

#endif
